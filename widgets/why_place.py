"""A hit's place in its pool, step by step from the fusion to the cut, numbers put in. Pure.

Floats are written by repr: what is shown adds up to the last bit.
"""

from core.explain.standing import Arm, Neighbour, Standing
from core.readmodels import State, Tier
from core.retrieval.fusion import rrf_term
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.ranking import OrderKey
from widgets.text_marks import isolated, one_line
from widgets.texts import counted, grouped, stub, tier_words
from widgets.why_lines import Line, LineStyle, Section, fact, sums

_ARM_WORDS = {Arm.DENSE: "meaning", Arm.LEXICAL: "words"}
_QUOTED_GIST = 60
_MOST_MOVED = 10


def place_sections(e: Standing, hit: Hit, outcome: SearchOutcome) -> tuple[Section, ...]:
    """Return fusion, demotion, order, repair and cut."""
    return (
        _fusion(e),
        _demotion(e),
        _order(e, hit, outcome),
        _repair(e, hit, outcome),
        _cut(e),
    )


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
    moved = _moved(hit, outcome)
    if hit.on_cycle:
        text = "on a cycle of replacements, or waiting for one: kept where the order put it"
        return Section("Repair", (Line("", text), *moved))
    if e.repair.moved == 0:
        return Section("Repair", (Line("", "did not move"), *moved))
    way = "up" if e.repair.moved > 0 else "down"
    other = None if e.repair.because_of is None else outcome.hit(e.repair.because_of)
    places = f"moved {way} {counted(abs(e.repair.moved), 'place')}"
    lines = [fact("position", f"#{e.position_before_repair} before, #{e.position} after: {places}")]
    if other is not None:
        cause = "passed" if e.repair.moved > 0 else "below its replacement"
        gist = isolated(one_line(other.head.gist, _QUOTED_GIST))
        lines.append(fact(cause, f"#{other.position} {stub(other.uuid)} “{gist}”"))
    return Section("Repair", (*lines, *moved))


def _moved(hit: Hit, outcome: SearchOutcome) -> list[Line]:
    """Name the other rows that the repair moved, in final order."""
    others = [h for h in outcome.hits if h.moved_by_repair and h.uuid != hit.uuid]
    if not others:
        return []
    named = ", ".join(
        f"{stub(h.uuid)} #{h.position_before_repair} → #{h.position}" for h in others[:_MOST_MOVED]
    )
    left = len(others) - _MOST_MOVED
    return [fact("other rows moved", named if left <= 0 else f"{named} and {grouped(left)} more")]


def _cut(e: Standing) -> Section:
    where = f"#{e.position} of {grouped(e.pool_size)}"
    if e.cut.inside:
        return Section("Cut", (fact(f"limit {e.cut.limit}", f"inside, {where}"),))
    below = f"below by {counted(e.position - e.cut.limit, 'place')}, {where}"
    outside = fact(f"limit {e.cut.limit}", f"{below}: the agent does not see it")
    if e.cut.gap is None:
        return Section("Cut", (outside,))
    return Section("Cut", (outside, sums("gap", f"{e.cut.gap!r}", "to the last row inside")))
