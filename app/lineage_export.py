"""Writing the lineage that is shown to a file: SVG, PNG, DOT or JSON, by the file's ending."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtWidgets import QFileDialog

from app.ask import ask
from app.lineage_controller import LineageController
from app.message_controller import MessageController
from app.tasks import TaskSet
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.lineage.exports.document import lineage_document
from core.lineage.exports.dot import dot_text
from core.lineage.exports.svg import svg_text
from widgets.lineage_page import Drawing
from widgets.lineage_sketch import Sketch
from widgets.main_window import MainWindow
from widgets.theme import Scheme, palette_of

_KEY = "lineage export"
_FILTERS = (
    "SVG picture (*.svg)",
    "PNG picture (*.png)",
    "Graphviz (*.dot)",
    "JSON (*.json)",
)
_MARGIN = 24.0
_MOST_PIXELS = 40_000_000
_MOST_SIDE = 16_000


class LineageExport:
    """Ask for a file and write what the page draws, folds as they are in it."""

    def __init__(
        self,
        window: MainWindow,
        lineage: LineageController,
        messages: MessageController,
        tasks: TaskSet,
    ) -> None:
        self._window = window
        self._lineage = lineage
        self._messages = messages
        self._tasks = tasks
        self._worker = Worker("lineage export")

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def start(self) -> None:
        """Ask for a file and write it."""
        self._tasks.spawn(self._ask(), name="export lineage")

    async def _ask(self) -> None:
        if self._window.lineage_page.drawing is None:
            self._lineage.show()  # what is exported is what is shown
            await self._lineage.settled()
        dialog = QFileDialog(self._window, "Export lineage")
        dialog.setNameFilters(_FILTERS)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("svg")
        dialog.filterSelected.connect(
            lambda name: dialog.setDefaultSuffix(name.rpartition(".")[2].rstrip(")"))
        )
        dialog.selectFile("lineage.svg")
        chosen: list[str] = []
        dialog.fileSelected.connect(chosen.append)
        await ask(dialog)
        if chosen:
            await self.write(Path(chosen[0]))

    async def write(self, path: Path) -> None:
        """Write what is shown in the form that the ending names; say what came of it."""
        drawing = self._window.lineage_page.drawing
        if drawing is None:
            self._messages.confirm("There is no lineage to export; nothing was written.")
            return
        try:
            if path.suffix.lower() == ".png":
                await self._write_picture(path, drawing)
            else:
                await self._worker.run(_write_text, path, drawing)
        except OSError as error:
            words = f"The lineage could not be written to {path} ({error.strerror or error})."
            failed = GenizahError(ErrorCode.STORE_IO, words, path=str(path))
            self._messages.show_error(_KEY, failed)
            return
        self._messages.end(_KEY)
        self._messages.confirm(f"The lineage was written to {path}.")

    async def _write_picture(self, path: Path, drawing: Drawing) -> None:
        """Paint tile by tile, so that the window stays awake; light whatever the theme."""
        page = self._window.lineage_page
        palette = palette_of(Scheme.LIGHT)
        sketch = Sketch(drawing.content, drawing.plan, page.looks, palette, page.font())
        width = drawing.picture.width + 2 * _MARGIN
        height = drawing.picture.height + 2 * _MARGIN
        scale = picture_scale(width, height)
        image = QImage(
            max(1, round(width * scale)), max(1, round(height * scale)), QImage.Format.Format_RGB32
        )
        image.fill(palette.color(QPalette.ColorRole.Base))
        everything = QRectF(-_MARGIN, -_MARGIN, width, height)
        for tile in sketch.tiles():
            painter = QPainter(image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(scale, scale)
            painter.translate(_MARGIN, _MARGIN)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            tile.draw(painter, scale, everything)
            painter.end()
            await asyncio.sleep(0)
        if not await self._worker.run(_save, image, path):
            raise OSError(0, "the picture could not be saved")


def picture_scale(width: float, height: float) -> float:
    """Return how many pixels a unit gets: two, less where the file would be too large."""
    by_area = float((_MOST_PIXELS / (width * height)) ** 0.5)
    return min(2.0, by_area, _MOST_SIDE / width, _MOST_SIDE / height)


def _save(image: QImage, path: Path) -> bool:
    return image.save(str(path))  # the ending says which form


def _write_text(path: Path, drawing: Drawing) -> None:
    content = drawing.content
    shown = (content.forest, drawing.picture, content.problems)
    forms: dict[str, Callable[[], str]] = {
        ".json": lambda: json.dumps(lineage_document(*shown), indent=2),
        ".dot": lambda: dot_text(*shown),
        ".gv": lambda: dot_text(*shown),
    }
    make = forms.get(path.suffix.lower(), lambda: svg_text(*shown))
    path.write_text(make() + "\n", encoding="utf-8", errors="backslashreplace")
