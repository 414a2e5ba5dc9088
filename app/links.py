"""Opening addresses from stored texts: after a confirmation that shows the whole target."""

from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from app.ask import ask
from app.tasks import TaskSet
from widgets.link_dialog import LinkDialog
from widgets.links import target_of


class LinkOpener:
    """Ask, then hand an address to the desktop; `open_url` is what hands it over."""

    def __init__(self, window: QWidget, tasks: TaskSet) -> None:
        self._window = window
        self._tasks = tasks
        self.open_url: Callable[[QUrl], object] = QDesktopServices.openUrl

    def ask_to_open(self, link: str) -> None:
        """Show the target of an address and open it if the person says so."""
        url = target_of(link)
        if url is not None:
            self._tasks.spawn(self._ask(url), name="open link")

    async def _ask(self, url: QUrl) -> None:
        if await ask(LinkDialog(url, self._window)) == QDialog.DialogCode.Accepted:
            self.open_url(url)
