"""How little would take the memory across the cut, in words: one line for each kind. Pure."""

from core.explain.explanation import Explanation, Margin, MarginKind, Verdict
from core.explain.steps.lines import Line, Step, absent, fact
from core.readmodels import State
from core.words import grouped

_NAMES = {
    MarginKind.STATE: "state",
    MarginKind.LEXICAL_RANK: "word rank",
    MarginKind.DENSE_RANK: "meaning rank",
    MarginKind.RRF_K: "rrf_k",
    MarginKind.SUPERSESSION_PENALTY: "supersession_penalty",
    MarginKind.RETIRED_PENALTY: "retired_penalty",
    MarginKind.LIMIT: "limit",
    MarginKind.QUERY_TERM: "a word more",
}


def margins_step(e: Explanation) -> Step:
    """Say the smallest change of each kind, and where the memory would then stand."""
    if not e.margins:
        nothing = absent("", "nothing would: it is not searched")
        return Step("What it would take", (nothing,))
    if e.verdict is Verdict.HIT:
        return Step(f"What takes it out of the first {e.limit}", tuple(map(_out, e.margins)))
    return Step(f"What brings it into the first {e.limit}", tuple(map(_into, e.margins)))


def _out(margin: Margin) -> Line:
    if margin.after is None:
        return _never(margin, "being live would not take it out")
    place = "it leaves the pool" if margin.position is None else f"it falls to #{margin.position}"
    return fact(_NAMES[margin.kind], f"{_change(margin)}: {place}")


def _into(margin: Margin) -> Line:
    if margin.after is None:
        return _never(margin, "being live would not be enough")
    if not margin.verified:
        return fact(_NAMES[margin.kind], f"{_written(margin.after)} (advice only, not verified)")
    return fact(_NAMES[margin.kind], f"{_change(margin)}: it would be #{margin.position}")


def _change(margin: Margin) -> str:
    return f"{_written(margin.before)} → {_written(margin.after)}"


def _never(margin: Margin, live: str) -> Line:
    """Say that nothing of this kind does it; of the states only live is tried, told by `live`."""
    if margin.kind is not MarginKind.STATE:
        return absent(_NAMES[margin.kind], "no value does", _before(margin))
    if margin.before == State.LIVE:
        return absent(_NAMES[margin.kind], "it is live already")
    return absent(_NAMES[margin.kind], live, _before(margin))


def _before(margin: Margin) -> str:
    return "" if margin.before is None else f"now {_written(margin.before)}"


def _written(value: str | int | float | None) -> str:
    match value:
        case None:
            return "none"
        case int():
            return grouped(value)
        case float():
            return repr(value)
        case str():
            return value
