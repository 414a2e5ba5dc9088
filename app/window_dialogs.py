"""The window's own small dialogs: which store to open, and what this program is."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.arguments import program_version
from app.ask import ask
from core.licences import load_licences
from widgets.licences_dialog import LicencesDialog
from widgets.main_window import MainWindow
from widgets.plain_box import plain_box


async def ask_for_path(
    window: MainWindow, folder: Path, chosen: Callable[[Path], object]
) -> None:
    """Ask for a store's database, beginning in a folder, and tell which one was chosen."""
    dialog = QFileDialog(window, "Open store", str(folder))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(["Memory stores (memory.db)", "All files (*)"])
    await _ask_for(dialog, chosen)


async def ask_for_folder(
    window: MainWindow, title: str, folder: Path, chosen: Callable[[Path], object]
) -> None:
    """Ask for a folder, beginning in one, and tell which was chosen."""
    dialog = QFileDialog(window, title, str(folder))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    await _ask_for(dialog, chosen)


async def _ask_for(dialog: QFileDialog, chosen: Callable[[Path], object]) -> None:
    # Stores and caches lie in hidden folders.
    dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    await ask(dialog)


_ABOUT = (
    "Genizah {version}: a browser for the memories of coding agents.\n\n"
    "MIT licence, without any warranty.\n\n"
    "Nothing leaves this machine: there is no telemetry, and the program never looks for a newer "
    "version by itself. Only the model of a store is downloaded, and only after you say so."
)


async def about(window: MainWindow) -> None:
    """Say what this program is, and show the licences of all that is shipped on request."""
    box = plain_box(window, "About Genizah", _ABOUT.format(version=program_version()))
    licences = box.addButton("&Licences…", QMessageBox.ButtonRole.ActionRole)
    close = box.addButton(QMessageBox.StandardButton.Close)
    box.setDefaultButton(close)
    box.setEscapeButton(close)
    wanted: list[bool] = []
    licences.clicked.connect(lambda: wanted.append(True))
    await ask(box)
    if wanted:
        await ask(LicencesDialog(window, load_licences()))
