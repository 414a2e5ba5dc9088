"""A typed client of the reference peer for tests, benchmarks and the demo store's maker.

Standard library only. One process and at most one open store each; every verb is synchronous.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.peer import answers
from tests.peer.environment import PeerEnvironment
from tests.peer.process import PeerDiedError, PeerError, PeerProcess

__all__ = ["BulkItem", "Encoder", "Peer", "PeerDiedError", "PeerError"]


class Encoder(StrEnum):
    """Where the peer's vectors come from: the embedded model, or words hashed in no time."""

    ARTIFACT = "artifact"
    STUB = "stub"


@dataclass(frozen=True, slots=True)
class BulkItem:
    """One memory of a generated store; `vectors`, one a chunk, replace the encoder."""

    gist: str
    content: str
    tier: str = "journal"
    vectors: tuple[bytes, ...] = ()


class Peer:
    """The peer in a child process. Every verb may raise PeerError with the peer's own code."""

    def __init__(self, environment: PeerEnvironment) -> None:
        self._process = PeerProcess(environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.close()

    def create(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        encoder: Encoder = Encoder.ARTIFACT,
    ) -> None:
        """Make `folder`/.zikaron with these settings ("section.key": value) and hold it open.

        The model's name and an empty query prefix are set unless the settings say otherwise.
        """
        chosen = dict(settings or {})
        self._process.call("create", folder=str(folder), settings=chosen, encoder=encoder)

    def open(self, folder: Path, encoder: Encoder = Encoder.ARTIFACT) -> None:
        """Hold the store `folder`/.zikaron open, under its own config.toml alone."""
        self._process.call("open", folder=str(folder), encoder=encoder)

    def close(self) -> None:
        """Check-point and close the open store; the process stays."""
        self._process.call("close")

    def identify(self, session_id: str, client_kind: str = "mcp") -> None:
        """Say who makes the calls from here on."""
        self._process.call("identify", session_id=session_id, client_kind=client_kind)

    def set_clock(self, at: datetime | None, tick_us: int = 0) -> None:
        """Set the peer's clock (aware, UTC) and its step per reading; None is the real clock."""
        text = None if at is None else at.isoformat()
        self._process.call("clock", at=text, tick_us=tick_us)

    def seed_ids(self, seed: int | None) -> None:
        """Make every uuid from here on follow from `seed`; None is the real source."""
        self._process.call("seed_ids", seed=seed)

    def fetch(self, uuids: Sequence[str]) -> answers.Fetched:
        """Read memories in full, which licenses this session to change them."""
        return answers.fetched(self._process.call("fetch", uuids=list(uuids)))

    def remember(
        self, gist: str, content: str, vectors: Sequence[bytes] | None = None
    ) -> answers.Remembered:
        """Write a memory; `vectors`, one a chunk, replace the encoder."""
        raw = self._process.call(
            "remember", gist=gist, content=content, vectors=_encoded(vectors)
        )
        return answers.remembered(raw)

    def amend(
        self,
        uuid: str,
        version: int,
        gist: str,
        content: str,
        vectors: Sequence[bytes] | None = None,
    ) -> answers.Written:
        """Rewrite a memory; a stale version is PeerError version_conflict."""
        raw = self._process.call(
            "amend",
            uuid=uuid,
            version=version,
            gist=gist,
            content=content,
            vectors=_encoded(vectors),
        )
        return answers.written(raw)

    def retire(
        self, uuid: str, version: int, superseded_by: str | None = None
    ) -> answers.Written:
        """Retire a memory outright or in favour of another."""
        raw = self._process.call(
            "retire", uuid=uuid, version=version, superseded_by=superseded_by
        )
        return answers.written(raw)

    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        include_retired: bool = False,
        vector: bytes | None = None,
    ) -> tuple[answers.SearchHit, ...]:
        """Search as the agent does, its event included."""
        raw = self._process.call(
            "search",
            query=query,
            limit=limit,
            include_retired=include_retired,
            vectors=_encoded(None if vector is None else [vector]),
        )
        return answers.search_hits(raw)

    def surface(self, prompt: str, limit: int = 5, vector: bytes | None = None) -> str:
        """Return the block the prompt hook would inject, its events included."""
        vectors = _encoded(None if vector is None else [vector])
        raw = self._process.call("surface", prompt=prompt, limit=limit, vectors=vectors)
        return str(raw["text"])

    def retrieve(
        self, query: str, *, include_retired: bool = False, vector: bytes | None = None
    ) -> answers.Retrieval:
        """Retrieve for a text and tell everything; logs nothing."""
        raw = self._process.call(
            "retrieve",
            query=query,
            include_retired=include_retired,
            vector=None if vector is None else _base64(vector),
        )
        return answers.retrieval(raw)

    def retrieve_internal(self, uuid: str) -> answers.Retrieval:
        """Retrieve what is near one memory (live rows, itself left out); logs nothing."""
        return answers.retrieval(self._process.call("retrieve_internal", uuid=uuid))

    def time_retrieve(self, query: str, vector: bytes, repeat: int) -> tuple[float, ...]:
        """Time retrieve() alone, in seconds per call."""
        raw = self._process.call(
            "time_retrieve", query=query, vector=_base64(vector), repeat=repeat
        )
        return tuple(raw)

    def bulk_remember(
        self, items: Iterable[BulkItem], per_transaction: int = 500
    ) -> tuple[str, ...]:
        """Write many memories through the peer's own code, no near-duplicates sought; uuids back.

        Sent in batches, so a store of 100,000 needs no message of that size.
        """
        uuids: list[str] = []
        batch: list[dict[str, object]] = []
        for item in items:
            batch.append(_bulk(item))
            if len(batch) == per_transaction:
                uuids += self._send_bulk(batch)
                batch = []
        return tuple(uuids + self._send_bulk(batch))

    def log_call(self, method: str, duration_ms: float) -> None:
        """Write the access-log event the peer's service writes for the call just answered."""
        self._process.call("log_call", method=method, duration_ms=duration_ms)

    def problems(self) -> tuple[str, ...]:
        """Say what is wrong with the open store's file and indexes; empty when it is sound.

        A word index that disagrees with the texts is PeerError with the driver's exception.
        """
        return tuple(self._process.call("problems"))

    def plan_groups(self) -> None:
        """Start a consolidation run; needs client kind `consolidator`, as the next four do."""
        self._process.call("plan_groups")

    def next_group(self) -> answers.ServedGroup | None:
        """Serve the next group of the run, or None when none is left."""
        raw = self._process.call("next_group")
        return None if raw is None else answers.served_group(raw)

    def merge(
        self,
        group: str,
        target: answers.GroupRow,
        gist: str,
        content: str,
        absorb: Sequence[answers.GroupRow],
    ) -> answers.Written:
        """Let a long-term row of the group's absorb members under a new text."""
        raw = self._process.call(
            "merge",
            group_id=group,
            target=(target.uuid, target.version),
            gist=gist,
            content=content,
            absorb=_named(absorb),
        )
        return answers.written(raw)

    def promote(
        self, group: str, gist: str, content: str, absorb: Sequence[answers.GroupRow]
    ) -> answers.Written:
        """Make a long-term row of members, or lift the one member whose very text this is."""
        raw = self._process.call(
            "promote", group_id=group, gist=gist, content=content, absorb=_named(absorb)
        )
        return answers.written(raw)

    def discard(self, group: str, reason: str, absorb: Sequence[answers.GroupRow]) -> None:
        """Retire members outright, for a reason that only the event log keeps."""
        self._process.call("discard", group_id=group, reason=reason, absorb=_named(absorb))

    def _send_bulk(self, batch: list[dict[str, object]]) -> list[str]:
        if not batch:
            return []
        raw = self._process.call("bulk_remember", items=batch)
        return [str(uuid) for uuid in raw]


def _bulk(item: BulkItem) -> dict[str, object]:
    return {
        "gist": item.gist,
        "content": item.content,
        "tier": item.tier,
        "vectors": [_base64(vector) for vector in item.vectors],
    }


def _named(rows: Sequence[answers.GroupRow]) -> list[tuple[str, int]]:
    return [(row.uuid, row.version) for row in rows]


def _encoded(vectors: Sequence[bytes] | None) -> list[str] | None:
    return None if vectors is None else [_base64(vector) for vector in vectors]


def _base64(vector: bytes) -> str:
    return base64.b64encode(vector).decode("ascii")
