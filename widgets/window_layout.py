"""The window's size, place, splitters and docks as bytes to keep, and back again.

Every splitter and inner window with an object name takes part; a saved part of another build
that no longer fits is left out.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter

from widgets.main_window import MainWindow

_WINDOW = "window"
_SIDEBAR = "sidebar"
_VERSION = 1
_TITLE_HEIGHT = 32
_LEAST_GRIP = QSize(64, 16)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the window stands when it is not maximised, in logical pixels."""

    x: int
    y: int
    width: int
    height: int
    is_maximised: bool

    def is_within_reach(self, areas: Sequence[QRect]) -> bool:
        """Tell whether enough of the title bar lies on a screen to take hold of it."""
        title = QRect(self.x, self.y, self.width, _TITLE_HEIGHT)
        seen = [title.intersected(area) for area in areas]
        return any(
            s.width() >= _LEAST_GRIP.width() and s.height() >= _LEAST_GRIP.height() for s in seen
        )

    def fitting_size(self, areas: Sequence[QRect]) -> QSize:
        """Return the size, not larger than the screen it is on, or than the first one."""
        corner = QRect(self.x, self.y, self.width, _TITLE_HEIGHT)
        area = next((a for a in areas if a.intersects(corner)), areas[0])
        return QSize(self.width, self.height).boundedTo(area.size())


def save_layout(window: MainWindow) -> dict[str, bytes]:
    """Return the parts of the layout by name."""
    parts = {_WINDOW: json.dumps(asdict(_place_of(window))).encode()}
    parts[_SIDEBAR] = b"1" if window.wants_sidebar else b"0"
    for splitter in _splitters(window):
        parts[_splitter_key(splitter)] = bytes(splitter.saveState().data())
    for inner in _inner_windows(window):
        parts[f"docks {inner.objectName()}"] = bytes(inner.saveState(_VERSION).data())
    return parts


def restore_layout(window: MainWindow, parts: Mapping[str, bytes]) -> None:
    """Bring a window that is not shown yet into a saved layout; what is missing stays."""
    areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    place = _read(parts.get(_WINDOW, b""))
    if place is not None and areas:
        window.resize(place.fitting_size(areas))
        if place.is_within_reach(areas):
            window.move(place.x, place.y)
        if place.is_maximised:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    if _SIDEBAR in parts:
        window.want_sidebar(parts[_SIDEBAR] != b"0")
    for splitter in _splitters(window):
        state = parts.get(_splitter_key(splitter))
        if state is not None:
            splitter.restoreState(QByteArray(state))
            splitter.setChildrenCollapsible(False)  # the state carries this too
    for inner in _inner_windows(window):
        state = parts.get(f"docks {inner.objectName()}")
        if state is not None:
            inner.restoreState(QByteArray(state), _VERSION)


def _place_of(window: MainWindow) -> Place:
    is_maximised = window.isMaximized()
    box = window.normalGeometry() if is_maximised else window.geometry()
    corner = box.topLeft() if is_maximised else window.pos()
    return Place(corner.x(), corner.y(), box.width(), box.height(), is_maximised)


def _read(stored: bytes) -> Place | None:
    try:
        found = json.loads(stored)
        place = Place(**found)
    except (ValueError, TypeError, RecursionError):
        return None
    numbers = (place.x, place.y, place.width, place.height)
    if any(type(n) is not int or abs(n) > 1_000_000 for n in numbers):
        return None
    return place if place.width > 0 and place.height > 0 else None


def _splitters(window: MainWindow) -> list[QSplitter]:
    return [s for s in window.findChildren(QSplitter) if s.objectName()]


def _splitter_key(splitter: QSplitter) -> str:
    # With another number of parts it is another splitter.
    return f"splitter {splitter.objectName()} {splitter.count()}"


def _inner_windows(window: MainWindow) -> list[QMainWindow]:
    return [w for w in window.findChildren(QMainWindow) if w.objectName()]
