"""Fusion and ranking as stated: total order, monotone sums, replacements first, exact sums."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.readmodels import State
from core.retrieval import ranking
from core.retrieval.fusion import fuse, rrf_score
from core.retrieval.ranking import Rankable
from core.settings import RetrievalSettings
from tests.support.properties import PROPERTY

_NAMES = [f"row{n}" for n in range(9)]
_ranks = st.one_of(st.none(), st.integers(1, 6))
_settings = st.builds(
    RetrievalSettings,
    rrf_k=st.sampled_from([1, 7, 60]),
    supersession_penalty=st.sampled_from([0.5, 0.3, 1.0]),
    retired_penalty=st.sampled_from([0.5, 0.7]),
)


@st.composite
def _pools(draw: st.DrawFn) -> list[Rankable]:
    """Draw a pool with many equal scores, edges to rows inside and outside, circles included."""
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, unique=True))
    rows = []
    for name in names:
        state = draw(st.sampled_from(list(State)))
        others = [n for n in [*_NAMES, "elsewhere"] if n != name]
        rows.append(
            Rankable(
                uuid=name,
                rrf_score=draw(st.sampled_from([1 / 61, 2 / 61, 1 / 62])),
                best_rank=draw(st.integers(1, 3)),
                state=state,
                tier=draw(st.sampled_from(["journal", "long_term"])),
                created_at=draw(st.sampled_from(["2026-01-01", "2026-01-02"])),
                superseded_by=draw(st.sampled_from(others))
                if state is State.SUPERSEDED
                else None,
            )
        )
    return rows


def _comes_first(a: Rankable, b: Rankable, settings: RetrievalSettings) -> bool:
    """Read the order's five keys off the contract, for one pair."""
    factor = {
        State.LIVE: 1.0,
        State.SUPERSEDED: settings.supersession_penalty,
        State.RETIRED: settings.retired_penalty,
    }
    score_a, score_b = a.rrf_score * factor[a.state], b.rrf_score * factor[b.state]
    if score_a != score_b:
        return score_a > score_b
    if a.best_rank != b.best_rank:
        return a.best_rank < b.best_rank
    if a.tier != b.tier:
        return a.tier == "long_term"
    if a.tier == "journal" and a.created_at != b.created_at:
        return a.created_at > b.created_at
    return a.uuid < b.uuid


@PROPERTY
@given(rows=_pools(), settings=_settings)
def test_the_order_is_total_and_every_pair_stands_as_the_keys_say(
    rows: list[Rankable], settings: RetrievalSettings
) -> None:
    ordered = ranking.total_order(rows, settings)
    assert sorted(r.uuid for r in ordered) == sorted(r.uuid for r in rows)
    for at, first in enumerate(ordered):
        for second in ordered[at + 1 :]:
            assert _comes_first(first, second, settings)
            assert not _comes_first(second, first, settings)
    assert ranking.total_order(rows[::-1], settings) == ordered


@PROPERTY
@given(rows=_pools(), settings=_settings)
def test_the_key_named_as_deciding_is_the_first_that_differs(
    rows: list[Rankable], settings: RetrievalSettings
) -> None:
    ordered = ranking.total_order(rows, settings)
    for above, below in itertools.pairwise(ordered):
        key = ranking.deciding_key(above, below, settings)
        assert key is not ranking.OrderKey.REPAIR
        if key is ranking.OrderKey.SCORE:
            continue
        levelled = replace(below, state=above.state, rrf_score=above.rrf_score)
        assert _comes_first(replace(above), levelled, settings)


def _scan_and_emit(ordered: Sequence[Rankable]) -> list[str] | None:
    """Follow the contract's words, quadratic; None where nothing more can be emitted."""
    pool = {r.uuid for r in ordered}
    left, emitted = list(ordered), []
    while left:
        for row in left:
            by = row.superseded_by
            if by is None or by not in pool or by in emitted:
                emitted.append(row.uuid)
                left.remove(row)
                break
        else:
            return None
    return emitted


@PROPERTY
@given(rows=_pools(), settings=_settings)
def test_repair_is_the_repeated_scan_of_the_contract(
    rows: list[Rankable], settings: RetrievalSettings
) -> None:
    ordered = ranking.total_order(rows, settings)
    expected = _scan_and_emit(ordered)
    placed = ranking.rank(rows, settings)
    assert (expected is None) == any(p.on_cycle for p in placed)
    if expected is not None:
        assert [p.uuid for p in placed] == expected


@PROPERTY
@given(rows=_pools(), settings=_settings)
def test_every_replaced_row_stands_below_its_replacement_but_for_circles(
    rows: list[Rankable], settings: RetrievalSettings
) -> None:
    placed = {p.uuid: p for p in ranking.rank(rows, settings)}
    assert sorted(p.position for p in placed.values()) == list(range(1, len(rows) + 1))
    for row in rows:
        by = placed.get(row.superseded_by or "")
        if by is not None and not placed[row.uuid].on_cycle:
            assert by.position < placed[row.uuid].position
    stuck = [p for p in placed.values() if p.on_cycle]
    before = sorted(stuck, key=lambda p: p.position_before_repair)
    assert [p.uuid for p in sorted(stuck, key=lambda p: p.position)] == [p.uuid for p in before]


@PROPERTY
@given(dense=_ranks, lexical=_ranks, k=st.integers(1, 1000))
def test_a_better_rank_never_lowers_the_score(
    dense: int | None, lexical: int | None, k: int
) -> None:
    score = rrf_score(dense, lexical, k)
    exact = sum(Fraction(1, k + r) for r in (dense, lexical) if r is not None)
    assert abs(Fraction(score) - exact) <= Fraction(1, 2**50)
    for better in (1, 2, 3):
        if dense is None or better < dense:
            assert rrf_score(better, lexical, k) > score
        if lexical is None or better < lexical:
            assert rrf_score(dense, better, k) > score


@PROPERTY
@given(
    dense=st.permutations(_NAMES).map(lambda p: p[:5]),
    lexical=st.permutations(_NAMES).map(lambda p: p[:4]),
)
def test_fusion_holds_every_row_of_either_arm_once(dense: list[str], lexical: list[str]) -> None:
    ranks = [{name: at for at, name in enumerate(arm, 1)} for arm in (dense, lexical)]
    fused = fuse(ranks[0], ranks[1], 60)
    assert set(fused) == {*dense, *lexical}
    for name, row in fused.items():
        expected = 0.0
        if name in dense:
            expected += 1 / (60 + ranks[0][name])
        if name in lexical:
            expected += 1 / (60 + ranks[1][name])
        assert row.rrf_score == expected


def test_the_facts_worth_teaching_hold() -> None:
    one_arm, both_worst = rrf_score(1, None, 60), rrf_score(50, 50, 60)
    assert round(one_arm, 5) == 0.01639
    assert round(both_worst, 5) == 0.01818
    assert one_arm < both_worst
    assert rrf_score(1, 1, 60) * 0.5 == one_arm


def test_a_chain_comes_out_newest_first() -> None:
    """A -> B -> C with the scores the other way round gives C, B, A."""
    rows = [
        Rankable("A", 0.9, 1, State.SUPERSEDED, "journal", "2026", "B"),
        Rankable("B", 0.5, 2, State.SUPERSEDED, "journal", "2026", "C"),
        Rankable("C", 0.1, 3, State.LIVE, "journal", "2026", None),
    ]
    assert [p.uuid for p in ranking.rank(rows, RetrievalSettings())] == ["C", "B", "A"]


def test_a_chain_of_ten_thousand_is_repaired_at_once() -> None:
    count = 10_000
    rows = [
        Rankable(
            f"{n:05}",
            1 / (n + 1),
            1,
            State.SUPERSEDED if n + 1 < count else State.LIVE,
            "journal",
            "2026",
            f"{n + 1:05}" if n + 1 < count else None,
        )
        for n in range(count)
    ]
    placed = ranking.rank(rows, RetrievalSettings(supersession_penalty=1.0))
    assert [p.uuid for p in placed] == [f"{n:05}" for n in range(count)][::-1]
