"""A glance at a store: how many memories it has, with nothing made, changed or left beside it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pysqlite3
import pytest

from core.errors import ErrorCode, GenizahError
from core.store import glance
from core.store.glance import count_memories
from tests.support.child import child
from tests.support.stores import build_store, distractors

type Files = dict[str, tuple[int, int, bytes]]


def _database(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


def _files(project: Path) -> Files:
    """Return name, time, mode and content of all that lies in the store's folder."""
    return {
        path.name: (path.stat().st_mtime_ns, path.stat().st_mode, path.read_bytes())
        for path in (project / ".zikaron").iterdir()
    }


async def _why_not(database: Path) -> GenizahError:
    with pytest.raises(GenizahError) as caught:
        await count_memories(database)
    assert str(database) in caught.value.message
    return caught.value


@contextmanager
def _written_to(project: Path) -> Iterator[None]:
    """Hold a store open as an agent does, one more memory in its log."""
    raw = pysqlite3.connect(str(_database(project)), isolation_level=None)
    raw.execute("PRAGMA wal_autocheckpoint = 0")
    raw.execute(
        "INSERT INTO memory (uuid, gist, content, created_at, updated_at) "
        "VALUES ('u', 'in the log', 'only', 't', 't')"
    )
    try:
        yield
    finally:
        raw.close()


def _left_behind(project: Path, target: Path) -> Path:
    """Copy a store as it lies there while another program has it open: with its log."""
    with _written_to(project):
        shutil.copytree(project, target)
    return target


async def test_a_closed_store_is_counted_and_stays_as_it_is(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", distractors(7))
    before = _files(project)
    assert await count_memories(_database(project)) == 7
    assert _files(project) == before
    assert set(before) == {"memory.db", "config.toml"}


async def test_a_store_without_a_write_ahead_log_is_counted_in_the_same_way(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", distractors(3))
    raw = pysqlite3.connect(str(_database(project)))
    raw.execute("PRAGMA journal_mode = DELETE")
    raw.close()
    before = _files(project)
    assert await count_memories(_database(project)) == 3
    assert _files(project) == before


async def test_what_another_program_has_just_written_counts(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", distractors(2))
    with child("tests.support.writer_child", str(project), "40") as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "40 written\n"
        writer.wait()
        assert await count_memories(_database(project)) == 42


async def test_a_log_that_its_writer_left_behind_is_read_without_a_byte_written(
    tmp_path: Path,
) -> None:
    project = _left_behind(build_store(tmp_path / "p", distractors(4)), tmp_path / "left")
    before = _files(project)
    assert {"memory.db-wal", "memory.db-shm"} <= set(before)
    assert await count_memories(_database(project)) == 5
    assert _files(project) == before


async def test_a_log_without_its_index_is_left_alone_and_said(tmp_path: Path) -> None:
    project = _left_behind(build_store(tmp_path / "p", distractors(4)), tmp_path / "left")
    (project / ".zikaron" / "memory.db-shm").unlink()
    before = _files(project)
    assert (await _why_not(_database(project))).code is ErrorCode.WAL_NEEDS_COPY
    assert _files(project) == before


async def test_a_store_that_is_written_without_pause_is_counted_or_said_to_be_busy(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", distractors(5))
    told: set[ErrorCode] = set()
    counts: list[int] = []
    with child("tests.support.writer_child", str(project), "300") as writer:
        while writer.poll() is None:
            try:
                counts.append(await count_memories(_database(project)))
            except GenizahError as error:
                told.add(error.code)
        assert writer.wait() == 0, "the writer, which waits for no lock, met none"
    assert counts == sorted(counts), "memories are only added"
    assert told <= {ErrorCode.STORE_BUSY, ErrorCode.WAL_NEEDS_COPY, ErrorCode.STORE_IO}
    assert await count_memories(_database(project)) == 305


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", ErrorCode.EMPTY_FILE),
        (b"no database at all", ErrorCode.NOT_A_DATABASE),
        (b"SQLite format 3\x00" + b"\xff" * 84, ErrorCode.DAMAGED),
    ],
)
async def test_what_is_no_database_is_told_apart(
    content: bytes, code: ErrorCode, tmp_path: Path
) -> None:
    database = tmp_path / "memory.db"
    database.write_bytes(content)
    assert (await _why_not(database)).code is code
    assert [path.name for path in tmp_path.iterdir()] == ["memory.db"]


async def test_a_database_of_another_kind_is_no_store(tmp_path: Path) -> None:
    database = tmp_path / "memory.db"
    raw = pysqlite3.connect(str(database))
    raw.execute("CREATE TABLE memory (a)")
    raw.close()
    found = await _why_not(database)
    assert found.code is ErrorCode.NOT_A_STORE
    assert "no table memory_fts" in found.message


async def test_a_count_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = build_store(tmp_path / "p", distractors(1))
    numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    monkeypatch.setattr(glance, "_COUNT", numbers)
    with pytest.raises(GenizahError) as caught:
        await count_memories(_database(project), limit_s=0.05)
    assert caught.value.code is ErrorCode.INTERRUPTED
