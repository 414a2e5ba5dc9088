"""What the peer answers, as frozen values; decoding from JSON lives here and nowhere else."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ArmReport:
    """How far one arm got; both are None for a skipped lexical arm."""

    depth_reached: int | None
    stop_reason: str | None


@dataclass(frozen=True, slots=True)
class RankedRow:
    """One row of a pool: its fused score after the penalty, and what each arm said of it."""

    uuid: str
    fused_score: float
    dense_rank: int | None
    lexical_rank: int | None
    best_distance: float | None
    state: str


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A whole retrieval: the query as built, both arms, the pool in final order, uncut.

    query_tokens, query_truncated and terms are None for a row's own query.
    """

    vector: bytes
    expression: str | None
    dense: ArmReport
    lexical: ArmReport
    pool: tuple[RankedRow, ...]
    query_tokens: int | None = None
    query_truncated: bool | None = None
    terms: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A row and the version a write left it at."""

    uuid: str
    version: int


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A live row near a new one, offered from rank 1."""

    uuid: str
    gist: str
    cosine: float
    rank: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """A new row and what the peer found near it."""

    uuid: str
    version: int
    near_duplicates: tuple[NearDuplicate, ...]


@dataclass(frozen=True, slots=True)
class FetchedMemory:
    """One memory in full, as `fetch` tells it."""

    uuid: str
    gist: str
    content: str
    version: int
    tier: str
    active: bool
    state: str
    superseded_by: str | None
    superseded_by_latest: str | None
    superseded_by_latest_state: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """The memories found, in the order asked for, and the uuids that name none."""

    records: tuple[FetchedMemory, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One row of the agent's own search."""

    uuid: str
    gist: str
    tier: str
    state: str
    created_at: str
    updated_at: str
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One row a consolidation group shows, at the version that may be changed."""

    uuid: str
    version: int
    gist: str
    content: str


@dataclass(frozen=True, slots=True)
class ServedGroup:
    """One consolidation group: the members to decide on and the long-term rows to merge into."""

    group_id: str
    run_id: str
    members: tuple[GroupRow, ...]
    targets: tuple[GroupRow, ...]
    serve_count: int


def retrieval(raw: Mapping[str, Any]) -> Retrieval:
    """Decode the answer of `retrieve` or `retrieve_internal`."""
    return Retrieval(
        vector=base64.b64decode(raw["vector"]),
        expression=raw["expression"],
        dense=ArmReport(**raw["dense"]),
        lexical=ArmReport(**raw["lexical"]),
        pool=tuple(RankedRow(**row) for row in raw["pool"]),
        query_tokens=raw.get("query_tokens"),
        query_truncated=raw.get("query_truncated"),
        terms=tuple(raw["terms"]) if "terms" in raw else None,
    )


def written(raw: Mapping[str, Any]) -> Written:
    """Decode the answer of a write, extra fields left out."""
    return Written(uuid=raw["uuid"], version=raw["version"])


def remembered(raw: Mapping[str, Any]) -> Remembered:
    """Decode the answer of `remember`."""
    near = tuple(NearDuplicate(**one) for one in raw["near_duplicates"])
    return Remembered(uuid=raw["uuid"], version=raw["version"], near_duplicates=near)


def fetched(raw: Mapping[str, Any]) -> Fetched:
    """Decode the answer of `fetch`."""
    records = tuple(FetchedMemory(**record) for record in raw["records"])
    return Fetched(records=records, missing=tuple(raw["missing"]))


def search_hits(raw: list[Mapping[str, Any]]) -> tuple[SearchHit, ...]:
    """Decode the answer of `search`."""
    return tuple(SearchHit(**hit) for hit in raw)


def served_group(raw: Mapping[str, Any]) -> ServedGroup:
    """Decode a served group; the anchor, where there is one, is the first target."""
    anchor = [] if raw["anchor"] is None else [raw["anchor"]]
    candidates = [ranked["record"] for ranked in raw["candidates"]]
    return ServedGroup(
        group_id=raw["group_id"],
        run_id=raw["run_id"],
        members=tuple(_group_row(row) for row in raw["journal_entries"]),
        targets=tuple(_group_row(row) for row in [*anchor, *candidates]),
        serve_count=raw["serve_count"],
    )


def _group_row(raw: Mapping[str, Any]) -> GroupRow:
    return GroupRow(
        uuid=raw["uuid"],
        version=raw["expected_version"],
        gist=raw["gist"],
        content=raw["content"],
    )
