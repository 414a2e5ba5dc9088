"""A banner above the list: its sentence is whole or ends in an ellipsis, its buttons are whole."""

import pytest
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


def _shown(qtbot: QtBot, banner: ListBanner, width: int) -> list[str]:
    """Give the banner the height that it wants at a width, as a layout does."""

    def is_settled() -> bool:
        wanted = banner.heightForWidth(width)
        if (banner.width(), banner.height()) == (width, wanted):
            return _label(banner).width() <= width
        banner.resize(width, wanted)
        return False

    qtbot.waitUntil(is_settled)
    return _label(banner).shown_lines()


def test_a_wide_banner_shows_the_whole_sentence_beside_its_buttons(
    qtbot: QtBot, banner: ListBanner
) -> None:
    assert " ".join(_shown(qtbot, banner, 900)) == _LONG
    label, button = _label(banner), banner.buttons["compare"]
    assert button.geometry().left() >= label.geometry().right()


def test_a_narrow_banner_cuts_the_sentence_and_keeps_its_buttons_whole(
    qtbot: QtBot, banner: ListBanner
) -> None:
    lines = _shown(qtbot, banner, 210)
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
