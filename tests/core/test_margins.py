"""A margin has the promised effect, and no value nearer to the present one has it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explain.explanation import Margin, MarginKind
from core.explain.margins import margins, term_advice
from core.readmodels import MemoryHead, State
from core.retrieval.eligibility import Consumer, Scope
from core.retrieval.outcome import Hit, SearchOutcome
from core.settings import RetrievalSettings
from tests.support.engine import open_engine
from tests.support.pools import head_of, outcome_of, searches
from tests.support.properties import PROPERTY
from tests.support.recorded import Recorded, RecordedEncoder

_PENALTIES = [step / 20 for step in range(1, 21)]


def _arm(outcome: SearchOutcome, name: str) -> list[str] | None:
    """Return an arm's rows by rank, None where it did not run."""
    if not getattr(outcome, name).ran:
        return None
    found = {getattr(h, name).rank: h.uuid for h in outcome.hits if getattr(h, name) is not None}
    return [found[rank] for rank in sorted(found)]


def _place(
    outcome: SearchOutcome,
    head: MemoryHead,
    arms: dict[str, list[str] | None] | None = None,
    changed: RetrievalSettings | None = None,
    *,
    live: bool = False,
) -> int | None:
    """Return where the memory stands in a search put together anew with something changed."""
    heads = {h.uuid: h.head for h in outcome.hits} | {head.uuid: head}
    if live:
        heads[head.uuid] = replace(head, active=True, superseded_by=None)
    given_arms = arms or {}
    dense = given_arms.get("dense", _arm(outcome, "dense"))
    lexical = given_arms.get("lexical", _arm(outcome, "lexical"))
    again = outcome_of(dense, lexical, heads, changed or outcome.settings, outcome.scope)
    hit = again.hit(head.uuid)
    return None if hit is None else hit.position


def _moved(outcome: SearchOutcome, arm: str, uuid: str, rank: int) -> dict[str, list[str] | None]:
    order = [u for u in _arm(outcome, arm) or [] if u != uuid]
    order[rank - 1 : rank - 1] = [uuid]
    return {arm: order[: outcome.settings.fusion_depth]}


def _values(
    outcome: SearchOutcome, margin: Margin, head: MemoryHead, rank: int | None, inside: bool
) -> Iterable[tuple[int | float, int | None]]:
    """Give every value of a kind that may be advised, with the place it leads to.

    Of rrf_k those as near as the one advised, for there are many.
    """
    own, kind = outcome.settings, margin.kind
    match kind:
        case MarginKind.RRF_K:
            in_pool = outcome.hit(head.uuid) is not None
            reach = abs(margin.after - own.rrf_k) if isinstance(margin.after, int) else 1000
            low, high = max(1, own.rrf_k - reach), min(1000, own.rrf_k + reach)
            for k in range(low, high + 1) if in_pool else ():
                yield k, _place(outcome, head, changed=replace(own, rrf_k=k))
        case MarginKind.SUPERSESSION_PENALTY:
            for p in _PENALTIES:
                yield p, _place(outcome, head, changed=replace(own, supersession_penalty=p))
        case MarginKind.RETIRED_PENALTY:
            for p in _PENALTIES:
                yield p, _place(outcome, head, changed=replace(own, retired_penalty=p))
        case _:
            arm = "dense" if kind is MarginKind.DENSE_RANK else "lexical"
            order = _arm(outcome, arm)
            if order is None:
                return
            found = head.uuid in order
            end = min(len(order) + (not found), own.fusion_depth)
            for r in range(1, end + 1):
                if inside and not (found and rank is not None and r > rank):
                    continue
                if not inside and rank is not None and r >= rank:
                    continue
                yield r, _place(outcome, head, _moved(outcome, arm, head.uuid, r))


def _distance(value: int | float, before: object) -> float:
    """Return how far a value is from the present one; from nothing, a worse rank is nearer."""
    return abs(value - before) if isinstance(before, int | float) else -value


def _assert_nearest(
    margin: Margin, outcome: SearchOutcome, head: MemoryHead, limit: int, *, inside: bool
) -> None:
    rank = margin.before if isinstance(margin.before, int) else None
    places = dict(_values(outcome, margin, head, rank, inside))
    across = {v: p for v, p in places.items() if (p is not None and p <= limit) != inside}
    assert margin.verified
    if margin.after is None:
        assert margin.position is None
        assert across == {}, margin
        return
    assert isinstance(margin.after, int | float)
    assert margin.position == across[margin.after]
    nearest = min(_distance(v, margin.before) for v in across)
    assert _distance(margin.after, margin.before) == pytest.approx(nearest)


def _assert_right(
    found: tuple[Margin, ...], outcome: SearchOutcome, head: MemoryHead, limit: int
) -> None:
    hit = outcome.hit(head.uuid)
    inside = hit is not None and hit.position <= limit
    for margin in found:
        if margin.kind is MarginKind.STATE:
            place = _place(outcome, head, live=True)
            helps = head.state is not State.LIVE and not inside and (place or limit + 1) <= limit
            assert (margin.after, margin.position) == (("live", place) if helps else (None, None))
        elif margin.kind is MarginKind.LIMIT:
            _assert_limit(margin, None if hit is None else hit.position, limit)
        else:
            _assert_nearest(margin, outcome, head, limit, inside=inside)


def _assert_limit(margin: Margin, position: int | None, limit: int) -> None:
    assert margin.before == limit
    if position is None or position == 1 or position > 50:
        assert margin.after is None
        return
    assert margin.position == position
    assert margin.after == (position if position > limit else position - 1)


def _margins(
    outcome: SearchOutcome, head: MemoryHead, limit: int, hit: Hit | None, beyond: int | None
) -> tuple[Margin, ...]:
    """Take the margins of a memory whose true rank in an arm that left it out is `beyond`."""
    words = hit.lexical.rank if hit is not None and hit.lexical is not None else beyond
    meaning = hit.dense.rank if hit is not None and hit.dense is not None else beyond
    return margins(
        outcome,
        head.uuid,
        limit,
        lexical_rank=words if outcome.lexical.ran else None,
        dense_rank=meaning if outcome.dense.ran else None,
        head=head,
    )


@settings(PROPERTY, max_examples=25)
@given(outcome=searches(), at=st.integers(0, 8), limit=st.integers(1, 5))
def test_every_margin_is_the_nearest_value_with_the_promised_effect(
    outcome: SearchOutcome, at: int, limit: int
) -> None:
    hit = outcome.hits[at % len(outcome.hits)]
    _assert_right(_margins(outcome, hit.head, limit, hit, None), outcome, hit.head, limit)


@PROPERTY
@given(
    outcome=searches(),
    limit=st.integers(1, 5),
    state=st.sampled_from(list(State)),
    beyond=st.sampled_from([None, 40]),
)
def test_the_margins_of_a_memory_outside_the_pool_let_it_in(
    outcome: SearchOutcome, limit: int, state: State, beyond: int | None
) -> None:
    by = outcome.hits[0].uuid if state is State.SUPERSEDED else None
    head = head_of("outside", state, by=by)
    _assert_right(_margins(outcome, head, limit, None, beyond), outcome, head, limit)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_margins_hold_on_recorded_searches(demo: object, demo_recorded: Recorded) -> None:
    encoder = RecordedEncoder.of(demo_recorded)
    told: set[MarginKind] = set()
    async with open_engine(demo) as engine:  # type: ignore[arg-type]  # the fixture is a Path
        for case in demo_recorded.external[::5]:
            outcome = await engine.by_encoder(
                case.query, encoder, include_retired=case.include_retired
            )
            for hit in outcome.hits[2:9:3]:
                found = [
                    m
                    for m in _margins(outcome, hit.head, 5, hit, None)
                    if m.kind is not MarginKind.RRF_K or m.after is not None
                ]
                _assert_right(tuple(found), outcome, hit.head, 5)
                told |= {m.kind for m in found if m.after is not None}
    assert told >= {
        MarginKind.LEXICAL_RANK,
        MarginKind.DENSE_RANK,
        MarginKind.RRF_K,
        MarginKind.LIMIT,
    }


def _by_kind(found: tuple[Margin, ...]) -> dict[MarginKind, Margin]:
    return {m.kind: m for m in found}


def test_the_margins_of_one_row_by_hand() -> None:
    """`old` is first in both arms and halved: 0.5 * 2/61 = 1/61 = 0.01639.

    a and b stand in both arms at 2 and 3: 2/62 and 2/63. With limit 2 it is third. At 1.0 it is
    first; it passes b when p * 2/61 > 2/63, so p > 61/63 = 0.968: 1.0 is the first step.
    """
    old = head_of("old", State.SUPERSEDED, by="elsewhere")
    outcome = outcome_of(["old", "a", "b"], ["old", "a", "b"], {"old": old})
    assert [h.uuid for h in outcome.hits] == ["a", "b", "old"]
    found = _by_kind(margins(outcome, "old", 2, lexical_rank=1, dense_rank=1, head=old))
    assert tuple(found) == tuple(kind for kind in MarginKind if kind is not MarginKind.QUERY_TERM)
    assert found[MarginKind.STATE] == Margin(MarginKind.STATE, "superseded", "live", 1, True)
    assert found[MarginKind.SUPERSESSION_PENALTY] == Margin(
        MarginKind.SUPERSESSION_PENALTY, 0.5, 1.0, 1, True
    )
    assert found[MarginKind.LIMIT] == Margin(MarginKind.LIMIT, 2, 3, 3, True)
    assert found[MarginKind.LEXICAL_RANK].after is None
    assert found[MarginKind.RETIRED_PENALTY].after is None
    # b passes below old where 2/(k+3) < 1/(k+1), so k < 1; at k = 1 they tie and best rank decides.
    assert found[MarginKind.RRF_K] == Margin(MarginKind.RRF_K, 60, 1, 2, True)


def test_a_retired_memory_left_out_is_ranked_where_it_would_be_if_it_were_live() -> None:
    """Second by words and first by meaning among others: 1/61 + 1/62 against 1/62 + 1/61 of a."""
    gone = head_of("gone", State.RETIRED)
    outcome = outcome_of(["a", "b"], ["a", "b"])
    found = _by_kind(margins(outcome, "gone", 2, lexical_rank=2, dense_rank=1, head=gone))
    assert found[MarginKind.STATE] == Margin(MarginKind.STATE, "retired", "live", 2, True)
    assert {m.after for kind, m in found.items() if kind is not MarginKind.STATE} == {None}


def test_a_search_by_a_memory_never_finds_itself_whatever_changes() -> None:
    asked = replace(outcome_of(["a"], ["a"]), scope=Scope(Consumer.SIMILAR, exclude_uuid="self"))
    for state in State:
        head = head_of("self", state, by="a" if state is State.SUPERSEDED else None)
        found = margins(asked, "self", 5, lexical_rank=1, dense_rank=1, head=head)
        assert {m.after for m in found} == {None}
    other = head_of("other", State.SUPERSEDED, by="a")
    (first, *_rest) = margins(asked, "other", 5, lexical_rank=1, dense_rank=1, head=other)
    assert (first.after, first.position) == ("live", 1)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([], None),
        ([("nowhere", 0)], None),
        ([("ssh", 40), ("bastion", 2), ("port", 9)], "bastion"),
        ([("ab", 2), ("longer", 2)], "longer"),
        ([("2222", 1), ("port", 9)], "port"),
        ([("2222", 1)], "2222"),
    ],
)
def test_the_word_advised_is_the_rarest_of_the_memory(
    terms: list[tuple[str, int]], expected: str | None
) -> None:
    advice = term_advice(terms)
    assert (None if advice is None else advice.after) == expected
    if advice is not None:
        assert (advice.kind, advice.verified, advice.position) == (
            MarginKind.QUERY_TERM,
            False,
            None,
        )
