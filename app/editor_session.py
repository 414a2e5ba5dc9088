"""One open editor: its counters, its draft, what is near; and the change its text would make.

What was seen when it was begun stays its base, whatever the store says later.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QTimer

from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.commands.changes import Amend, Change, Remember, SupersedeWithText, text_of
from core.commands.ladder import stored
from core.commands.near_duplicates import near_duplicates
from core.commands.outcome import NearDuplicate
from core.commands.preparation import check_texts, prepare
from core.commands.refusals import Refused
from core.errors import GenizahError
from core.readmodels import MemoryDetail
from widgets.editor_content import (
    Purpose,
    Tokens,
    changed_words,
    content_line,
    gist_line,
    near_heading,
    near_rows,
    note_of,
    title_of,
)
from widgets.editor_dialog import EditorDialog

_COUNT_MS = 150
_NEAR_MS = 500
_KEEP_MS = 600
_NOT_STORED = ""  # no memory has this uuid
# The first part of a text decides what is near it; more need not be cut and embedded for that.
_NEAR_CHARACTERS = 6000
_OTHER_STORE = "The store this text is for is not in front; the draft is kept."


@dataclass(frozen=True, slots=True)
class Subject:
    """What an editor is about. `number` is the entry of the Pending list that is edited."""

    purpose: Purpose
    key: str
    seen: MemoryDetail | None = None
    number: int | None = None

    def change(self, gist: str, content: str) -> Change:
        """Return the change that a text would make."""
        if self.seen is None or self.purpose in (Purpose.NEW, Purpose.RESTORE):
            return Remember(gist, content)
        head = self.seen.head
        make = Amend if self.purpose is Purpose.AMEND else SupersedeWithText
        return make(head.uuid, head.version or 0, gist, content)

    @property
    def base(self) -> tuple[str, str]:
        """Return the text the editor was begun from."""
        return ("", "") if self.seen is None else (self.seen.head.gist, self.seen.content)


class EditorSession:
    """Serve one editor. `staged` and `ended` are told of its end."""

    def __init__(
        self,
        context: WriteContext,
        subject: Subject,
        texts: tuple[str, str],
        staged: Callable[["EditorSession", Change], None],
        ended: Callable[["EditorSession"], None],
    ) -> None:
        self.subject = subject
        self.place = context.place
        self._context = context
        self._staged, self._ended = staged, ended
        self.compare: Callable[[EditorSession], None] = lambda _session: None
        """Shows the text beside the one that is stored now."""
        self._is_over = False
        self._tokens: Tokens | None = None
        self._work: dict[str, asyncio.Task[None]] = {}
        gist = None if subject.seen is None else subject.seen.head.gist
        self.dialog = EditorDialog(
            context.window, title_of(subject.purpose, gist), note_of(subject.purpose)
        )
        self.dialog.put(*texts)
        self._timers = {
            name: self._timer(ms, work)
            for name, ms, work in (
                ("count", _COUNT_MS, self._count),
                ("near", _NEAR_MS, self._look),
                ("keep", _KEEP_MS, self.keep),
            )
        }
        self._connect()
        self._edited(keeps=False)

    def _connect(self) -> None:
        dialog = self.dialog
        dialog.edited.connect(self._edited)
        dialog.stage_wanted.connect(self._stage)
        dialog.discard_wanted.connect(self.discard)
        dialog.stored_wanted.connect(self._start_over)
        dialog.compare_wanted.connect(lambda: self.compare(self))
        dialog.near_wanted.connect(self._context.go_to)
        dialog.left.connect(self._leave)

    def _timer(self, ms: int, work: Callable[[], None]) -> QTimer:
        timer = QTimer(self.dialog)
        timer.setSingleShot(True)
        timer.setInterval(ms)
        timer.timeout.connect(work)
        return timer

    def show(self, note: str = "") -> None:
        """Bring the editor to the front; `note` tells of a draft that was brought back."""
        self.dialog.banner.say(note)
        self.look_at_stored()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        is_new = not self.dialog.texts()[0]
        (self.dialog.gist if is_new else self.dialog.content).setFocus()

    @property
    def is_dirty(self) -> bool:
        """Tell whether the text differs from the one the editor was begun from."""
        return self.dialog.texts() != self.subject.base

    # What it says

    def _edited(self, *, keeps: bool = True) -> None:
        self._tokens = None
        self.judge()
        self._timers["count"].start()
        self._timers["near"].start()
        keep = self._timers["keep"]
        if keeps and not keep.isActive():
            keep.start()  # begun anew by every key it would never end for who types steadily

    def judge(self) -> None:
        """Say what the text comes to: counters, and why it cannot be staged."""
        gist, content = self.dialog.texts()
        self.dialog.show_counts(gist_line(gist, self._tokens), content_line(content, self._tokens))
        self.dialog.show_problem(self._problem(gist, content))

    def _problem(self, gist: str, content: str) -> str:
        if self.place != self._context.place:
            return _OTHER_STORE
        if self._context.text_refusal:
            return self._context.text_refusal
        refused = check_texts(gist, content)
        if refused is not None:
            return refused.message
        tokens = self._tokens
        if tokens is not None and tokens.gist > tokens.gist_limit:
            return (
                f"The gist has {tokens.gist} tokens, {tokens.gist_limit} are allowed; shorten it."
            )
        if self.subject.purpose is Purpose.AMEND and self.subject.number is None:
            return "" if self.is_dirty else "Nothing is changed yet."
        return ""

    def look_at_stored(self) -> None:
        """Say so where the memory is stored as another version than the text was begun from."""
        seen = self.subject.seen
        if seen is not None and self.subject.purpose in (Purpose.AMEND, Purpose.REPLACE):
            self._run("stored", self._look_at_stored(seen))

    async def _look_at_stored(self, seen: MemoryDetail) -> None:
        store = self._context.store
        if store is None or self.place != self._context.place:
            return
        try:
            async with store.database.browse.snapshot() as connection:
                now = await stored(connection, seen.head.uuid)
        except GenizahError:
            return  # the next change is told again; staging checks the version in any case
        self.dialog.changed.say(changed_words(seen, now))

    def model_changed(self) -> None:
        """Count and look anew: there is a model now, or none any more."""
        self._edited(keeps=False)

    def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        earlier = self._work.pop(name, None)
        if earlier is not None:
            earlier.cancel()  # the newest text wins
        tasks = self._context.store_tasks
        if tasks is None or self.place != self._context.place:
            work.close()
        else:
            self._work[name] = tasks.spawn(work, name=f"editor {name}")

    def _count(self) -> None:
        self._run("count", self._count_tokens(*self.dialog.texts()))

    async def _count_tokens(self, gist: str, content: str) -> None:
        model = self._context.text_model
        encoder = model.encoder
        if encoder is None:
            return
        counts = await model.run(lambda: (encoder.count(gist), encoder.count(content)))
        self._tokens = Tokens(*counts, self._context.settings.gist_max_tokens)
        self.judge()

    def _look(self) -> None:
        self._run("near", self._look_near(*self.dialog.texts()))

    async def _look_near(self, gist: str, content: str) -> None:
        if self._context.text_refusal or check_texts(gist, content) is not None:
            note = "What is near it is looked for once there is a gist and a content."
            if self._context.text_refusal:
                note = "What is near it is not known without the store's model."
            self.dialog.show_near(near_heading(None, note), [])
            return
        self.dialog.show_near(near_heading(None, ""), [])
        try:
            found = await self._near(gist, content)
        except GenizahError as error:
            self.dialog.show_near(near_heading(None, error.message), [])
            return
        self.dialog.show_near(near_heading(len(found), ""), near_rows(found))

    async def _near(self, gist: str, content: str) -> tuple[NearDuplicate, ...]:
        context, store = self._context, self._context.store
        encoder, settings = context.text_model.encoder, context.settings
        if store is None or encoder is None:
            return ()
        head = content[:_NEAR_CHARACTERS]
        text = await context.text_model.run(lambda: prepare(gist, head, encoder, settings))
        if isinstance(text, Refused):
            return ()
        seen = self.subject.seen
        own = _NOT_STORED if seen is None else seen.head.uuid
        async with store.database.search.snapshot() as connection:
            near = await near_duplicates(connection, own, replace(text, content=content), settings)
        return near.found

    # The draft

    def keep(self) -> None:
        """Keep the text as a draft, or forget the one there was where nothing is changed."""
        own, place = self._context.own, self.place
        if own is None or place is None or self._is_over:
            return
        texts = self.dialog.texts()
        if texts == self.subject.base:
            self._forget_draft()
            return
        draft = Draft(
            self.subject.key, self.subject.change(*texts), self.subject.seen, self.subject.number
        )

        async def work(database: AppDatabase) -> None:
            await Drafts(database, own.clock).keep(place, draft)

        self._context.keep(work, name="keep draft")

    def _forget_draft(self) -> None:
        own, key = self._context.own, self.subject.key
        if own is None:
            return

        async def work(database: AppDatabase) -> None:
            await Drafts(database, own.clock).drop(key)

        self._context.keep(work, name="forget draft")

    def _start_over(self) -> None:
        self.take(*self.subject.base)
        self.dialog.banner.say("")

    def take(self, gist: str, content: str) -> None:
        """Go on with another text; one step of undo in each box brings back what stood there."""
        if not self._is_over:
            self.dialog.gist.take(gist)
            self.dialog.content.take(content)

    # Its end

    def _stage(self) -> None:
        change = self.subject.change(*self.dialog.texts())
        if text_of(change) is None:
            return
        self._staged(self, change)
        self._forget_draft()  # only now: between the two a kill would lose the text
        self._end()
        self._context.window.activateWindow()  # where the change waits now

    def discard(self) -> None:
        """Give the text up and close."""
        self._forget_draft()
        self._end()

    def _leave(self) -> None:
        if not self._is_over:
            self.keep()
            if self.is_dirty:
                own = self._context.own
                remembers = own is not None and own.remembers
                until = "" if remembers else " until this window is closed"
                self._context.messages.confirm(
                    f"The draft is kept{until}; the same action brings it back."
                )
            self._end()

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        for timer in self._timers.values():
            timer.stop()
        for task in self._work.values():
            task.cancel()
        self.dialog.hide()
        self.dialog.deleteLater()
        self._ended(self)
