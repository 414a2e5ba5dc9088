"""An export as Markdown to be read and pasted: every stored text stays text in it.

The content stands in a fence longer than any run of backticks in it, so nothing in it can end it.
"""

import re
from collections.abc import Iterator

from core.documents.export_content import Export, ExportedMemory
from core.documents.stored_line import markdown_line
from core.store.text import well_formed
from core.words import STATE_WORDS, memories, second, tier_words

_BACKTICKS = re.compile("`+")
_SHORTEST_FENCE = 3


def export_markdown(export: Export) -> Iterator[str]:
    """Yield a heading with the count, then each memory: gist, facts, content; no line end last."""
    yield f"# {memories(len(export.memories))}"
    if export.query is not None:
        yield f"\n\nSearch: {markdown_line(export.query.text)}"
    several = len(export.stores) > 1
    for memory in export.memories:
        store = export.stores[memory.store].path if several else None
        yield f"\n\n{memory_markdown(memory, store)}"


def memory_markdown(memory: ExportedMemory, store: str | None = None) -> str:
    """Return one memory; `store` is the path to be said, None where it goes without saying."""
    head = memory.detail.head
    place = "" if memory.position is None else f"{memory.position}. "
    facts = [
        f"{STATE_WORDS[head.state]}, {markdown_line(tier_words(head.tier))}",
        "version unknown" if head.version is None else f"version {head.version}",
        f"created {_time(head.created_at)}",
        f"changed {_time(head.updated_at)}",
    ]
    lines = [f"uuid {markdown_line(head.uuid)}", ", ".join(facts)]
    if head.superseded_by is not None:
        lines.append(f"replaced by {markdown_line(head.superseded_by)}")
    if head.session_id is not None:
        lines.append(f"session {markdown_line(head.session_id)}")
    if store is not None:
        lines.append(f"store {markdown_line(store)}")
    listed = "\n".join(f"- {line}" for line in lines)
    gist = markdown_line(head.gist) or "(blank)"
    return f"## {place}{gist}\n\n{listed}\n\n{fenced(memory.detail.content)}"


def _time(stored: str) -> str:
    said = second(stored)
    return said if said != stored else markdown_line(stored)


def fenced(text: str) -> str:
    """Return the text in a fence of its own; half a character becomes U+FFFD."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return f"{fence}text\n{well_formed(text)}\n{fence}"
