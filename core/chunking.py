"""Cutting a content into the chunks that are embedded, exactly as the agent does. Pure but for the
tokenizer handed in; nothing is embedded or stored here.
"""

import re
from dataclasses import dataclass

from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder

_BLANK_LINE = re.compile(r"\n\s*\n")
_JOINT = "\n\n"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its text, where it lies in the content, its own token count.

    `text` joins paragraphs with one blank line, so it may be shorter than content[start:end].
    `truncated` marks a piece of a paragraph that was too long on its own.
    """

    text: str
    start: int
    end: int
    token_count: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


def _paragraphs(content: str) -> list[_Span]:
    """Return the stripped, non-empty paragraphs as spans of the content, in order."""
    found: list[_Span] = []
    at = 0
    edges = [*((m.start(), m.end()) for m in _BLANK_LINE.finditer(content)), (len(content),) * 2]
    for before, after in edges:
        part = content[at:before]
        body = part.strip()
        if body:
            start = at + len(part) - len(part.lstrip())
            found.append(_Span(start, start + len(body)))
        at = after
    return found


def effective_budget(gist: str, counter: Encoder, chunk_max_tokens: int) -> int:
    """Return how many tokens a chunk may have beside its gist.

    Raises GenizahError(INDEX_FAILED, reason "budget") where none is left.
    """
    facts = counter.facts
    room = facts.window - facts.special_tokens - counter.count(gist) - 1
    budget = min(chunk_max_tokens, room)
    if budget < 1:
        raise GenizahError(
            ErrorCode.INDEX_FAILED,
            f"The gist leaves no room for any text within the {facts.window} tokens of "
            f"{facts.name}; shorten the gist.",
            reason="budget",
            fields={"stage": "budget"},
        )
    return budget


def _pieces(content: str, span: _Span, counter: Encoder, budget: int) -> list[Chunk]:
    """Cut one paragraph every `budget` tokens; the pieces are not stripped."""
    text = content[span.start : span.end]
    tokens = counter.spans(text)
    found: list[Chunk] = []
    for first in range(0, len(tokens), budget):
        last = tokens[min(first + budget, len(tokens)) - 1]
        start, end = tokens[first][0], last[1]
        piece = text[start:end]
        found.append(
            Chunk(piece, span.start + start, span.start + end, counter.count(piece), True)
        )
    return found


def cut(gist: str, content: str, counter: Encoder, chunk_max_tokens: int) -> list[Chunk]:
    """Pack paragraphs greedily into chunks, in order; a paragraph too long alone is cut.

    Raises GenizahError(INDEX_FAILED) as `effective_budget` does.
    """
    budget = effective_budget(gist, counter, chunk_max_tokens)
    found: list[Chunk] = []
    pending: list[_Span] = []

    def close() -> None:
        if pending:
            text = _JOINT.join(content[s.start : s.end] for s in pending)
            found.append(
                Chunk(text, pending[0].start, pending[-1].end, counter.count(text), False)
            )
            pending.clear()

    for span in _paragraphs(content):
        joined = _JOINT.join(content[s.start : s.end] for s in (*pending, span))
        if counter.count(joined) <= budget:
            pending.append(span)
            continue
        close()
        if counter.count(content[span.start : span.end]) <= budget:
            pending.append(span)
        else:
            found += _pieces(content, span, counter, budget)
    close()
    return found
