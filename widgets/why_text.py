"""The lines of an explanation, in pipeline order, with the numbers put in. Pure; no Qt.

Floats are written by repr: what is shown adds up to the last bit.
"""

from collections.abc import Sequence

from core.explain.standing import Arm, Neighbour, Standing
from core.readmodels import State, Tier
from core.retrieval.arms import ArmReport
from core.retrieval.fusion import rrf_term
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.ranking import OrderKey
from widgets.text_marks import isolated, marked, one_line
from widgets.texts import STOP_WORDS, counted, grouped, memories, stub, tier_words
from widgets.why_content import WhyContent
from widgets.why_lines import Line, LineStyle, Section, fact, sums
from widgets.why_query import query_section

_ARM_WORDS = {Arm.DENSE: "meaning", Arm.LEXICAL: "words"}
_QUOTED_GIST = 60


def why_sections(why: WhyContent) -> tuple[Section, ...]:
    """Return every step from the query to the cut."""
    e, outcome = why.explanation, why.outcome
    hit = outcome.hit(e.uuid)
    if hit is None:
        raise ValueError("an explanation is of a hit of its outcome")
    return (
        query_section(outcome),
        _snapshot(why),
        _eligibility(why),
        _dense(e, outcome),
        _lexical(e, outcome),
        _fusion(e),
        _demotion(e),
        _order(e, hit, outcome),
        _repair(e, hit, outcome),
        _cut(e),
    )


def _snapshot(why: WhyContent) -> Section:
    lines = [Line("", one_line(text)) for text in why.store_lines]
    lines += [
        Line("", f"{key} = {one_line(value)} ({source})", LineStyle.FIXED)
        for key, value, source in why.settings
    ]
    return Section("Snapshot", tuple(lines))


def _eligibility(why: WhyContent) -> Section:
    if why.ladder is None:
        return Section("Eligibility", (Line("", "not counted yet", LineStyle.ABSENT),))
    return Section(
        "Eligibility",
        tuple(
            fact(
                rung.stage,
                f"{memories(rung.remaining)}, this one "
                + ("among them" if rung.holds else "not among them"),
            )
            for rung in why.ladder
        ),
    )


def _stopped(report: ArmReport, *, doublings: int | None = None) -> Line:
    if report.stop_reason is None or report.depth_reached is None:
        return Line("", f"did not run: {one_line(report.reason or '')}", LineStyle.ABSENT)
    found = f"{memories(report.depth_reached)} found"
    widened = "" if doublings is None else f", widened {counted(doublings, 'time')}"
    return fact("stopped", f"{STOP_WORDS[report.stop_reason]} ({found}{widened})")


def _dense(e: Standing, outcome: SearchOutcome) -> Section:
    stopped = _stopped(outcome.dense, doublings=e.doublings)
    if e.dense is None:
        return _without("Meaning arm", outcome.dense, stopped)
    return Section(
        "Meaning arm",
        (
            fact("rank", f"#{e.dense.rank}"),
            sums("distance", f"{e.dense.distance!r}", "L2, smaller is nearer"),
            fact("nearest part", f"{e.dense.part_index + 1} (chunk {e.dense.chunk_id})"),
            stopped,
        ),
    )


def _lexical(e: Standing, outcome: SearchOutcome) -> Section:
    stopped = _stopped(outcome.lexical)
    if e.lexical is None:
        return _without("Word arm", outcome.lexical, stopped)
    return Section(
        "Word arm",
        (
            fact("rank", f"#{e.lexical.rank}"),
            sums("bm25 in all", f"{e.lexical.bm25!r}", "more negative is better"),
            stopped,
        ),
    )


def _without(title: str, report: ArmReport, stopped: Line) -> Section:
    if not report.ran:
        return Section(title, (stopped,))
    absent = Line("", "absent: this arm did not return the memory", LineStyle.ABSENT)
    return Section(title, (absent, stopped))


def _fusion(e: Standing) -> Section:
    names = " + ".join(f"{_ARM_WORDS[t.arm]} #{t.rank}" for t in e.terms)
    put_in = " + ".join(f"1/({e.rrf_k}+{t.rank})" for t in e.terms)
    values = " + ".join(f"{t.value!r}" for t in e.terms)
    whole = f"{put_in} = {values}"
    if len(e.terms) > 1:
        whole += f" = {e.rrf_score!r}"
    lines = [sums(names, whole)]
    present = {t.arm for t in e.terms}
    lines += [
        Line(words, "absent, adds nothing", LineStyle.ABSENT)
        for arm, words in _ARM_WORDS.items()
        if arm not in present
    ]
    one = rrf_term(1, e.rrf_k)
    lines.append(
        sums("scale", f"{one!r} is first in one arm, {one + one!r} first in both")
    )
    return Section("Fusion", tuple(lines))


def _demotion(e: Standing) -> Section:
    d = e.demotion
    arithmetic = f"{d.before!r} × {d.factor!r} = {d.after!r}"
    if d.state is State.LIVE:
        return Section("Demotion", (sums("live, none", arithmetic),))
    cause = f"replaced by {stub(e.superseded_by)}" if e.superseded_by else "retired"
    lost = counted(d.places_lost, "place") + " lost"
    return Section(
        "Demotion",
        (
            sums(cause, arithmetic),
            fact("if it were live", f"#{d.position_if_live} instead of #{e.position}, {lost}"),
        ),
    )


def _order(e: Standing, hit: Hit, outcome: SearchOutcome) -> Section:
    lines = [
        sums("1 score", f"{hit.fused_score!r}", "higher first"),
        fact("2 best rank", f"#{hit.best_rank} in one arm, lower first"),
        fact("3 tier", f"{tier_words(hit.head.tier)}, long-term first"),
        fact("4 created", f"{one_line(hit.head.created_at)}, {_created_counts(hit)}"),
        fact("5 uuid", f"{one_line(e.uuid)}, in order of the text"),
    ]
    lines.append(_neighbour("above", e.above, hit, outcome))
    lines.append(_neighbour("below", e.below, hit, outcome))
    return Section("Order", tuple(lines))


def _created_counts(hit: Hit) -> str:
    return "not compared" if hit.head.tier == Tier.LONG_TERM else "newer first"


def _neighbour(
    label: str, neighbour: Neighbour | None, hit: Hit, outcome: SearchOutcome
) -> Line:
    other = None if neighbour is None else outcome.hit(neighbour.uuid)
    if neighbour is None or other is None:
        return Line(label, "nothing", LineStyle.ABSENT)
    pair = (other, hit) if label == "above" else (hit, other)
    gist = isolated(one_line(other.head.gist, _QUOTED_GIST))
    return fact(
        label,
        f"#{neighbour.position} {stub(other.uuid)} “{gist}”: {_decided(neighbour.key, *pair)}",
    )


def _decided(key: OrderKey, upper: Hit, lower: Hit) -> str:
    """Say which key decided, with the two values; `upper` stands above `lower`."""
    match key:
        case OrderKey.SCORE:
            return f"score decided, {upper.fused_score!r} > {lower.fused_score!r}"
        case OrderKey.BEST_RANK:
            return f"best rank decided, #{upper.best_rank} < #{lower.best_rank} (scores equal)"
        case OrderKey.TIER:
            return "tier decided, long-term before journal (scores and ranks equal)"
        case OrderKey.CREATED_AT:
            newer, older = one_line(upper.head.created_at), one_line(lower.head.created_at)
            return f"time decided, {newer} is newer than {older}"
        case OrderKey.UUID:
            return f"uuid decided, {stub(upper.uuid)} < {stub(lower.uuid)} (all else equal)"
        case OrderKey.REPAIR:
            return "the repair decided: a replacement comes before what it replaced"


def _repair(e: Standing, hit: Hit, outcome: SearchOutcome) -> Section:
    if hit.on_cycle:
        text = "on a cycle of replacements, or waiting for one: kept where the order put it"
        return Section("Repair", (Line("", text),))
    if e.repair.moved == 0:
        return Section("Repair", (Line("", "did not move"),))
    way = "up" if e.repair.moved > 0 else "down"
    other = None if e.repair.because_of is None else outcome.hit(e.repair.because_of)
    moved = f"moved {way} {counted(abs(e.repair.moved), 'place')}"
    lines = [fact("position", f"#{e.position_before_repair} before, #{e.position} after: {moved}")]
    if other is not None:
        cause = "passed" if e.repair.moved > 0 else "below its replacement"
        gist = isolated(one_line(other.head.gist, _QUOTED_GIST))
        lines.append(fact(cause, f"#{other.position} {stub(other.uuid)} “{gist}”"))
    return Section("Repair", tuple(lines))


def _cut(e: Standing) -> Section:
    where = f"#{e.position} of {grouped(e.pool_size)}"
    if e.cut.inside:
        return Section("Cut", (fact(f"limit {e.cut.limit}", f"inside, {where}"),))
    below = f"below by {counted(e.position - e.cut.limit, 'place')}, {where}"
    outside = fact(f"limit {e.cut.limit}", f"{below}: the agent does not see it")
    if e.cut.gap is None:
        return Section("Cut", (outside,))
    return Section("Cut", (outside, sums("gap", f"{e.cut.gap!r}", "to the last row inside")))


def as_text(sentence: str, sections: Sequence[Section]) -> str:
    """Return the explanation as plain text for the clipboard."""
    parts = [marked(sentence)]
    for section in sections:
        lines = "\n".join(f"  {line.as_text()}" for line in section.lines)
        parts.append(f"{section.title}\n{lines}")
    return "\n\n".join(parts) + "\n"
