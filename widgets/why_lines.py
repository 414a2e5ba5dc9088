"""The lines of an explanation as they are drawn: hidden characters as marks, gists quoted. Pure."""

from collections.abc import Sequence

from core.explain.steps.lines import Line, Step
from widgets.text_marks import isolated, marked, one_line

_LONGEST = 2000
_QUOTED_GIST = 60


def shown_label(line: Line) -> str:
    """Return the label, on one line."""
    return one_line(line.label) if line.label else ""


def shown_value(line: Line) -> str:
    """Return the value, cut where it is very long, and the gist that it names."""
    value = marked(line.value, _LONGEST)
    if not line.gist:
        return value
    return f"{value} “{isolated(one_line(line.gist, _QUOTED_GIST))}”"


def shown_note(line: Line) -> str:
    """Return what explains the value."""
    return marked(line.note)


def as_text(sentence: str, steps: Sequence[Step]) -> str:
    """Return an explanation as plain text for the clipboard."""
    parts = [marked(sentence)]
    for step in steps:
        lines = "\n".join(f"  {_as_text(line)}" for line in step.lines)
        parts.append(f"{step.title}\n{lines}")
    return "\n\n".join(parts) + "\n"


def _as_text(line: Line) -> str:
    label = f"{shown_label(line)}: " if line.label else ""
    note = f" ({shown_note(line)})" if line.note else ""
    return f"{label}{shown_value(line)}{note}"
