"""The pieces an explanation is told in: steps of lines, each a label and a value. Pure.

Stored text in them is as stored: the panel, the exports and the terminal make it safe.
"""

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
    """One line; the label may be empty.

    `note` explains the value and comes after it; `gist` is the gist of the row that the line
    names, to be quoted last.
    """

    label: str
    value: str
    style: LineStyle = LineStyle.PLAIN
    note: str = ""
    gist: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the pipeline."""

    title: str
    lines: tuple[Line, ...]


def fact(label: str, value: str, gist: str = "") -> Line:
    """Return a line of words."""
    return Line(label, value, gist=gist)


def sums(label: str, value: str, note: str = "") -> Line:
    """Return a line of numbers."""
    return Line(label, value, LineStyle.FIXED, note)


def absent(label: str, value: str, note: str = "") -> Line:
    """Return a line that says what is not there."""
    return Line(label, value, LineStyle.ABSENT, note)
