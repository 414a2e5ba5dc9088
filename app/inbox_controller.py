"""What others wrote while a person was away: told once, shown with the text before where known."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from app.ask import ask
from app.open_store import OpenStore
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.inbox_marks import InboxMarks
from core.appdata.text_history import TextHistory
from core.commands.inbox import BeforeAndNow, Inbox, InboxItem, before_and_now, inbox
from core.diff import diff
from core.errors import GenizahError
from widgets.history_dialog import HistoryButton, HistoryDialog
from widgets.state_content import StateAction
from widgets.text_marks import one_line
from widgets.texts import counted, grouped, minute, stub

INBOX_KEY = "inbox"
_SHOW = "show"
_BUTTONS = (HistoryButton("go", "&Go to this memory"),)
_SEPARATOR = "\n\n"
_VERBS = {
    "remember": "New",
    "amend": "Amended",
    "retire": "Retired",
    "merge": "Merged",
    "promote": "Promoted",
    "discard": "Discarded",
}


class InboxController:
    """Follow one store's log from the last event that was looked at."""

    def __init__(
        self, context: WriteContext, history: Callable[[AppDatabase], TextHistory]
    ) -> None:
        self._context = context
        self._history = history
        self._found = Inbox((), 0, 0)
        self.dialog: HistoryDialog | None = None
        """The page, while it is open."""
        context.messages.served[INBOX_KEY] = lambda _name: self.open()

    def use(self) -> None:
        """Tell what others wrote since this store was looked at last."""
        self._context.messages.end(INBOX_KEY)
        self._read(self._tell)

    def open(self) -> None:
        """Show what others wrote since then."""
        self._context.messages.end(INBOX_KEY)
        if self.dialog is not None:
            return
        if self._context.own is None:
            self._show(Inbox((), 0, 0))
        else:
            self._read(self._show)

    def _read(self, then: Callable[[Inbox], None]) -> None:
        store, place = self._context.store, self._context.place
        if store is None or place is None:
            return

        async def work(database: AppDatabase) -> None:
            since = await InboxMarks(database).get(place)
            self._with_store(store, lambda: self._read_since(store, since, then))

        self._context.keep(work, name="inbox")

    def _with_store(self, store: OpenStore, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Read a store in its own tasks, which end before it is closed."""
        tasks = self._context.store_tasks
        if tasks is not None and store is self._context.store:
            tasks.spawn(work(), name="inbox of the store")

    async def _read_since(
        self, store: OpenStore, since: int | None, then: Callable[[Inbox], None]
    ) -> None:
        try:
            async with store.database.browse.snapshot() as connection:
                found = await inbox(connection, since)
        except GenizahError:
            return  # the list on screen says what is wrong with the store
        if since is None:
            self._keep_mark(found.last_event_id)
        then(found)

    def _tell(self, found: Inbox) -> None:
        if found.total:
            self._context.messages.tell(
                INBOX_KEY,
                f"{counted(found.total, 'change')} by others while you were away.",
                "",
                (StateAction(_SHOW, "Show"),),
            )

    def _show(self, found: Inbox) -> None:
        if self.dialog is not None:
            return
        self._found = found
        self.dialog = HistoryDialog(
            self._context.window, "Changed while you were away", "Changes, newest first", _BUTTONS
        )
        self.dialog.picked.connect(self._picked)
        self.dialog.pressed.connect(self._go)
        self.dialog.show_rows(_headline(found), [_row(item) for item in found.items])
        self._context.tasks.spawn(self._open(self.dialog), name="inbox")
        self._note_looked_at(found)

    async def _open(self, dialog: HistoryDialog) -> None:
        try:
            await ask(dialog)
        finally:
            self.dialog = None

    def _note_looked_at(self, found: Inbox) -> None:
        if found.total:
            self._keep_mark(found.last_event_id)

    def _keep_mark(self, event_id: int) -> None:
        place = self._context.place
        if place is None:
            return

        async def work(database: AppDatabase) -> None:
            await InboxMarks(database).set(place, event_id)

        self._context.keep(work, name="inbox mark")

    def _picked(self, places: Sequence[int]) -> None:
        store, item = self._context.store, self._found.items[places[0]]
        if store is None:
            return

        async def work(database: AppDatabase) -> None:
            history = self._history(database)
            self._with_store(store, lambda: self._compare(history, store, item))

        self._context.keep(work, name="texts of a change")

    async def _compare(self, history: TextHistory, store: OpenStore, item: InboxItem) -> None:
        try:
            async with store.database.browse.snapshot() as connection:
                texts = await before_and_now(connection, history, store.facts.meta.store_id, item)
        except GenizahError as error:
            if self.dialog is not None:
                self.dialog.view.say(error.message)
            return
        now = "" if texts.now is None else _joined(texts.now.head.gist, texts.now.content)
        before = texts.before
        found = None
        if before is not None:
            found = await asyncio.to_thread(diff, _joined(before.gist, before.content), now)
        if self.dialog is None or not self._is_picked(item):
            return
        self.dialog.caption.setText(_caption(texts))
        if found is None:
            self.dialog.view.say("", now)
        else:
            self.dialog.view.show_diff(found)

    def _is_picked(self, item: InboxItem) -> bool:
        assert self.dialog is not None
        places = self.dialog.places()
        return bool(places) and self._found.items[places[0]] is item

    def _go(self, _name: str) -> None:
        if self.dialog is not None and self.dialog.places():
            item = self._found.items[self.dialog.places()[0]]
            self.dialog.accept()
            self._context.go_to(item.uuid)


def _joined(gist: str, content: str) -> str:
    return _SEPARATOR.join((gist, content))


def _headline(found: Inbox) -> str:
    if not found.total:
        return "Nobody else has written this store since you looked at it last."
    shown = len(found.items)
    said = f"{counted(found.total, 'change')} by others since you looked at this store last"
    return f"{said}." if shown == found.total else f"{said}; the last {grouped(shown)} are shown."


def _row(item: InboxItem) -> tuple[str, str]:
    name = stub(item.uuid) if item.head is None else one_line(item.head.gist, 80)
    verb = _VERBS.get(item.event.kind, item.event.kind)
    if item.replaced_by is not None:
        verb = "Replaced"
    line = f"{verb}: {name} · {minute(item.event.at)}"
    return line, f"{item.event.kind} by session {one_line(item.event.session_id or '', 80)}"


def _caption(texts: BeforeAndNow) -> str:
    if texts.now is None:
        return "This memory is not in the store any more."
    now = f"version {texts.now.head.version}, stored now"
    later = "" if texts.is_after else " (it was changed again since)"
    if texts.before is None:
        return f"The text before was not seen by this program; this is {now}{later}."
    return f"From version {texts.before.version} to {now}{later}."
