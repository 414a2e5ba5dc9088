"""Small forests for tests: rows by name, events, and random ones for properties."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from core.lineage.building import forest_of
from core.lineage.forest import Forest
from core.lineage.records import EndEvent, LineageRow, Role, StoreLineage, Verb

DAY = "2026-03-{:02}T12:00:00+00:00"


def row(
    name: str, by: str | None = None, *, day: int = 1, active: bool | None = None, gist: str = ""
) -> LineageRow:
    """Make a row of a day in March; live unless it was replaced or `active` says otherwise."""
    is_live = by is None if active is None else active
    at, text = DAY.format(day), gist or f"gist {name}"
    return LineageRow(name, is_live, by, "journal", at, text, 1 if is_live else 2)


def chain(names: str, *, last_is_live: bool = True) -> list[LineageRow]:
    """Make a chain with one letter a row, oldest first, a day apart."""
    rows = [
        row(name, by, day=day)
        for day, (name, by) in enumerate(zip(names, [*names[1:], None], strict=True), 1)
    ]
    if not last_is_live:
        rows[-1] = replace(rows[-1], active=False, version=2)
    return rows


def forest(rows: Iterable[LineageRow], events: Iterable[EndEvent] = ()) -> Forest:
    """Build the forest of one store."""
    return forest_of([StoreLineage(tuple(rows), tuple(events))])


def retired(number: int, name: str, by: str | None, *, day: int) -> EndEvent:
    """Make the event of a retirement, with a replacement or outright."""
    at = DAY.format(day)
    return EndEvent(number, at, "s1", f"op{number}", Verb.RETIRE, name, None, by)


def merged(number: int, name: str, role: Role, *, day: int, op: str = "op") -> EndEvent:
    """Make one of the events of a merge."""
    return EndEvent(number, DAY.format(day), "s2", op, Verb.MERGE, name, role)


def names(forest: Forest, nodes: Iterable[int]) -> list[str]:
    """Return the uuids of nodes."""
    return [forest.nodes[n].uuid for n in nodes]


def depths(forest: Forest) -> Mapping[str, int]:
    """Return the depth of each uuid."""
    return {node.uuid: depth for node, depth in zip(forest.nodes, forest.depth, strict=True)}


@st.composite
def random_rows(draw: st.DrawFn, *, cycles: bool = False) -> Sequence[LineageRow]:
    """Draw rows of a forest: wide, deep and mixed ones, equal times, missing replacements.

    With `cycles` any row may be replaced by any other, itself too.
    """
    count = draw(st.integers(1, 60))
    reach = draw(st.sampled_from((1, 3, 60)))
    rows = []
    for n in range(count):
        low, high = (0, count - 1) if cycles else (n + 1, min(n + reach, count - 1))
        targets = st.integers(low, high).map("{:02}".format) if low <= high else st.none()
        by = draw(st.one_of(targets, targets, st.none(), st.sampled_from(("gone", "lost"))))
        day = draw(st.integers(1, 5))
        rows.append(row(f"{n:02}", by, day=day, active=by is None and draw(st.booleans())))
    return draw(st.permutations(rows))
