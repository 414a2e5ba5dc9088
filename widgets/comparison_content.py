"""Comparisons as pages: two rankings with their overlap, two memories step by step. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.explain.compare import (
    JACCARD_DEFINITION,
    RBO_DEFINITION,
    Movement,
    jaccard,
    movements,
    rank_biased_overlap,
)
from core.explain.parting import STEP_WORDS, Parting, PartingStep, StepValue
from widgets.row_content import RowMove
from widgets.table_content import TableContent, TableFact
from widgets.text_marks import one_line
from widgets.texts import counted, stub

DEPTH = 50
_LONGEST = 120
_NOT_THERE = "–"


@dataclass(frozen=True, slots=True)
class RankingSide:
    """One of two rankings: what to call its column, and its uuids in order."""

    name: str
    ranking: Sequence[str]


def move_of(movement: Movement) -> RowMove | None:
    """Return the mark of a row that is in the list now, None for one that is not."""
    if movement.now is None:
        return None
    if movement.before is None:
        return RowMove(None, None)
    return RowMove(movement.before - movement.now, movement.before)


def row_moves(before: Sequence[str], now: Sequence[str]) -> dict[str, RowMove]:
    """Return the marks of all rows of the present list."""
    found = ((m.uuid, move_of(m)) for m in movements(before, now))
    return {uuid: move for uuid, move in found if move is not None}


def overlap_facts(before: Sequence[str], now: Sequence[str]) -> tuple[TableFact, ...]:
    """Return the numbers that say how alike two rankings are, each with its definition."""
    first, second = before[:DEPTH], now[:DEPTH]
    values = [
        (f"Jaccard at {k}" if k < DEPTH else f"Jaccard over {DEPTH}", jaccard(first, second, k))
        for k in (5, 10, DEPTH)
    ]
    facts = [TableFact(name, f"{value:.3f}", "") for name, value in values]
    facts[0] = TableFact(facts[0].label, facts[0].value, JACCARD_DEFINITION)
    overlap = rank_biased_overlap(before, now, 0.9, DEPTH)
    return (*facts, TableFact("Rank-biased overlap", f"{overlap:.3f}", RBO_DEFINITION))


def compared_rankings(
    title: str, before: RankingSide, now: RankingSide, gists: Mapping[str, str]
) -> TableContent:
    """Return the page that compares two rankings; `gists` as stored, by uuid."""
    moved = movements(before.ranking, now.ranking)
    return TableContent(
        title,
        _headline(moved),
        overlap_facts(before.ranking, now.ranking),
        (now.name, before.name, "move", "memory"),
        tuple(
            (_place(m.now), _place(m.before), _words(m), _gist(gists, m.uuid)) for m in moved
        ),
    )


def _place(place: int | None) -> str:
    return _NOT_THERE if place is None else f"#{place}"


def _words(movement: Movement) -> str:
    move = move_of(movement)
    return "gone" if move is None else move.words or "same"


def _gist(gists: Mapping[str, str], uuid: str) -> str:
    return one_line(gists[uuid], _LONGEST) if uuid in gists else stub(uuid)


def _headline(moved: Sequence[Movement]) -> str:
    if not moved:
        return "Both lists are empty."
    new = sum(m.before is None for m in moved)
    gone = sum(m.now is None for m in moved)
    up = sum(m.before is not None and m.now is not None and m.before > m.now for m in moved)
    down = sum(m.before is not None and m.now is not None and m.before < m.now for m in moved)
    parts = ((up, "up"), (down, "down"), (new, "new"), (gone, "gone"))
    words = [f"{number} {word}" for number, word in parts if number]
    if not words:
        return f"The same {counted(len(moved), 'memory', 'memories')} in the same order."
    return f"Of {counted(len(moved), 'memory', 'memories')}: {', '.join(words)}."


def parted_memories(parting: Parting, gists: tuple[str, str]) -> TableContent:
    """Return the page that sets two memories of one search side by side; `gists` as stored."""
    names = {parting.first: "A", parting.second: "B"}
    rows = tuple(
        (
            STEP_WORDS[step.step].capitalize(),
            _value(step.step, step.first),
            _value(step.step, step.second),
            names[step.ahead] if step.ahead else "level",
        )
        for step in parting.steps
    )
    parted = parting.parted
    chosen = None if parted is None else parting.steps.index(parted)
    columns = ("step", "A", "B", "ahead")
    facts = tuple(
        TableFact(name, one_line(uuid), one_line(gist, _LONGEST))
        for (uuid, name), gist in zip(names.items(), gists, strict=True)
    )
    words = _parting_words(parting, names)
    return TableContent("Compare two memories", words, facts, columns, rows, chosen)


def _parting_words(parting: Parting, names: Mapping[str, str]) -> str:
    parted, decided = parting.parted, parting.decided
    if parted is None:
        return "They part nowhere: every step treats them alike."
    one, other = _value(parted.step, parted.first), _value(parted.step, parted.second)
    words = f"They part first at “{STEP_WORDS[parted.step]}”: {one} for A, {other} for B."
    if decided is None or decided.ahead is None:
        return f"{words} Neither stands above the other in the list."
    return f"{words} {_decided_words(decided, names[decided.ahead])}"


def _decided_words(decided: StepValue, name: str) -> str:
    return f"From “{STEP_WORDS[decided.step]}” on, {name} is ahead for good."


def _value(step: PartingStep, value: str | float | None) -> str:
    if value is None:
        return _NOT_THERE
    if isinstance(value, str):
        return value
    is_score = step in (PartingStep.FUSION, PartingStep.DEMOTION)
    return repr(value) if is_score else f"#{value}"
