"""An explanation in words and as Markdown: sentence first, numbers second, the object third."""

import json
from collections.abc import Callable

from core.documents.explanation_document import explanation_document
from core.documents.json_text import finite
from core.documents.stored_line import markdown_line, stored_line
from core.explain.explanation import Explanation
from core.explain.sentence import sentence_of
from core.explain.steps.explanation import Snapshot, steps_of
from core.explain.steps.lines import Line

_LONGEST_GIST = 60


def explanation_text(e: Explanation, snapshot: Snapshot) -> str:
    """Return the sentence and every step with its numbers, as plain lines."""
    lines = [stored_line(sentence_of(e))]
    for step in steps_of(e, snapshot):
        lines += ["", step.title]
        lines += [f"  {_told(line, stored_line)}" for line in step.lines]
    return "\n".join(lines)


def _told(line: Line, safe: Callable[[str], str]) -> str:
    """Write a line; `safe` makes typed and stored text safe where it is written to."""
    label = f"{safe(line.label)}: " if line.label else ""
    note = f" ({safe(line.note)})" if line.note else ""
    gist = f" “{safe(_shortened(line.gist))}”" if line.gist else ""
    return f"{label}{safe(line.value)}{note}{gist}"


def _shortened(gist: str) -> str:
    return gist if len(gist) <= _LONGEST_GIST else f"{gist[: _LONGEST_GIST - 1]}…"


def explanation_markdown(e: Explanation, snapshot: Snapshot) -> str:
    """Return the explanation as Markdown; typed and stored text stays text in it."""
    lines = [f"**{markdown_line(sentence_of(e))}**"]
    for step in steps_of(e, snapshot):
        lines += ["", f"### {step.title}", ""]
        lines += [f"- {_told(line, markdown_line)}" for line in step.lines]
    clean, _ = finite(explanation_document(e))
    # No line of it can end the fence: line breaks inside texts are escaped.
    lines += ["", "```json", json.dumps(clean, indent=2, allow_nan=False), "```", ""]
    return "\n".join(lines)
