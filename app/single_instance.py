"""One window per person, data folder and screen: a second start hands its wish to the first.

A lock file says who is first; it is freed by the system's own knowledge of processes when one is
killed. The socket carries the wish. Nothing here waits longer than its limits, and where the
place for both cannot be trusted every start is on its own.
"""

import hashlib
import importlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QTimer

from core.datadir import PRIVATE_FOLDER, private_folder

if TYPE_CHECKING:  # its ten milliseconds come after the first paint
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

ACTIVATION_TOKEN = "XDG_ACTIVATION_TOKEN"
HAND_OVER_LIMIT_S = 4.0
_ANSWER_LIMIT_MS = 1_500
_STEP_MS = 50
_CONNECTION_LIMIT_MS = 5_000
_LONGEST_WISH = 1_000_000
_LONGEST_SOCKET = 100  # bytes of a path; the system takes 104 to 108
_ANSWER = b"ok\n"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a start is for: absolute paths of stores, a text to search, the desktop's token."""

    paths: tuple[str, ...] = ()
    query: str | None = None
    token: str = ""

    def encoded(self) -> bytes:
        """Return it as one line; half surrogates of a path survive."""
        parts = {"paths": list(self.paths), "query": self.query, "token": self.token}
        return json.dumps(parts).encode("ascii") + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> "Wish | None":
        """Read one line; None where it is not a wish."""
        try:
            parts = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(parts, dict):
            return None
        paths, query, token = (parts.get(name) for name in ("paths", "query", "token"))
        if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
            return None
        if not isinstance(query, str | None) or not isinstance(token, str):
            return None
        return cls(tuple(paths), query, token)


class SingleInstance:
    """Claim to be the first; ask `is_first`, then either `listen` or `hand_over`."""

    def __init__(self, environ: Mapping[str, str], data_dir: Path) -> None:
        place = _place(environ, data_dir)
        self._lock: QLockFile | None = None
        self._address = ""
        self._server: QLocalServer | None = None
        self._heard: Callable[[Wish], None] = lambda _wish: None
        self.is_first = True
        if place is not None:
            self._lock = QLockFile(f"{place}.lock")
            self._lock.setStaleLockTime(0)  # stale only when its process is gone
            self._address = place.name if sys.platform == "win32" else f"{place}.socket"
            self.is_first = self._claim(0)

    def _claim(self, wait_ms: int) -> bool:
        """Tell whether this start is the first, or cannot know."""
        assert self._lock is not None
        if self._lock.tryLock(wait_ms):
            return True
        if self._lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._lock = None
        return True

    def hand_over(self, wish: Wish, limit_s: float = HAND_OVER_LIMIT_S) -> bool:
        """Give a wish to the first; False where this is the first, or the first does not take it.

        One that is still starting is tried until the limit; one that ends meanwhile is followed.
        """
        deadline = time.monotonic() + limit_s
        while not self.is_first and time.monotonic() < deadline and _has_network():
            if self._told(wish):
                return True
            if self._claim(_STEP_MS):
                self.is_first = True
                return False
        return False

    def _told(self, wish: Wish) -> bool:
        from PySide6.QtNetwork import QLocalSocket

        client = QLocalSocket()
        client.connectToServer(self._address)
        if not client.waitForConnected(_ANSWER_LIMIT_MS):
            return False
        client.write(wish.encoded())
        client.waitForBytesWritten(_ANSWER_LIMIT_MS)
        is_taken = client.waitForReadyRead(_ANSWER_LIMIT_MS) and (
            client.readAll().data() == _ANSWER
        )
        client.abort()
        return is_taken

    def listen(self, heard: Callable[[Wish], None]) -> None:
        """Take the wishes of later starts from now on, if this is the first."""
        if self._lock is None or not self.is_first or not _has_network():
            return
        from PySide6.QtNetwork import QLocalServer

        QLocalServer.removeServer(self._address)  # left by a first that was killed
        self._heard = heard
        self._server = QLocalServer()
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._serve)
        self._server.listen(self._address)

    def close(self) -> None:
        """Be the first no longer."""
        if self._server is not None:
            self._server.close()
            self._server.deleteLater()
            self._server = None
        if self._lock is not None and self.is_first:
            self._lock.unlock()

    def _serve(self) -> None:
        assert self._server is not None
        while (client := self._server.nextPendingConnection()) is not None:
            self._take(client)

    def _take(self, client: "QLocalSocket") -> None:
        limit = QTimer(client)
        limit.setSingleShot(True)
        # A function, not the socket's method: Qt made the socket, and connects none of those.
        limit.timeout.connect(lambda: client.deleteLater())  # noqa: PLW0108
        limit.start(_CONNECTION_LIMIT_MS)
        client.readyRead.connect(lambda: self._read(client))
        self._read(client)

    def _read(self, client: "QLocalSocket") -> None:
        if not client.canReadLine():
            if client.bytesAvailable() > _LONGEST_WISH:
                client.abort()
            return
        wish = Wish.decoded(bytes(client.readLine().data()))
        if wish is None:
            client.abort()
            return
        client.write(_ANSWER)
        client.flush()
        self._heard(wish)


def _has_network() -> bool:
    """Tell whether Qt's module of sockets works: on a small system one of its libraries may not."""
    try:
        importlib.import_module("PySide6.QtNetwork")
    except ImportError:
        return False
    return True


def _place(environ: Mapping[str, str], data_dir: Path) -> Path | None:
    """Return what the names of lock and socket begin with; None where no folder can be trusted."""
    screen = environ.get("WAYLAND_DISPLAY") or environ.get("DISPLAY") or ""
    key = os.fsencode(data_dir.resolve()) + b"\0" + os.fsencode(screen)
    name = f"window-{hashlib.sha256(key).hexdigest()[:16]}"
    if sys.platform == "win32":
        with suppress(OSError):
            return private_folder(data_dir) / f"genizah-{name}"
        return None
    for folder in _folders(environ):
        place = folder / name
        if len(os.fsencode(f"{place}.socket")) <= _LONGEST_SOCKET and _is_ours(folder):
            return place
    return None


def _folders(environ: Mapping[str, str]) -> list[Path]:
    runtime = environ.get("XDG_RUNTIME_DIR")
    folders = [Path(runtime) / "genizah"] if runtime and _is_private(Path(runtime)) else []
    if sys.platform != "win32":
        # Not tempfile.gettempdir(), which writes a file to find out whether it can.
        temporary = Path(environ.get("TMPDIR") or "/tmp")
        folders.append(temporary / f"genizah-{os.getuid()}")
    return folders


def _is_ours(folder: Path) -> bool:
    """Make a folder that nobody else can reach; tell whether it is one."""
    with suppress(OSError):
        folder.mkdir(mode=PRIVATE_FOLDER)
    return _is_private(folder)


def _is_private(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    mine = found.st_uid == os.getuid()
    return stat.S_ISDIR(found.st_mode) and mine and not found.st_mode & 0o077
