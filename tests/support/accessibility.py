"""Walking a window as a screen reader and a keyboard do: every widget that can take the focus."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget


def focusable(root: QWidget) -> Iterator[QWidget]:
    """Yield the widgets on screen that the keyboard can reach, parents first."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisibleTo(root):
            continue
        if widget.focusProxy() is not None or isinstance(widget, QScrollBar):
            continue
        if not _is_viewport(widget):
            yield widget


def _is_viewport(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractScrollArea) and parent.viewport() is widget


def spoken_name(widget: QWidget) -> str:
    """Return the name that a screen reader is given."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, f"a screen reader sees nothing of {widget}"
    return interface.text(QAccessible.Text.Name).strip()


def described(widget: QWidget) -> str:
    """Return what tells a widget from others, for a message."""
    path = [type(widget).__name__]
    parent = widget.parentWidget()
    while parent is not None:
        path.append(type(parent).__name__)
        parent = parent.parentWidget()
    return " in ".join(path[:4])


def nameless(root: QWidget) -> list[str]:
    """Return the widgets the keyboard reaches that have no name."""
    return [described(widget) for widget in focusable(root) if not spoken_name(widget)]


def picture(widget: QWidget) -> QImage:
    """Return what a widget looks like now."""
    return widget.grab().toImage()
