"""The program's own file: private, shared, crash-safe; a damaged one is set aside."""

import os
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pysqlite3
import pytest

from core.appdata import database
from core.appdata.choices import Preferences
from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.preferences import PreferenceStore
from core.appdata.queries import KEPT, Queries
from core.clock import SystemClock
from core.errors import ErrorCode, GenizahError
from tests.support.child import ROOT

_CLOCK = SystemClock()
_CHILD = "tests.support.appdata_child"


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[AppDatabase]:
    database = await AppDatabase.open(folder, _CLOCK)
    try:
        yield database
    finally:
        await database.close()


async def queries_in(folder: Path) -> tuple[str, ...]:
    async with opened(folder) as database:
        return await Queries(database, _CLOCK).last()


def start(*args: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", _CHILD, *map(str, args)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def test_file_and_folder_are_for_the_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    umask = os.umask(0)
    try:
        async with opened(folder) as database:
            await Queries(database, _CLOCK).note("tide")
            modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir()}
    finally:
        os.umask(umask)
    assert modes == dict.fromkeys([FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"], 0o600)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    (tmp_path / FILE_NAME).chmod(0o644)
    async with opened(tmp_path):
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


async def test_what_a_killed_window_had_kept_is_still_there(tmp_path: Path) -> None:
    process = start("note", tmp_path, "tide")
    with process:
        while (last := int(line_of(process))) < 120:
            pass
        process.kill()  # in the middle of the next one, most likely
        assert process.stdout is not None
        rest = process.stdout.read().split()
    acknowledged = int(rest[-1]) if rest else last
    kept = await queries_in(tmp_path)
    newest = int(kept[0].split()[1])
    assert newest in (acknowledged, acknowledged + 1)
    assert kept == tuple(f"tide {n}" for n in range(newest, newest - KEPT, -1))


async def test_ten_kills_in_a_row_damage_nothing(tmp_path: Path) -> None:
    for round_ in range(10):
        with start("note", tmp_path, f"round {round_}") as process:
            for _ in range(round_ + 1):
                line_of(process)
            process.kill()
    async with opened(tmp_path) as database:
        assert database.set_aside is None
        assert (await Queries(database, _CLOCK).last())[0].startswith("round 9")


async def test_two_windows_keep_what_either_notes(tmp_path: Path) -> None:
    async with opened(tmp_path) as one, opened(tmp_path) as other:
        await Queries(one, _CLOCK).note("from one")
        await Queries(other, _CLOCK).note("from the other")
        assert await Queries(one, _CLOCK).last() == ("from the other", "from one")
        await PreferenceStore(other).save(Preferences(limit=9))
        assert (await PreferenceStore(one).load()).limit == 9


async def test_processes_that_write_at_once_wait_for_each_other(tmp_path: Path) -> None:
    with start("note", tmp_path, "a") as first, start("note", tmp_path, "b") as second:
        for _ in range(40):
            assert line_of(first).isdigit()
            assert line_of(second).isdigit()
        first.kill()
        second.kill()
    kept = await queries_in(tmp_path)
    assert {text.split()[0] for text in kept} == {"a", "b"}


def open_together(folder: Path, count: int) -> list[str]:
    """Open the file in several processes at the same moment; return what each set aside."""
    processes = [start("open", folder, f"window {n}") for n in range(count)]
    assert [line_of(p) for p in processes] == ["ready"] * count
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=20)[0].strip() for process in processes]
    assert [p.returncode for p in processes] == [0] * count
    return said


async def test_windows_that_make_the_file_at_the_same_moment_share_it(tmp_path: Path) -> None:
    assert open_together(tmp_path, 4) == ["False"] * 4
    assert set(await queries_in(tmp_path)) == {f"window {n}" for n in range(4)}


async def test_windows_that_find_it_damaged_at_the_same_moment_end_with_one_file(
    tmp_path: Path,
) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 100)
    assert "True" in open_together(tmp_path, 3)
    assert set(await queries_in(tmp_path)) <= {f"window {n}" for n in range(3)}
    kept = b"".join(p.read_bytes() for p in tmp_path.glob("*.damaged-*"))
    assert b"not a database at all" in kept


def spoil_header(path: Path) -> None:
    path.write_bytes(b"x" * path.stat().st_size)


def spoil_page(path: Path) -> None:
    """Overwrite the second page, which no header check sees."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)


def cut_short(path: Path) -> None:
    os.truncate(path, 5000)


def drop_table(path: Path) -> None:
    connection = pysqlite3.connect(str(path))
    connection.execute("DROP TABLE saved_search")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("spoil", [spoil_header, spoil_page, cut_short, drop_table])
async def test_a_damaged_file_is_set_aside_whole_and_a_new_one_begun(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    async with opened(tmp_path) as database:
        await Queries(database, _CLOCK).note("tide")
    path = tmp_path / FILE_NAME
    spoil(path)
    before = path.read_bytes()
    async with opened(tmp_path) as database:
        aside = database.set_aside
        assert aside is not None
        assert aside.name.startswith("genizah.db.damaged-")
        assert aside.read_bytes() == before
        assert await Queries(database, _CLOCK).last() == ()
        await Queries(database, _CLOCK).note("anew")
    assert await queries_in(tmp_path) == ("anew",)


async def test_a_file_of_a_newer_version_is_left_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    connection = pysqlite3.connect(str(path))
    connection.execute("CREATE TABLE of_tomorrow (x)")
    connection.execute("PRAGMA user_version = 999")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    for way in (AppDatabase.open(tmp_path, _CLOCK), AppDatabase.glance(tmp_path)):
        with pytest.raises(GenizahError) as caught:
            await way
        assert caught.value.code is ErrorCode.SCHEMA_INCOMPATIBLE
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("below", ["", "data/deep"])
async def test_it_is_never_put_into_a_store(below: str, tmp_path: Path) -> None:
    store = tmp_path / "project" / ".zikaron"
    store.mkdir(parents=True)
    with pytest.raises(GenizahError, match="inside a store"):
        await AppDatabase.open(store / below, _CLOCK)
    assert list(store.iterdir()) == []


async def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GenizahError) as caught:
        await AppDatabase.open(tmp_path / "file" / "data", _CLOCK)
    assert caught.value.code is ErrorCode.STORE_IO
    assert str(tmp_path / "file" / "data") in caught.value.message


async def test_a_glance_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(GenizahError):
        await AppDatabase.glance(tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_a_glance_reads_what_was_chosen(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await PreferenceStore(database).save(Preferences(limit=7))
    look = await AppDatabase.glance(tmp_path)
    try:
        assert (await PreferenceStore(look).load()).limit == 7
    finally:
        await look.close()


async def test_in_memory_everything_works_and_nothing_is_written(tmp_path: Path) -> None:
    database = await AppDatabase.in_memory()
    await Queries(database, _CLOCK).note("tide")
    assert await Queries(database, _CLOCK).last() == ("tide",)
    await database.close()
    other = await AppDatabase.in_memory()
    assert await Queries(other, _CLOCK).last() == ()
    await other.close()


async def test_a_file_that_is_set_aside_just_while_it_is_opened_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, made = database._make, list[Path]()

    def make_and_lose_once(path: Path) -> None:
        make(path)
        made.append(path)
        if len(made) == 1:
            path.unlink()

    monkeypatch.setattr(database, "_make", make_and_lose_once)
    opened = await AppDatabase.open(tmp_path, SystemClock())
    await opened.close()
    assert len(made) == 2 and made[0].exists()
