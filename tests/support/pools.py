"""Searches put together by hand: two arms as orders of names, fused and ranked by the program."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from core.readmodels import MemoryHead, State
from core.retrieval.arms import (
    ArmReport,
    DenseArm,
    DenseCandidate,
    LexicalArm,
    LexicalCandidate,
    StopReason,
)
from core.retrieval.eligibility import Scope
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery, LexicalQuery, PreparedQuery
from core.retrieval.retrieve import assemble
from core.settings import RetrievalSettings

_NAMES = [f"row{n}" for n in range(9)]


def head_of(
    uuid: str,
    state: State = State.LIVE,
    *,
    by: str | None = None,
    tier: str = "journal",
    at: str = "2026-01-01",
) -> MemoryHead:
    """Make a row."""
    return MemoryHead(
        rowid=1,
        uuid=uuid,
        tier=tier,
        gist=uuid,
        active=state is State.LIVE,
        superseded_by=by,
        version=1,
        created_at=at,
        updated_at=at,
        session_id=None,
        token_count=3,
    )


def _report(found: int, depth: int, *, ran: bool) -> ArmReport:
    if not ran:
        return ArmReport(ran=False, reason="it was switched off")
    if found == depth:
        return ArmReport(True, depth + 1, StopReason.DEPTH_REACHED)
    return ArmReport(True, found, StopReason.INDEX_EXHAUSTED)


def outcome_of(
    dense: Sequence[str] | None,
    lexical: Sequence[str] | None,
    heads: Mapping[str, MemoryHead] | None = None,
    settings: RetrievalSettings | None = None,
    scope: Scope | None = None,
) -> SearchOutcome:
    """Make the search whose arms returned these rows in this order; None: the arm did not run.

    Rows without a head are live journal rows of one date. The n-th row of an arm has the distance
    n / 100, or the bm25 n - 100.
    """
    used = settings or RetrievalSettings()
    depth = used.fusion_depth
    rows = {u: head_of(u) for u in (*(dense or ()), *(lexical or ()))} | dict(heads or {})
    meaning = DenseArm(
        tuple(DenseCandidate(u, n / 100, n, 0, n) for n, u in enumerate(dense or (), 1)),
        _report(len(dense or ()), depth, ran=dense is not None),
    )
    words = LexicalArm(
        tuple(LexicalCandidate(u, n - 100.0, n) for n, u in enumerate(lexical or (), 1)),
        _report(len(lexical or ()), depth, ran=lexical is not None),
    )
    reason = None if dense is not None else "it was switched off"
    vector = DenseQuery(b"\0\0\0\0") if dense is not None else None
    return SearchOutcome(
        query=PreparedQuery("tide", None, LexicalQuery(("tide",), ()), vector, reason),
        scope=scope or Scope(),
        settings=used,
        dense=meaning.report,
        lexical=words.report,
        doublings=0,
        hits=assemble(meaning, words, rows, used),
        memories=1000,
        chunks=1000,
        data_version=1,
        notices=(),
    )


@st.composite
def searches(draw: st.DrawFn) -> SearchOutcome:
    """Draw a search of up to nine rows, with replaced and retired ones, circles and equal rows."""
    depth = draw(st.integers(2, 6))
    arms = [draw(st.permutations(_NAMES))[: draw(st.integers(0, depth))] for _ in range(2)]
    arms[0] = arms[0] or arms[1] or _NAMES[:1]
    heads = {}
    for name in _NAMES:
        state = draw(st.sampled_from([State.LIVE, State.LIVE, State.SUPERSEDED, State.RETIRED]))
        others = [n for n in [*_NAMES, "elsewhere"] if n != name]
        by = draw(st.sampled_from(others)) if state is State.SUPERSEDED else None
        tier = draw(st.sampled_from(["journal", "long_term"]))
        heads[name] = head_of(name, state, by=by, tier=tier)
    settings = RetrievalSettings(
        fusion_depth=depth,
        rrf_k=draw(st.sampled_from([1, 7, 60])),
        supersession_penalty=draw(st.sampled_from([0.5, 0.33, 1.0])),
        retired_penalty=draw(st.sampled_from([0.5, 0.8])),
    )
    dense = None if draw(st.integers(0, 9)) == 0 and arms[1] else arms[0]
    return outcome_of(dense, arms[1], heads, settings, Scope(include_retired=True))
