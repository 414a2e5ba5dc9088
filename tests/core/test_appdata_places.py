"""What is kept for a store is kept for its place: copies share an id, projects are moved."""

import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pysqlite3
import pytest_asyncio

from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.appdata.inbox_marks import InboxMarks
from core.appdata.pending import Pending, Strays
from core.appdata.places import StorePlace
from core.appdata.recents import Recents
from core.appdata.schema import STEPS
from core.clock import SystemClock
from core.commands.changes import Remember, Retire, Supersede
from core.commands.staging import Staged
from core.commands.staging_json import to_text
from tests.support.stores import STORE_ID, uuid_of

_CLOCK = SystemClock()
A, B = uuid_of("a"), uuid_of("b")


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[AppDatabase]:
    opened = await AppDatabase.open(tmp_path / "own", _CLOCK)
    yield opened
    await opened.close()


def place(folder: Path, name: str) -> StorePlace:
    """Return the place of a file that is there."""
    path = folder / name
    path.touch()
    return StorePlace(STORE_ID, str(path.resolve()))


def gone(folder: Path, name: str = "gone") -> StorePlace:
    return StorePlace(STORE_ID, str(folder / name))


async def test_copies_keep_their_own(tmp_path: Path, database: AppDatabase) -> None:
    one, other = place(tmp_path, "one"), place(tmp_path, "other")
    pending, drafts, marks = (
        Pending(database, _CLOCK),
        Drafts(database, _CLOCK),
        InboxMarks(database),
    )
    await pending.save(one, [Staged(1, Retire(A, 1)), Staged(2, Retire(B, 1))])
    await pending.save(other, [Staged(1, Supersede(A, 1, B))])
    await pending.save(other, ())
    await drafts.keep(one, Draft("e1", Remember("g", "c")))
    await marks.set(one, 40)
    later = Pending(database, _CLOCK)
    assert await later.load(other) == ()
    assert [e.change for e in await later.load(one)] == [Retire(A, 1), Retire(B, 1)]
    assert await later.strays(other) == Strays(0, ())
    assert await later.adopt(other) == ()
    assert [draft.key for draft in await drafts.all(one)] == ["e1"]
    assert await drafts.all(other) == ()
    assert (await marks.get(one), await marks.get(other)) == (40, None)


async def test_a_path_is_kept_byte_by_byte(tmp_path: Path, database: AppDatabase) -> None:
    odd = StorePlace(STORE_ID, os.fsdecode(os.fsencode(tmp_path) + b"/\xff'\n"))
    Path(odd.path).touch()
    await Pending(database, _CLOCK).save(odd, [Staged(1, Retire(A, 1))])
    assert len(await Pending(database, _CLOCK).load(odd)) == 1
    Path(odd.path).unlink()
    strays = await Pending(database, _CLOCK).strays(place(tmp_path, "here"))
    assert strays == Strays(1, (odd.path,))


async def test_what_was_staged_for_a_file_that_is_gone_waits_until_it_is_taken(
    tmp_path: Path, database: AppDatabase
) -> None:
    here, left = place(tmp_path, "here"), gone(tmp_path)
    await Pending(database, _CLOCK).save(left, [Staged(1, Retire(A, 1)), Staged(4, Retire(B, 2))])
    pending = Pending(database, _CLOCK)
    await pending.save(here, [Staged(1, Supersede(A, 1, B)), Staged(3, Remember("g", "c"))])
    assert await pending.load(here) == (
        Staged(1, Supersede(A, 1, B)),
        Staged(2, Remember("g", "c")),
    )
    assert await pending.strays(here) == Strays(1, (left.path,)), "a is staged here otherwise"
    assert [entry.change for entry in await pending.adopt(here)] == [Retire(B, 2)]
    assert await pending.strays(here) == Strays(0, ())
    changes = [entry.change for entry in await Pending(database, _CLOCK).load(here)]
    assert changes == [Supersede(A, 1, B), Remember("g", "c"), Retire(B, 2)]
    await pending.save(here, ())
    third = place(tmp_path, "third")
    assert await pending.strays(third) == Strays(1, (left.path,)), "the one of a is still kept"


async def test_another_programs_changes_stay_its_own_when_strays_are_taken(
    tmp_path: Path, database: AppDatabase
) -> None:
    here = place(tmp_path, "here")
    await Pending(database, _CLOCK).save(here, [Staged(1, Remember("theirs", "c"))])
    await Pending(database, _CLOCK).save(gone(tmp_path), [Staged(1, Remember("lost", "c"))])
    mine = Pending(database, _CLOCK)
    assert len(await mine.adopt(here)) == 1
    found = [entry.change for entry in await Pending(database, _CLOCK).load(here)]
    assert sorted(change.gist for change in found if isinstance(change, Remember)) == [
        "lost",
        "theirs",
    ]


async def test_a_draft_and_a_mark_of_a_file_that_is_gone_are_found_at_its_new_place(
    tmp_path: Path, database: AppDatabase
) -> None:
    here, drafts, marks = place(tmp_path, "here"), Drafts(database, _CLOCK), InboxMarks(database)
    await drafts.keep(gone(tmp_path), Draft("e1", Remember("g", "c")))
    await marks.set(gone(tmp_path), 12)
    assert [draft.key for draft in await drafts.all(here)] == ["e1"]
    assert await marks.get(here) == 12
    await drafts.keep(here, Draft("e1", Remember("g", "more")))
    await marks.set(here, 15)
    assert await drafts.all(place(tmp_path, "copy")) == ()
    assert await marks.get(here) == 15


async def test_a_file_reached_by_another_path_is_the_same_place(
    tmp_path: Path, database: AppDatabase
) -> None:
    left = gone(tmp_path)
    await Pending(database, _CLOCK).save(left, [Staged(1, Retire(A, 1))])
    here = place(tmp_path, "here")
    Path(left.path).symlink_to(here.path)
    assert [e.change for e in await Pending(database, _CLOCK).load(here)] == [Retire(A, 1)]


async def test_a_place_that_another_store_has_taken_is_lost_to_the_one_before(
    tmp_path: Path, database: AppDatabase
) -> None:
    there, here = place(tmp_path, "there"), place(tmp_path, "here")
    await Pending(database, _CLOCK).save(there, [Staged(1, Retire(A, 1))])
    assert (await Pending(database, _CLOCK).strays(here)).number == 0
    await Recents(database, _CLOCK).note(Path(there.path), "another id", "there")
    assert await Pending(database, _CLOCK).strays(here) == Strays(1, (there.path,))


def _file_of_version_4(folder: Path, recent: Sequence[str]) -> None:
    """Leave a file of the version before, in which one change, draft and mark are kept."""
    folder.mkdir()
    raw = pysqlite3.connect(str(folder / FILE_NAME))
    for statement in (statement for step in STEPS[:4] for statement in step):
        raw.execute(statement)
    entry = to_text(Retire(A, 1), None)
    raw.execute("INSERT INTO pending VALUES (7, ?, 'owner', 1, 0, ?, '2026')", (STORE_ID, entry))
    draft = to_text(Remember("g", "c"), None)
    raw.execute("INSERT INTO draft VALUES (1, 'e1', ?, NULL, ?, '2026')", (STORE_ID, draft))
    raw.execute("INSERT INTO inbox_mark VALUES (?, 12)", (STORE_ID,))
    for path in recent:
        raw.execute(
            "INSERT INTO recent(path, store_id, name, opened_at) VALUES (?, ?, 'n', '2026')",
            (os.fsencode(path), STORE_ID),
        )
    raw.execute("PRAGMA user_version = 4")
    raw.commit()
    raw.close()


async def _kept(folder: Path, *places: StorePlace) -> list[tuple[int, int, int, int | None]]:
    """Return staged changes, strays, drafts and the mark of each place."""
    database = await AppDatabase.open(folder, _CLOCK)
    try:
        pending, drafts = Pending(database, _CLOCK), Drafts(database, _CLOCK)
        return [
            (
                len(await pending.load(place)),
                (await pending.strays(place)).number,
                len(await drafts.all(place)),
                await InboxMarks(database).get(place),
            )
            for place in places
        ]
    finally:
        await database.close()


async def test_a_file_of_the_version_before_keeps_all_for_the_one_path_it_knows(
    tmp_path: Path,
) -> None:
    one, other = place(tmp_path, "one"), place(tmp_path, "other")
    _file_of_version_4(tmp_path / "own", [one.path])
    assert await _kept(tmp_path / "own", other, one) == [(0, 0, 0, None), (1, 0, 1, 12)]


async def test_where_the_version_before_knew_two_copies_either_may_take_what_it_kept(
    tmp_path: Path,
) -> None:
    one, other = place(tmp_path, "one"), place(tmp_path, "other")
    _file_of_version_4(tmp_path / "own", [one.path, other.path])
    assert await _kept(tmp_path / "own", one, other) == [(0, 1, 1, 12), (0, 1, 1, 12)]
    database = await AppDatabase.open(tmp_path / "own", _CLOCK)
    try:
        pending = Pending(database, _CLOCK)
        assert await pending.strays(one) == Strays(1, ()), "its path is not known"
        assert [entry.change for entry in await pending.adopt(one)] == [Retire(A, 1)]
        assert await pending.strays(other) == Strays(0, ())
    finally:
        await database.close()
