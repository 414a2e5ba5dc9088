"""Putting text on the clipboard exactly as stored."""

from PySide6.QtCore import QMimeData, QStringListModel
from PySide6.QtGui import QGuiApplication

from widgets.text_marks import representable


def copy_text(text: str) -> None:
    """Put a text on the clipboard; lone surrogates, which it cannot hold, as U+FFFD."""
    QGuiApplication.clipboard().setText(representable(text))


def text_mime_data(text: str) -> QMimeData:
    """Return a text as what Qt copies and drags.

    WORKAROUND for a crash of PySide6 6.12 (no public report known): an object made by
    QMimeData() in Python and still on the clipboard when the program ends is deleted after the
    interpreter and ends it with a segmentation fault. An object that Qt made does not.
    """
    model = QStringListModel([""])
    data = model.mimeData([model.index(0)])
    data.clear()
    data.setText(representable(text))
    return data
