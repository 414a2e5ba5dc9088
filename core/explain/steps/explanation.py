"""An explanation, or a search as a whole, as steps in pipeline order. Pure; who writes it is free.

The window's panel, the terminal and the Markdown say the same from here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.explain.explanation import Explanation, Verdict
from core.explain.fragility import fragility
from core.explain.steps.arms import dense_step, lexical_step, stopped
from core.explain.steps.lines import Line, LineStyle, Step, absent, fact
from core.explain.steps.margins import margins_step
from core.explain.steps.place import place_steps
from core.explain.steps.provenance import provenance_step
from core.explain.steps.query import query_step
from core.explain.steps.stores import over_stores, stores_step
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from core.words import counted, grouped, memories


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a search ran on: one fact a line, and the settings as (key, value, source)."""

    facts: Sequence[str]
    settings: Sequence[tuple[str, str, str]]


def steps_of(e: Explanation, snapshot: Snapshot) -> tuple[Step, ...]:
    """Return every step from the query to the cut, then what would change it, then its past."""
    stores = stores_step(e.outcome, e.uuid)
    asked = (query_step(e.outcome), _snapshot(e.outcome, snapshot), *stores)
    ladder = _eligibility(e.ladder, is_of_one=True)
    if e.head is None:
        return (*asked, ladder)
    return (
        *asked,
        ladder,
        dense_step(e),
        lexical_step(e),
        *_place(e),
        *((margins_step(e), provenance_step(e)) if e.is_whole else ()),
    )


def steps_of_search(
    outcome: SearchOutcome, limit: int, ladder: tuple[Rung, ...] | None, snapshot: Snapshot
) -> tuple[Step, ...]:
    """Explain the search itself: what was asked, of what, and how far each arm looked.

    `ladder` is None while its counts have not been read.
    """
    arms = (
        stopped(outcome.dense, "by meaning", doublings=outcome.doublings),
        stopped(outcome.lexical, "by words"),
    )
    return (
        query_step(outcome),
        _snapshot(outcome, snapshot),
        *stores_step(outcome),
        _eligibility(ladder, is_of_one=False),
        Step("Arms", arms),
        _result(outcome, limit),
    )


def sentence_of_search(outcome: SearchOutcome) -> str:
    """Say what the search did, and in a second sentence if its first places are fragile."""
    arms = {
        (True, True): "by words and by meaning",
        (True, False): "by words only",
        (False, True): "by meaning only",
        (False, False): "by nothing (both arms were skipped)",
    }[outcome.lexical.ran, outcome.dense.ran]
    found = memories(len(outcome.hits))
    over = f"{memories(outcome.memories)}{over_stores(outcome.union)}"
    ran = f"This search ran {arms} over {over} and ranked {found}."
    fragile = fragility(outcome).headline()
    return ran if fragile is None else f"{ran} {fragile}"


def _snapshot(outcome: SearchOutcome, snapshot: Snapshot) -> Step:
    size = f"{memories(outcome.memories)}, {counted(outcome.chunks, 'chunk')}"
    lines = [Line("", text) for text in (*snapshot.facts, size)]
    lines += [
        Line("", f"{key} = {value} ({source})", LineStyle.FIXED)
        for key, value, source in snapshot.settings
    ]
    return Step("Snapshot", tuple(lines))


def _eligibility(ladder: tuple[Rung, ...] | None, *, is_of_one: bool) -> Step:
    if ladder is None:
        return Step("Eligibility", (absent("", "not counted yet"),))
    return Step("Eligibility", tuple(_rung(rung, is_of_one) for rung in ladder))


def _rung(rung: Rung, is_of_one: bool) -> Line:
    left = memories(rung.remaining)
    if not is_of_one:
        return fact(rung.stage, left)
    return fact(rung.stage, f"{left}, this one {'' if rung.holds else 'not '}among them")


def _place(e: Explanation) -> tuple[Step, ...]:
    hit = e.outcome.hit(e.uuid)
    if e.standing is not None and hit is not None:
        return place_steps(e.standing, hit, e.outcome)
    why = "it is not eligible" if e.verdict is Verdict.NOT_ELIGIBLE else "no arm kept it"
    pool = f"outside the pool of {memories(len(e.outcome.hits))}: {why}"
    return (
        Step("Fusion", (absent("", f"nothing to add up: {why}"),)),
        Step("Cut", (fact(f"limit {e.limit}", pool),)),
    )


def _result(outcome: SearchOutcome, limit: int) -> Step:
    pool = len(outcome.hits)
    told = f"{memories(pool)}, {grouped(min(pool, limit))} inside the limit of {limit}"
    lines = [fact("pool", told)]
    moved = sum(1 for hit in outcome.hits if hit.moved_by_repair)
    if moved:
        lines.append(fact("repair", f"{counted(moved, 'row')} moved: replacements come first"))
    lines += [Line("", sentence) for sentence in fragility(outcome).sentences()]
    return Step("Result", tuple(lines))
