"""What the page of health says: findings as rows, their numbers, what was looked at. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.health.codes import Severity
from core.health.rows import HealthRow
from core.readmodels import MemoryHead, State, Tier
from widgets.row_content import RowContent, browse_row, in_store
from widgets.store_labels import StoreLabel
from widgets.text_marks import one_line
from widgets.texts import grouped, stub

MOST_SHOWN = 2000
SEVERITY_WORDS: Mapping[Severity, str] = {
    Severity.BROKEN: "broken",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}
BUTTON_WORDS: Mapping[Severity, str] = {
    Severity.BROKEN: "Broken",
    Severity.WARNING: "Warnings",
    Severity.NOTE: "Notes",
}
PARTIAL = (
    "Secrets and texts like instructions are found by a partial list of patterns: a match is no "
    "judgement, no match no promise."
)
_WHOLE_STORE = "the store as a whole"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at: memories' scope in words, whether deeply, what could not be read."""

    where: str
    is_deep: bool
    incomplete: str = ""


def numbers(rows: Sequence[HealthRow]) -> Mapping[Severity, int]:
    """Return how many findings there are of each severity."""
    return Counter(row.severity for row in rows)


def finding_row(row: HealthRow, head: MemoryHead | None, label: StoreLabel | None) -> RowContent:
    """Return one finding as a row of a list: the memory, then what is wrong with it."""
    content = _memory_row(row, head)
    severity = SEVERITY_WORDS[row.severity]
    note, advice = f"{severity} · {one_line(row.sentence)}", _advice(row, head)
    content = replace(
        content,
        detail=note,
        aside="",
        warning="" if row.severity is Severity.NOTE else note,
        spoken=f"{severity}: {one_line(row.sentence)} {content.spoken}. {advice}",
        tip="\n".join((content.tip, note, advice)),
    )
    return in_store(content, label)


def _memory_row(row: HealthRow, head: MemoryHead | None) -> RowContent:
    if head is not None:
        return browse_row(head)
    name = _WHOLE_STORE if row.uuid is None else f"memory {stub(row.uuid)}"
    return RowContent(
        uuid=row.uuid or "",
        gist=name,
        state=State.LIVE,
        tier=Tier.JOURNAL,
        warning="",
        detail="",
        aside="",
        spoken=name,
        tip=name,
    )


def _advice(row: HealthRow, head: MemoryHead | None) -> str:
    return row.advice_in(None if head is None else head.state)


def advice_of(row: HealthRow, head: MemoryHead | None) -> str:
    """Say what a finding is and what can be done about it."""
    severity = SEVERITY_WORDS[row.severity].capitalize()
    return f"{severity}: {one_line(row.sentence)} What can be done: {_advice(row, head)}"


def summary(found: int, shown: int, checked: Checked) -> str:
    """Say how much was found, how much of it is listed, and what was not looked at."""
    if found:
        said = [f"{grouped(found)} found {checked.where}."]
    else:
        said = [f"Nothing found {checked.where}."]
    if shown < found:
        said.append(f"{grouped(shown)} of them are listed.")
    if checked.incomplete:
        said.append(checked.incomplete)
    if checked.is_deep:
        said.append("Word index and file were checked on a private copy.")
    else:
        said.append("Not checked: word index and file (“Deep check”).")
    said.append(PARTIAL)
    return " ".join(said)
