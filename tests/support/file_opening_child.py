"""The program's own window, asked by the desktop to open files as macOS does; a process.

usage: python -m tests.support.file_opening_child FILE FILE. The first is asked for before the
window is there, the second once the first is open.
"""

import os
import sys
import threading
from argparse import Namespace
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent

from app.bootstrap import Services
from app.window import run_window


def _log() -> str:
    log = Path(os.environ["GENIZAH_DATA_DIR"]) / "genizah.log"
    return log.read_text("utf-8") if log.exists() else ""


def _ask_for(first: str, second: str) -> None:
    while (app := QCoreApplication.instance()) is None:
        threading.Event().wait(0.01)
    QCoreApplication.postEvent(app, QFileOpenEvent(first))
    while f"open: {first}" not in _log():
        threading.Event().wait(0.01)
    QCoreApplication.postEvent(app, QFileOpenEvent(second))


def main() -> None:
    """Open the window on no store; the desktop's wishes come from a thread."""
    threading.Thread(target=_ask_for, args=sys.argv[1:], daemon=True).start()
    run_window(Services(), Namespace(stores=[]))


if __name__ == "__main__":
    main()
