"""Backing up the open store: on request, and before many changes at once.

How a backup is made and checked, and which are kept, is core/store/backup's.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.bootstrap import Services
from app.long_work import LongWork, WorkWords
from app.message_controller import MessageController
from app.open_store import OpenStore
from app.rescue_controller import megabytes
from app.tasks import TaskSet
from core.errors import GenizahError
from core.progress import Progress, WorkCancelledError
from core.store.backup import Backup, back_up
from widgets.state_content import StateAction
from widgets.texts import memories

_KEY = "backup"
_FAILED = "backup_failed"
_MEGABYTE = 1_000_000
_OPEN_FOLDER = StateAction("open_folder", "Open folder")


def _amount(done: int, total: int) -> str:
    """Say how far it is: '40 of 120 MB'; when all is copied the copy is read through."""
    return megabytes(done, total) if done < total else "checking the copy"


_WORDS = WorkWords(_KEY, "Backing up the store", _amount)


class BackupController:
    """Make backups of one window's open store, one at a time, and say where they lie."""

    def __init__(self, services: Services, messages: MessageController, work: LongWork) -> None:
        self._services = services
        self._messages = messages
        self._work = work
        self._one_at_a_time = asyncio.Lock()
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._made: tuple[OpenStore, int, Backup] | None = None
        self._folder: Path | None = None
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        messages.served[_KEY] = self._act

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Back up this store from now on; a backup under way ends with `tasks`."""
        self._store, self._tasks = store, tasks

    def drop(self) -> None:
        """Back up nothing from now on."""
        self._store = self._tasks = self._made = None

    def start(self) -> None:
        """Make a backup because the person wants one, unless one is being made."""
        if self._store is not None and self._tasks is not None and not self.is_busy:
            self._messages.end(_KEY)
            self._messages.end(_FAILED)
            self._tasks.spawn(self._on_request(self._store), name="back up")

    @property
    def is_busy(self) -> bool:
        """Tell whether a backup is being made."""
        return self._work.is_running(_KEY)

    async def before_commit(self, store: OpenStore) -> str:
        """Make a backup before many changes and return its path.

        Where nothing has changed in the store since the last one, that one serves: a commit that
        is tried again must not push the older ones out. Raises GenizahError; WorkCancelledError
        where the person cancels it.
        """
        async with self._one_at_a_time:
            version = await store.database.browse.data_version()
            if self._made is not None:
                known, known_version, made = self._made
                if known is store and known_version == version and made.path.exists():
                    return str(made.path)
            made = await self._make(store)
            self._made = (store, version, made)
            return str(made.path)

    async def _on_request(self, store: OpenStore) -> None:
        try:
            async with self._one_at_a_time:
                made = await self._make(store)
        except WorkCancelledError:
            self._messages.confirm("Backing up was cancelled; nothing of the copy was kept.")
        except GenizahError as error:
            self._messages.show_error(_FAILED, error)
        else:
            self._folder = made.path.parent
            size = f"{made.size_bytes / _MEGABYTE:,.1f} MB"
            text = f"{memories(made.memories)} backed up and checked, {size}: {made.path}"
            self._messages.tell(_KEY, text, "", (_OPEN_FOLDER,))

    async def _make(self, store: OpenStore) -> Backup:
        async def copy(progress: Progress) -> Backup:
            data_dir, now = self._services.data_dir, self._services.clock.now()
            return await back_up(store.facts, data_dir, now, progress.report)

        return await self._work.run(_WORDS, copy)

    def _act(self, name: str) -> None:
        if name != _OPEN_FOLDER.name or self._folder is None:
            return
        if not self.open_url(QUrl.fromLocalFile(str(self._folder))):
            self._messages.confirm(f"This desktop opens no folders; it is {self._folder}")
