"""The window comes back as it was left: size, place, splitters, docks; never out of reach."""

import json
import os
from pathlib import Path

import pysqlite3
import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication

from app.bootstrap import Services
from core.appdata.database import AppDatabase
from core.appdata.preferences import PreferenceStore
from core.clock import SystemClock
from tests.support.child import run_child
from tests.support.personal_window import personal_window
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.window_layout import Place

_TWO_SCREENS = [QRect(0, 0, 1280, 720), QRect(1280, 0, 1920, 1080)]


async def keep(given: Services, **parts: bytes) -> None:
    """Write a layout as an earlier window may have left it."""
    database = await AppDatabase.open(given.data_dir, SystemClock())
    await PreferenceStore(database).save_geometry(parts)
    await database.close()


def place(**changes: object) -> bytes:
    plain = {"x": 40, "y": 50, "width": 700, "height": 500, "is_maximised": False}
    return json.dumps({**plain, **changes}).encode()


async def test_size_place_splitters_sidebar_and_docks_come_back(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    project = ferry_store(tmp_path / "p")
    async with personal_window(given, project) as one:
        window = one.window
        window.resize(798, 610)
        window.move(31, 47)
        window.splitter.setSizes([0, 330, 468])
        one.trigger("sidebar")
        one.trigger("dock")
        await one.opened.search("tide")
        sizes, size = window.splitter.sizes(), window.size()
    assert size.height() == 610  # the width may be the least the window takes
    async with personal_window(given, project) as one:
        window = one.window
        await one.opened.search("tide")
        assert window.size() == size
        assert (window.pos().x(), window.pos().y()) == (31, 47)
        assert window.splitter.sizes() == pytest.approx(sizes, abs=2)
        assert not window.sidebar.isVisible()
        assert not window.reading_pane.why_dock.isVisible()
        assert not window.actions_by_name["dock"].isChecked()
        assert not window.actions_by_name["sidebar"].isChecked()


async def test_splitters_left_on_the_first_page_come_back_beside_a_list(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    project = ferry_store(tmp_path / "p")
    async with personal_window(given, project) as one:
        one.window.resize(800, 600)
        one.window.splitter.setSizes([150, 320, 330])
        sizes = one.window.splitter.sizes()
    async with personal_window(given):
        pass  # the reading pane was never shown in this one
    async with personal_window(given, project) as one:
        assert one.window.splitter.sizes() == pytest.approx(sizes, abs=2)


async def test_a_maximised_window_comes_back_maximised_and_knows_its_former_size(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    await keep(given, window=place(is_maximised=True))
    async with personal_window(given) as one:
        assert one.window.isMaximized()
    async with personal_window(given) as one:
        assert one.window.isMaximized()
        one.window.showNormal()
        await until(lambda: one.window.size() == QSize(700, 500))


async def test_a63_a_place_on_a_screen_that_is_gone_gives_the_size_alone(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    await keep(given, window=place(x=9000, y=9000))
    async with personal_window(given) as one:
        assert one.window.size() == QSize(700, 500)
        screen = QGuiApplication.primaryScreen().availableGeometry()
        assert screen.contains(one.window.pos())


async def test_a63_a_window_larger_than_the_screen_is_made_to_fit(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    await keep(given, window=place(width=9000, height=9000))
    async with personal_window(given) as one:
        screen = QGuiApplication.primaryScreen().availableGeometry()
        assert one.window.width() <= max(screen.width(), one.window.minimumSizeHint().width())
        assert one.window.height() <= max(screen.height(), one.window.minimumSizeHint().height())


@pytest.mark.parametrize(
    ("x", "y", "reachable"),
    [
        (0, 0, True),
        (1900, 400, True),
        (1279, 0, True),
        (-699, 0, False),
        (-600, 0, True),
        (3190, 0, False),
        (0, 719, False),
        (0, -40, False),
        (0, -10, True),
        (500, 900, False),
    ],
)
def test_a63_a_place_counts_where_the_title_bar_can_be_taken_hold_of(
    x: int, y: int, reachable: bool
) -> None:
    assert Place(x, y, 700, 500, False).is_within_reach(_TWO_SCREENS) is reachable


def test_a63_a_size_fits_the_screen_the_window_is_on() -> None:
    assert Place(1300, 0, 1800, 1000, False).fitting_size(_TWO_SCREENS) == QSize(1800, 1000)
    assert Place(0, 0, 1800, 1000, False).fitting_size(_TWO_SCREENS) == QSize(1280, 720)
    assert Place(9000, 0, 1800, 1000, False).fitting_size(_TWO_SCREENS) == QSize(1280, 720)


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"\xff\x00",
        b"[]",
        b"{}",
        place(width="wide"),
        place(width=0),
        place(x=10**12),
        place(depth=3),
    ],
)
async def test_a_layout_that_makes_no_sense_is_left_out(rubbish: bytes, tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        usual = one.window.size()
    splitter = {"splitter panes 3": rubbish, "splitter results 2": rubbish}
    await keep(given, window=rubbish, **splitter, **{"docks reading": rubbish})
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        assert one.window.size() == usual
        assert not one.window.windowState() & Qt.WindowState.WindowMaximized
        assert min(one.window.splitter.sizes()) > 0
        assert one.window.reading_pane.why_dock.isVisible()


def test_a_program_that_was_closed_knows_its_store_and_its_size_at_the_next_start(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    ended = run_child("tests.support.closing_window", "searched", "window", str(project))
    assert (ended.code, ended.err) == (0, "")
    connection = pysqlite3.connect(f"file://{os.environ['GENIZAH_DATA_DIR']}/genizah.db", uri=True)
    paths = connection.execute("SELECT path FROM recent").fetchall()
    parts = {name for (name,) in connection.execute("SELECT part FROM geometry").fetchall()}
    connection.close()
    assert paths == [(os.fsencode(project / ".zikaron" / "memory.db"),)]
    assert {"window", "sidebar", "splitter panes 3", "splitter results 2", "docks reading"} <= parts
