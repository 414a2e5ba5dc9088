"""Writing the list on screen, or what is selected in it, to a file; copying it as Markdown.

The file's ending says the form. Reading and writing take their time, shown and to be cancelled.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.ask import ask
from app.long_work import LongWork, WorkWords, in_worker
from app.newest_tasks import NewestTasks
from app.shown_list import ListToExport, read_export
from app.tasks import TaskSet
from app.worker import Worker
from core.documents.export_content import Export, ExportFormat
from core.documents.export_file import check_target, export_bytes, write_export
from core.documents.export_markdown import export_markdown
from core.errors import GenizahError
from core.progress import Progress, WorkCancelledError
from widgets.clipboard import copy_text
from widgets.main_window import MainWindow
from widgets.plain_box import plain_box
from widgets.texts import grouped, memories
from widgets.window_menus import Handlers

_KEY = "export"
_READING = WorkWords(
    _KEY, "Reading memories", lambda done, total: f"{grouped(done)} of {grouped(total)}"
)
_WRITING = WorkWords(_KEY, "Writing memories", _READING.amount)
_FILTERS = {
    "JSON, without loss (*.json)": ExportFormat.JSON,
    "CSV for spreadsheets (*.csv)": ExportFormat.CSV,
    "Markdown (*.md)": ExportFormat.MARKDOWN,
}
_CANCELLED = "The export was cancelled; nothing was written."
_NO_LIST = "There is no list of memories on screen; nothing was exported."
_NOTHING = "The list on screen has no rows; nothing was exported."
_NO_SELECTION = "No memory is selected; nothing was exported."
MOST_COPIED = 1000


@dataclass(frozen=True, slots=True)
class Target:
    """The file a person chose; `may_replace` where they agreed to lose the one that is there."""

    path: Path
    form: ExportFormat
    may_replace: bool = False


class ListExport:
    """Export from one window."""

    def __init__(self, window: MainWindow, work: LongWork) -> None:
        self._window = window
        self._work = work
        self.list_of: Callable[[bool], ListToExport | None] = lambda _only_selected: None
        """Says what is on screen, or what is selected in it."""
        self._running = NewestTasks()
        self._worker = Worker("export")

    def use(self, tasks: TaskSet) -> None:
        """Read in these tasks from now on: they end before a store is closed."""
        self._running.use(tasks)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is asked for or written."""
        return self._running.is_busy

    async def settled(self) -> None:
        """Wait until nothing is asked for or written any more."""
        await self._running.settled()

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def handlers(self) -> Handlers:
        """Return what the actions do."""
        return {
            "export_list": lambda: self._start(only_selected=False),
            "export_selection": lambda: self._start(only_selected=True),
            "copy_markdown": self._start_copying,
        }

    # Asking for a file

    def _start(self, *, only_selected: bool) -> None:
        wanted = self._wanted(only_selected=only_selected)
        if wanted is not None:
            self._running.start(_KEY, lambda: self._ask(wanted))

    def _wanted(self, *, only_selected: bool) -> ListToExport | None:
        """Return what is to be exported as it is on screen now; say so where there is nothing."""
        if self._work.is_running(_KEY):
            return None  # its line, with the way to cancel it, is on screen
        found = self.list_of(only_selected)
        if found is not None and found.refusal:
            self._work.messages.confirm(found.refusal)
        elif found is None or not found.named:
            none = _NO_LIST if found is None else _NOTHING
            self._work.messages.confirm(_NO_SELECTION if only_selected else none)
        else:
            return found
        return None

    async def _ask(self, wanted: ListToExport) -> None:
        target = await self._ask_target(len(wanted.named))
        if target is not None:
            await self.write(wanted, target)

    async def _ask_target(self, number: int) -> Target | None:
        dialog = QFileDialog(self._window, f"Export {memories(number)}")
        dialog.setNameFilters(tuple(_FILTERS))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # asked below, of every dialog
        dialog.setDefaultSuffix(ExportFormat.JSON)
        dialog.filterSelected.connect(lambda name: dialog.setDefaultSuffix(_FILTERS[name]))
        dialog.selectFile("memories.json")
        chosen: list[str] = []
        dialog.fileSelected.connect(chosen.append)
        await ask(dialog)
        if not chosen:
            return None
        path = Path(chosen[0])
        is_there = await self._worker.run(os.path.lexists, path)
        if is_there and not await self._may_replace(path):
            return None
        return Target(path, ExportFormat.of_file(path), may_replace=is_there)

    async def _may_replace(self, path: Path) -> bool:
        text = f"The file {path} is there already. Replace it? What is in it is lost."
        box = plain_box(self._window, "Replace a file", text)
        replace = box.addButton("&Replace", QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        pressed: list[object] = []
        box.buttonClicked.connect(pressed.append)
        await ask(box)
        return pressed == [replace]

    # Reading and writing

    async def write(self, wanted: ListToExport, target: Target) -> None:
        """Write a list to a file, whole or not at all, and say what came of it."""

        async def write() -> None:
            check_target(target.path, overwrite=target.may_replace)
            read, said = await self._read(wanted)
            await self._work.run(
                _WRITING,
                lambda progress: in_worker(
                    self._worker, progress, lambda: _write(read, target, progress)
                ),
            )
            number = memories(len(read.memories))
            self._work.messages.confirm(f"{number} written to {target.path}.{said}")

        await self._told(write())

    async def _read(self, wanted: ListToExport) -> tuple[Export, str]:
        return await self._work.run(_READING, lambda progress: read_export(wanted, progress))

    def _start_copying(self) -> None:
        wanted = self._wanted(only_selected=True)
        if wanted is None:
            return
        if len(wanted.named) > MOST_COPIED:
            self._work.messages.confirm(
                f"{grouped(len(wanted.named))} memories are selected; at most "
                f"{grouped(MOST_COPIED)} are copied. “Export selected” writes them to a file."
            )
        else:
            self._running.start(_KEY, lambda: self._told(self._copy(wanted)))

    async def _copy(self, wanted: ListToExport) -> None:
        read, said = await self._read(wanted)
        copy_text(await self._worker.run(lambda: "".join(export_markdown(read))))
        self._work.messages.confirm(f"{memories(len(read.memories))} copied as Markdown.{said}")

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except WorkCancelledError:
            self._work.messages.confirm(_CANCELLED)
        except asyncio.CancelledError:
            self._work.messages.confirm(_CANCELLED)  # the stores that were read are others now
            raise
        except GenizahError as error:
            self._work.messages.show_error(_KEY, error)
        else:
            self._work.messages.end(_KEY)


def _write(export: Export, target: Target, progress: Progress) -> None:
    """Write a file; it can be cancelled up to its last moment. For the worker."""
    total = len(export.memories)
    write_export(
        target.path,
        progress.pieces(export_bytes(export, target.form), total),
        overwrite=target.may_replace,
        before_end=lambda: progress.report(total, total),
    )
