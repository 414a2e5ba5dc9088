"""A hit's place in its pool, step by step from the fusion to the cut, numbers put in. Pure.

Floats are written by repr: what is shown adds up to the last bit.
"""

from core.explain.standing import Arm, Neighbour, Standing
from core.explain.steps.lines import Line, Step, absent, fact, sums
from core.readmodels import State, Tier
from core.retrieval.fusion import rrf_term
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.ranking import OrderKey
from core.words import counted, grouped, short, tier_words

_ARM_WORDS = {Arm.DENSE: "meaning", Arm.LEXICAL: "words"}
_MOST_MOVED = 10


def place_steps(e: Standing, hit: Hit, outcome: SearchOutcome) -> tuple[Step, ...]:
    """Return fusion, demotion, order, repair and cut."""
    return (
        _fusion(e),
        _demotion(e),
        _order(e, hit, outcome),
        _repair(e, hit, outcome),
        _cut(e),
    )


def _fusion(e: Standing) -> Step:
    names = " + ".join(f"{_ARM_WORDS[t.arm]} #{t.rank}" for t in e.terms)
    put_in = " + ".join(f"1/({e.rrf_k}+{t.rank})" for t in e.terms)
    values = " + ".join(f"{t.value!r}" for t in e.terms)
    whole = f"{put_in} = {values}"
    if len(e.terms) > 1:
        whole += f" = {e.rrf_score!r}"
    lines = [sums(names, whole)]
    present = {t.arm for t in e.terms}
    lines += [
        absent(words, "absent, adds nothing")
        for arm, words in _ARM_WORDS.items()
        if arm not in present
    ]
    one = rrf_term(1, e.rrf_k)
    lines.append(sums("scale", f"{one!r} is first in one arm, {one + one!r} first in both"))
    return Step("Fusion", tuple(lines))


def _demotion(e: Standing) -> Step:
    d = e.demotion
    arithmetic = f"{d.before!r} × {d.factor!r} = {d.after!r}"
    if d.state is State.LIVE:
        return Step("Demotion", (sums("live, none", arithmetic),))
    cause = f"replaced by {short(e.superseded_by)}" if e.superseded_by else "retired"
    lost = counted(d.places_lost, "place") + " lost"
    return Step(
        "Demotion",
        (
            sums(cause, arithmetic),
            fact("if it were live", f"#{d.position_if_live} instead of #{e.position}, {lost}"),
        ),
    )


def _order(e: Standing, hit: Hit, outcome: SearchOutcome) -> Step:
    lines = [
        sums("1 score", f"{hit.fused_score!r}", "higher first"),
        fact("2 best rank", f"#{hit.best_rank} in one arm, lower first"),
        fact("3 tier", f"{tier_words(hit.head.tier)}, long-term first"),
        fact("4 created", f"{hit.head.created_at}, {_created_counts(hit)}"),
        fact("5 uuid", f"{e.uuid}, in order of the text"),
    ]
    lines.append(_neighbour("above", e.above, hit, outcome))
    lines.append(_neighbour("below", e.below, hit, outcome))
    return Step("Order", tuple(lines))


def _created_counts(hit: Hit) -> str:
    return "not compared" if hit.head.tier == Tier.LONG_TERM else "newer first"


def _neighbour(label: str, neighbour: Neighbour | None, hit: Hit, outcome: SearchOutcome) -> Line:
    other = None if neighbour is None else outcome.hit(neighbour.uuid)
    if neighbour is None or other is None:
        return absent(label, "nothing")
    pair = (other, hit) if label == "above" else (hit, other)
    told = f"#{neighbour.position} {short(other.uuid)}, {_decided(neighbour.key, *pair)}"
    return fact(label, told, other.head.gist)


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
            newer, older = upper.head.created_at, lower.head.created_at
            return f"time decided, {newer} is newer than {older}"
        case OrderKey.UUID:
            return f"uuid decided, {short(upper.uuid)} < {short(lower.uuid)} (all else equal)"
        case OrderKey.REPAIR:
            return "the repair decided: a replacement comes before what it replaced"


def _repair(e: Standing, hit: Hit, outcome: SearchOutcome) -> Step:
    moved = _moved(hit, outcome)
    if hit.on_cycle:
        text = "on a cycle of replacements, or waiting for one: kept where the order put it"
        return Step("Repair", (Line("", text), *moved))
    if e.repair.moved == 0:
        return Step("Repair", (Line("", "did not move"), *moved))
    way = "up" if e.repair.moved > 0 else "down"
    other = None if e.repair.because_of is None else outcome.hit(e.repair.because_of)
    places = f"moved {way} {counted(abs(e.repair.moved), 'place')}"
    lines = [fact("position", f"#{e.position_before_repair} before, #{e.position} after: {places}")]
    if other is not None:
        cause = "passed" if e.repair.moved > 0 else "below its replacement"
        lines.append(fact(cause, f"#{other.position} {short(other.uuid)}", other.head.gist))
    return Step("Repair", (*lines, *moved))


def _moved(hit: Hit, outcome: SearchOutcome) -> list[Line]:
    """Name the other rows that the repair moved, in final order."""
    others = [h for h in outcome.hits if h.moved_by_repair and h.uuid != hit.uuid]
    if not others:
        return []
    named = ", ".join(
        f"{short(h.uuid)} #{h.position_before_repair} → #{h.position}" for h in others[:_MOST_MOVED]
    )
    left = len(others) - _MOST_MOVED
    return [fact("other rows moved", named if left <= 0 else f"{named} and {grouped(left)} more")]


def _cut(e: Standing) -> Step:
    where = f"#{e.position} of {grouped(e.pool_size)}"
    if e.cut.inside:
        return Step("Cut", (fact(f"limit {e.cut.limit}", f"inside, {where}"),))
    below = f"below by {counted(e.position - e.cut.limit, 'place')}, {where}"
    outside = fact(f"limit {e.cut.limit}", f"{below}: a search for {e.cut.limit} ends before it")
    if e.cut.gap is None:
        return Step("Cut", (outside,))
    return Step("Cut", (outside, sums("gap", f"{e.cut.gap!r}", "to the last row inside")))
