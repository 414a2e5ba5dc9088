"""The log file in the program's own folder: what was opened, which codes came up, what broke.

Private to the user, rotated small. Below ERROR nothing of a store's texts or of a query is
written: only codes, paths and versions.
"""

import logging
import os
import sys
import time
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import override

from core.datadir import PRIVATE_FILE, private_folder

LOG_NAME = "genizah.log"
MOST_BYTES = 512 * 1024
_OLDER_FILES = 2
_FORM = "%(asctime)sZ %(process)d %(levelname)s %(name)s: %(message)s"

_log = logging.getLogger(__name__)


class _PrivateFile(RotatingFileHandler):
    """A rotated file that is 0600 from the moment it exists."""

    @override
    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        descriptor = os.open(self.baseFilename, flags, PRIVATE_FILE)
        Path(self.baseFilename).chmod(PRIVATE_FILE)  # one that an older umask let others read
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")


def start_log(folder: Path, machine: str) -> Path | None:
    """Write the log to `folder` from now on; return the file, or None where it cannot be written.

    Warnings still go to stderr. `machine` says which program runs on what.
    """
    root = logging.getLogger()
    if not any(isinstance(h, logging.StreamHandler) and h.level for h in root.handlers):
        root.addHandler(_to_stderr())
    path = folder / LOG_NAME
    try:
        private_folder(folder)
        handler = _PrivateFile(path, maxBytes=MOST_BYTES, backupCount=_OLDER_FILES)
    except OSError as error:
        _log.info("no log file: %s", error.strerror)
        return None
    form = logging.Formatter(_FORM, datefmt="%Y-%m-%dT%H:%M:%S")
    form.converter = time.gmtime
    handler.setFormatter(form)
    handler.setLevel(logging.INFO)
    root.addHandler(handler)
    for ours in ("app", "core", "widgets"):
        logging.getLogger(ours).setLevel(logging.INFO)
    _log.info("%s", machine)
    return path


def _to_stderr() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    return handler
