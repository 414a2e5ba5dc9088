"""What is offered for a store that does not open where it lies: a private copy of it, and a file
of its readable rows. Both take long with a large store; neither changes it.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from uuid import uuid4

from PySide6.QtWidgets import QWidget

from app.ask import ask
from app.bootstrap import Services
from app.long_work import LongWork, WorkWords, in_worker
from app.tasks import TaskSet
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.progress import Progress, WorkCancelledError
from core.store import private_copy, salvage
from core.store.location import StoreLocation
from widgets.plain_box import plain_box
from widgets.texts import counted, grouped, memories

_MEGABYTE = 1_000_000
_FINE_BELOW = 10 * _MEGABYTE


def megabytes(done: int, total: int) -> str:
    """Write amounts of bytes: '40 of 120 MB', '0.4 of 1.2 MB'."""
    digits = 1 if total < _FINE_BELOW else 0
    return f"{done / _MEGABYTE:,.{digits}f} of {total / _MEGABYTE:,.{digits}f} MB"


def rows(done: int, total: int) -> str:
    """Write numbers of rows: '12,000 of 100,000 rows'."""
    return f"{grouped(done)} of {counted(total, 'row')}"


COPYING = WorkWords("copying", "Copying the store", megabytes)
SAVING = WorkWords("saving", "Saving readable rows", rows)


class RescueController:
    """Make copies and files of rows in a thread; `open_path` is given a finished copy.

    `failed` is told what went wrong, in the words of an error.
    """

    def __init__(
        self,
        services: Services,
        window: QWidget,
        work: LongWork,
        tasks: TaskSet,
        failed: Callable[[GenizahError], None],
    ) -> None:
        self._services = services
        self._window = window
        self._work = work
        self._tasks = tasks
        self._failed = failed
        self._worker = Worker("rescue")
        self._is_copy_wanted = True
        self.open_path: Callable[[Path], None] = lambda _path: None
        self.confirm: Callable[[str], None] = lambda _text: None

    def open_copy(self, location: StoreLocation) -> None:
        """Copy a store into the program's own folder and open the copy."""
        if not self._work.is_running(COPYING.key):
            self._is_copy_wanted = True
            self._tasks.spawn(self._open_copy(location), name="private copy")

    def save_rows(self, location: StoreLocation) -> None:
        """Save what can still be read of a damaged store and say where."""
        if not self._work.is_running(SAVING.key):
            self._tasks.spawn(self._save_rows(location), name="save rows")

    def opens_another(self) -> None:
        """Give up a copy that is not wanted any more, because something else is opened."""
        self._is_copy_wanted = False
        self._work.cancel(COPYING.key)

    def close(self) -> None:
        """Accept no more work; what was under way has been ended with the tasks."""
        self._worker.close()

    async def _open_copy(self, original: StoreLocation) -> None:
        # Named like the project, for the window's title.
        folder = self._services.data_dir / "copies" / str(uuid4()) / original.name

        async def copy(progress: Progress) -> StoreLocation:
            return await in_worker(
                self._worker,
                progress,
                lambda: private_copy.copy_files(original, folder, progress.report),
            )

        try:
            made = await self._work.run(COPYING, copy)
        except WorkCancelledError:
            self.confirm("Copying was cancelled; nothing of the copy was kept.")
        except OSError as error:
            self._say_failed(f"The copy could not be made ({error.strerror}).")
        else:
            if self._is_copy_wanted:
                self.open_path(made.database)
            else:
                self.confirm(f"The copy was finished, but not opened: {made.database}")

    async def _save_rows(self, damaged: StoreLocation) -> None:
        stamp = self._services.clock.now().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        target = self._services.data_dir / "salvaged" / f"rows-{stamp}.jsonl"

        async def save(progress: Progress) -> int:
            return await in_worker(
                self._worker,
                progress,
                # A loop of its own: between the statements rows are written, and the file synced.
                lambda: asyncio.run(
                    salvage.save_readable_rows(damaged, target, progress.report)
                ),
            )

        try:
            count = await self._work.run(SAVING, save)
        except WorkCancelledError:
            self.confirm("Saving was cancelled; nothing was kept of the file of rows.")
        except (GenizahError, OSError) as error:
            self._say_failed(f"The rows could not be saved: {error}")
        else:
            text = f"{memories(count)} saved to {target}. The damaged store was not changed."
            await ask(plain_box(self._window, "Readable rows saved", text))

    def _say_failed(self, sentence: str) -> None:
        self._failed(GenizahError(ErrorCode.STORE_IO, sentence))
