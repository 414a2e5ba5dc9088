"""The program's own file while a window is open: opened behind its back, never waited for.

Where the file cannot be used the window works as ever on one in memory, and a notice says so.
What is kept in it is the business of the controllers that pass work in.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.tasks import TaskSet
from core.appdata.choices import Preferences
from core.appdata.database import AppDatabase
from core.appdata.preferences import PreferenceStore
from core.clock import Clock
from core.errors import ErrorCode, GenizahError
from core.notices import Notice, NoticeCode

GLANCE_LIMIT_S = 0.1
_FINISH_LIMIT_S = 0.5

type Work = Callable[[AppDatabase], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What must be known before the window is shown."""

    preferences: Preferences = field(default_factory=Preferences)
    geometry: Mapping[str, bytes] = field(default_factory=dict)


class OwnData:
    """Open the file in `folder` once and pass it to whatever is to be read or kept.

    `folder` None keeps everything in memory from the start, without a notice. The window waits for
    its first look at the file no longer than `glance_limit_s` seconds.
    """

    def __init__(
        self, folder: Path | None, clock: Clock, *, glance_limit_s: float = GLANCE_LIMIT_S
    ) -> None:
        self.clock = clock
        self._glance_limit_s = glance_limit_s
        self._folder = folder
        self._tasks = TaskSet()
        self._database: AppDatabase | None = None
        self._is_started = False
        self._opened = asyncio.Event()
        self.remembers = False
        """Whether what is kept is there at the next start."""
        self._pending: set[asyncio.Task[None]] = set()
        self.notices: tuple[Notice, ...] = ()
        self.changed: Callable[[], None] = lambda: None
        """Called when `notices` has changed."""

    async def first_look(self) -> FirstLook:
        """Read what the window's first picture depends on; defaults where it is not had at once."""
        if self._folder is None:
            return FirstLook()
        look = self._tasks.spawn(self._glance(self._folder), name="first look")
        await asyncio.wait({look}, timeout=self._glance_limit_s)
        return look.result() if look.done() else FirstLook()

    async def _glance(self, folder: Path) -> FirstLook:
        try:
            database = await AppDatabase.glance(folder)
        except GenizahError:
            return FirstLook()  # opening it says why
        try:
            store = PreferenceStore(database)
            return FirstLook(await store.load(), await store.geometry())
        except GenizahError:
            return FirstLook()
        finally:
            await database.close()

    def open(self) -> None:
        """Start opening the file; work that was passed in waits for it."""
        self._is_started = True
        self._keep(self._tasks.spawn(self._open(), name="own file"))

    def do(self, work: Work, *, name: str) -> asyncio.Task[None]:
        """Do some work in the file once it is open, in the order of the calls."""
        task = self._tasks.spawn(self._do(work), name=name)
        self._keep(task)
        return task

    async def settled(self) -> None:
        """Wait until everything passed in is done."""
        while self._pending:
            await asyncio.wait(set(self._pending))

    async def close(self) -> None:
        """Finish what was passed in, for half a second at most, and close the file."""
        if self._pending and self._is_started:
            await asyncio.wait(set(self._pending), timeout=_FINISH_LIMIT_S)
        await self._tasks.close()
        if self._database is not None:
            await self._database.close()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _open(self) -> None:
        try:
            if self._folder is not None:
                self._database = await AppDatabase.open(self._folder, self.clock)
                self.remembers = True
        except GenizahError as error:
            self._say(_not_remembered(error))
        if self._database is None:
            self._database = await AppDatabase.in_memory()
        elif self._database.set_aside is not None:
            self._say(_begun_anew(self._database.set_aside))
        self._opened.set()

    async def _do(self, work: Work) -> None:
        await self._opened.wait()
        assert self._database is not None
        try:
            await work(self._database)
        except GenizahError as error:
            self._say(_not_remembered(error))

    def _say(self, notice: Notice) -> None:
        others = tuple(n for n in self.notices if n.code is not notice.code)
        self.notices = (*others, notice)
        self.changed()


def _not_remembered(error: GenizahError) -> Notice:
    reasons = {
        ErrorCode.STORE_BUSY: "another window keeps Genizah's own file locked.",
        ErrorCode.DAMAGED: "Genizah's own file is damaged; it is mended at the next start.",
    }
    reason = reasons.get(error.code, error.message)
    return Notice(
        NoticeCode.NOT_REMEMBERED,
        "Recent stores, searches, preferences, drafts and staged changes are not remembered: "
        + reason,
    )


def _begun_anew(aside: Path) -> Notice:
    return Notice(
        NoticeCode.OWN_FILE_SET_ASIDE,
        "Genizah's own file was damaged: preferences, recent stores and searches begin anew. "
        f"The damaged file is kept as {aside}.",
    )
