"""What the page of duplicates says: groups and members as rows, the counts in a sentence. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.duplicates.groups import DuplicateGroup, Member
from core.duplicates.keys import MemoryKey as StoredKey
from core.readmodels import MemoryHead
from widgets.row_content import RowContent, browse_row, in_store
from widgets.store_labels import StoreLabel
from widgets.text_marks import one_line
from widgets.texts import counted, grouped, memories

MOST_SHOWN = 1000
"""Groups in the list, and members of one group; more nobody looks through."""
TWIN_WARNING = "differs in names: may be another fact"
_TWINS = (
    "Twins: the same words but for what they name. They may well be different facts; read them "
    "before one replaces another."
)
_LONGEST_NAME = 40
_MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Listed:
    """What is needed to show members: their heads by key, their stores' labels by place."""

    heads: Mapping[StoredKey, MemoryHead]
    labels: Sequence[StoreLabel | None]


@dataclass(frozen=True, slots=True)
class Compared:
    """What was compared: memories, how many without a usable vector, copies left out, scope.

    `incomplete` says which stores could not be read, empty where all were; `models` are those
    whose vectors were compared, each with its own.
    """

    memories: int
    unmeasured: int
    copies: int
    where: str
    moved: bool
    incomplete: str = ""
    models: int = 1


def group_rows(groups: Sequence[DuplicateGroup], listed: Listed) -> list[RowContent]:
    """Return a row for each group, named by its oldest memory."""
    rows = (_group_row(group, listed) for group in groups[:MOST_SHOWN])
    return [row for row in rows if row is not None]


def _group_row(group: DuplicateGroup, listed: Listed) -> RowContent | None:
    label = listed.labels[group.members[0].memory.store]
    stores = {member.memory.store for member in group.members}
    if label is not None and len(stores) > 1:
        label = StoreLabel(label.key, counted(len(stores), "store"), "")
    first = _row(group.members[0], listed, label)
    if first is None:
        return None
    warning = "with twins: may be different facts" if group.twins else ""
    return _noted(replace(first, aside=""), ", ".join(group_words(group)), warning)


def group_words(group: DuplicateGroup) -> list[str]:
    """Say what a group is: how many, how near, how many texts are equal."""
    words = [memories(len(group.members))]
    if group.is_all_identical:
        return [*words, "all identical"]
    words.append(f"nearest {group.closest:.3f}")
    same = sum(len(some) for some in group.identical)
    return [*words, f"{grouped(same)} identical"] if same else words


def member_rows(group: DuplicateGroup, listed: Listed) -> list[RowContent]:
    """Return a row for each memory of a group, oldest first."""
    same = {m.key for some in group.identical for m in some}
    twins = {m.key for some in group.twins for m in some}
    found = []
    for member in group.members[:MOST_SHOWN]:
        row = _row(member, listed, listed.labels[member.memory.store])
        if row is None:
            continue
        key = member.memory.key
        near = "" if member.closest is None else f"nearest {member.closest:.3f}"
        note = " · ".join(w for w in (row.detail, "identical text" if key in same else near) if w)
        found.append(_noted(row, note, TWIN_WARNING if key in twins else ""))
    return found


def _row(member: Member, listed: Listed, label: StoreLabel | None) -> RowContent | None:
    head = listed.heads.get(member.memory.key)
    return None if head is None else in_store(browse_row(head), label)


def _noted(row: RowContent, note: str, warning: str) -> RowContent:
    """Return a row that says this on its second line, and what is odd about it."""
    warnings = " · ".join(w for w in (row.warning, warning) if w)
    said = ", ".join(w for w in (row.spoken, note, warning) if w)
    tip = "\n".join(w for w in (row.tip, note, warning) if w)
    return replace(row, detail=note, warning=warnings, spoken=said, tip=tip)


def group_sentence(
    group: DuplicateGroup, names: Sequence[tuple[str, str]], incomplete: str = ""
) -> str:
    """Say what is to be known of the group that is open; `names` are those that twins differ in,
    `incomplete` which stores could not be read for it."""
    said = [", ".join(group_words(group)) + "."]
    if incomplete:
        said.append(incomplete)
    if len(group.members) > MOST_SHOWN:
        said.append(f"The first {grouped(MOST_SHOWN)} are listed.")
    if group.twins:
        said.append(_TWINS)
    if names:
        pairs = [f"{_name(one)} / {_name(other)}" for one, other in names[:_MOST_NAMES]]
        more = " and more" if len(names) > _MOST_NAMES else ""
        said.append(f"They differ in: {', '.join(pairs)}{more}.")
    return " ".join(said)


def _name(text: str) -> str:
    return f"“{one_line(text, _LONGEST_NAME)}”"


def summary(groups: Sequence[DuplicateGroup], compared: Compared, threshold: float) -> str:
    """Say how many groups there are, what was compared, and what was not."""
    inside = sum(len(group.members) for group in groups)
    if not compared.memories:
        said = [f"No live memory {compared.where}: there is nothing to compare."]
    elif not groups:
        of = f"no two of {memories(compared.memories)} {compared.where}"
        said = [f"Nothing found: {of} are as near as {threshold:.2f} or have the same text."]
    else:
        found = counted(len(groups), "group")
        said = [f"{found}: {grouped(inside)} of {memories(compared.memories)} {compared.where}."]
    if compared.incomplete:
        said.append(compared.incomplete)
    if len(groups) > MOST_SHOWN:
        said.append(f"The nearest {grouped(MOST_SHOWN)} groups are listed.")
    if compared.models > 1:
        said.append(f"They are of {compared.models} models: between those by equal texts alone.")
    if compared.unmeasured:
        count = memories(compared.unmeasured)
        said.append(f"{count} without a usable vector: compared by equal texts alone.")
    if compared.copies:
        said.append(f"{counted(compared.copies, 'copy', 'copies')} of another store left out.")
    if compared.moved:
        said.append("A store was written meanwhile: compare again to be sure.")
    return " ".join(said)
