"""Text of 16 pt, as the preferences offer it, in a window of 1024x640: nothing is cut off."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox, QWidget

from app.bootstrap import Services
from core.appdata.choices import Preferences
from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder
from tests.support.open_window import open_window, services
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.preferences_dialog import PreferencesDialog
from widgets.row_delegate import EDGE
from widgets.row_marks import MARK_SIZE, mark_size
from widgets.shortcut_sheet import ShortcutSheet
from widgets.theme import Scheme, ThemeFollower

_SIZE = QSize(1024, 640)


@pytest.fixture(autouse=True)
def _large_text(qapp: QApplication) -> Iterator[None]:
    follower = ThemeFollower(qapp, Scheme.LIGHT)
    follower.set_font_points(16)
    yield
    follower.set_font_points(0)
    follower.deleteLater()


def laid_out(widget: QWidget) -> None:
    """Let layouts take notice of what has changed."""
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    widget.ensurePolished()


def cut_off(widget: QWidget) -> list[str]:
    """Return the texts of plain labels that have less room than they need."""
    labels = [w for w in widget.findChildren(QLabel) if type(w) is QLabel and w.isVisible()]
    return [w.text() for w in labels if w.text() and _lacks_room(w)]


def _lacks_room(label: QLabel) -> bool:
    if label.wordWrap():
        return label.height() < label.heightForWidth(label.width())
    return label.width() < label.sizeHint().width()


def words_only(folder: Path) -> Services:
    def load(_model: str) -> Encoder:
        raise GenizahError(ErrorCode.ARTIFACT_DAMAGED, "The model file is not the right one.")

    return services(load, os.environ, folder)


@pytest.mark.parametrize("text", ["", "tide tables", "idexylo", "zzzzqqq"])
async def test_the_window_stays_as_small_and_every_word_is_whole(
    text: str, tmp_path: Path
) -> None:
    async with open_window(words_only(tmp_path), ferry_store(tmp_path / "p")) as opened:
        window = opened.window
        window.resize(_SIZE)
        await opened.controller.model.settled()
        opened.type(text)
        await opened.settled()
        laid_out(window)
        assert window.size() == _SIZE
        for part in (window.sidebar, window.results_page, window.state_page):
            assert cut_off(part) == []
        assert window.reading_pane.why_dock.font().pointSize() == 16


async def test_the_sidebar_keeps_its_width_while_searches_come_and_go(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.window.resize(_SIZE)
        laid_out(opened.window)
        before = opened.window.sidebar.width()
        await opened.search("tide tables")
        laid_out(opened.window)
        assert opened.window.sidebar.width() == before


async def test_marks_grow_with_the_text_beside_them(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        window = opened.window
        side = mark_size(window.browse_view.table.font())
        assert side > MARK_SIZE
        model = window.browse_view._model
        spoken = Qt.ItemDataRole.AccessibleTextRole
        live = next(i for i in map(model.index, range(26)) if ", live" in str(i.data(spoken)))
        row = window.browse_view.table.visualRect(live)
        image = window.browse_view.table.viewport().grab(row).toImage()
        dot = 8 / MARK_SIZE * side
        assert dot - 1 < dot_width(image, EDGE + side) < dot + 3


def dot_width(image: QImage, right: int) -> int:
    """Return how wide the mark in the first columns of a row is, in pixels."""
    ground, lines = image.pixelColor(0, 0), range(4, image.height() // 2)
    inked = [
        x for x in range(right) if any(image.pixelColor(x, y) != ground for y in lines)
    ]
    return inked[-1] - inked[0] + 1


def test_preferences_show_their_values_and_notes_whole(qapp: QApplication) -> None:
    parent = QWidget()
    dialog = PreferencesDialog(parent, Preferences())
    dialog.show()
    laid_out(dialog)
    assert cut_off(dialog) == []
    for spin in dialog.findChildren(QSpinBox):
        assert spin.width() >= spin.sizeHint().width()
    dialog.close()
    parent.deleteLater()


async def test_no_key_is_cut_off_on_the_shortcut_sheet(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.window.actions_by_name["shortcuts"].trigger()
        (sheet,) = opened.window.findChildren(ShortcutSheet)
        laid_out(sheet)
        assert sheet.rows.columnWidth(1) >= sheet.rows.sizeHintForColumn(1)
        sheet.close()
