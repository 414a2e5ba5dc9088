"""What one row of a list shows and speaks, made from read-models. Pure; the delegates paint it."""

from dataclasses import dataclass

from core.readmodels import MemoryHead, State
from core.retrieval.literal import Field, LiteralMatch
from core.retrieval.outcome import Hit, SearchOutcome
from widgets.text_marks import is_damaged, needs_badge, one_line
from widgets.texts import (
    DAMAGED_TEXT,
    HIDDEN_CHARACTERS,
    ODD_VERSION,
    grouped,
    minute,
    state_words,
    tier_words,
)

_FIELD_WORDS = {Field.GIST: "in the gist", Field.CONTENT: "in the text", Field.UUID: "in the uuid"}


@dataclass(frozen=True, slots=True)
class RowContent:
    """One row: line one is the gist, line two `detail` with `aside` after it.

    `position` and `share` (of the best score, 0..1) belong to ranked rows only. `warning` says
    what is odd about the text, empty where nothing is.
    """

    uuid: str
    gist: str
    state: State
    tier: str
    warning: str
    detail: str
    aside: str
    spoken: str
    tip: str
    position: int | None = None
    share: float | None = None


def warning_of(head: MemoryHead) -> str:
    """Say what is odd about a row as lists know it, or return an empty text."""
    warnings = (
        DAMAGED_TEXT if is_damaged(head.gist) else "",
        HIDDEN_CHARACTERS if needs_badge(head.gist) else "",
        ODD_VERSION if head.version is None else "",
    )
    return " · ".join(w for w in warnings if w)


def _aside(head: MemoryHead) -> str:
    return state_words(head) if head.state is not State.LIVE else ""


def _row(
    head: MemoryHead,
    detail: str,
    spoken: tuple[str, ...],
    *,
    position: int | None = None,
    share: float | None = None,
) -> RowContent:
    gist, warning = one_line(head.gist), warning_of(head)
    facts = f"{state_words(head)} · {tier_words(head.tier)}"
    tip = "\n".join(line for line in (gist, facts, warning) if line)
    said = (gist, state_words(head), *spoken, tier_words(head.tier), warning)
    return RowContent(
        uuid=head.uuid,
        gist=gist,
        state=head.state,
        tier=head.tier,
        warning=warning,
        detail=detail,
        aside=_aside(head),
        spoken=", ".join(part for part in said if part),
        tip=tip,
        position=position,
        share=share,
    )


def ranks_line(hit: Hit) -> str:
    """Write the ranks in both arms: 'words #1 · meaning #4', a dash where an arm has not got it."""
    words = f"#{hit.lexical.rank}" if hit.lexical else "–"
    meaning = f"#{hit.dense.rank}" if hit.dense else "–"
    return f"words {words} · meaning {meaning}"


def _spoken_ranks(hit: Hit) -> str:
    words = f"words {hit.lexical.rank}" if hit.lexical else "not found by words"
    meaning = f"meaning {hit.dense.rank}" if hit.dense else "not found by meaning"
    return f"{words}, {meaning}"


def hit_rows(outcome: SearchOutcome, limit: int) -> list[RowContent]:
    """Return the rows of the whole pool in final order, the cut at `limit` only spoken."""
    best = max((h.fused_score for h in outcome.hits), default=0.0)
    total = len(outcome.hits)
    return [
        _row(
            hit.head,
            ranks_line(hit),
            (
                f"rank {hit.position} of {grouped(total)}",
                "seen by the agent" if hit.position <= limit else "below the cut",
                _spoken_ranks(hit),
            ),
            position=hit.position,
            share=hit.fused_score / best if best > 0 else 0.0,
        )
        for hit in outcome.hits
    ]


def browse_row(head: MemoryHead) -> RowContent:
    """Return the row of a memory in a list by time."""
    created = minute(head.created_at)
    return _row(head, created, (f"created {created}",))


def literal_row(match: LiteralMatch) -> RowContent:
    """Return the row of a memory that contains the typed text."""
    where = _FIELD_WORDS[match.where]
    return _row(match.head, f"{where} · {minute(match.head.created_at)}", (f"found {where}",))


