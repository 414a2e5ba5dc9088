"""The pieces an explanation is written in: sections of lines, each a label and a value. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class LineStyle(StrEnum):
    """How a line's value is drawn; the words alone say the same."""

    PLAIN = "plain"
    FIXED = "fixed"
    STRUCK = "struck"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Line:
    """One line; the label may be empty. `note` explains the value and is drawn after it."""

    label: str
    value: str
    style: LineStyle = LineStyle.PLAIN
    note: str = ""

    def as_text(self) -> str:
        """Return the line as plain text."""
        label = f"{self.label}: " if self.label else ""
        note = f" ({self.note})" if self.note else ""
        return f"{label}{self.value}{note}"


@dataclass(frozen=True, slots=True)
class Section:
    """One step of the pipeline."""

    title: str
    lines: tuple[Line, ...]


def fact(label: str, value: str) -> Line:
    """Return a line of words."""
    return Line(label, value)


def sums(label: str, value: str, note: str = "") -> Line:
    """Return a line of numbers."""
    return Line(label, value, LineStyle.FIXED, note)
