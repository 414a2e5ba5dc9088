"""A margin in words, and the one that tells most. Pure.

Outside the list the nearest way in, inside it the nearest way out.
"""

from core.explain.explanation import Explanation, Margin, MarginKind, Verdict
from core.readmodels import State

_ARMS = {MarginKind.LEXICAL_RANK: "word", MarginKind.DENSE_RANK: "meaning"}
_INTO = (
    MarginKind.STATE,
    MarginKind.LEXICAL_RANK,
    MarginKind.DENSE_RANK,
    MarginKind.RRF_K,
    MarginKind.SUPERSESSION_PENALTY,
    MarginKind.RETIRED_PENALTY,
    MarginKind.LIMIT,
)
_OUT = (
    MarginKind.RRF_K,
    MarginKind.SUPERSESSION_PENALTY,
    MarginKind.RETIRED_PENALTY,
    MarginKind.LEXICAL_RANK,
    MarginKind.DENSE_RANK,
)


def best_margin(e: Explanation) -> str | None:
    """Return the change that tells most, in words; None where no verified change does anything."""
    order = _OUT if e.verdict is Verdict.HIT else _INTO
    usable = [m for m in e.margins if m.verified and m.after is not None and m.kind in order]
    if e.standing is not None and e.standing.demotion.state is not State.LIVE:
        usable = [m for m in usable if m.kind is not MarginKind.STATE]  # the demotion says it
    best = min(usable, key=lambda m: _preference(m, order), default=None)
    if best is None:
        return None
    return _way_out(best, e.limit) if e.verdict is Verdict.HIT else _way_in(best, e.limit)


def _preference(margin: Margin, order: tuple[MarginKind, ...]) -> tuple[int, int]:
    """Compare by kind; between the arms the smaller move, and an arm that holds the row, first."""
    kind = order.index(margin.kind)
    if margin.kind not in _ARMS:
        return kind, 0
    return order.index(MarginKind.LEXICAL_RANK), _places(margin)


def _places(margin: Margin) -> int:
    """Return how many places a change of rank moves a row; beyond any where it had no rank."""
    before, after = margin.before, margin.after
    if not isinstance(before, int) or not isinstance(after, int):
        return 1 << 62
    return abs(before - after)


def _way_in(margin: Margin, limit: int) -> str:
    match margin.kind:
        case MarginKind.STATE:
            return f"it would be #{margin.position} if it were {margin.after}"
        case MarginKind.LEXICAL_RANK | MarginKind.DENSE_RANK:
            arm = _ARMS[margin.kind]
            if margin.before is None:
                return f"as #{margin.after} of the {arm} arm it would be #{margin.position}"
            places = _places(margin)
            noun = "place" if places == 1 else "places"
            return f"+{places} {noun} in the {arm} arm passes #{margin.position}"
        case MarginKind.LIMIT:
            return f"a limit of {margin.after} shows it"
        case _:
            return f"it enters the top {limit} when {_beyond(margin)}"


def _way_out(margin: Margin, limit: int) -> str:
    if margin.kind in _ARMS:
        places = _places(margin)
        noun = "place" if places == 1 else "places"
        return f"{places} {noun} lower in the {_ARMS[margin.kind]} arm it leaves the top {limit}"
    return f"it leaves the top {limit} when {_beyond(margin)}"


def _beyond(margin: Margin) -> str:
    """Return the condition on a setting: whole numbers by the last value that changes nothing."""
    name, before, after = margin.kind.value, margin.before, margin.after
    if isinstance(before, int) and isinstance(after, int):
        return f"{name} > {after - 1}" if after > before else f"{name} < {after + 1}"
    return f"{name} is {after!r}"
