"""Draw the program's icon in every size a desktop asks for, from the one drawing.

usage: VENV/bin/python packaging/installer/render_icons.py. Run after a change of the drawing; the
pictures are checked in, so that neither the program nor its installer needs an SVG renderer.
"""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parents[2] / "resources" / "icons"
DRAWING = ICONS / "genizah.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def rendered(size: int) -> QImage:
    """Return the drawing in one size."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    return image


def picture(size: int) -> Path:
    """Return where the picture of one size lies."""
    return ICONS / f"genizah-{size}.png"


def main() -> int:
    """Write all sizes."""
    app = QGuiApplication(["render-icons", "-platform", "offscreen"])
    failed = [size for size in SIZES if not rendered(size).save(str(picture(size)))]
    del app
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
