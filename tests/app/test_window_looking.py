"""Looking changes nothing: not a byte of memory.db, not a row, nothing outside our folder."""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.bootstrap import Services
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.window_stores import demo_project
from widgets.why_panel import CopyForm

_TOUR = ("boarding pass base45", "kubernetes pilot", "כרטיס עלייה", "!!!", "zzz-nothing-zzz")


def files_below(folder: Path) -> dict[str, tuple[int, int]]:
    """Return every file below a folder with size and time, the read one's -shm left out."""
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


async def tour(opened: OpenWindow) -> None:
    """Do everything that the window lets a person do with an open store."""
    window = opened.window
    for text in _TOUR:
        opened.type(text)
        await opened.settled()
        window.hit_view.select_first()
        await opened.settled()
        for uuid in [*opened.rows()[:4], *opened.literal_rows()[:2]]:
            window.detail_panel.memory_wanted.emit(uuid)
            await opened.settled()
            window.detail_panel.tabs.setCurrentIndex(1)
            window.detail_panel.tabs.setCurrentIndex(0)
        for form in CopyForm:
            window.why_panel.copy(form)
        window.detail_panel._copy_the_text()
        window.search_bar.include_retired.click()
        await opened.settled()
    opened.type("")
    await opened.settled()
    bar = window.browse_view.table.verticalScrollBar()
    for value in (bar.maximum(), bar.maximum() // 2, 0):
        bar.setValue(value)
        await opened.settled()
    window.browse_view.select_first()
    await opened.settled()
    opened.controller.search.again()
    await opened.settled()


async def test_a_full_tour_changes_no_byte_and_no_row(tmp_path: Path) -> None:
    project = demo_project(tmp_path)
    before = all_digests(project)
    outside = files_below(Path.cwd() / "resources")
    given = Services(working_folder=tmp_path)
    async with open_window(given, project) as opened:
        await tour(opened)
        await opened.open(project)
        await tour(opened)
    QApplication.clipboard().clear()
    after = all_digests(project)
    assert after == before
    assert dict(after.tables).keys() >= {"memory", "event", "read_receipt", "meta"}
    names = {path.name for path in (project / ".zikaron").iterdir()}
    assert names <= {"config.toml", "memory.db", "memory.db-wal", "memory.db-shm"}
    wal = project / ".zikaron" / "memory.db-wal"
    assert not wal.exists() or wal.stat().st_size == 0
    assert files_below(Path.cwd() / "resources") == outside


async def test_nothing_is_written_outside_our_own_folder(
    tmp_path: Path, private_home: Path
) -> None:
    project = demo_project(tmp_path)
    own = Path(os.environ["GENIZAH_DATA_DIR"])
    given = Services(working_folder=tmp_path)
    async with open_window(given, project) as opened:
        await tour(opened)
    strays = [path for path in files_below(private_home) if not Path(path).is_relative_to(own)]
    assert strays == []


@pytest.mark.parametrize("text", ["SELECT", "'); DROP TABLE memory; --", "\x00", "\ud800"])
async def test_no_text_in_the_box_reaches_the_store(text: str, tmp_path: Path) -> None:
    project = demo_project(tmp_path)
    before = all_digests(project)
    async with open_window(Services(working_folder=tmp_path), project) as opened:
        opened.type(text)
        await opened.settled()
        assert opened.page() in ("results", "browse")
    assert all_digests(project) == before
