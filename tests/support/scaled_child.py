"""A process of its own with a scale factor: what the window measures there, as JSON; a picture.

Arguments: scheme, store, picture. Qt reads QT_SCALE_FACTOR when it starts.
"""

import json
import os
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.loop import QtLoop
from tests.support.accessibility import described, focusable
from tests.support.open_window import OpenWindow, open_window
from tests.support.window_stores import stub, stub_services
from widgets.theme import Scheme, ThemeFollower

_SIZE = (1024, 640)


def outside(window: QWidget) -> list[str]:
    """Return the widgets the keyboard reaches that lie partly outside the window."""
    whole = window.rect()
    found = []
    for widget in focusable(window):
        place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        if not whole.contains(place):
            found.append(described(widget))
    return found


def fine_edges(image: QImage, area: QRect) -> int:
    """Count strong edges inside pairs of pixels: a picture blown up by two has none there."""
    count = 0
    for y in range(area.top(), area.bottom()):
        for x in range(area.left() // 2 * 2, area.right(), 2):
            one, other = image.pixelColor(x, y), image.pixelColor(x + 1, y)
            count += abs(one.lightness() - other.lightness()) > 120
    return count


async def measure(opened: OpenWindow, picture: str) -> dict[str, object]:
    """Search, select, and tell what a person would see."""
    window = opened.window
    window.resize(*_SIZE)
    await opened.search("ferry tide")
    window.hit_view.select_first()
    await opened.controller.settled()
    image = window.grab().toImage()
    image.save(picture)
    ratio = image.devicePixelRatio()
    view = window.hit_view.list
    corner = view.viewport().mapTo(window, QPoint(40, 46))
    area = QRect(corner * ratio, view.viewport().size() * ratio)
    area.setSize(area.size().boundedTo(area.size().__class__(int(300 * ratio), int(60 * ratio))))
    return {
        "ratio": ratio,
        "pixels": [image.width(), image.height()],
        "size": [window.width(), window.height()],
        "least": [window.minimumSizeHint().width(), window.minimumSizeHint().height()],
        "outside": outside(window),
        "fine_edges": fine_edges(image, area),
    }


async def main() -> None:
    """Open the store in the scheme named and print what was measured."""
    scheme, store, picture = sys.argv[1:4]
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    follower = ThemeFollower(app, Scheme(scheme))
    folder = Path(store).parent
    async with open_window(stub_services(stub(), folder), Path(store)) as opened:
        print(json.dumps(await measure(opened, picture)), flush=True)  # noqa: T201 - the answer
    follower.deleteLater()


if __name__ == "__main__":
    application = QApplication(["scaled"])
    QtLoop(application).run_until_complete(main())
    sys.stdout.flush()
    os._exit(0)
