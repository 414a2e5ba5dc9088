"""Qt's application: its names, and the files that the desktop asks a running program to open."""

from collections.abc import Callable
from typing import override

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Pass on the files a person opens with the program; macOS sends them, also at the start."""

    def __init__(self) -> None:
        super().__init__(["genizah"])
        self.setApplicationName("genizah")
        self.setApplicationDisplayName("Genizah")
        self.setDesktopFileName("genizah")
        self.files = OpenedFiles()

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.files.add(event.file())
            return True
        return super().event(event)


class OpenedFiles:
    """Files to open, in the order they were asked for; they wait until somebody takes them."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._take: Callable[[str], None] | None = None

    def add(self, path: str) -> None:
        """Pass a file on, or keep it until it can be."""
        if self._take is None:
            self._waiting.append(path)
        else:
            self._take(path)

    def serve(self, take: Callable[[str], None] | None) -> None:
        """Say who takes them from now on, None for nobody; those that waited come at once."""
        self._take = take
        while take is not None and self._waiting:
            take(self._waiting.pop(0))
