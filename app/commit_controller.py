"""Committing what is staged: ask, back up before many, write all or nothing, say what was done.

A busy store is tried again visibly; nothing is said to be saved before the commit.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtWidgets import QDialog

from app.ask import ask
from app.long_work import WorkWords
from app.open_store import OpenStore
from app.pending_checks import verdict_of
from app.pending_controller import PendingController
from app.retry import Retry
from app.write_session import WriteContext
from core.commands.changes import Remember
from core.commands.commit import BatchRefused, Committed, commit_batch
from core.commands.staging import Staged
from core.errors import ErrorCode, GenizahError
from core.progress import Progress, WorkCancelledError
from widgets.pending_confirm import CommitDialog
from widgets.pending_content import (
    OTHER_TEXT,
    commit_words,
    done_words,
    pending_row,
    question_of,
    twice_words,
    warnings_of,
)

COMMIT_KEY = "commit"
_WORDS = WorkWords(COMMIT_KEY, "Writing the changes", lambda _done, _total: "")
_ALONE = "All of it is written in one step, or nothing."
_BACKED_UP = "A backup of the store is made first. " + _ALONE
_TRY_NOW = "try_now"

type Backup = Callable[[OpenStore], Coroutine[Any, Any, str]]
type Done = Callable[[OpenStore, tuple[Staged, ...], Committed], None]


class CommitController:
    """Commit the Pending list of the open store."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self._retry = Retry(context.tasks)
        self._asking: asyncio.Task[None] | None = None
        self._writing: asyncio.Task[None] | None = None
        self._busy: GenizahError | None = None
        self.dialog: CommitDialog | None = None
        """The question, while it is asked."""
        self.backup: Backup | None = None
        """Makes a backup before more than one change and returns where it is."""
        self.written: Done = lambda _store, _entries, _done: None
        """Called after a commit with what it wrote."""
        self.conflict: Callable[[Staged], None] = lambda _entry: None
        context.messages.served[COMMIT_KEY] = self._move

    @property
    def is_busy(self) -> bool:
        """Tell whether a commit is under way."""
        return self._writing is not None and not self._writing.done()

    async def settled(self) -> None:
        """Wait until a commit under way has ended."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait({self._writing})

    def drop(self) -> None:
        """Ask and try no more: the store is closed."""
        self._retry.end()
        self._context.messages.end(COMMIT_KEY)
        if self.dialog is not None:
            self.dialog.reject()

    def ask(self) -> None:
        """Ask whether to commit everything that is staged."""
        store, entries = self._context.store, self._pending.list.entries
        if store is None or not entries or self.is_busy or self.dialog is not None:
            return
        self._retry.end()
        self._context.messages.end(COMMIT_KEY)
        self._asking = self._context.tasks.spawn(self._ask(store, entries), name="ask to commit")

    async def _ask(self, store: OpenStore, entries: tuple[Staged, ...]) -> None:
        await self._pending.settled()
        pending = self._pending
        for entry in entries:
            if pending.verdict(entry).sentence == OTHER_TEXT:  # the gate would not notice
                self._context.messages.show_error(COMMIT_KEY, _other_text())
                self.conflict(entry)
                return
        changes = [entry.change for entry in entries]
        rows = [pending_row(e, pending.verdict(e), pending.gists) for e in entries]
        makes_backup = len(entries) > 1 and self.backup is not None
        self.dialog = CommitDialog(
            self._context.window,
            question_of(changes, self._context.named()),
            rows,
            [*warnings_of(changes), *twice_words(rows)],
            _BACKED_UP if makes_backup else _ALONE,
            commit_words(changes),
        )
        try:
            answer = await ask(self.dialog)
        finally:
            self.dialog = None
        if answer == QDialog.DialogCode.Accepted and store is self._context.store:
            self._start(store, entries)

    def _start(self, store: OpenStore, entries: tuple[Staged, ...]) -> None:
        tasks = self._context.store_tasks
        if tasks is not None and store is self._context.store:
            self._writing = tasks.spawn(self._commit(store, entries), name="commit")

    async def _commit(self, store: OpenStore, entries: tuple[Staged, ...]) -> None:
        messages = self._context.messages
        try:
            where = await self._backed_up(store, entries)
            done = await self._context.work.run(
                _WORDS, lambda progress: self._write(store, entries, progress)
            )
        except WorkCancelledError:
            messages.confirm("Cancelled; nothing was written.")
            return
        except GenizahError as error:
            self._failed(store, entries, error)
            return
        self._retry.end()
        messages.end(COMMIT_KEY)
        if isinstance(done, BatchRefused):
            self._refused(entries, done)
        else:
            self._succeeded(store, entries, done, where)

    async def _backed_up(self, store: OpenStore, entries: Sequence[Staged]) -> str:
        if len(entries) < 2 or self.backup is None:
            return ""
        return await self.backup(store)

    async def _write(
        self, store: OpenStore, entries: Sequence[Staged], _progress: Progress
    ) -> Committed | BatchRefused:
        gate = await self._context.gate(store)
        return await commit_batch(gate, [entry.change for entry in entries])

    def _succeeded(
        self, store: OpenStore, entries: tuple[Staged, ...], done: Committed, where: str
    ) -> None:
        said = done_words([entry.change for entry in entries])
        if where:
            said += f" Backup: {where}"
            self._context.messages.tell(COMMIT_KEY, said, "")  # a path takes time to read
        else:
            self._context.messages.confirm(said)
        self._pending.committed(entries)
        self._context.refresh()
        self.written(store, entries, done)
        if len(entries) == 1 and isinstance(entries[0].change, Remember):
            self._context.go_to(done.written[0].uuid)

    def _refused(self, entries: tuple[Staged, ...], done: BatchRefused) -> None:
        entry, verdict = entries[done.index], verdict_of(done.refused)
        self._context.messages.show_error(COMMIT_KEY, _nothing_written(done))
        self._context.refresh()
        self._pending.note_refused(entry, verdict)
        if done.refused.code is ErrorCode.VERSION_CONFLICT:
            self.conflict(entry)

    # A store that is busy

    def _failed(
        self, store: OpenStore, entries: tuple[Staged, ...], error: GenizahError
    ) -> None:
        if error.code is not ErrorCode.STORE_BUSY:
            self._retry.end()
            self._context.messages.show_error(COMMIT_KEY, error)
            self._context.refresh()  # a store that was replaced is opened again
            return
        self._busy = error
        delay = self._retry.later(lambda: self._again(store, entries))
        self._context.messages.show_waiting(COMMIT_KEY, error, delay)

    def _again(self, store: OpenStore, entries: tuple[Staged, ...]) -> None:
        """Try once more, unless what is staged is not what was confirmed any more."""
        if entries == self._pending.list.entries:
            self._start(store, entries)
        else:
            self._retry.end()
            self._context.messages.end(COMMIT_KEY)

    def _move(self, name: str) -> None:
        self._retry.end()
        if name == _TRY_NOW:
            if not self.is_busy:
                self.ask()
        elif self._busy is not None:
            self._context.messages.show_given_up(COMMIT_KEY, self._busy)


def _other_text() -> GenizahError:
    return GenizahError(
        ErrorCode.VERSION_CONFLICT,
        f"Nothing was written: a staged memory {OTHER_TEXT}. Look at the texts and decide again.",
    )


def _nothing_written(done: BatchRefused) -> GenizahError:
    refused = done.refused
    return GenizahError(
        refused.code,
        f"Nothing was written: {refused.message}",
        reason=refused.reason,
        fields=refused.fields,
    )
