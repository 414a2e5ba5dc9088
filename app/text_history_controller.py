"""The texts of memories that this program has seen: kept, compared, forgotten."""

import asyncio
from collections.abc import Callable, Sequence

from app.ask import ask
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.text_history import How, TextHistory, TextVersion
from core.commands.staging import Staged
from core.diff import diff
from core.errors import GenizahError
from core.readmodels import MemoryDetail
from core.store import memories
from widgets.clipboard import copy_text
from widgets.history_dialog import HistoryButton, HistoryDialog
from widgets.plain_box import plain_box
from widgets.text_marks import one_line
from widgets.texts import counted, minute

_BUTTONS = (
    HistoryButton("copy", "&Copy text"),
    HistoryButton("forget", "&Forget this text"),
    HistoryButton("clear", "Clea&r history…", needs_row=False),
)
_SEPARATOR = "\n\n"


class TextHistoryController:
    """Note texts as they are read and changed; show those of one memory."""

    def __init__(self, context: WriteContext) -> None:
        self._context = context
        self._versions: tuple[TextVersion, ...] = ()
        self._subject: tuple[str, str] | None = None
        self.is_on = True
        self.dialog: HistoryDialog | None = None
        """The page, while it is open."""
        self.selected: Callable[[], MemoryDetail | None] = lambda: None

    def history(self, database: AppDatabase) -> TextHistory:
        """Return what keeps the texts."""
        assert self._context.own is not None
        return TextHistory(database, self._context.own.clock, lambda: self.is_on)

    # Keeping

    def note_seen(self) -> None:
        """Keep the text that is read now."""
        shown = self._context.window.detail_panel.shown
        if shown is not None:
            self._note((shown,), How.SEEN)

    def note_changed(self, entries: Sequence[Staged]) -> None:
        """Keep the texts that were overwritten or replaced, and those that took their place."""
        before = [entry.seen for entry in entries if entry.seen is not None]
        self._note(before, How.CHANGED)
        context = self._context
        if context.store_tasks is not None:
            uuids = [entry.subject for entry in entries if entry.subject is not None]
            context.store_tasks.spawn(self._note_stored(uuids), name="note texts")

    async def _note_stored(self, uuids: Sequence[str]) -> None:
        store = self._context.store
        if store is None:
            return
        try:
            async with store.database.browse.snapshot() as connection:
                found = [await memories.detail(connection, uuid) for uuid in uuids]
        except GenizahError:
            return  # the text is noted when it is read
        self._note([detail for detail in found if detail is not None], How.CHANGED)

    def _note(self, details: Sequence[MemoryDetail], how: How) -> None:
        store_id = self._context.store_id
        if not store_id or not details or not self.is_on:
            return

        async def work(database: AppDatabase) -> None:
            await self.history(database).note_all(store_id, details, how)

        self._context.keep(work, name="note texts")

    # Showing

    def open(self) -> None:
        """Show the versions of the selected memory."""
        self._context.when_read(self._open)

    def _open(self) -> None:
        shown = self.selected()
        if shown is None or self.dialog is not None:
            return
        title = f"History of “{one_line(shown.head.gist, 60)}”"
        if self._context.own is None:
            box = plain_box(self._context.window, title, "Nothing is remembered in this window.")
            self._context.tasks.spawn(ask(box), name="history")
            return
        self._subject = (self._context.store_id, shown.head.uuid)
        self._note((shown,), How.SEEN)
        self.dialog = HistoryDialog(
            self._context.window, title, "Versions, newest first", _BUTTONS, picks_two=True
        )
        self.dialog.picked.connect(self._picked)
        self.dialog.pressed.connect(self._pressed)
        self._context.tasks.spawn(self._show(self.dialog), name="history")
        self.reload()

    async def _show(self, dialog: HistoryDialog) -> None:
        try:
            await ask(dialog)
        finally:
            self.dialog = None

    def reload(self) -> None:
        """Read the versions of the memory on the page."""
        if self._subject is None:
            return
        store_id, uuid = self._subject

        async def work(database: AppDatabase) -> None:
            found = await self.history(database).versions(store_id, uuid)
            if self.dialog is not None and self._subject == (store_id, uuid):
                self._versions = found
                self.dialog.show_rows(_headline(len(found), self.is_on), [_row(v) for v in found])

        self._context.keep(work, name="history")

    def _picked(self, places: list[int]) -> None:
        self._context.tasks.spawn(self._compare(places), name="compare texts")

    async def _compare(self, places: Sequence[int]) -> None:
        chosen = [self._versions[place] for place in places if place < len(self._versions)]
        dialog = self.dialog
        if not chosen or dialog is None:
            return
        new = chosen[0]
        old = chosen[-1] if len(chosen) > 1 else self._before(new)
        if old is None:
            dialog.caption.setText(f"Version {new.version}, the first that was seen")
            dialog.view.say("", _SEPARATOR.join((new.gist, new.content)))
            return
        texts = [_SEPARATOR.join((v.gist, v.content)) for v in (old, new)]
        found = await asyncio.to_thread(diff, *texts)
        if dialog is self.dialog and dialog.places() == list(places):
            dialog.caption.setText(f"From version {old.version} to version {new.version}")
            dialog.view.show_diff(found)

    def _before(self, version: TextVersion) -> TextVersion | None:
        at = self._versions.index(version)
        return self._versions[at + 1] if at + 1 < len(self._versions) else None

    def _pressed(self, name: str) -> None:
        if self.dialog is None or self._subject is None:
            return
        if name == "clear":
            self._context.tasks.spawn(self.ask_clear(self.dialog), name="clear history")
            return
        chosen = [self._versions[place] for place in self.dialog.places()]
        if name == "copy" and chosen:
            copy_text(chosen[0].content)
        elif name == "forget":
            self._forget([version.version for version in chosen])

    def _forget(self, versions: Sequence[int]) -> None:
        assert self._subject is not None
        store_id, uuid = self._subject

        async def work(database: AppDatabase) -> None:
            for version in versions:
                await self.history(database).forget(store_id, uuid, version)

        self._context.keep(work, name="forget texts")
        self.reload()

    async def ask_clear(self, parent: HistoryDialog) -> None:
        """Ask, then forget every text of every store."""
        box = plain_box(
            parent,
            "Clear history",
            "Forget the texts of all memories of all stores that this program has seen? "
            "The stores themselves are not touched. This cannot be undone.",
        )
        clear = box.addButton("Clear history", box.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(box.StandardButton.Cancel))
        wanted: list[bool] = []
        clear.clicked.connect(lambda: wanted.append(True))
        await ask(box)
        if wanted:

            async def work(database: AppDatabase) -> None:
                await self.history(database).clear()

            self._context.keep(work, name="clear history")
            self.reload()


def _headline(number: int, is_on: bool) -> str:
    verb = "was" if number == 1 else "were"
    said = f"{counted(number, 'version')} of this memory {verb} seen by this program"
    off = "" if is_on else ". The history is switched off in the preferences"
    return f"{said}; the store keeps no earlier texts{off}."


def _row(version: TextVersion) -> tuple[str, str]:
    how = "changed here" if version.how is How.CHANGED else "seen"
    line = f"Version {version.version} · {how} {minute(version.at)}"
    return line, one_line(version.gist)
