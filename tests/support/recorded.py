"""Recorded retrievals of the reference peer as frozen values, and ours in the same shape."""

import base64
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.retrieval.arms import ArmReport
from core.retrieval.encoder import EncoderFacts
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.token_counter import TokenCounter, load_token_counter

type Arm = tuple[int | None, str | None]
type Row = tuple[str, float, int | None, int | None, float | None, str | None]

DISTANCE_TOLERANCE = 1e-6
# Distances are compared with == where they were recorded, elsewhere within the tolerance.
_SAME_MACHINE = sys.platform == "linux" and platform.machine() == "x86_64"


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything recorded of one retrieval: arms as (depth, stop); rows in final order, uncut.

    A row is (uuid, fused score, dense rank, lexical rank, distance, state); the last two are None
    for a search by a memory, where they were not recorded.
    """

    expression: str | None
    pool: tuple[Row, ...]
    terms: tuple[str, ...] | None = None
    tokens: int | None = None
    truncated: bool | None = None
    dense: Arm | None = None
    lexical: Arm | None = None


@dataclass(frozen=True, slots=True)
class External:
    """One recorded search with a text, the vector it was made with, and the answer."""

    query: str
    include_retired: bool
    vector: bytes
    answer: Answer


@dataclass(frozen=True, slots=True)
class Internal:
    """One recorded search by a memory."""

    uuid: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Recorded:
    """All recorded retrievals of one store, and the query prefix they were made with."""

    prefix: str
    external: tuple[External, ...]
    internal: tuple[Internal, ...]


def _arm(raw: Mapping[str, Any]) -> Arm:
    return raw["depth_reached"], raw["stop_reason"]


def _row(raw: Mapping[str, Any]) -> Row:
    return (
        raw["uuid"],
        raw["fused_score"],
        raw["dense_rank"],
        raw["lexical_rank"],
        raw.get("best_distance"),
        raw.get("state"),
    )


def _external(raw: Mapping[str, Any]) -> External:
    answer = Answer(
        expression=raw["expression"],
        pool=tuple(_row(r) for r in raw["pool"]),
        terms=tuple(raw["terms"]),
        tokens=raw["query_tokens"],
        truncated=raw["query_truncated"],
        dense=_arm(raw["dense"]),
        lexical=_arm(raw["lexical"]),
    )
    vector = base64.b64decode(raw["vector"])
    return External(raw["query"], raw["include_retired"], vector, answer)


def read_recorded(path: Path) -> Recorded:
    """Read an expected.json."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    return Recorded(
        prefix=raw["settings"]["embed_prefix_query"],
        external=tuple(_external(c) for c in raw["external"]),
        internal=tuple(
            Internal(c["uuid"], Answer(c["expression"], tuple(_row(r) for r in c["pool"])))
            for c in raw["internal"]
        ),
    )


def _report(report: ArmReport) -> Arm:
    stop = report.stop_reason
    return report.depth_reached, None if stop is None else stop.value


def _hit(hit: Hit, *, whole: bool) -> Row:
    dense, lexical = hit.dense, hit.lexical
    return (
        hit.uuid,
        hit.fused_score,
        None if dense is None else dense.rank,
        None if lexical is None else lexical.rank,
        dense.distance if whole and dense is not None else None,
        hit.state.value if whole else None,
    )


def answer_of(outcome: SearchOutcome) -> Answer:
    """Return our own answer in the recorded shape."""
    by_text = outcome.query.text is not None
    answer = Answer(
        outcome.query.lexical.expression, tuple(_hit(h, whole=by_text) for h in outcome.hits)
    )
    if not by_text:
        return answer
    dense = outcome.query.dense
    return replace(
        answer,
        terms=outcome.query.lexical.terms,
        tokens=None if dense is None else dense.tokens,
        truncated=None if dense is None else dense.truncated,
        dense=_report(outcome.dense),
        lexical=_report(outcome.lexical),
    )


def assert_same(ours: Answer, recorded: Answer, what: object) -> None:
    """Fail where anything differs; distances may, in their last bits, on another platform."""
    if not _SAME_MACHINE:
        _assert_near(ours.pool, recorded.pool, what)
        ours = replace(ours, pool=_without_distances(ours.pool))
        recorded = replace(recorded, pool=_without_distances(recorded.pool))
    assert ours == recorded, what


def _without_distances(pool: Sequence[Row]) -> tuple[Row, ...]:
    return tuple((*row[:4], None, row[5]) for row in pool)


def _assert_near(ours: Sequence[Row], recorded: Sequence[Row], what: object) -> None:
    for mine, theirs in zip(ours, recorded, strict=True):
        assert (mine[4] is None) == (theirs[4] is None), what
        assert abs((mine[4] or 0.0) - (theirs[4] or 0.0)) <= DISTANCE_TOLERANCE, what


class RecordedEncoder:
    """An encoder that counts with the real tokenizer and answers with recorded vectors."""

    def __init__(self, counter: TokenCounter, vectors: Mapping[str, bytes]) -> None:
        self._counter = counter
        self._vectors = dict(vectors)

    @classmethod
    def of(cls, recorded: Recorded) -> "RecordedEncoder":
        """Take the vectors of the external cases; a cut text is found by its beginning."""
        counter = load_token_counter("genizah/all-minilm-l6-v2-int8")
        assert counter is not None
        return cls(counter, {recorded.prefix + c.query: c.vector for c in recorded.external})

    @property
    def facts(self) -> EncoderFacts:
        """Describe the tokenizer's artifact."""
        return self._counter.facts

    def count(self, text: str) -> int:
        """Count tokens with the real tokenizer."""
        return self._counter.count(text)

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the real tokenizer's spans."""
        return self._counter.spans(text)

    def embed(self, text: str) -> bytes:
        """Return the recorded vector of `text` or of the one longer text that begins with it."""
        if text in self._vectors:
            return self._vectors[text]
        (found,) = {v for t, v in self._vectors.items() if text in t and len(t) > len(text)}
        return found


