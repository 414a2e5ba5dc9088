"""What a later start of the program, or the desktop, wants of the window that is there."""

import os

from PySide6.QtWidgets import QApplication

from app.single_instance import ACTIVATION_TOKEN
from widgets.main_window import MainWindow


def bring_forward(window: MainWindow, token: str) -> None:
    """Show the window above the others, as far as the desktop lets it."""
    if token:
        os.environ[ACTIVATION_TOKEN] = token  # Qt takes it from there, and Wayland needs it
    if window.isMinimized():
        window.showNormal()
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
