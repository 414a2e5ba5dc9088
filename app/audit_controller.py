"""The page of what the agent was shown: sessions, their prompts, and lists, read while seen."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from app.audit_lists import read_list, read_times
from app.found_feed import FoundFeed
from app.long_work import WorkWords
from app.newest_tasks import NewestTasks
from app.page_host import PageHost
from app.page_scope import PageScope, read_each
from app.tasks import TaskSet
from core.audit import reading
from core.audit.reading import OFTEN
from core.audit.replay import Replay
from core.errors import GenizahError
from core.progress import Progress, WorkCancelledError
from core.store.audit_rows import SessionRow
from core.store.database import Reader
from widgets.audit_content import (
    list_words,
    prompt_lines,
    prompt_rows,
    prompt_words,
    session_line,
    whole_rows,
    whole_words,
)
from widgets.audit_page import AuditPage
from widgets.texts import counted

_READING = "Reading the event log"
_CANCELLED = "The event log was not read to its end: it was cancelled."
_NO_SESSION = (
    "The event log names no session: no agent has been at work here, or the log was emptied."
)


@dataclass(frozen=True, slots=True)
class _Session:
    """A session and the place of its store."""

    place: int
    row: SessionRow


def _work(key: str) -> WorkWords:
    return WorkWords(key, _READING, lambda done, total: f"{done} of {counted(total, 'store')}")


class AuditController:
    """Serve the audit page of one window."""

    def __init__(self, host: PageHost) -> None:
        self.page = AuditPage()
        self._host = host
        self._scope = PageScope()
        self._newest = NewestTasks()
        self._stale = {"sessions", "list"}
        self._sessions: list[_Session] = []
        self._replayed: _Session | None = None
        self._replay: Replay | None = None
        page = self.page
        page.often.setValue(OFTEN)
        self._shown = FoundFeed(page.shown, host, self._failed)
        self._listed = FoundFeed(page.listed, host, self._failed)
        page.became_visible.connect(self._follow)
        page.session_chosen.connect(lambda _row: self._play())
        page.prompt_chosen.connect(lambda _row: self._show_prompt())
        page.list_wanted.connect(self._want_list)
        page.read_again_wanted.connect(self.moved)

    # The stores

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Read these stores from now on."""
        before, self._scope = self._scope, scope
        self._newest.use(tasks)
        self._shown.use(scope, tasks)
        self._listed.use(scope, tasks)
        self.page.head.set_scope(scope.words)
        if not scope.has_same_stores(before):
            self._show_sessions([])
            self.page.show_state("")
            self.page.list_words.setText("")
        self.moved()

    def moved(self) -> None:
        """Follow stores that were written."""
        self._stale |= {"sessions", "list"}
        self._follow()

    @property
    def is_busy(self) -> bool:
        """Tell whether anything is being read."""
        return any(p.is_busy for p in (self._newest, self._shown, self._listed))

    async def settled(self) -> None:
        """Wait until nothing more is coming."""
        while self.is_busy:
            for part in (self._newest, self._shown, self._listed):
                await part.settled()

    def close(self) -> None:
        """Nothing is left: it ends with its tasks."""

    def _follow(self) -> None:
        """Read what is stale of what can be seen."""
        if not self.page.isVisible() or not self._scope.stores:
            return
        what = "list" if self.page.shows_lists else "sessions"
        if what in self._stale and not self._newest.is_running(what):
            read = self._read_list if self.page.shows_lists else self._read_sessions
            self._newest.start(what, read)

    def _want_list(self) -> None:
        """Read what the page asks for now; an answer to what it asked before is not waited for."""
        self._stale.add("list")
        if self._newest.is_running("list"):
            self._newest.start("list", self._read_list)
        else:
            self._follow()

    async def _run[T](
        self, what: str, work: Callable[[Progress], Awaitable[T]], *, is_whole: bool = True
    ) -> T | None:
        """Read something with its progress shown; say why where there is nothing."""

        async def run(progress: Progress) -> T:
            return await work(progress)

        key = f"audit {what}"
        try:
            found = await self._host.work.run(_work(key), run)
        except WorkCancelledError:
            self.page.show_state(_CANCELLED, may_read=True)
            return None
        except GenizahError as error:
            self._stale.add(what)  # read again once a store moves or the page is shown
            self._failed(error)
            return None
        self._host.work.messages.end(key)
        if is_whole:
            self.page.show_state("")
        return found

    def _failed(self, error: GenizahError) -> None:
        self.page.show_state(f"{error.message} ({error.code.value})", may_read=True)

    # Replay

    async def _read_sessions(self) -> None:
        scope = self._scope
        while "sessions" in self._stale:
            self._stale.discard("sessions")
            found = await self._run(
                "sessions", lambda progress: read_each(scope.stores, progress, _sessions_of)
            )
            if found is None:
                return
            if found.words:
                self.page.show_state(found.words, may_read=True)
            self._show_sessions(
                [
                    _Session(place, row)
                    for place, part in enumerate(found.parts)
                    for row in part or ()
                ]
            )
            if not self._sessions and not found.words:
                self.page.show_state(_NO_SESSION)
        self._play()

    def _show_sessions(self, sessions: list[_Session]) -> None:
        # A session without a prompt was shown nothing: there is little to play.
        newest_first = sorted(sessions, key=lambda s: s.row.last_at, reverse=True)
        self._sessions = sorted(newest_first, key=lambda s: s.row.prompts == 0)
        labels = self._scope.labels
        lines = [
            session_line(
                f"{labels[s.place].key} {s.row.session_id!a}",
                s.row.session_id,
                s.row.last_at,
                s.row.prompts,
                labels[s.place].badge,
            )
            for s in self._sessions
        ]
        if not lines:
            self._show_no_replay()
        self.page.show_sessions(lines)

    def _show_no_replay(self) -> None:
        self._replay = self._replayed = None
        self.page.show_prompts(())
        self.page.words.setText("")
        self._shown.show(())

    def _play(self) -> None:
        row = self.page.sessions.chosen()
        if row is not None and row < len(self._sessions):
            session = self._sessions[row]
            self._newest.start("replay", lambda: self._read_replay(session))

    async def _read_replay(self, session: _Session) -> None:
        reader, session_id = self._scope.stores[session.place].reader, session.row.session_id
        replay = await self._run(
            "replay",
            lambda _progress: reading.session_replay(reader, session_id),
            is_whole=False,
        )
        before = self._replayed
        is_same = before is not None and (
            (before.place, before.row.session_id) == (session.place, session_id)
        )
        if not is_same:
            self._show_no_replay()  # another session begins with the whole of it
        if replay is None:
            return
        self._replay, self._replayed = replay, session
        self.page.show_prompts(prompt_lines(replay))
        self._show_prompt()

    def _show_prompt(self) -> None:
        row, replay, session = self.page.prompts.chosen(), self._replay, self._replayed
        if row is None or replay is None or session is None or row > len(replay.prompts):
            return
        if row == 0:
            self.page.words.setText(whole_words(session.row.session_id, replay))
            self._shown.show(whole_rows(session.place, replay))
            return
        prompt = replay.prompts[row - 1]
        self.page.words.setText(prompt_words(prompt, len(replay.prompts)))
        self._shown.show(prompt_rows(session.place, prompt))

    # Lists

    async def _read_list(self) -> None:
        scope = self._scope
        while "list" in self._stale:
            self._stale.discard("list")
            which, often = self.page.chosen_list(), self.page.often.value()
            read = partial(read_list, which, often, scope.stores)
            found = await self._run("list", read)
            if found is None:
                return
            if found.incomplete:
                self.page.show_state(found.incomplete, may_read=True)
            words = list_words(which, len(found.rows), often, found.unreadable)
            self.page.list_words.setText(words)
            self._listed.show(found.rows, read_times)


async def _sessions_of(reader: Reader) -> list[SessionRow]:
    return [of.row for of in await reading.session_list([reader])]
