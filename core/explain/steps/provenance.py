"""Where the memory comes from and what the agent did with it, as lines. Pure."""

from collections import Counter

from core.explain.explanation import Explanation
from core.explain.provenance import Injection
from core.explain.steps.lines import Line, Step, absent, fact
from core.words import counted, second, tier_words

_NEWEST = 10


def provenance_step(e: Explanation) -> Step:
    """Say tier, version and session, the events in the log, and when the agent was shown it."""
    head, told = e.head, e.provenance
    if head is None or told is None:
        return Step("Provenance", (absent("", "no such memory"),))
    version = "odd, not a number" if head.version is None else str(head.version)
    session = "unknown" if head.session_id is None else head.session_id
    kinds = Counter(event.kind for event in told.events)
    events = ", ".join(f"{kind} {times}×" for kind, times in sorted(kinds.items()))
    return Step(
        "Provenance",
        (
            fact("written", f"{second(head.created_at)}, changed {second(head.updated_at)}"),
            fact("session", session),
            fact("tier, version", f"{tier_words(head.tier)}, {version}"),
            fact("events", events) if events else absent("events", "none"),
            *_injections(told.injections),
        ),
    )


def _injections(injections: tuple[Injection, ...]) -> list[Line]:
    if not injections:
        return [absent("shown to the agent", "never by itself")]
    lines = [fact("shown to the agent", f"{counted(len(injections), 'time')} by itself")]
    lines += [fact(second(one.at), _said(one)) for one in injections[:_NEWEST]]
    left = len(injections) - _NEWEST
    return lines if left <= 0 else [*lines, fact("", f"and {counted(left, 'time')} before")]


def _said(one: Injection) -> str:
    rank = "at an unknown rank" if one.rank is None else f"at #{one.rank}"
    score = "" if one.fused_score is None else f" ({one.fused_score!r})"
    then = [
        words
        for happened, words in (
            (one.fetched_after, "fetched"),
            (one.changed_after, "changed or retired"),
        )
        if happened
    ]
    if then:
        return f"{rank}{score}, {' and '.join(then)} later in that session"
    if one.session_id is None:
        return f"{rank}{score}, in an unknown session"
    return f"{rank}{score}, not fetched in that session"
