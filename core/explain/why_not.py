"""Why a memory is not in the result, in words: the first stage where it fell out. Pure."""

from core.explain.explanation import DenseSide, Explanation, LexicalSide
from core.readmodels import State
from core.retrieval.arms import StopReason
from core.retrieval.eligibility import Consumer
from core.retrieval.ladder import fell_to_filters
from core.retrieval.outcome import SearchOutcome
from core.words import short

_DAY = 10
_RETIRING = frozenset({"retire", "discard"})


def no_such_memory(e: Explanation) -> str:
    """Say that there is none."""
    union = e.outcome.union
    where = "this store" if union is None else f"any of these {len(union.parts)} stores"
    return f"There is no memory {_one_line(e.uuid)} in {where}."


def not_eligible(e: Explanation) -> str:
    """Say which rule left the memory out; without a full stop."""
    assert e.head is not None, "only a memory that exists can be left out"
    if e.outcome.scope.exclude_uuid == e.uuid:
        return "Not eligible: the search is by this memory, and it does not find itself"
    narrowed = e.outcome.scope.narrowed
    if narrowed is not None and fell_to_filters(e.ladder):
        return f"Not eligible: the filters leave it out ({_one_line(narrowed.description)})"
    if e.outcome.scope.consumer is Consumer.SIMILAR:
        return f"Not eligible: {_ended(e)}, and this search looks for live memories only"
    return f"Not eligible: {_ended(e)}, and retired memories are left out"


def outside_pool(e: Explanation) -> str:
    """Say where the memory stands in each arm beyond what the arm keeps; without a full stop."""
    words, meaning = _words(e.lexical, e.outcome), _meaning(e.dense, e.outcome)
    return f"Not in the result: {words} and {meaning}"


def _ended(e: Explanation) -> str:
    assert e.head is not None, "only a memory that exists has ended"
    if e.head.state is State.SUPERSEDED:
        return f"it was replaced by {_one_line(short(e.head.superseded_by or ''))}"
    events = () if e.provenance is None else e.provenance.events
    at = next((event.at for event in events if event.kind in _RETIRING), None)
    return "it was retired" if at is None else f"it was retired on {_one_line(at[:_DAY])}"


def _words(side: LexicalSide, outcome: SearchOutcome) -> str:
    if not outcome.lexical.ran:
        return "the word search did not run"
    if side.rank is None:
        return "no word of the query occurs in it"
    depth = outcome.settings.fusion_depth
    return f"it is #{side.rank:,} of {side.ranked:,} by words (the word arm keeps {depth:,})"


def _meaning(side: DenseSide, outcome: SearchOutcome) -> str:
    if not outcome.dense.ran:
        return "the meaning search did not run"
    if not side.chunks:
        return "it has no chunk for the meaning search"
    if side.rank is None:
        return "no chunk of it has a distance"
    depth = outcome.settings.fusion_depth
    place = f"its nearest chunk is #{side.rank:,} of {side.ranked:,}"
    if side.rank > depth:
        return f"{place} (the meaning arm keeps {depth:,})"
    if outcome.dense.stop_reason is StopReason.PROBE_CAP_HIT:
        return f"{place}, but the meaning search stopped at its widest probe before it"
    return f"{place}, but the probe ended among chunks equally far and left it out"


def _one_line(text: str) -> str:
    return " ".join(text.split())
