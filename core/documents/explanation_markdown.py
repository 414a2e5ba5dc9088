"""An explanation in words and as Markdown: sentence first, numbers second, the object third."""

import json

from core.documents.explanation_document import explanation_document
from core.documents.json_text import finite
from core.documents.stored_line import markdown_line, stored_line
from core.explain.explanation import Explanation
from core.explain.sentence import sentence_of
from core.explain.steps import steps_of


def explanation_text(e: Explanation) -> str:
    """Return the sentence and every step with its numbers, as plain lines."""
    lines = [stored_line(sentence_of(e))]
    for step in steps_of(e):
        lines += ["", step.title]
        lines += [f"  {stored_line(label)}: {stored_line(value)}" for label, value in step.lines]
    return "\n".join(lines)


def explanation_markdown(e: Explanation) -> str:
    """Return the explanation as Markdown; typed and stored text stays text in it."""
    lines = [f"**{markdown_line(sentence_of(e))}**"]
    for step in steps_of(e):
        lines += ["", f"### {step.title}", ""]
        for label, value in step.lines:
            lines.append(f"- {markdown_line(label)}: {markdown_line(value)}")
    clean, _ = finite(explanation_document(e))
    # No line of it can end the fence: line breaks inside texts are escaped.
    lines += ["", "```json", json.dumps(clean, indent=2, allow_nan=False), "```", ""]
    return "\n".join(lines)
