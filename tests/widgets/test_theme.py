"""Contrast of every pair of colours that carries text, and following the desktop."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from widgets.theme import (
    Scheme,
    ThemeFollower,
    apply_theme,
    banner_palette,
    effective,
    is_dark,
    match_colours,
    outlined,
    palette_of,
)

_Role = QPalette.ColorRole
_TEXT_ON = [
    (_Role.WindowText, _Role.Window),
    (_Role.PlaceholderText, _Role.Window),
    (_Role.Link, _Role.Window),
    (_Role.Text, _Role.Base),
    (_Role.Text, _Role.AlternateBase),
    (_Role.PlaceholderText, _Role.Base),
    (_Role.Accent, _Role.Base),
    (_Role.Link, _Role.Base),
    (_Role.BrightText, _Role.Midlight),
    (_Role.ButtonText, _Role.Button),
    (_Role.HighlightedText, _Role.Highlight),
    (_Role.ToolTipText, _Role.ToolTipBase),
]
_BANNER_TEXT_ON = [
    (_Role.WindowText, _Role.Window),
    (_Role.PlaceholderText, _Role.Window),
    (_Role.Link, _Role.Window),
]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    apply_theme(qapp, Scheme.LIGHT)


def _luminance(colour: QColor) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(v) for v in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG 2: 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize("group", [QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive])
def test_text_stands_out_by_four_and_a_half_to_one(
    scheme: Scheme, group: QPalette.ColorGroup
) -> None:
    palette = palette_of(scheme)
    banner = banner_palette(palette).resolve(palette)
    for pairs, colours in ((_TEXT_ON, palette), (_BANNER_TEXT_ON, banner)):
        for text, ground in pairs:
            ratio = _contrast(colours.color(group, text), colours.color(group, ground))
            assert ratio >= 4.5, (text, ground, ratio)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_a_marked_place_can_be_read_and_stands_out_from_the_text_around_it(scheme: Scheme) -> None:
    palette = palette_of(scheme)
    text, ground = match_colours(palette)
    assert _contrast(text, ground) >= 4.5
    for around in (palette.base(), palette.window()):
        assert _contrast(ground, around.color()) >= 1.2  # and it is underlined


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_every_mark_of_a_row_stands_out_by_three_to_one(scheme: Scheme) -> None:
    palette = palette_of(scheme)
    for mark in (palette.accent(), palette.placeholderText(), palette.text()):
        assert _contrast(mark.color(), palette.base().color()) >= 3
    assert _contrast(palette.highlightedText().color(), palette.highlight().color()) >= 4.5


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_the_outline_of_the_search_box_stands_out_by_three_to_one(scheme: Scheme) -> None:
    palette = palette_of(scheme)
    outline = outlined(palette).window().color().darker(140)
    assert _contrast(outline, palette.base().color()) >= 3


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize("kind", [QLineEdit, QPushButton, QSpinBox, QComboBox, QToolButton])
def test_the_outline_of_what_has_the_keyboard_stands_out_by_three_to_one(
    theme: QApplication, qtbot: QtBot, scheme: Scheme, kind: type[QWidget]
) -> None:
    apply_theme(theme, scheme)
    window, widget = QWidget(), kind()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(widget)
    window.resize(200, 80)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as a real Tab sets it
    ground = window.palette().window().color()
    image = window.grab().toImage()
    place = widget.geometry()
    column = [image.pixelColor(place.center().x(), place.top() + y) for y in range(4)]
    assert max(_contrast(colour, ground) for colour in column) >= 3


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_selected_text_in_a_box_can_be_read(scheme: Scheme) -> None:
    palette = outlined(palette_of(scheme))
    assert _contrast(palette.highlightedText().color(), palette.highlight().color()) >= 4.5


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_the_bar_stands_out_from_its_row_and_its_track(scheme: Scheme) -> None:
    palette = palette_of(scheme)
    for ground in (palette.base(), palette.midlight()):
        assert _contrast(palette.accent().color(), ground.color()) >= 3


@pytest.mark.parametrize(
    ("scheme", "system", "expected"),
    [
        (Scheme.SYSTEM, Qt.ColorScheme.Dark, Scheme.DARK),
        (Scheme.SYSTEM, Qt.ColorScheme.Light, Scheme.LIGHT),
        (Scheme.SYSTEM, Qt.ColorScheme.Unknown, Scheme.LIGHT),
        (Scheme.DARK, Qt.ColorScheme.Light, Scheme.DARK),
    ],
)
def test_the_desktop_decides_only_where_it_says_something_and_nobody_chose(
    scheme: Scheme, system: Qt.ColorScheme, expected: Scheme
) -> None:
    assert effective(scheme, system) is expected


def test_choosing_a_scheme_changes_open_widgets(theme: QApplication, qtbot: QtBot) -> None:
    follower = ThemeFollower(theme, Scheme.LIGHT)
    box = QLineEdit()
    qtbot.addWidget(box)
    box.show()
    assert theme.style().name() == "fusion"
    light = box.palette().base().color()
    follower.choose(Scheme.DARK)
    assert is_dark(theme.palette())
    qtbot.waitUntil(lambda: box.palette().base().color() != light, timeout=1000)
    follower.choose(Scheme.SYSTEM)
    assert not is_dark(theme.palette()), "offscreen the desktop says nothing"
    follower.deleteLater()
