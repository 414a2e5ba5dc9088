"""Staged changes, drafts and how far the inbox was read: kept by store, through a kill."""

from collections.abc import AsyncIterator
from pathlib import Path

import pysqlite3
import pytest
import pytest_asyncio

from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.appdata.inbox_marks import InboxMarks
from core.appdata.pending import Pending
from core.appdata.places import StorePlace
from core.appdata.queries import Queries
from core.appdata.schema import STEPS
from core.clock import SystemClock
from core.commands.changes import Amend, Remember, Retire, Supersede
from core.commands.staging import PendingList, Staged
from tests.support.child import child
from tests.support.staged import seen
from tests.support.staging_child import HERE
from tests.support.stores import uuid_of

_CLOCK = SystemClock()
_OTHER = StorePlace("another store", "/other/memory.db")
A, B = uuid_of("a"), uuid_of("b")


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[AppDatabase]:
    opened = await AppDatabase.open(tmp_path, _CLOCK)
    yield opened
    await opened.close()


@pytest.fixture
def pending(database: AppDatabase) -> Pending:
    return Pending(database, _CLOCK)


@pytest.fixture
def drafts(database: AppDatabase) -> Drafts:
    return Drafts(database, _CLOCK)


def entries(*numbers: int) -> tuple[Staged, ...]:
    return tuple(
        Staged(n, Amend(uuid_of(n), 1, "half \ud800", f"text {n}"), seen(str(n))) for n in numbers
    )


async def test_staged_changes_come_back_by_store_in_their_order(pending: Pending) -> None:
    await pending.save(HERE, entries(1, 2, 3))
    await pending.save(_OTHER, (Staged(1, Remember("g", "c")),))
    assert await pending.load(HERE) == entries(1, 2, 3)
    assert await pending.load(_OTHER) == (Staged(1, Remember("g", "c")),)
    assert await pending.load(StorePlace("a third", HERE.path)) == ()


async def test_what_the_list_holds_no_more_is_forgotten(
    pending: Pending, database: AppDatabase
) -> None:
    held = PendingList(entries(1, 2, 3))
    await pending.save(HERE, held.entries)
    held.discard(2)
    held.edit(3, Retire(uuid_of(3), 1))
    await pending.save(HERE, held.entries)
    again = await Pending(database, _CLOCK).load(HERE)
    assert [e.change for e in again] == list(held.changes)
    assert [e.number for e in again] == [1, 2]
    await pending.save(HERE, ())
    assert await pending.load(HERE) == again  # the other window's


async def test_an_edit_does_not_move_an_entry(pending: Pending, database: AppDatabase) -> None:
    held = PendingList(entries(1, 2, 3))
    await pending.save(HERE, held.entries)
    held.edit(1, Retire(uuid_of(1), 1))
    await pending.save(HERE, held.entries)
    assert await Pending(database, _CLOCK).load(HERE) == held.entries


async def test_a_window_that_stages_nothing_deletes_nothing_of_another(
    database: AppDatabase,
) -> None:
    one, other = Pending(database, _CLOCK), Pending(database, _CLOCK)
    await one.save(HERE, entries(1, 2))
    await other.save(HERE, ())
    await other.save(HERE, entries(3))
    later = await Pending(database, _CLOCK).load(HERE)
    assert {e.subject for e in later} == {uuid_of(n) for n in (1, 2, 3)}
    assert sorted(e.number for e in later) == [1, 2, 3]


async def test_two_windows_changes_of_one_memory_are_both_kept(database: AppDatabase) -> None:
    await Pending(database, _CLOCK).save(HERE, [Staged(1, Retire(A, 1))])
    await Pending(database, _CLOCK).save(HERE, [Staged(1, Supersede(A, 1, B))])
    later = Pending(database, _CLOCK)
    first = await later.load(HERE)
    await later.save(HERE, ())  # committed, say
    second = await later.load(HERE)
    found = {e.change for e in (*first, *second)}
    assert (len(first), len(second)) == (1, 1)
    assert found == {Retire(A, 1), Supersede(A, 1, B)}


async def test_an_entry_that_is_not_understood_costs_only_itself(
    pending: Pending, database: AppDatabase
) -> None:
    await pending.save(HERE, entries(1, 2, 3))
    async with database.writing() as connection:
        await connection.rows("UPDATE pending SET entry = '{}' WHERE number = 2")
    loaded = await pending.load(HERE)
    assert [e.subject for e in loaded] == [uuid_of(1), uuid_of(3)]


async def test_a_draft_is_kept_as_it_is_written(drafts: Drafts) -> None:
    for text in ("", "a", "ab\ud800"):
        await drafts.keep(HERE, Draft("e1", Amend(A, 4, "", text), seen("a", 4), 7))
    await drafts.keep(HERE, Draft("e2", Remember("", "")))
    await drafts.keep(_OTHER, Draft("e3", Remember("x", "")))
    assert await drafts.all(HERE) == (
        Draft("e1", Amend(A, 4, "", "ab\ud800"), seen("a", 4), 7),
        Draft("e2", Remember("", "")),
    )
    await drafts.drop("e1", "e3", "never kept")
    assert await drafts.all(HERE) == (Draft("e2", Remember("", "")),)
    assert await drafts.all(_OTHER) == ()


async def test_a_draft_that_is_not_understood_counts_as_not_there(
    drafts: Drafts, database: AppDatabase
) -> None:
    await drafts.keep(HERE, Draft("e1", Remember("", "")))
    async with database.writing() as connection:
        await connection.rows("UPDATE draft SET entry = 'x'")
    assert await drafts.all(HERE) == ()


async def test_how_far_the_inbox_was_read_is_kept_by_store(database: AppDatabase) -> None:
    marks = InboxMarks(database)
    assert await marks.get(HERE) is None
    await marks.set(HERE, 12)
    await marks.set(HERE, 40)
    await marks.set(_OTHER, 3)
    assert (await marks.get(HERE), await marks.get(_OTHER)) == (40, 3)


async def test_a_killed_window_loses_no_staged_change_and_no_draft(tmp_path: Path) -> None:
    with child("tests.support.staging_child", str(tmp_path)) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline()) for _ in range(40)]
        process.kill()
        said += [int(line) for line in process.stdout.read().split()]
    last = said[-1]
    database = await AppDatabase.open(tmp_path, _CLOCK)
    try:
        staged = await Pending(database, _CLOCK).load(HERE)
        (draft,) = await Drafts(database, _CLOCK).all(HERE)
    finally:
        await database.close()
    assert database.set_aside is None
    assert len(staged) in (last + 1, last + 2)
    assert staged == tuple(
        Staged(n + 1, Amend(uuid_of(n), 1, "gist", f"text {n}"), seen(str(n)))
        for n in range(len(staged))
    )
    assert isinstance(draft.change, Remember)
    assert draft.change.content in (f"text up to {last}", f"text up to {last + 1}")


async def test_a_file_of_the_version_before_gains_the_tables_and_loses_nothing(
    tmp_path: Path,
) -> None:
    raw = pysqlite3.connect(str(tmp_path / FILE_NAME))
    for step in STEPS[:2]:
        for statement in step:
            raw.execute(statement)
    raw.execute("INSERT INTO query(text, at) VALUES ('tide', '2026')")
    raw.execute("PRAGMA user_version = 2")
    raw.commit()
    raw.close()
    database = await AppDatabase.open(tmp_path, _CLOCK)
    try:
        assert await Queries(database, _CLOCK).last() == ("tide",)
        await Pending(database, _CLOCK).save(HERE, entries(1))
        assert await Pending(database, _CLOCK).load(HERE) == entries(1)
    finally:
        await database.close()
