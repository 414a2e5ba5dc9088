"""`genizah demo` and the window's command line: the private copy, the picture, what is refused."""

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.bootstrap import Services
from app.demo import prepare_demo
from core.errors import ErrorCode, GenizahError
from tests.support.child import ROOT
from tests.support.oracle import DEMO_BUNDLE
from tests.support.watch import HARMLESS_QT_LINES

_GUARD_S = 60


def run_genizah(*args: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command with warnings as errors, from the project's root or another folder."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "app", *args],
        cwd=folder or ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_GUARD_S,
        check=False,
    )


def said(ended: subprocess.CompletedProcess[str]) -> str:
    return "\n".join(ln for ln in ended.stderr.splitlines() if ln not in HARMLESS_QT_LINES)


def bundle() -> dict[str, str]:
    """Return every file of the bundled store with its digest."""
    return {
        str(path.relative_to(DEMO_BUNDLE)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(DEMO_BUNDLE.rglob("*"))
        if path.is_file()
    }


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def colours(picture: Path) -> int:
    """Return how many different colours a coarse sample of a picture has."""
    image = QImage(str(picture))
    assert not image.isNull()
    assert image.width() >= 1000
    return len(
        {
            image.pixel(x, y)
            for x in range(0, image.width(), 7)
            for y in range(0, image.height(), 3)
        }
    )


def test_the_picture_of_a_search_is_drawn_and_the_bundle_stays_as_it_is(tmp_path: Path) -> None:
    before = bundle()
    target = tmp_path / "demo" / "here"
    picture = tmp_path / "new folder" / "x.png"
    ended = run_genizah(
        "demo", str(target), "--query", "boarding pass base45", "--screenshot", str(picture)
    )
    assert (ended.returncode, ended.stdout, said(ended)) == (0, f"{picture}\n", "")
    assert colours(picture) > 30
    assert mode(target) == mode(target / ".zikaron") == 0o700
    for name in ("memory.db", "config.toml"):
        copy = target / ".zikaron" / name
        assert mode(copy) == 0o600
        assert copy.read_bytes() == (DEMO_BUNDLE / ".zikaron" / name).read_bytes()
    assert bundle() == before


def test_a_picture_that_cannot_be_saved_is_said(tmp_path: Path) -> None:
    ended = run_genizah(
        "demo", "--query", "tide", "--screenshot", str(tmp_path / "x.unknown-format")
    )
    assert ended.returncode == 2
    assert "could not be saved" in said(ended)
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("kind", ["folder with a file", "file"])
def test_a_folder_that_is_not_empty_is_refused(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    kept = target
    if kind != "file":
        target.mkdir()
        kept = target / "notes.txt"
    kept.write_text("mine")
    ended = run_genizah("demo", str(target))
    assert ended.returncode == 2
    assert said(ended) == (
        f"genizah: {target} is not an empty folder; name an empty or new one for the demo store."
    )
    assert ended.stdout == ""
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [kept.name]


def test_without_a_folder_the_copy_lies_in_the_data_folder_and_is_made_once() -> None:
    services = Services()
    folder = prepare_demo(services, None)
    database = folder / ".zikaron" / "memory.db"
    assert folder == Path(os.environ["GENIZAH_DATA_DIR"]) / "demo"
    assert (mode(database), mode(database.parent), mode(folder)) == (0o600, 0o700, 0o700)
    made = database.stat().st_ino
    assert prepare_demo(services, None) == folder
    assert database.stat().st_ino == made


def test_a_copy_that_was_cut_short_is_made_again() -> None:
    services = Services()
    folder = prepare_demo(services, None)
    (folder / ".zikaron" / "memory.db").unlink()
    assert prepare_demo(services, None) == folder
    assert (folder / ".zikaron" / "memory.db").stat().st_size > 100_000


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert prepare_demo(Services(), str(folder)) == folder
    assert mode(folder / ".zikaron" / "memory.db") == 0o600


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GenizahError, match="could not be copied") as caught:
        prepare_demo(Services(), str(tmp_path / "file" / "demo"))
    assert caught.value.code is ErrorCode.STORE_IO


def test_a_folder_name_too_long_for_the_system_is_said(tmp_path: Path) -> None:
    with pytest.raises(GenizahError, match="could not be copied") as caught:
        prepare_demo(Services(), str(tmp_path / ("x" * 5000)))
    assert caught.value.code is ErrorCode.STORE_IO
