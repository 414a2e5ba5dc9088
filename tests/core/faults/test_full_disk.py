"""The disk is full: the change is refused in words, the store is as it was, room mends it.

On a file system of its own, which only root may mount; skipped elsewhere, visibly.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.commands.changes import Amend, Change, Remember, Retire
from core.commands.commit import Committed, commit_batch
from core.errors import ErrorCode, ErrorKind, GenizahError
from core.store.backup import back_up, backup_folder
from core.store.location import locate
from core.store.opening import inspect
from tests.support.stores import STORE_ID, Memory, build_store, uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, problems_of, rows_of

_LONG = "\n\n".join(f"paragraph {n} " + f"word{n} " * 20 for n in range(60))
_NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a file system of 2 MB."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mounted = tmp_path / "disk"
    mounted.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(mounted)]
    said = subprocess.run(line, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {said.stderr.strip()}")
    yield mounted
    subprocess.run(["umount", "--lazy", str(mounted)], check=True)


@pytest.fixture
def project(small_disk: Path) -> Path:
    """Return a store of ten rows on the small disk."""
    rows = [Memory(str(n), f"zarquon {n}", f"the text of {n}") for n in range(10)]
    return build_store(small_disk / "project", rows)


def _fill(disk: Path, leave: int) -> Path:
    """Fill the disk but for some bytes; return the file to remove."""
    filler = disk / "filler"
    filler.write_bytes(b"\0" * max(0, shutil.disk_usage(disk).free - leave))
    assert shutil.disk_usage(disk).free <= leave
    return filler


_BATCHES: dict[str, list[Change]] = {
    "amend": [Amend(uuid_of("0"), 1, "new", _LONG)],
    "remember": [Remember("new", _LONG)],
    "retire": [Retire(uuid_of(str(n)), 1) for n in range(10)],
}


@pytest.mark.parametrize("name", _BATCHES)
@pytest.mark.parametrize("leave", [0, 16_384])
async def test_a_full_disk_takes_the_change_back_and_room_makes_it_possible(
    small_disk: Path, project: Path, tmp_path: Path, name: str, leave: int
) -> None:
    hand = await Hand.open(project, StubEncoder())
    before = rows_of(project)
    filler = _fill(small_disk, leave)
    with pytest.raises(GenizahError) as failed:
        await commit_batch(hand.gate, _BATCHES[name])
    assert (failed.value.code, failed.value.kind) == (ErrorCode.STORE_IO, ErrorKind.FAILED)
    assert "There is no room left" in failed.value.message
    assert rows_of(project) == before
    (tmp_path / "scratch").mkdir()
    assert problems_of(project, tmp_path / "scratch") == []
    filler.unlink()
    assert isinstance(await commit_batch(hand.gate, _BATCHES[name]), Committed)
    await hand.close()
    assert problems_of(project, tmp_path / "scratch") == []


async def test_a_backup_without_room_leaves_nothing_and_says_where_room_is_needed(
    small_disk: Path, tmp_path: Path
) -> None:
    project = build_store(tmp_path / "roomy", [Memory("a", "zarquon")])
    filler = _fill(small_disk, 40_000)
    facts = await inspect(locate(project))
    with pytest.raises(GenizahError) as failed:
        await back_up(facts, small_disk, _NOON)
    assert (failed.value.code, failed.value.reason) == (ErrorCode.NOT_WRITABLE, "no_room")
    folder = backup_folder(small_disk, STORE_ID)
    assert str(folder) in failed.value.message
    assert list(folder.iterdir()) == []
    filler.unlink()
    assert (await back_up(facts, small_disk, _NOON)).memories == 1
