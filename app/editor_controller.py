"""The open editors of one window: which memory each is about, and the drafts of earlier runs."""

import uuid
from collections.abc import Callable

from app.editor_session import EditorSession, Subject
from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.commands.changes import Amend, Change, Remember, SupersedeWithText, text_of
from core.commands.staging import Staged
from core.readmodels import MemoryDetail
from widgets.editor_content import Purpose, why_not_edited_here
from widgets.state_content import StateAction
from widgets.texts import counted

_KEY = "editor"
DRAFTS_KEY = "drafts"
_OPEN_DRAFTS = "open_drafts"
_BACK = "Your draft was brought back; nothing of it is written or staged."


class EditorController:
    """Open editors, at most one for each memory and entry."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self.open: list[EditorSession] = []
        """The editors on screen, the one opened first first."""
        self._drafts: list[Draft] = []
        self._begun: set[str] = set()
        """Keys of this run's editors. Of an earlier run's drafts no entry number holds any more."""
        self.compare: Callable[[EditorSession], None] = lambda _session: None
        self.selected: Callable[[], MemoryDetail | None] = lambda: None
        context.messages.served[DRAFTS_KEY] = lambda _name: self.open_drafts()

    # The store

    def use(self) -> None:
        """Bring editors in step with the store that is open now; read what drafts it has."""
        self._drafts = []
        self._context.messages.end(DRAFTS_KEY)
        self.judge()
        self.reload()

    def judge(self) -> None:
        """Say in every editor whether its text can be staged."""
        for session in self.open:
            session.judge()

    def model_changed(self) -> None:
        """Count tokens and look for what is near, or say why not."""
        for session in self.open:
            session.model_changed()

    def moved(self) -> None:
        """Look whether the memories that are written about were changed meanwhile."""
        for session in self.open:
            session.look_at_stored()

    def close(self) -> None:
        """Keep every draft and close every editor."""
        for session in tuple(self.open):
            session.dialog.close()

    def reload(self) -> None:
        """Read the drafts that are kept for the open store."""
        own, place = self._context.own, self._context.place
        if own is None or place is None:
            return

        async def work(database: AppDatabase) -> None:
            found = await Drafts(database, own.clock).all(place)
            if place == self._context.place:
                self._found(found)

        self._context.keep(work, name="drafts")

    def _found(self, drafts: tuple[Draft, ...]) -> None:
        is_open = {session.subject.key for session in self.open}
        self._drafts = [draft for draft in drafts if draft.key not in is_open]
        if self._drafts:
            number = counted(len(self._drafts), "draft")
            verb = "is" if len(self._drafts) == 1 else "are"
            self._context.messages.tell(
                DRAFTS_KEY,
                f"{number} of this store {verb} not staged yet.",
                "",
                (StateAction(_OPEN_DRAFTS, "Open"),),
            )

    def open_drafts(self) -> None:
        """Open an editor for every draft that was left."""
        self._context.messages.end(DRAFTS_KEY)
        for draft in tuple(self._drafts):
            self._open_draft(draft)

    # Opening

    def new(self) -> None:
        """Write a new memory."""
        self._open(Purpose.NEW, None)

    def amend(self) -> None:
        """Change the text of the selected memory; of a staged one, that text."""
        self._open_selected(Purpose.AMEND)

    def replace(self) -> None:
        """Write a new memory that replaces the selected one."""
        self._open_selected(Purpose.REPLACE)

    def restore(self) -> None:
        """Write the text of a retired or replaced memory anew."""
        self._open_selected(Purpose.RESTORE)

    def edit(self, entry: Staged) -> None:
        """Go on with the text of a staged change."""
        texts = text_of(entry.change)
        if texts is not None:
            self._open(_purpose_of(entry.change, entry.seen), entry.seen, entry, texts)

    def _open_selected(self, purpose: Purpose) -> None:
        self._context.when_read(lambda: self._open_read(purpose))

    def _open_read(self, purpose: Purpose) -> None:
        seen = self.selected()
        if seen is None:
            return
        entry = self._pending.list.entry_of(seen.head.uuid)
        if entry is not None and _purpose_of(entry.change, entry.seen) is purpose:
            self.edit(entry)
        else:
            self._open(purpose, seen)

    def _open(
        self,
        purpose: Purpose,
        seen: MemoryDetail | None,
        entry: Staged | None = None,
        texts: tuple[str, str] | None = None,
    ) -> None:
        known = self._editor_of(purpose, seen, entry)
        if known is not None:
            known.show()
            return
        draft = self._draft_of(purpose, seen, entry)
        if draft is not None:
            self._open_draft(draft)
            return
        number = None if entry is None else entry.number
        subject = Subject(purpose, str(uuid.uuid4()), seen, number)
        self._begin(subject, texts or subject.base)

    def _begin(self, subject: Subject, texts: tuple[str, str], note: str = "") -> None:
        why = why_not_edited_here(*texts)
        if why:
            self._context.messages.tell(_KEY, why, "")
            return
        session = EditorSession(self._context, subject, texts, self._staged, self._ended)
        session.compare = self.compare
        self._begun.add(subject.key)
        self.open.append(session)
        session.show(note)

    def _editor_of(
        self, purpose: Purpose, seen: MemoryDetail | None, entry: Staged | None
    ) -> EditorSession | None:
        number = None if entry is None else entry.number
        for session in self.open:
            subject = session.subject
            if subject.purpose is not purpose or session.place != self._context.place:
                continue
            is_new = purpose is Purpose.NEW and number is None
            if subject.number == number and not is_new and _same(subject.seen, seen):
                return session
        return None

    def _draft_of(
        self, purpose: Purpose, seen: MemoryDetail | None, entry: Staged | None
    ) -> Draft | None:
        for draft in self._drafts:
            is_purpose = _purpose_of(draft.change, draft.seen) is purpose
            if is_purpose and _same(draft.seen, seen) and self._entry_of(draft) == entry:
                return draft
        return None

    def _entry_of(self, draft: Draft) -> Staged | None:
        """Return the staged change that a draft goes on with, None where it stands alone."""
        entries = self._pending.list
        entry = None
        if draft.number is not None and draft.key in self._begun:
            entry = entries.entry(draft.number)
        elif draft.number is not None and draft.seen is not None:
            entry = entries.entry_of(draft.seen.head.uuid)
        if entry is None or entry.seen != draft.seen:
            return None
        is_same = _purpose_of(entry.change, entry.seen) is _purpose_of(draft.change, draft.seen)
        return entry if is_same else None

    def _open_draft(self, draft: Draft) -> None:
        self._drafts = [kept for kept in self._drafts if kept is not draft]
        purpose = _purpose_of(draft.change, draft.seen)
        entry = self._entry_of(draft)
        subject = Subject(purpose, draft.key, draft.seen, None if entry is None else entry.number)
        self._begin(subject, text_of(draft.change) or subject.base, _BACK)

    # Their end

    def _staged(self, session: EditorSession, change: Change) -> None:
        subject = session.subject
        if subject.number is None:
            self._pending.stage((change, subject.seen))
        else:
            self._pending.replace_entry(subject.number, change, subject.seen)

    def _ended(self, session: EditorSession) -> None:
        self.open.remove(session)
        self.reload_quietly()

    def reload_quietly(self) -> None:
        """Learn of the drafts again without a message about them."""
        own, place = self._context.own, self._context.place
        if own is None or place is None:
            return

        async def work(database: AppDatabase) -> None:
            found = await Drafts(database, own.clock).all(place)
            if place == self._context.place:
                is_open = {session.subject.key for session in self.open}
                self._drafts = [draft for draft in found if draft.key not in is_open]

        self._context.keep(work, name="drafts")


def _same(one: MemoryDetail | None, other: MemoryDetail | None) -> bool:
    """Tell whether two editors are about the same memory."""
    if one is None or other is None:
        return one is other
    return one.head.uuid == other.head.uuid


def _purpose_of(change: Change, seen: MemoryDetail | None) -> Purpose:
    match change:
        case Amend():
            return Purpose.AMEND
        case SupersedeWithText():
            return Purpose.REPLACE
        case Remember() if seen is not None:
            return Purpose.RESTORE
        case _:
            return Purpose.NEW
