"""The look: Qt's Fusion style with a light and a dark palette of our own, and following the system.

Widgets take every colour from the palette; only a warning banner has a palette beside it.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QWidget

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup
_SMALL = 0.92
_TITLE = 1.22
_SIZE_RESOLVED = 0x2  # QFont::SizeResolved, which PySide6 does not name


class Scheme(StrEnum):
    """Which palette to use; SYSTEM follows the desktop where it says one, else light."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_LIGHT: Mapping[_Role, str] = MappingProxyType(
    {
        _Role.Window: "#f4f5f6",
        _Role.WindowText: "#1d2126",
        _Role.Base: "#ffffff",
        _Role.AlternateBase: "#eef0f2",
        _Role.Text: "#1d2126",
        _Role.PlaceholderText: "#59626c",
        _Role.Button: "#eceef0",
        _Role.ButtonText: "#1d2126",
        _Role.BrightText: "#a3231b",
        _Role.Light: "#ffffff",
        _Role.Midlight: "#e1e4e8",
        _Role.Mid: "#c6ccd2",
        _Role.Dark: "#9aa2ab",
        _Role.Shadow: "#5f676f",
        _Role.Highlight: "#2a62b8",
        _Role.HighlightedText: "#ffffff",
        _Role.Accent: "#2a62b8",
        _Role.Link: "#1f5bb5",
        _Role.LinkVisited: "#6a3f9c",
        _Role.ToolTipBase: "#ffffff",
        _Role.ToolTipText: "#1d2126",
    }
)
_DARK: Mapping[_Role, str] = MappingProxyType(
    {
        _Role.Window: "#25282d",
        _Role.WindowText: "#e4e7ea",
        _Role.Base: "#1b1e22",
        _Role.AlternateBase: "#282c31",
        _Role.Text: "#e4e7ea",
        _Role.PlaceholderText: "#a2aab3",
        _Role.Button: "#2e3238",
        _Role.ButtonText: "#e4e7ea",
        _Role.BrightText: "#ff9d94",
        _Role.Light: "#454b53",
        _Role.Midlight: "#363b42",
        _Role.Mid: "#434a52",
        _Role.Dark: "#6b737c",
        _Role.Shadow: "#0e1012",
        _Role.Highlight: "#2d62b3",
        _Role.HighlightedText: "#ffffff",
        _Role.Accent: "#6ea5f5",
        _Role.Link: "#8ab8fb",
        _Role.LinkVisited: "#c0a1ef",
        _Role.ToolTipBase: "#2e3238",
        _Role.ToolTipText: "#e4e7ea",
    }
)
_FADED: Mapping[Scheme, str] = MappingProxyType({Scheme.LIGHT: "#7d858d", Scheme.DARK: "#7f8790"})
_OUTLINE_FROM: Mapping[Scheme, str] = MappingProxyType(
    {Scheme.LIGHT: "#c2c9d1", Scheme.DARK: "#a9b3be"}
)
_BOX_FROM = "#a9b3be"  # drawn darker than this, but not as dark as an outline
_FOCUS: Mapping[Scheme, Mapping[_Role, str]] = MappingProxyType(
    {
        Scheme.LIGHT: {},
        Scheme.DARK: {_Role.Highlight: "#6ea5f5", _Role.HighlightedText: "#0e1218"},
    }
)
_OUTLINED = ("QLineEdit", "QCheckBox", "QAbstractSpinBox", "EditorText")
_BOXED = ("FoundList", "StoreList")
_FOCUSED = ("QPushButton", "QToolButton", "QComboBox", "QTabBar", "QSlider")
_BANNER: Mapping[Scheme, Mapping[_Role, str]] = MappingProxyType(
    {
        Scheme.LIGHT: {
            _Role.Window: "#fff0c7",
            _Role.WindowText: "#463200",
            _Role.PlaceholderText: "#6a5110",
            _Role.Mid: "#dcb84a",
            _Role.Button: "#f7e2a6",
            _Role.ButtonText: "#463200",
        },
        Scheme.DARK: {
            _Role.Window: "#3d3313",
            _Role.WindowText: "#ffe8a6",
            _Role.PlaceholderText: "#d8bf74",
            _Role.Mid: "#7c6a26",
            _Role.Button: "#4d411b",
            _Role.ButtonText: "#ffe8a6",
        },
    }
)


_MATCH: Mapping[Scheme, tuple[str, str]] = MappingProxyType(
    {Scheme.LIGHT: ("#1d2126", "#ffd970"), Scheme.DARK: ("#fff1c2", "#665012")}
)


def _fill(palette: QPalette, colours: Mapping[_Role, str]) -> QPalette:
    for role, colour in colours.items():
        palette.setColor(role, QColor(colour))
    return palette


def palette_of(scheme: Scheme) -> QPalette:
    """Return the palette of LIGHT or DARK (SYSTEM counts as light); text contrasts by 4.5:1."""
    is_dark = scheme is Scheme.DARK
    palette = _fill(QPalette(), _DARK if is_dark else _LIGHT)
    faded = QColor(_FADED[Scheme.DARK if is_dark else Scheme.LIGHT])
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.PlaceholderText):
        palette.setColor(_Group.Disabled, role, faded)
    return palette


def is_dark(palette: QPalette) -> bool:
    """Tell whether the palette writes light on dark."""
    return palette.window().color().lightness() < palette.windowText().color().lightness()


def outlined(palette: QPalette) -> QPalette:
    """Return a palette with which Fusion draws visible outlines: it darkens the window colour."""
    colour = _OUTLINE_FROM[Scheme.DARK if is_dark(palette) else Scheme.LIGHT]
    return _fill(focused(palette), {_Role.Window: colour})


def boxed(palette: QPalette) -> QPalette:
    """Return a palette with which Fusion draws visible check boxes in a list."""
    return _fill(QPalette(palette), {_Role.Window: _BOX_FROM})


def focused(palette: QPalette) -> QPalette:
    """Return a palette with which Fusion draws a visible focus: it darkens the highlight."""
    return _fill(QPalette(palette), _FOCUS[Scheme.DARK if is_dark(palette) else Scheme.LIGHT])


def banner_palette(palette: QPalette) -> QPalette:
    """Return the colours of a warning banner that goes with `palette`, and no other colour."""
    return _fill(QPalette(), _BANNER[Scheme.DARK if is_dark(palette) else Scheme.LIGHT])


def match_colours(palette: QPalette) -> tuple[QColor, QColor]:
    """Return text and ground of a place that was searched for, as goes with `palette`."""
    text, ground = _MATCH[Scheme.DARK if is_dark(palette) else Scheme.LIGHT]
    return QColor(text), QColor(ground)


def effective(scheme: Scheme, system: Qt.ColorScheme) -> Scheme:
    """Return LIGHT or DARK: the choice itself, or what the desktop says, or light."""
    if scheme is not Scheme.SYSTEM:
        return scheme
    return Scheme.DARK if system is Qt.ColorScheme.Dark else Scheme.LIGHT


def apply_theme(app: QApplication, scheme: Scheme) -> None:
    """Give the application the style and the palette; call again to change it while running."""
    if app.style().name().lower() != "fusion":
        app.setStyle("Fusion")
    palette = palette_of(effective(scheme, app.styleHints().colorScheme()))
    app.setPalette(palette)
    looks = {name: outlined(palette) for name in _OUTLINED}
    looks |= {name: focused(palette) for name in _FOCUSED}
    looks |= {name: boxed(palette) for name in _BOXED}
    for name, look in looks.items():
        # The stub asks for bytes, PySide6 6.12 itself takes a str only.
        app.setPalette(look, name)  # type: ignore[arg-type]  # see above


class ThemeFollower(QObject):
    """Keep the application in its scheme, also when the desktop changes while running."""

    def __init__(self, app: QApplication, scheme: Scheme = Scheme.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._scheme = scheme
        self._desktop_font = QFont(app.font())
        app.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def scheme(self) -> Scheme:
        """Return the choice."""
        return self._scheme

    def choose(self, scheme: Scheme) -> None:
        """Change the choice and the look at once."""
        self._scheme = scheme
        self._apply()

    def set_font_points(self, points: int) -> None:
        """Give all text this size at once, or the desktop's own where `points` is 0."""
        font = QFont(self._desktop_font)
        if points:
            font.setPointSize(points)
        if font == self._app.font():
            return
        factor = QFontInfo(font).pointSizeF() / QFontInfo(self._app.font()).pointSizeF()
        # Widgets with a size of their own do not follow the application; their size is a share.
        own = [(w, w.font()) for w in self._app.allWidgets() if _has_own_size(w)]
        self._app.setFont(font)
        for widget, before in own:
            widget.setFont(_sized(QFont(before), before, factor))

    def _apply(self) -> None:
        apply_theme(self._app, self._scheme)


def _has_own_size(widget: QWidget) -> bool:
    return bool(widget.font().resolveMask() & _SIZE_RESOLVED)


def small_font(font: QFont) -> QFont:
    """Return the font of secondary lines."""
    return _scaled(font, _SMALL)


def title_font(font: QFont) -> QFont:
    """Return the font of a panel's title."""
    title = _scaled(font, _TITLE)
    title.setWeight(QFont.Weight.DemiBold)
    return title


def fixed_font(font: QFont) -> QFont:
    """Return the fixed-width font at the size of `font`."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    return _sized(fixed, font, 1.0)


def _scaled(font: QFont, factor: float) -> QFont:
    return _sized(QFont(font), font, factor)


def _sized(font: QFont, like: QFont, factor: float) -> QFont:
    if like.pointSizeF() > 0:
        font.setPointSizeF(like.pointSizeF() * factor)
    else:
        font.setPixelSize(max(1, round(like.pixelSize() * factor)))
    return font
