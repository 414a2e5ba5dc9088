"""Where the memory comes from and what the agent did with it, as lines. Pure."""

from collections import Counter

from core.explain.explanation import Explanation
from core.explain.provenance import Injection
from widgets.text_marks import one_line
from widgets.texts import counted, second, tier_words
from widgets.why_lines import Line, LineStyle, Section, fact

_NEWEST = 10


def provenance_section(e: Explanation) -> Section:
    """Say tier, version and session, the events in the log, and when the agent was shown it."""
    head, told = e.head, e.provenance
    if head is None or told is None:
        return Section("Provenance", (Line("", "no such memory", LineStyle.ABSENT),))
    version = "odd, not a number" if head.version is None else str(head.version)
    session = "unknown" if head.session_id is None else one_line(head.session_id)
    kinds = Counter(event.kind for event in told.events)
    events = ", ".join(f"{one_line(kind)} {times}×" for kind, times in sorted(kinds.items()))
    return Section(
        "Provenance",
        (
            fact("written", f"{second(head.created_at)}, changed {second(head.updated_at)}"),
            fact("session", session),
            fact("tier, version", f"{tier_words(head.tier)}, {version}"),
            fact("events", events) if events else Line("events", "none", LineStyle.ABSENT),
            *_injections(told.injections),
        ),
    )


def _injections(injections: tuple[Injection, ...]) -> list[Line]:
    if not injections:
        return [Line("shown to the agent", "never by itself", LineStyle.ABSENT)]
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
            (one.fetched_after, "fetched afterwards"),
            (one.changed_after, "changed or retired afterwards"),
        )
        if happened
    ]
    return ", ".join((rank + score, *then)) if then else f"{rank}{score}, not fetched"
