"""Finding stores below a folder: which files are found, and what is said of the rest."""

import itertools
import json
import os
import sys
from pathlib import Path

import pytest

from core.progress import Progress, WorkCancelledError
from core.store.finder import FoundStore, StoreFinder
from tests.support.child import child, end_of
from tests.support.stores import Memory, build_store


def _store(folder: Path, content: bytes = b"a store") -> Path:
    """Make a file that is a store by its name and place."""
    database = folder / ".zikaron" / "memory.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(content)
    return database


def _found(finder: StoreFinder) -> list[Path]:
    return [store.database for store in finder.find()]


def test_stores_are_found_wherever_opening_would_find_them(tmp_path: Path) -> None:
    project = _store(tmp_path / "work" / "quay")
    hidden = _store(tmp_path / ".agents" / "deep" / "er")
    bare = tmp_path / "copies" / "memory.db"
    bare.parent.mkdir()
    bare.write_bytes(b"a bare one")
    (tmp_path / "work" / "memory.db").mkdir()
    (tmp_path / "work" / "other.db").write_bytes(b"of something else")
    finder = StoreFinder(tmp_path)
    assert set(_found(finder)) == {project, hidden, bare}
    # tmp_path, work, quay, its store, .agents, deep, er, its store, copies
    assert finder.looked_at == 9
    assert (finder.skipped, finder.linked, finder.unreadable) == (0, 0, 0)


def test_a_project_and_a_store_folder_may_be_chosen_themselves(tmp_path: Path) -> None:
    database = _store(tmp_path)
    assert _found(StoreFinder(tmp_path)) == [database]
    assert _found(StoreFinder(tmp_path / ".zikaron")) == [database]


def test_a_found_file_is_described_as_it_lies_there(tmp_path: Path) -> None:
    database = _store(tmp_path, b"x" * 1234)
    os.utime(database, (1_700_000_000, 1_700_000_000))
    (found,) = StoreFinder(tmp_path).find()
    assert (found.size_bytes, found.modified_s) == (1234, 1_700_000_000.0)
    assert found.identity.inode == database.stat().st_ino


def test_near_stores_come_before_far_ones(tmp_path: Path) -> None:
    far = _store(tmp_path / "a" / "b" / "c" / "d")
    near = _store(tmp_path / "z")
    assert _found(StoreFinder(tmp_path)) == [near, far]


def test_folders_of_tools_are_left_out_and_counted(tmp_path: Path) -> None:
    for name in ("node_modules", ".git", "__pycache__"):
        _store(tmp_path / "quay" / name / "within")
    kept = _store(tmp_path / "quay")
    finder = StoreFinder(tmp_path)
    assert _found(finder) == [kept]
    assert finder.skipped == 3
    within = tmp_path / "quay" / "node_modules" / "within"
    assert _found(StoreFinder(within)) == [within / ".zikaron" / "memory.db"], "named, it is wanted"


@pytest.mark.skipif(sys.platform != "linux", reason="these folders are Linux's")
def test_the_systems_own_folders_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    finder = StoreFinder(Path("/"))
    rest = frozenset(entry.name for entry in os.scandir("/")) - {"dev", "proc", "sys"}
    monkeypatch.setattr("core.store.finder._TOOL_FOLDERS", rest)
    list(finder.find())
    assert finder.looked_at == 1, "nothing but the root itself"


@pytest.mark.skipif(sys.platform == "win32", reason="making a link asks for a right there")
def test_links_lead_a_walk_neither_in_circles_nor_to_a_store_twice(tmp_path: Path) -> None:
    shared = _store(tmp_path / "main")
    (tmp_path / "main" / "up").symlink_to(tmp_path)
    (tmp_path / "main" / "self").symlink_to(tmp_path / "main" / "self")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    for name in ("branch", "twig"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".zikaron").symlink_to(shared.parent)
    finder = StoreFinder(tmp_path)
    (found,) = finder.find()
    assert found.database.samefile(shared)
    assert finder.linked == 1, "up"


@pytest.mark.skipif(sys.platform == "win32", reason="making a link asks for a right there")
def test_a_linked_store_outside_is_found_where_the_link_is(tmp_path: Path) -> None:
    outside = _store(tmp_path / "outside")
    (tmp_path / "chosen").mkdir()
    (tmp_path / "chosen" / ".zikaron").symlink_to(outside.parent)
    assert _found(StoreFinder(tmp_path / "chosen")) == [
        tmp_path / "chosen" / ".zikaron" / "memory.db"
    ]


def test_a_walk_may_be_ended_between_two_folders(tmp_path: Path) -> None:
    for number in range(20):
        _store(tmp_path / f"p{number}")
    progress = Progress()
    finder = StoreFinder(tmp_path)
    found: list[FoundStore] = []
    with pytest.raises(WorkCancelledError):
        for store in finder.find(progress.report):
            found.append(store)
            progress.cancel()
    assert len(found) == 1
    assert finder.looked_at < 41, "not all of it"


def test_a_walk_may_be_ended_within_a_folder_of_many_files(tmp_path: Path) -> None:
    for number in range(1_500):
        (tmp_path / f"{number}").touch()
    told: list[int] = []

    def report(done: int, _total: int) -> None:
        told.append(done)
        if len(told) == 2:
            raise WorkCancelledError

    finder = StoreFinder(tmp_path)
    with pytest.raises(WorkCancelledError):
        list(finder.find(report))
    assert told == [0, 1]


def test_a_very_wide_tree_is_walked_to_its_end_with_little_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.finder._MOST_WAITING", 5)
    made = {_store(tmp_path.joinpath(*names)) for names in itertools.product("xyz", repeat=3)}
    finder = StoreFinder(tmp_path)
    assert set(_found(finder)) == made
    assert finder.looked_at == 1 + 3 + 9 + 27 + 27


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_of_any_bytes_lead_to_their_stores(tmp_path: Path) -> None:
    names = (b"two\nlines", "right\u202eleft".encode(), b"no \xff utf-8", b"#?%41 <b>")
    made = {_store(tmp_path / os.fsdecode(name)) for name in names}
    assert set(_found(StoreFinder(tmp_path))) == made


def test_a_folder_that_is_gone_is_said_not_to_be_readable(tmp_path: Path) -> None:
    finder = StoreFinder(tmp_path / "gone")
    assert _found(finder) == []
    assert (finder.looked_at, finder.unreadable) == (0, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="drops root's rights the Linux way")
def test_folders_nobody_may_look_into_are_counted_and_the_rest_is_found(
    open_folder: Path,
) -> None:
    warm_up = build_store(open_folder / "warm", [Memory("a", "a")])
    seen = _store(open_folder / "top" / "seen")
    _store(open_folder / "top" / "closed")
    _store(open_folder / "top" / "listed")
    for path in (open_folder / "top").rglob("*"):
        path.chmod(0o755)
    (open_folder / "top" / "closed").chmod(0o700)
    (open_folder / "top" / "listed" / ".zikaron").chmod(0o744)  # names, but no way to the files
    arguments = (str(warm_up), "find", str(open_folder / "top"))
    with child("tests.support.nobody_child", *arguments) as process:
        ended = end_of(process)
    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out) == {"found": [str(seen)], "unreadable": 2}
