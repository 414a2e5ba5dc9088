"""What a change needs from around it: who writes, by which rules, when, on which connection.

A Gate lives as long as the store is open; a Call is one verb inside one transaction.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from core.clock import Clock
from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder
from core.settings import CHUNK_MAX_TOKENS, RetrievalSettings, StoreSettings
from core.store.connection import Connection
from core.store.opening import StoreMeta
from core.store.our_sessions import OUR_SESSIONS
from core.store.receipts import Author
from core.store.writer import Writer


def random_uuid() -> str:
    """Return a version-4 uuid as text."""
    return str(uuid.uuid4())


def run_session(new_uuid: Callable[[], str] = random_uuid) -> str:
    """Return the name under which one run of the program reads and writes."""
    return f"{OUR_SESSIONS}{new_uuid()}"


@dataclass(frozen=True, slots=True)
class WriteSettings:
    """The merged settings that a write goes by."""

    chunk_max_tokens: int
    gist_max_tokens: int
    dedup_threshold: float
    dedup_max: int
    retrieval: RetrievalSettings

    @classmethod
    def of(cls, settings: StoreSettings) -> "WriteSettings":
        """Take them from a store's settings."""
        return cls(
            settings.integer(CHUNK_MAX_TOKENS),
            settings.integer("indexing.gist_max_tokens"),
            settings.number("dedup.dedup_threshold"),
            settings.integer("dedup.dedup_max"),
            settings.retrieval,
        )

    @property
    def max_depth(self) -> int:
        """Return how many rows a walk along replacements may visit."""
        return self.retrieval.supersession_max_depth


@dataclass(frozen=True, slots=True)
class Model:
    """The store's model, or why there is none; `executor` is where its calls block."""

    encoder: Encoder | None
    reason: str = "the store's model is not loaded"
    executor: Executor | None = None

    def required(self, meta: StoreMeta) -> Encoder:
        """Return the encoder. Raises GenizahError(NO_ARTIFACT) where there is none that fits."""
        reason = self.reason
        if self.encoder is not None:
            width = self.encoder.facts.width
            if width == meta.embed_dim:
                return self.encoder
            reason = f"the model is {width} wide, the store {meta.embed_dim}"
        raise GenizahError(
            ErrorCode.NO_ARTIFACT,
            f"No text can be written without the store's model {meta.embed_model} ({reason}); "
            "retiring and replacing by an existing memory work without it.",
            reason="no_model",
            fields={"model": meta.embed_model},
        )

    async def run[T](self, work: Callable[[], T]) -> T:
        """Run what blocks off the event loop."""
        running: Awaitable[T] = asyncio.get_running_loop().run_in_executor(self.executor, work)
        return await running


@dataclass(frozen=True, slots=True)
class Call:
    """One verb in one transaction: `op_id` names it in the log."""

    connection: Connection
    author: Author
    op_id: str
    clock: Clock
    meta: StoreMeta
    settings: WriteSettings
    new_uuid: Callable[[], str]
    #: Whether a version that was presented counts as read: the person had it on the screen.
    reads_as_it_goes: bool = False

    def now(self) -> str:
        """Return the moment as the store writes it."""
        return self.clock.now().isoformat()


@dataclass(frozen=True, slots=True)
class Gate:
    """Everything the verbs of one session on one store hold constant."""

    writer: Writer
    session_id: str
    clock: Clock
    settings: WriteSettings
    model: Model
    new_uuid: Callable[[], str] = field(default=random_uuid)

    @property
    def meta(self) -> StoreMeta:
        """Return the store's account of itself at opening."""
        return self.writer.facts.meta

    @property
    def author(self) -> Author:
        """Return how the store logs this session."""
        return Author(self.session_id, self.writer.client_kind)

    def call(
        self, connection: Connection, op_id: str | None = None, *, reads_as_it_goes: bool = False
    ) -> Call:
        """Begin one verb; a fresh op_id where none is given."""
        return Call(
            connection=connection,
            author=self.author,
            op_id=self.new_uuid() if op_id is None else op_id,
            clock=self.clock,
            meta=self.meta,
            settings=self.settings,
            new_uuid=self.new_uuid,
            reads_as_it_goes=reads_as_it_goes,
        )
