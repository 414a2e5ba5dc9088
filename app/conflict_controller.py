"""A change whose memory was changed meanwhile: three texts, merged by hand, staged again."""

import asyncio
from dataclasses import replace

from app.ask import ask
from app.editor_session import EditorSession
from app.open_store import OpenStore
from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
    text_of,
)
from core.commands.ladder import stored
from core.commands.staging import Staged
from core.diff import diff
from core.errors import GenizahError
from core.readmodels import MemoryDetail
from widgets.conflict_dialog import ConflictContent, ConflictDialog
from widgets.pending_content import Verdict, pending_row
from widgets.text_marks import one_line
from widgets.texts import state_words

_KEY = "conflict"


class ConflictController:
    """Show one conflict at a time."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self.dialog: ConflictDialog | None = None
        """The view, while it is open."""

    def resolve(self, entry: Staged) -> None:
        """Show the three texts of a staged change."""
        self._start(entry, None)

    def compare(self, session: EditorSession) -> None:
        """Show the three texts of an editor whose memory was changed meanwhile."""
        subject = session.subject
        change = subject.change(*session.dialog.texts())
        self._start(Staged(subject.number or 1, change, subject.seen), session)

    def _start(self, entry: Staged, session: EditorSession | None) -> None:
        context = self._context
        if self.dialog is None and context.store is not None and context.store_tasks is not None:
            work = self._resolve(context.store, entry, session)
            context.store_tasks.spawn(work, name="conflict")

    async def _resolve(
        self, store: OpenStore, entry: Staged, session: EditorSession | None
    ) -> None:
        if entry.subject is None or entry.seen is None:
            return
        try:
            async with store.database.browse.snapshot() as connection:
                now = await stored(connection, entry.subject)
        except GenizahError as error:
            self._context.messages.show_error(_KEY, error)
            return
        if now is None or self.dialog is not None:
            return
        content = await asyncio.to_thread(self._content, entry, entry.seen, now)
        self.dialog = ConflictDialog(self._context.window, content)
        try:
            answer = await ask(self.dialog)
            merged = self.dialog.merged()
        finally:
            self.dialog = None
        number = entry.number if session is None else session.subject.number
        if answer == ConflictDialog.STAGE:
            self._stage_again(again(entry.change, now, merged), number, now)
        elif answer == ConflictDialog.DISCARD:
            if session is None:
                self._pending.discard([entry.number])
        else:
            self._keep_merged(entry, merged, session)
        if session is not None and answer in (ConflictDialog.STAGE, ConflictDialog.DISCARD):
            session.discard()  # its text is staged by now, or given up

    def _keep_merged(
        self, entry: Staged, merged: tuple[str, str] | None, session: EditorSession | None
    ) -> None:
        """Keep what was merged by hand where the view is left without a decision."""
        if merged is None or merged == text_of(entry.change):
            return
        gist, content = merged
        if session is not None:
            session.take(gist, content)
        elif isinstance(entry.change, Amend | SupersedeWithText):
            change = replace(entry.change, gist=gist, content=content)
            self._pending.replace_entry(entry.number, change, entry.seen)

    def _content(
        self, entry: Staged, seen: MemoryDetail, now: MemoryDetail
    ) -> ConflictContent:
        mine, base = text_of(entry.change), (seen.head.gist, seen.content)
        theirs = (now.head.gist, now.content)
        what = pending_row(entry, Verdict(), self._pending.gists).what
        name = one_line(seen.head.gist, 60)
        return ConflictContent(
            title=f"Changed meanwhile: {name}",
            headline=(
                f"“{what}” was begun from version {seen.head.version} of this memory; the store "
                f"has version {now.head.version} now, {state_words(now.head)}. Nothing is lost: "
                "look at the three texts and decide again."
            ),
            mine_words=f"Mine: {what}" if mine is None else f"Mine ({what}), to be merged here",
            mine=mine,
            base=base,
            base_words=f"I started from version {seen.head.version}",
            stored=theirs,
            stored_words=f"Stored now: version {now.head.version}",
            stage=_stage_words(entry.change, now),
            theirs=diff("\n\n".join(base), "\n\n".join(theirs)),
            ours=None if mine is None else diff("\n\n".join(base), "\n\n".join(mine)),
        )

    def _stage_again(self, change: Change, number: int | None, now: MemoryDetail) -> None:
        if not isinstance(change, Remember):
            self._pending.stage((change, now))
        elif number is None:
            self._pending.stage((change, None))
        else:
            self._pending.replace_by_new(number, change)


def _stage_words(change: Change, now: MemoryDetail) -> str:
    has_text = text_of(change) is not None
    if now.head.active and now.head.version is not None:
        return f"&Stage again for version {now.head.version}"
    return "&Stage mine as a new memory" if has_text else ""


def again(change: Change, now: MemoryDetail, merged: tuple[str, str] | None) -> Change:
    """Return the change for the version stored now; a new memory where that is not live."""
    version = now.head.version or 0
    gist, content = merged or ("", "")
    match change:
        case Retire() | Supersede():
            return replace(change, version=version)
        case Amend() | SupersedeWithText() if now.head.active:
            return replace(change, version=version, gist=gist, content=content)
        case _:
            return Remember(gist, content)
