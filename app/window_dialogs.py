"""The window's own small dialogs: which store to open, and what this program is."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog

from app.arguments import program_version
from app.ask import ask
from widgets.main_window import MainWindow
from widgets.plain_box import plain_box


async def ask_for_path(
    window: MainWindow, folder: Path, chosen: Callable[[Path], object]
) -> None:
    """Ask for a store's database, beginning in a folder, and tell which one was chosen."""
    dialog = QFileDialog(window, "Open store", str(folder))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(["Memory stores (memory.db)", "All files (*)"])
    dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)  # stores lie in hidden folders
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    await ask(dialog)


async def about(window: MainWindow) -> None:
    """Say what this program is."""
    text = f"Genizah {program_version()}: a browser for the memories of coding agents."
    await ask(plain_box(window, "About Genizah", text))
