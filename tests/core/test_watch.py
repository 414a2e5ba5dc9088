"""What a look at an open store notices of what others did to it, and that it leaves no trace."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.store import files
from core.store.database import Database
from core.store.location import locate
from core.store.watch import StoreNews, StoreWatch
from tests.support.digests import all_digests
from tests.support.stores import Memory, build_store, writing

_ROWS = (Memory("one", "first"), Memory("two", "second"))
_OTHER_ID = "1f2e3d4c-5b6a-4788-9900-aabbccddeeff"


def store_at(folder: Path) -> Path:
    return build_store(folder, _ROWS)


def database_of(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


@asynccontextmanager
async def watching(project: Path) -> AsyncIterator[StoreWatch]:
    database = await Database.open(locate(project))
    try:
        yield StoreWatch(database)
    finally:
        await database.close()


def retire(project: Path) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET active = 0")


async def test_nothing_is_news_while_nobody_writes_and_looking_changes_nothing(
    tmp_path: Path,
) -> None:
    project = store_at(tmp_path / "p")
    before = all_digests(project)
    async with watching(project) as watch:
        assert [await watch.look() for _ in range(3)] == [StoreNews.NOTHING] * 3
    assert all_digests(project).file == before.file


async def test_a_foreign_commit_is_news_once(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    async with watching(project) as watch:
        await watch.look()
        retire(project)
        assert await watch.look() is StoreNews.COMMITTED
        # the checkpoint after it has touched the file, too: nothing more may come of it
        assert await watch.look() is StoreNews.NOTHING


async def test_a_commit_before_the_first_look_is_news(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    async with watching(project) as watch:
        retire(project)
        assert await watch.look() is StoreNews.COMMITTED


async def test_a32_another_file_at_the_path_is_news(tmp_path: Path) -> None:
    project, other = store_at(tmp_path / "p"), store_at(tmp_path / "other")
    async with watching(project) as watch:
        database_of(project).rename(tmp_path / "away.db")
        assert await watch.look() is StoreNews.GONE
        database_of(other).rename(database_of(project))
        assert await watch.look() is StoreNews.REPLACED
        assert StoreNews.REPLACED.needs_reopening


async def test_a32_another_store_copied_into_the_same_file_is_news(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    other = build_store(tmp_path / "other", _ROWS, meta={"store_id": _OTHER_ID})
    async with watching(project) as watch:
        await watch.look()
        shutil.copyfile(database_of(other), database_of(project))
        assert await watch.look() is StoreNews.REPLACED


async def test_a32_an_older_state_copied_into_the_same_file_is_news(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    shutil.copyfile(database_of(project), tmp_path / "backup.db")
    retire(project)
    async with watching(project) as watch:
        await watch.look()
        shutil.copyfile(tmp_path / "backup.db", database_of(project))
        assert await watch.look() is StoreNews.REWRITTEN


@pytest.mark.parametrize(
    ("key", "value", "news"),
    [
        ("store_id", _OTHER_ID, StoreNews.REPLACED),
        ("embed_model", "another/model", StoreNews.OTHER_META),
        ("schema_version", "3", StoreNews.OTHER_META),
    ],
)
async def test_a_commit_that_makes_the_store_another_one_asks_for_reopening(
    key: str, value: str, news: StoreNews, tmp_path: Path
) -> None:
    project = store_at(tmp_path / "p")
    async with watching(project) as watch:
        await watch.look()
        with writing(project) as raw:
            raw.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
        found = await watch.look()
        assert found is news
        assert found.needs_reopening


async def test_a_store_that_is_being_reindexed_is_not_read_further(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    async with watching(project) as watch:
        with writing(project) as raw:
            raw.execute("INSERT INTO meta VALUES ('reindexing', '2026-11-30T10:00:00+00:00')")
        with pytest.raises(GenizahError) as caught:
            await watch.look()
        assert caught.value.code is ErrorCode.REINDEXING


async def test_a_static_view_is_outdated_as_soon_as_the_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = store_at(tmp_path / "p")
    monkeypatch.setattr(files, "choose_access", lambda _path: files.Access.IMMUTABLE)
    async with watching(project) as watch:
        assert [await watch.look(), await watch.look()] == [StoreNews.NOTHING] * 2
        retire(project)
        assert await watch.look() is StoreNews.OUTDATED_VIEW


async def test_a_static_view_is_outdated_as_soon_as_its_folder_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = store_at(tmp_path / "p")
    access = [files.Access.IMMUTABLE]
    monkeypatch.setattr(files, "choose_access", lambda _path: access[0])
    async with watching(project) as watch:
        await watch.look()
        access[0] = files.Access.READ_ONLY
        assert await watch.look() is StoreNews.OUTDATED_VIEW


async def test_a_look_holds_no_read_transaction(tmp_path: Path) -> None:
    project = store_at(tmp_path / "p")
    async with watching(project) as watch:
        await watch.look()
        retire(project)
        await watch.look()
        with writing(project) as raw:
            raw.execute("UPDATE memory SET active = 1")
            raw.execute("COMMIT")
            busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1,)
            raw.execute("BEGIN")
        assert busy[0] == 0


async def test_a_look_waits_for_the_request_that_has_the_reader(tmp_path: Path) -> None:
    database = await Database.open(locate(store_at(tmp_path / "p")))
    try:
        watch = StoreWatch(database)
        async with database.browse.snapshot():
            looking = asyncio.create_task(watch.look())
            done, _ = await asyncio.wait({looking}, timeout=0.05)
            assert not done
        assert await looking is StoreNews.NOTHING
    finally:
        await database.close()
