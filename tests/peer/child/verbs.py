"""Every verb of the child by name: decode its parameters, drive the peer, answer plain values."""

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.peer.child import bulk, consolidation, integrity, retrieval
from tests.peer.child.answers import plain, unless_conflict
from tests.peer.child.stores import EncoderKind, OpenStore, StoreMaker
from tests.peer.child.worlds import World, peer_module

type Verb = Callable[..., Awaitable[object]]


class NoStoreError(Exception):
    """A verb that needs a store was called before one was created or opened."""


class Verbs:
    """The state of a child, one open store at most, and the verbs that act on it."""

    def __init__(self, model_dir: Path, world: World) -> None:
        self._maker = StoreMaker(model_dir, world)
        self._world = world
        self._open: OpenStore | None = None

    def table(self) -> Mapping[str, Verb]:
        """Map each verb's name to the method that answers it."""
        methods: Sequence[Verb] = (
            self.create, self.open, self.close, self.identify, self.clock, self.seed_ids,
            self.fetch, self.remember, self.amend, self.retire, self.search, self.surface,
            self.retrieve, self.retrieve_internal, self.time_retrieve, self.bulk_remember,
            self.log_call, self.problems, self.plan_groups, self.next_group, self.merge,
            self.promote, self.discard,
        )  # fmt: skip
        return {method.__name__: method for method in methods}

    async def create(self, folder: str, settings: dict[str, object], encoder: str) -> None:
        """Make a new store below `folder` and hold it open."""
        await self.close()
        self._open = await self._maker.create(Path(folder), settings, EncoderKind(encoder))

    async def open(self, folder: str, encoder: str) -> None:
        """Hold the store below `folder` open."""
        await self.close()
        self._open = await self._maker.open(Path(folder), EncoderKind(encoder))

    async def close(self) -> None:
        """Close the open store, if there is one."""
        opened, self._open = self._open, None
        if opened is not None:
            await opened.close()

    async def identify(self, session_id: str, client_kind: str) -> None:
        """Say who makes the calls from here on."""
        self._world.session_id = session_id
        self._world.client_kind = client_kind

    async def clock(self, at: str | None, tick_us: int) -> None:
        """Set the peer's clock and how far each reading moves it; null is the real clock."""
        self._world.clock.at = None if at is None else datetime.fromisoformat(at)
        self._world.clock.tick = timedelta(microseconds=tick_us)

    async def seed_ids(self, seed: int | None) -> None:
        """Make every uuid from here on follow from `seed`; null is the real source."""
        self._world.ids.seed(seed)

    async def fetch(self, uuids: list[str]) -> object:
        """Read memories in full, which licenses this session to change them."""
        memory = peer_module("core.records.memory")
        db, ctx = self._store.store.connection, self._store.params()
        records, missing = await memory.fetch(db, uuids=uuids, ctx=ctx)
        return {"records": plain(records), "missing": missing}

    async def remember(self, gist: str, content: str, vectors: list[str] | None) -> object:
        """Write a memory and report its near-duplicates."""
        tools = peer_module("core.write.tools")
        with self._store.given(_decoded(vectors)):
            return plain(
                await tools.remember(
                    self._db, rewrite=_rewrite(gist, content), call=self._store.write_call()
                )
            )

    async def amend(
        self, uuid: str, version: int, gist: str, content: str, vectors: list[str] | None
    ) -> object:
        """Rewrite a memory."""
        tools = peer_module("core.write.tools")
        with self._store.given(_decoded(vectors)):
            outcome = await tools.amend(
                self._db,
                uuid=uuid,
                version=version,
                rewrite=_rewrite(gist, content),
                call=self._store.write_call(),
            )
        return plain(unless_conflict(outcome))

    async def retire(self, uuid: str, version: int, superseded_by: str | None) -> object:
        """Retire a memory outright or in favour of another."""
        outcome = await peer_module("core.write.tools").retire(
            self._db,
            uuid=uuid,
            version=version,
            superseded_by=superseded_by,
            call=self._store.write_call(),
        )
        return plain(unless_conflict(outcome))

    async def search(
        self, query: str, limit: int, include_retired: bool, vectors: list[str] | None
    ) -> object:
        """Search as the agent does, and log it."""
        reads = peer_module("core.retrieval.reads")
        with self._store.given(_decoded(vectors)):
            return plain(
                await reads.search(
                    self._db,
                    text=query,
                    call=self._store.read_call(),
                    limit=limit,
                    include_retired=include_retired,
                )
            )

    async def surface(self, prompt: str, limit: int, vectors: list[str] | None) -> object:
        """Make the block that the prompt hook injects, and log it."""
        reads = peer_module("core.retrieval.reads")
        with self._store.given(_decoded(vectors)):
            call = self._store.read_call()
            text = await reads.surface(self._db, prompt=prompt, call=call, limit=limit)
        return {"text": text}

    async def retrieve(self, query: str, include_retired: bool, vector: str | None) -> object:
        """Retrieve for a text, logging nothing."""
        return await retrieval.retrieve_external(
            self._store, query, include_retired=include_retired, vector=_bytes(vector)
        )

    async def retrieve_internal(self, uuid: str) -> object:
        """Retrieve what is near one memory, logging nothing."""
        return await retrieval.retrieve_internal(self._store, uuid)

    async def time_retrieve(self, query: str, vector: str | None, repeat: int) -> object:
        """Time `repeat` retrievals, in seconds each."""
        return await retrieval.time_retrieve(
            self._store, query, vector=_bytes(vector), repeat=repeat
        )

    async def bulk_remember(self, items: list[dict[str, Any]]) -> object:
        """Write many memories in one transaction."""
        return await bulk.remember_all(self._store, items)

    async def log_call(self, method: str, duration_ms: float) -> None:
        """Write the access-log row that the peer's service writes for the call just answered."""
        detail = peer_module("core.events").CallDetail(
            method=method, ok=True, error_code=None, duration_ms=duration_ms
        )
        memory, ctx = peer_module("core.records.memory"), self._store.latest

        async def work(db: Any) -> None:
            await memory.log_event(db, ctx=ctx, detail=detail, memory_uuid=None)

        transactions = peer_module("core.store.transactions")
        await transactions.in_one_transaction(self._db, work, failure=transactions.propagate)

    async def problems(self) -> object:
        """Say what is wrong with the open store's file and indexes; nothing is an empty list."""
        return await integrity.problems(self._db)

    async def plan_groups(self) -> object:
        """Start a consolidation run."""
        return await consolidation.plan_groups(self._store)

    async def next_group(self) -> object:
        """Serve the next group of the run, or null."""
        return await consolidation.next_group(self._store)

    async def merge(
        self,
        group_id: str,
        target: tuple[str, int],
        gist: str,
        content: str,
        absorb: list[tuple[str, int]],
    ) -> object:
        """Let a long-term record of the group's absorb members."""
        return await consolidation.merge(self._store, group_id, target, gist, content, absorb)

    async def promote(
        self, group_id: str, gist: str, content: str, absorb: list[tuple[str, int]]
    ) -> object:
        """Make a long-term record of members."""
        return await consolidation.promote(self._store, group_id, gist, content, absorb)

    async def discard(
        self, group_id: str, reason: str, absorb: list[tuple[str, int]]
    ) -> object:
        """Retire members outright."""
        return await consolidation.discard(self._store, group_id, reason, absorb)

    @property
    def _store(self) -> OpenStore:
        if self._open is None:
            raise NoStoreError("create or open a store first")
        return self._open

    @property
    def _db(self) -> Any:
        return self._store.store.connection


def _rewrite(gist: str, content: str) -> Any:
    return peer_module("core.records.memory").Rewrite(gist=gist, content=content)


def _bytes(vector: str | None) -> bytes | None:
    return None if vector is None else base64.b64decode(vector)


def _decoded(vectors: Sequence[str] | None) -> list[bytes] | None:
    return None if vectors is None else [base64.b64decode(vector) for vector in vectors]
