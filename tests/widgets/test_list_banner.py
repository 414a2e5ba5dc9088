"""A banner above the list: its sentence is whole or ends in an ellipsis, its buttons are whole."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from widgets.few_lines_label import FewLinesLabel
from widgets.list_banner import ListBanner

_LONG = "Baseline “before”: arrows show how far each memory has moved since; 3 gone"


@pytest.fixture
def banner(qtbot: QtBot) -> ListBanner:
    banner = ListBanner((("compare", "Compare…", "Compare"), ("drop", "Unpin", "Unpin")))
    qtbot.addWidget(banner)
    banner.say(_LONG, "more of it")
    banner.show()
    return banner


def _label(banner: ListBanner) -> FewLinesLabel:
    (label,) = banner.findChildren(FewLinesLabel)
    return label


def _shown(banner: ListBanner, width: int) -> list[str]:
    banner.resize(width, banner.heightForWidth(width))
    QApplication.processEvents()
    banner.resize(width, banner.heightForWidth(width))
    QApplication.processEvents()
    return _label(banner).shown_lines()


def test_a_wide_banner_shows_the_whole_sentence_beside_its_buttons(banner: ListBanner) -> None:
    assert " ".join(_shown(banner, 900)) == _LONG
    label, button = _label(banner), banner.buttons["compare"]
    assert button.geometry().left() >= label.geometry().right()


def test_a_narrow_banner_cuts_the_sentence_and_keeps_its_buttons_whole(
    banner: ListBanner,
) -> None:
    lines = _shown(banner, 210)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert _LONG.startswith(lines[0])
    for button in banner.buttons.values():
        assert button.geometry().top() >= _label(banner).geometry().bottom()
        words = button.fontMetrics().horizontalAdvance(button.text())
        assert button.width() >= words + 12
        assert button.geometry().right() <= banner.width()
    assert banner.text() == _LONG
    assert "3 gone" in _label(banner).toolTip()
    assert "more of it" in _label(banner).toolTip()
