"""A27: healthy stores in folders that may not be written, opened by a user without rights.

The body runs in a child as `nobody`: a test run by root could write anything.
"""

import json
import shutil
import stat
import sys
from pathlib import Path

import pysqlite3
import pytest

from core.errors import ErrorCode
from core.notices import NoticeCode
from tests.support.child import child, end_of
from tests.support.stores import Memory, build_store, insert, writing

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="drops root's rights the Linux way; modes are POSIX"
)

_READ_ONLY = 0o555
_CHILD = "tests.support.nobody_child"


@pytest.fixture
def project(open_folder: Path) -> Path:
    """Give a closed store of two rows whose files all may read."""
    project = build_store(
        open_folder / "project", [Memory("a", "first remark"), Memory("b", "second remark")]
    )
    _for_all_to_read(project)
    return project


def _for_all_to_read(project: Path, folder_mode: int = _READ_ONLY) -> None:
    project.chmod(0o755)
    (project / ".zikaron").chmod(0o755)
    for file in (project / ".zikaron").iterdir():
        file.chmod(0o644)
    (project / ".zikaron").chmod(folder_mode)


def _as_nobody(body: str, folder: Path, warm_up: Path) -> dict[str, object]:
    with child(_CHILD, str(warm_up), body, str(folder)) as process:
        ended = end_of(process)
    assert ended.code == 0, ended
    found: dict[str, object] = json.loads(ended.out)
    return found


@pytest.fixture
def warm_up(tmp_path: Path) -> Path:
    """Give any store, for the child's first opening."""
    return build_store(tmp_path / "warm", [Memory("w", "warm remark")])


def _names(project: Path) -> set[str]:
    return {p.name for p in (project / ".zikaron").iterdir()}


_BOTH_ROWS = ["first remark", "second remark"]


@pytest.mark.parametrize("with_empty_log", [False, True])
def test_a_checkpointed_store_is_a_static_view(
    project: Path, warm_up: Path, with_empty_log: bool
) -> None:
    if with_empty_log:
        log = project / ".zikaron" / "memory.db-wal"
        log.touch(mode=0o644)
    before = _names(project)
    assert _as_nobody("open", project, warm_up) == {
        "access": "immutable",
        "notices": [NoticeCode.STATIC_VIEW],
        "gists": _BOTH_ROWS,
    }
    assert _names(project) == before


def _with_unflushed_row(project: Path) -> pysqlite3.Connection:
    """Write a third row that stays in the log; return the open writer."""
    (project / ".zikaron").chmod(0o755)
    writer = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute(
        "INSERT INTO memory (uuid, gist, content, created_at, updated_at) "
        "VALUES ('u3', 'zarquon', 'in the log', 't', 't')"
    )
    writer.execute(
        "INSERT INTO memory_fts(rowid, gist, content) "
        "SELECT rowid, gist, content FROM memory WHERE uuid = 'u3'"
    )
    return writer


def _crashed(project: Path) -> None:
    """Leave a log with content and no -shm, as a copy without it or a crash would."""
    folder = project / ".zikaron"
    writer = _with_unflushed_row(project)
    shutil.copyfile(folder / "memory.db-wal", folder / "kept")
    main = (folder / "memory.db").read_bytes()
    writer.close()  # the last one checkpoints and removes the log
    (folder / "memory.db").write_bytes(main)
    (folder / "kept").rename(folder / "memory.db-wal")
    assert not (folder / "memory.db-shm").exists()
    assert (folder / "memory.db-wal").stat().st_size > 0
    _for_all_to_read(project)


def test_unread_changes_are_never_passed_over(project: Path, warm_up: Path) -> None:
    _crashed(project)
    before = _names(project)
    answer = _as_nobody("open", project, warm_up)
    assert answer["code"] == ErrorCode.WAL_NEEDS_COPY
    message = str(answer["message"])
    assert "copy the database together with its -wal file" in message
    assert "write" not in message.replace("cannot be written", ""), "reading was asked for"
    assert _names(project) == before


def test_a_private_copy_holds_the_changes_of_the_log(
    project: Path, open_folder: Path, warm_up: Path
) -> None:
    _crashed(project)
    open_folder.chmod(0o777)
    answer = _as_nobody("copy", open_folder, warm_up)
    assert answer["gists"] == [*_BOTH_ROWS, "zarquon"]
    assert answer["access"] == "read_only"
    modes = answer["modes"]
    assert isinstance(modes, dict)
    assert set(modes.values()) == {"0o600"}
    assert stat.S_IMODE((open_folder / "mine" / ".zikaron").stat().st_mode) == 0o700
    assert (project / ".zikaron" / "memory.db-wal").stat().st_size > 0, "the original is as it was"


def test_beside_a_live_writer_the_unflushed_row_is_seen(project: Path, warm_up: Path) -> None:
    writer = _with_unflushed_row(project)
    _for_all_to_read(project)
    answer = _as_nobody("open", project, warm_up)
    writer.close()
    assert answer == {
        "access": "read_only",
        "notices": [],
        "gists": [*_BOTH_ROWS, "zarquon"],
    }


def test_a_static_view_notices_that_the_store_is_being_written(
    project: Path, warm_up: Path
) -> None:
    with child(_CHILD, str(warm_up), "watch", str(project)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "opened\n"
        writer = _with_unflushed_row(project)
        _for_all_to_read(project)
        ended = end_of(process)
        writer.close()
    assert json.loads(ended.out)["code"] == ErrorCode.STORE_CHANGED


def test_a_file_that_may_not_be_read_is_said_so(project: Path, warm_up: Path) -> None:
    (project / ".zikaron" / "memory.db").chmod(0o600)
    answer = _as_nobody("open", project, warm_up)
    assert answer["code"] == ErrorCode.NOT_READABLE
    assert str(project / ".zikaron" / "memory.db") in str(answer["message"])


def test_a_writable_folder_is_never_a_static_view(project: Path, warm_up: Path) -> None:
    _for_all_to_read(project, folder_mode=0o777)
    answer = _as_nobody("open", project, warm_up)
    assert (answer["access"], answer["notices"]) == ("read_only", [])


def test_rows_written_and_checkpointed_show_when_opened_again(
    project: Path, warm_up: Path
) -> None:
    (project / ".zikaron").chmod(0o755)
    with writing(project) as raw:
        insert(raw, [Memory("c", "zarquon")], "stub/words", 16)
    _for_all_to_read(project)
    assert _as_nobody("open", project, warm_up)["gists"] == [*_BOTH_ROWS, "zarquon"]


@pytest.mark.parametrize("named", ["", ".zikaron", ".zikaron/memory.db"])
def test_a_folder_that_may_not_be_entered_is_said_so(
    named: str, project: Path, warm_up: Path
) -> None:
    project.chmod(0)
    answer = _as_nobody("open", project / named, warm_up)
    assert answer["code"] == ErrorCode.NOT_READABLE
    assert str(project / named) in str(answer["message"])


def test_the_way_up_ends_where_one_may_not_look(project: Path, warm_up: Path) -> None:
    (project / "src").mkdir()
    (project / ".zikaron").chmod(0)
    answer = _as_nobody("upwards", project, warm_up)
    assert answer["code"] == ErrorCode.NOT_READABLE
    assert str(project / ".zikaron") in str(answer["message"])


def test_the_demo_does_not_go_into_a_folder_that_may_not_be_read(
    open_folder: Path, warm_up: Path
) -> None:
    closed = open_folder / "closed"
    closed.mkdir(mode=0)
    answer = _as_nobody("demo", closed, warm_up)
    assert answer["code"] == ErrorCode.STORE_IO
    assert str(closed) in str(answer["message"])
