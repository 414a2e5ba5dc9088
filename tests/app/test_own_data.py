"""Where the program's own file cannot be used the window works as ever, and says what is lost."""

import asyncio
import stat
from pathlib import Path

import pysqlite3
import pytest

from app.own_data import FirstLook, OwnData
from core.appdata.choices import Preferences
from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.preferences import PreferenceStore
from core.appdata.queries import Queries, SavedSearch
from core.clock import SystemClock
from tests.support.personal_window import personal_window
from tests.support.window_stores import ferry_store, stub, stub_services


def data_folder(tmp_path: Path) -> Path:
    folder = stub_services(stub(), tmp_path).data_dir
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def of_tomorrow(path: Path) -> None:
    connection = pysqlite3.connect(str(path))
    connection.execute("PRAGMA user_version = 999")
    connection.execute("CREATE TABLE other (x)")
    connection.commit()
    connection.close()


async def test_a_file_of_a_newer_version_is_said_and_the_window_works(tmp_path: Path) -> None:
    path = data_folder(tmp_path) / FILE_NAME
    of_tomorrow(path)
    before = path.read_bytes()
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        assert "not_remembered" in one.opened.banners()
        assert "are not remembered" in one.opened.banners()
        await one.opened.search("tide")
        assert one.opened.page() == "results"
        assert "not_remembered" in one.opened.banners()
        one.window.search_bar.submitted.emit()
        one.personal.saved.keep(SavedSearch("Tides", "tide", False))
        await one.own.settled()
        assert one.personal.history.queries == ("tide",)  # until the window closes
        assert one.personal.saved.saved() != ()
    assert path.read_bytes() == before
    async with personal_window(given) as one:
        assert one.personal.history.queries == ()
        assert "not_remembered" in one.opened.banners()  # also where no store is open


async def test_a_data_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    folder.rmdir()
    folder.write_text("in the way")
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        assert "not_remembered" in one.opened.banners()
        assert str(folder) in one.opened.banners()


async def test_a_damaged_file_is_set_aside_and_that_is_said(tmp_path: Path) -> None:
    path = data_folder(tmp_path) / FILE_NAME
    path.write_bytes(b"rubbish" * 1000)
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        assert "own_file_set_aside" in one.opened.banners()
        one.opened.type("tide")
        one.window.search_bar.submitted.emit()
        await one.own.settled()
    async with personal_window(given) as one:
        assert one.opened.banners() == ""
        assert one.personal.history.queries == ("tide",)
    assert [p.read_bytes()[:7] for p in path.parent.glob("*.damaged-*")] == [b"rubbish"]


async def test_the_stores_folder_gets_no_file_of_ours(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    before = sorted(p.name for p in (project / ".zikaron").iterdir())
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, project) as one:
        await one.opened.search("tide")
        one.window.search_bar.submitted.emit()
        one.personal.preferences.choose(Preferences(limit=9))
        await one.settled()
    left = sorted(p.name for p in (project / ".zikaron").iterdir())
    assert [n for n in left if n not in ("memory.db-wal", "memory.db-shm")] == before
    assert stat.S_IMODE((given.data_dir / FILE_NAME).stat().st_mode) == 0o600


async def test_a_locked_file_is_not_waited_for_before_the_first_picture(tmp_path: Path) -> None:
    database = await AppDatabase.open(tmp_path, SystemClock())
    await PreferenceStore(database).save(Preferences(limit=9))
    await database.close()
    connection = pysqlite3.connect(str(tmp_path / FILE_NAME))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("DELETE FROM query")
    connection.commit()
    own = OwnData(tmp_path, SystemClock())
    assert await own.first_look() == FirstLook()
    connection.close()
    assert (await own.first_look()).preferences.limit == 9
    await own.close()


async def test_work_passed_in_just_before_closing_is_finished(tmp_path: Path) -> None:
    own = OwnData(tmp_path, SystemClock())
    own.open()

    async def work(database: AppDatabase) -> None:
        await Queries(database, SystemClock()).note("tide")

    own.do(work, name="note")
    await own.close()
    database = await AppDatabase.open(tmp_path, SystemClock())
    assert await Queries(database, SystemClock()).last() == ("tide",)
    await database.close()


async def test_a_busy_file_is_waited_for_and_then_written(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        lock = pysqlite3.connect(str(given.data_dir / FILE_NAME), isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        one.opened.type("tide")
        one.window.search_bar.submitted.emit()
        asyncio.get_running_loop().call_later(0.3, lock.close)
        await one.own.settled()
        assert one.personal.history.queries == ("tide",)
        assert one.opened.banners() == ""


async def test_a_file_that_stays_busy_is_said(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        lock = pysqlite3.connect(str(given.data_dir / FILE_NAME), isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        one.opened.type("tide")
        one.window.search_bar.submitted.emit()
        await one.own.settled()
        lock.close()
        assert "another window keeps" in one.opened.banners()


async def test_work_is_done_in_the_order_of_the_calls(tmp_path: Path) -> None:
    own = OwnData(tmp_path, SystemClock())
    done: list[int] = []

    def numbered(number: int) -> None:
        async def work(database: AppDatabase) -> None:
            async with database.writing():
                done.append(number)

        own.do(work, name=str(number))

    for number in range(5):
        numbered(number)
    own.open()
    for number in range(5, 10):
        numbered(number)
    await own.settled()
    assert done == list(range(10))
    await own.close()


async def test_closing_before_the_file_was_opened_waits_for_nothing(tmp_path: Path) -> None:
    own = OwnData(tmp_path, SystemClock())

    async def work(database: AppDatabase) -> None:
        raise AssertionError("there is no file")

    task = own.do(work, name="never")
    await own.close()
    assert task.cancelled()
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_breaks_while_it_is_used_is_said_once(tmp_path: Path) -> None:
    own = OwnData(tmp_path, SystemClock())
    said: list[int] = []
    own.changed = lambda: said.append(len(own.notices))

    async def work(database: AppDatabase) -> None:
        async with database.writing() as connection:
            await connection.rows("SELECT * FROM no_such_table")

    own.open()
    for number in range(3):
        own.do(work, name=str(number))
    await own.settled()
    assert [n.code.value for n in own.notices] == ["not_remembered"]
    assert said == [1, 1, 1]
    await asyncio.sleep(0)
    await own.close()


@pytest.mark.parametrize("folder", [None])
async def test_without_a_folder_everything_is_in_memory_and_nothing_is_said(
    folder: None, tmp_path: Path
) -> None:
    own = OwnData(folder, SystemClock())
    own.open()
    await own.settled()
    assert (own.notices, own.remembers) == ((), False)
    await own.close()
