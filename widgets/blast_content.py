"""The blast radius page: searches before and after the pending changes, as a table. Pure."""

from core.commands.blast_radius import FIRST, QueryShift, RankedRow
from core.words import STATE_WORDS
from widgets.table_content import TableContent, TableFact
from widgets.text_marks import one_line
from widgets.texts import counted

_TITLE = "Blast radius"
_COLUMNS = ("search", "memory", "before", "after", "what changes")
_MEANING = (
    "The pending changes were committed to a private copy through the same gate, and both were "
    "searched. The store itself was only read."
)


def no_query_page(changes: int) -> TableContent:
    """Say that there is no search to try."""
    headline = (
        f"{counted(changes, 'change')} staged, but there is no search to try them with: type a "
        "query, or save one."
    )
    return TableContent(_TITLE, headline, (), _COLUMNS, ())


def radius_words(shifts: tuple[QueryShift, ...]) -> str:
    """Say in a few words how many of the searches would rank otherwise."""
    changed = sum(1 for shift in shifts if shift.is_changed)
    searches = counted(len(shifts), "search", "searches")
    return f"moves {changed} of {searches}" if changed else f"moves none of {searches}"


def shifts_page(shifts: tuple[QueryShift, ...], changes: int) -> TableContent:
    """Tell how each search would rank: one row a memory that moves, leaves, comes or changes."""
    changed = [shift for shift in shifts if shift.is_changed]
    searches = counted(len(shifts), "search", "searches")
    headline = (
        f"{len(changed)} of {searches} would rank otherwise in the first {FIRST} after "
        f"{counted(changes, 'change')}."
    )
    rows = tuple(row for shift in changed for row in _rows(shift))
    same = [one_line(s.query.text, 40) for s in shifts if not s.is_changed]
    facts = [TableFact("How", "", _MEANING)]
    if same:
        facts.append(TableFact("Unchanged", str(len(same)), ", ".join(same[:8])))
    lame = next((shift.words_only for shift in shifts if shift.words_only), None)
    if lame:
        facts.append(TableFact("By words only", "", lame))
    return TableContent(_TITLE, headline, tuple(facts), _COLUMNS, rows)


def _rows(shift: QueryShift) -> list[tuple[str, ...]]:
    before = {row.uuid: row for row in shift.before}
    after = {row.uuid: row for row in shift.after}
    name = one_line(shift.query.text, 40)
    if shift.query.include_retired:
        name += " (with retired)"
    found: list[tuple[str, ...]] = []
    for move in shift.movements:
        was, now = before.get(move.uuid), after.get(move.uuid)
        said = _what(was, now, move.before, move.now)
        row = now or was
        if said and row is not None:
            gist = one_line(row.gist, 44)
            found.append((name, gist, _place(move.before), _place(move.now), said))
    return found


def _place(rank: int | None) -> str:
    return "–" if rank is None else f"#{rank}"


def _what(
    was: RankedRow | None, now: RankedRow | None, before: int | None, after: int | None
) -> str:
    parts = []
    if now is not None and now.is_new:
        parts.append("new memory")
    elif before is None and after is not None:
        parts.append("comes in")
    elif before is not None and after is None:
        parts.append("leaves the list")
    elif before is not None and after is not None and before != after:
        steps = counted(abs(before - after), "place")
        parts.append(f"{'▲ up' if after < before else '▼ down'} {steps}")
    if was is not None and now is not None and was.state is not now.state:
        parts.append(f"{STATE_WORDS[was.state]} → {STATE_WORDS[now.state]}")
    return ", ".join(parts)
