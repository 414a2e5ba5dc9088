"""The Pending list of the open store: staging, undo and redo, what the bar shows.

Committing is app/commit_controller's. The lists of stores that are not open are kept meanwhile.
"""

import asyncio
from collections.abc import Callable, Sequence

from app.open_store import OpenStore
from app.pending_checks import PendingChecks
from app.write_session import WriteContext
from core.commands.changes import Change, Supersede, text_of
from core.commands.staging import PendingList, Staged
from core.errors import ErrorCode, GenizahError
from core.readmodels import MemoryDetail
from core.store import memories
from core.store.files import FileIdentity
from widgets.pending_content import (
    Verdict,
    VerdictKind,
    commit_words,
    pending_row,
    staged_words,
    waiting_words,
)
from widgets.texts import counted

REFUSED_KEY = "pending"


class PendingController:
    """Own the staged changes of one window."""

    def __init__(self, context: WriteContext) -> None:
        self._context = context
        self._bar = context.window.pending_bar
        self._lists: dict[str, tuple[FileIdentity, PendingList]] = {}
        self._checks = PendingChecks(context)
        self._verdicts: dict[int, Verdict] = {}
        self._checking: asyncio.Task[None] | None = None
        self.list = PendingList()
        self.gists: dict[str, str] = {}
        """What memories that replace others are called."""
        self.commit: Callable[[], None] = lambda: None
        self.blast: Callable[[], None] = lambda: None
        self.try_entries: Callable[[Sequence[Staged]], None] = lambda _entries: None
        self._radius: dict[int, str] = {}
        self.edit: Callable[[Staged], None] = lambda _entry: None
        self.resolve: Callable[[Staged], None] = lambda _entry: None
        self.staged: Callable[[], None] = lambda: None
        """Called whenever the list has changed."""
        self._bar.pressed.connect(self._pressed)
        self._bar.entry_pressed.connect(self._entry_pressed)

    # The store

    def use(self, store: OpenStore) -> None:
        """Stage changes of a store; what was staged for it before is there again.

        Another file in the place of the one they were staged for refuses them, and says so.
        """
        path, identity = str(store.facts.location.database), store.facts.identity
        known = self._lists.pop(path, None)
        self.list = PendingList()
        self._forget()
        if known is not None and known[0] == identity:
            self.list = known[1]
        elif known is not None and known[1].entries:
            self._context.messages.show_error(REFUSED_KEY, _not_that_file(path, known[1]))
        self._show()
        self.check()

    def drop(self, store: OpenStore | None) -> None:
        """Show nothing; what is staged waits for its store to be opened again."""
        if store is not None:
            path = str(store.facts.location.database)
            self._lists[path] = (store.facts.identity, self.list)
        self.list = PendingList()
        self._forget()
        self._show()

    def waiting(self, path: str) -> int:
        """Return how many changes are staged for a store that is not in front."""
        known = self._lists.get(path)
        return 0 if known is None else len(known[1].entries)

    def tell_waiting(self, path: str, name: str) -> None:
        """Say that changes are staged for a store that was closed, where that is so."""
        is_front = path == self._context.path
        number = len(self.list.entries) if is_front else self.waiting(path)
        if number:
            self._context.messages.confirm(waiting_words(number, name))

    def _forget(self) -> None:
        self._checks.forget()
        self._verdicts.clear()
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None

    def restore(self, entries: Sequence[Staged]) -> None:
        """Take over what an earlier run had staged, beside what is staged already."""
        if not self.list.entries:
            self.list = PendingList(entries)
        else:
            known = {entry.subject for entry in self.list.entries}
            more = [(e.change, e.seen) for e in entries if e.subject not in known or not e.subject]
            if more:
                self.list.stage_all(more)
        if self.list.entries:
            self._changed()

    @property
    def is_busy(self) -> bool:
        """Tell whether verdicts are coming."""
        return self._checking is not None and not self._checking.done()

    async def settled(self) -> None:
        """Wait until the verdicts belong to the list."""
        while self._checking is not None and not self._checking.done():
            await asyncio.wait({self._checking})

    # Staging

    def stage(self, *changes: tuple[Change, MemoryDetail | None]) -> None:
        """Stage changes in one step."""
        self.list.stage_all(changes)
        self._changed()

    def stage_into_one(self, rows: Sequence[MemoryDetail], survivor: str) -> None:
        """Stage that one of the rows replaces all the others."""
        self.gists |= {row.head.uuid: row.head.gist for row in rows}
        self.list.stage_into_one(rows, survivor)
        self._changed()

    def replace_entry(self, number: int, change: Change, seen: MemoryDetail | None) -> None:
        """Put another change into an entry; where it is gone meanwhile, stage it anew."""
        entry = self.list.entry(number)
        if entry is not None and entry.seen == seen:
            self.list.edit(number, change)
        else:
            self.list.stage(change, seen)
        self._changed()

    def replace_by_new(self, number: int, change: Change) -> None:
        """Stage a new memory in place of a change that fits no more."""
        if self.list.entry(number) is not None:
            self.list.discard(number)
        self.list.stage(change)
        self._changed()

    def discard(self, numbers: Sequence[int]) -> None:
        """Take entries out; undo brings them back."""
        known = [number for number in numbers if self.list.entry(number) is not None]
        if known:
            self.list.discard(*known)
            self._changed()

    def discard_all(self) -> None:
        """Take everything out; undo brings it back."""
        number = len(self.list.entries)
        if number:
            self.list.discard_all()
            self._changed()
            key = self._context.window.actions_by_name["undo_staged"].shortcut().toString()
            said = f"{counted(number, 'staged change')} discarded; {key} in a list brings"
            self._context.messages.confirm(f"{said} {'it' if number == 1 else 'them'} back.")

    def undo(self) -> None:
        """Take the last step back."""
        if self.list.undo():
            self._changed()

    def redo(self) -> None:
        """Make the step that was taken back again."""
        if self.list.redo():
            self._changed()

    def committed(self, written: Sequence[Staged]) -> None:
        """Take out what was written."""
        self.list.committed(written)
        self._changed()

    # Verdicts

    def check(self) -> None:
        """Ask the store again what it would say of each change."""
        context, entries = self._context, self.list.entries
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None
        if context.store is None or context.store_tasks is None or not entries:
            return
        work = self._check(context.store, entries)
        self._checking = context.store_tasks.spawn(work, name="preflight")

    def model_changed(self) -> None:
        """Judge the texts anew: there is a model now, or none any more."""
        if any(text_of(change) for change in self.list.changes):
            self._checks.forget()
            self.check()

    def note_refused(self, entry: Staged, verdict: Verdict) -> None:
        """Show what a commit was refused for."""
        self._verdicts[entry.number] = verdict
        self._show()
        self._bar.select(entry.number)

    def show_radius(self, words: dict[int, str]) -> None:
        """Say beside each entry how many searches it would move."""
        if words != self._radius:
            self._radius = words
            self._show()

    async def _check(self, store: OpenStore, entries: Sequence[Staged]) -> None:
        try:
            found = await self._checks.verdicts(store, entries)
            await self._learn_gists(store, entries)
        except GenizahError as error:
            verdict = Verdict(VerdictKind.REFUSED, error.message, error.code.value)
            found = {entry.number: verdict for entry in entries}
        if entries == self.list.entries:
            self._verdicts = found
            self._show()

    async def _learn_gists(self, store: OpenStore, entries: Sequence[Staged]) -> None:
        """Read what memories that replace others are called: only their uuids are kept."""
        targets = {e.change.by for e in entries if isinstance(e.change, Supersede)}
        for uuid in targets - self.gists.keys():
            async with store.database.browse.snapshot() as connection:
                row = await memories.detail(connection, uuid)
            if row is not None:
                self.gists[uuid] = row.head.gist

    # The bar

    def _changed(self) -> None:
        shown = {entry.number: entry for entry in self.list.entries}
        before = {row.number for row in self._bar.rows}
        self._verdicts = {n: v for n, v in self._verdicts.items() if n in shown and n in before}
        self._show()
        new = set(shown) - before
        if new:
            self._bar.select(max(new))
        self.check()
        self.staged()

    def _show(self) -> None:
        entries = self.list.entries
        rows = [
            pending_row(e, self.verdict(e), self.gists, self._radius.get(e.number, ""))
            for e in entries
        ]
        blocked = sum(1 for row in rows if row.verdict.stands_in_the_way)
        title = staged_words(len(rows), self._context.named())
        if blocked:
            title += f"; {blocked} would be refused"
        self._bar.show_rows(
            title,
            rows,
            commit_words(self.list.changes),
            undo=self.list.can_undo,
            redo=self.list.can_redo,
        )
        self._context.window.status_strip.set_staged(len(rows))
        self._context.changed()

    def verdict(self, entry: Staged) -> Verdict:
        """Return what is known of an entry."""
        return self._verdicts.get(entry.number, Verdict())

    def _pressed(self, name: str) -> None:
        steps: dict[str, Callable[[], None]] = {
            "commit": self.commit,
            "discard_all": self.discard_all,
            "undo": self.undo,
            "redo": self.redo,
            "blast": self.blast,
        }
        steps[name]()

    def _entry_pressed(self, name: str, numbers: list[int]) -> None:
        if name == "discard":
            self.discard(numbers)
            return
        if name == "radius":
            self.try_entries([e for e in self.list.entries if e.number in numbers])
            return
        entry = self.list.entry(numbers[0])
        if entry is None:
            return
        if name == "edit":
            self.edit(entry)
        elif name == "resolve":
            self.resolve(entry)
        elif entry.subject is not None:
            self._context.go_to(entry.subject)


def _not_that_file(path: str, pending: PendingList) -> GenizahError:
    number = counted(len(pending.entries), "staged change")
    verb = "was" if len(pending.entries) == 1 else "were"
    texts = {
        f"change {entry.number}": f"{type(entry.change).__name__} {entry.subject or ''} "
        + "\n".join(text_of(entry.change) or ())
        for entry in pending.entries
    }
    return GenizahError(
        ErrorCode.STORE_CHANGED,
        f"The file {path} was replaced, so {number} for the one before it {verb} refused and not "
        "written. Their texts are in the details; look at the new file and decide again.",
        path=path,
        fields=dict(texts),
    )
