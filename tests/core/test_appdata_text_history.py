"""The history of texts: every version that was seen, within its cap, and gone when forgotten."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio
from hypothesis import given

from core.appdata import text_history
from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.text_history import How, TextHistory
from core.clock import SystemClock
from tests.support.properties import PROPERTY, any_texts
from tests.support.staged import seen
from tests.support.stores import STORE_ID, uuid_of
from tests.support.writing import NOON, TICK, SetClock

A, B = uuid_of("a"), uuid_of("b")


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[AppDatabase]:
    opened = await AppDatabase.open(tmp_path, SystemClock())
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def history(database: AppDatabase) -> TextHistory:
    return TextHistory(database, SetClock())


async def contents(history: TextHistory, uuid: str = A) -> list[str]:
    return [v.content for v in await history.versions(STORE_ID, uuid)]


async def test_each_version_is_kept_once_newest_first(history: TextHistory) -> None:
    for version, text in ((1, "one"), (2, "two"), (1, "one"), (2, "two")):
        await history.note(STORE_ID, seen("a", version, text))
    await history.note(STORE_ID, seen("b", 1, "of b"))
    await history.note("another store", seen("a", 3, "there"))
    found = await history.versions(STORE_ID, A)
    assert [(v.version, v.content, v.gist) for v in found] == [
        (2, "two", "gist of a"),
        (1, "one", "gist of a"),
    ]
    assert [v.at for v in found] == [(NOON + TICK).isoformat(), NOON.isoformat()]


async def test_a_text_that_was_seen_and_then_changed_counts_as_changed(
    history: TextHistory,
) -> None:
    await history.note(STORE_ID, seen("a"))
    await history.note(STORE_ID, seen("a"), How.CHANGED)
    await history.note(STORE_ID, seen("a"))
    assert [v.how for v in await history.versions(STORE_ID, A)] == [How.CHANGED]


async def test_the_text_of_a_version_is_found_and_another_is_not(history: TextHistory) -> None:
    await history.note(STORE_ID, seen("a", 2, "two"))
    found = await history.text_at(STORE_ID, A, 2)
    assert found is not None
    assert found.content == "two"
    assert await history.text_at(STORE_ID, A, 1) is None


async def test_a_version_whose_text_another_tool_replaced_has_both(history: TextHistory) -> None:
    await history.note(STORE_ID, seen("a", 1, "first"))
    await history.note(STORE_ID, seen("a", 1, "second"))
    assert await contents(history) == ["second", "first"]


async def test_a_row_whose_version_is_no_number_is_left_out(history: TextHistory) -> None:
    await history.note(STORE_ID, seen("a", None))
    assert await contents(history) == []


async def test_nothing_is_kept_while_it_is_switched_off(database: AppDatabase) -> None:
    wanted = [True, False, True]
    history = TextHistory(database, SetClock(), lambda: wanted.pop(0))
    for text in ("one", "two", "three"):
        await history.note(STORE_ID, seen("a", 1, text))
    assert await contents(history) == ["three", "one"]


async def test_the_oldest_texts_go_when_the_cap_is_reached(database: AppDatabase) -> None:
    assert text_history.CAP_BYTES == 200_000_000
    history = TextHistory(database, SetClock(), cap_bytes=10_000)
    for version in range(1, 31):
        await history.note(STORE_ID, seen("a", version, "x" * 1000))
        assert await history.size_bytes() <= 10_000
    found = await history.versions(STORE_ID, A)
    # 1,000 for the content, 9 for the gist, 250 for the row: seven of them are within 10,000.
    assert [v.version for v in found] == [30, 29, 28, 27, 26, 25, 24]
    assert await history.size_bytes() == 7 * 1259


async def test_a_lower_cap_drops_what_an_earlier_run_kept(database: AppDatabase) -> None:
    await TextHistory(database, SetClock()).note_all(
        STORE_ID, [seen("a", n, "x" * 1000) for n in range(1, 500)]
    )
    history = TextHistory(database, SetClock(), cap_bytes=3_000)
    await history.note(STORE_ID, seen("b", 1, "new"))
    assert len(await contents(history, A)) == 2
    assert await contents(history, B) == ["new"]


async def test_a_text_over_the_cap_drops_nothing_and_is_not_kept(database: AppDatabase) -> None:
    history = TextHistory(database, SetClock(), cap_bytes=3_000)
    await history.note(STORE_ID, seen("a", 1, "small"))
    await history.note(STORE_ID, seen("b", 1, "x" * 3_000))
    assert await contents(history, A) == ["small"]
    assert await contents(history, B) == []


def _bytes_on_disk(folder: Path) -> bytes:
    return b"".join(p.read_bytes() for p in sorted(folder.glob(f"{FILE_NAME}*")))


async def test_a_forgotten_text_is_nowhere_in_the_file(
    history: TextHistory, tmp_path: Path
) -> None:
    for name in "ab":
        for version in (1, 2):
            text = f"secret-{name}-{version} " * 2000
            await history.note(STORE_ID, seen(name, version, text))
    assert b"secret-a-1" in _bytes_on_disk(tmp_path)
    await history.forget(STORE_ID, A, 1)
    assert b"secret-a-1" not in _bytes_on_disk(tmp_path)
    assert [v.version for v in await history.versions(STORE_ID, A)] == [2]
    await history.forget(STORE_ID, A)
    assert await contents(history, A) == []
    assert len(await contents(history, B)) == 2
    assert b"secret-a" not in _bytes_on_disk(tmp_path)
    assert b"secret-b" in _bytes_on_disk(tmp_path)


async def test_clearing_forgets_everything_and_gives_the_room_back(
    history: TextHistory, tmp_path: Path
) -> None:
    await history.note_all(STORE_ID, [seen("a", n, "secret " * 20_000) for n in range(1, 21)])
    await history.clear()
    assert await contents(history) == []
    assert await history.size_bytes() == 0
    assert b"secret" not in _bytes_on_disk(tmp_path)
    assert len(_bytes_on_disk(tmp_path)) < 300_000


async def test_clearing_while_another_window_reads_still_forgets(
    history: TextHistory, tmp_path: Path
) -> None:
    await history.note(STORE_ID, seen("a"))
    other = await AppDatabase.open(tmp_path, SystemClock())
    try:
        async with other.reading() as connection:
            await connection.rows("SELECT * FROM text_history")
            await history.clear()
        assert await contents(history) == []
    finally:
        await other.close()


@PROPERTY
@given(any_texts, any_texts)
def test_any_text_comes_back_as_it_was(gist: str, content: str) -> None:
    import asyncio

    async def kept() -> tuple[str, str]:
        database = await AppDatabase.in_memory()
        try:
            history = TextHistory(database, SetClock())
            base = seen("a", 1, content)
            detail = replace(base, head=replace(base.head, gist=gist))
            await history.note(STORE_ID, detail)
            (found,) = await history.versions(STORE_ID, A)
            return found.gist, found.content
        finally:
            await database.close()

    assert asyncio.run(kept()) == (gist, content)
