"""What writing one window's open store needs: the gate, opened on first need and never by looking.

Until the first commit no connection of this window could write; a preflight reads on the readers.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from app.bootstrap import Services
from app.detail_controller import DetailController
from app.long_work import LongWork
from app.message_controller import MessageController
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData, Work
from app.tasks import TaskSet
from core.appdata.places import StorePlace
from core.commands.gate import Gate, Model, WriteSettings, run_session
from core.errors import ErrorCode, GenizahError
from core.readmodels import MemoryDetail
from core.store import event_rows
from core.store.database import Database
from core.store.receipts import Author
from core.store.writer import LOCK_WAIT_S, Writer, check_writable
from resources import RESOURCES
from widgets.main_window import MainWindow

NO_STORE = "no store is open"


@dataclass
class WriteContext:
    """One window's means of changing memories, and the store that is open in it."""

    window: MainWindow
    services: Services
    model: ModelController
    executor: Executor
    messages: MessageController
    work: LongWork
    tasks: TaskSet
    detail: DetailController | None = None
    go_to: Callable[[str], None] = field(default=lambda _uuid: None)
    named: Callable[[], str] = field(default=lambda: "")
    """Says what the store is called among others, empty where it is alone."""
    refresh: Callable[[], None] = field(default=lambda: None)
    """Reads list, counts and detail anew."""
    own: OwnData | None = None
    store: OpenStore | None = None
    store_tasks: TaskSet | None = None
    place: StorePlace | None = None
    """Where the open store lies: what the program keeps for it is not its copies'."""
    session_id: str = field(default_factory=run_session)
    lock_wait_s: float = LOCK_WAIT_S
    changed: Callable[[], None] = field(default=lambda: None)
    """Called when actions may have become usable, or not."""
    _writers: dict[Database, Writer] = field(default_factory=dict)
    _refusal: GenizahError | None = None

    # The store

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Change the memories of a store from now on."""
        self.store, self.store_tasks = store, tasks
        real = store.facts.location.database.resolve()
        self.place = StorePlace(store.facts.meta.store_id, str(real))
        self._refusal = _refusal_of(store)

    def drop(self) -> None:
        """Change nothing from now on; `release` follows once the store's tasks are ended."""
        self.store = self.store_tasks = self.place = None

    async def release(self, store: OpenStore) -> None:
        """Close what may write to a store, if it was ever opened."""
        writer = self._writers.pop(store.database, None)
        if writer is not None:
            await writer.close()

    @property
    def store_id(self) -> str:
        """Return the open store's id, empty where none is open."""
        return "" if self.store is None else self.store.facts.meta.store_id

    @property
    def path(self) -> str:
        """Return where the open store lies: a copy has the same id."""
        return "" if self.store is None else str(self.store.facts.location.database)

    # May it be changed

    @property
    def refusal(self) -> str:
        """Return why the store cannot be changed, empty where it can."""
        if self.store is None:
            return NO_STORE
        return "" if self._refusal is None else self._refusal.message

    @property
    def text_refusal(self) -> str:
        """Return why no text can be written, empty where it can."""
        if self.refusal:
            return self.refusal
        if self.model.embedder is not None:
            return ""
        assert self.store is not None
        return (
            f"No text can be written without the store's model "
            f"{self.store.facts.meta.embed_model} ({self.model.reason.rstrip('.')}); retiring "
            "and replacing by an existing memory work without it."
        )

    # Means

    @property
    def settings(self) -> WriteSettings:
        """Return the rules of the open store."""
        assert self.store is not None
        return WriteSettings.of(self.store.settings)

    @property
    def text_model(self) -> Model:
        """Return the store's model, or why there is none."""
        embedder = self.model.embedder
        if embedder is None:
            return Model(None, self.model.reason.rstrip("."), self.executor)
        return Model(embedder.counter, executor=self.executor)

    async def author(self, store: OpenStore) -> Author:
        """Return as whom this window would be logged. Raises GenizahError."""
        async with store.database.browse.snapshot() as connection:
            return Author(self.session_id, await event_rows.client_kind(connection))

    async def gate(self, store: OpenStore) -> Gate:
        """Return the gate, opening the writer on first need. Raises GenizahError."""
        check_writable(store.facts)
        if store.database not in self._writers:
            writer = await Writer.open(store.facts, wait_s=self.lock_wait_s)
            self._writers[store.database] = writer
        writer, rules = self._writers[store.database], WriteSettings.of(store.settings)
        return Gate(writer, self.session_id, self.services.clock, rules, self.text_model)

    def when_read(self, step: Callable[[], None]) -> None:
        """Do something about the selected memory once it is read: at once, as a rule."""
        if self.is_read:
            step()
        elif self.store_tasks is not None:
            self.store_tasks.spawn(self._when_read(step), name="wait for the memory")

    async def _when_read(self, step: Callable[[], None]) -> None:
        await self.read()
        step()

    @property
    def is_read(self) -> bool:
        """Tell whether the selected memory, if any, is the one on screen."""
        wanted = None if self.detail is None else self.detail.uuid
        return wanted is None or wanted == self.window.detail_panel.shown_uuid

    @property
    def shown(self) -> MemoryDetail | None:
        """Return the selected memory as it is on screen, None while it is still being read."""
        return self.window.detail_panel.shown if self.is_read else None

    async def read(self) -> None:
        """Wait until the selected memory is on screen."""
        if self.detail is not None and not self.is_read:
            await self.detail.settled()

    def keep(self, work: Work, *, name: str) -> None:
        """Do some work in the program's own file, where there is one."""
        if self.own is not None:
            self.own.do(work, name=name)


def _refusal_of(store: OpenStore) -> GenizahError | None:
    path = store.facts.location.database
    if _is_bundled(path):
        sentence = "The demo store of the program itself is only shown; open the demo store to "
        return GenizahError(
            ErrorCode.NOT_WRITABLE, sentence + "change a private copy of it.", path=str(path)
        )
    try:
        check_writable(store.facts)
    except GenizahError as error:
        return error
    return None


def _is_bundled(path: Path) -> bool:
    return path.resolve().is_relative_to(RESOURCES.resolve())
