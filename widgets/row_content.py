"""What one row of a list shows and speaks, made from read-models. Pure; the delegates paint it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from core.readmodels import ChainEnd, MemoryHead, State
from core.retrieval.highlight import Spans, literal_spans
from core.retrieval.literal import Field, LiteralMatch
from core.retrieval.outcome import Hit, SearchOutcome
from widgets.chain_words import chain_line, chain_words
from widgets.line_spans import ShownSpans, line_spans
from widgets.store_labels import StoreLabel
from widgets.text_marks import is_damaged, needs_badge, one_line
from widgets.texts import (
    DAMAGED_TEXT,
    DEAD_CHAIN,
    DEAD_HEAD,
    HIDDEN_CHARACTERS,
    ODD_VERSION,
    grouped,
    minute,
    state_words,
    tier_words,
)

_FIELD_WORDS = {Field.GIST: "in the gist", Field.CONTENT: "in the text", Field.UUID: "in the uuid"}


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows with the same text shown as one: how many, their positions, whether they are open."""

    count: int
    first: int
    last: int
    is_open: bool

    @property
    def words(self) -> str:
        """Write '×8, #1–#8'."""
        return f"×{grouped(self.count)}, #{self.first}–#{self.last}"

    @property
    def spoken(self) -> str:
        """Say what is folded and which key changes it."""
        what = f"{grouped(self.count)} identical memories, ranks {self.first} to {self.last}"
        return f"{what}, left arrow folds" if self.is_open else f"{what}, right arrow unfolds"


@dataclass(frozen=True, slots=True)
class RowMove:
    """How a row's place differs from another list's: by how many places, or that it is new.

    `places` counts towards the top; None for a row that the other list has not got.
    """

    places: int | None
    before: int | None

    @property
    def words(self) -> str:
        """Write '▲2', '▼1', 'new', or nothing where the place is the same."""
        if self.places is None:
            return "new"
        return f"{'▲' if self.places > 0 else '▼'}{abs(self.places)}" if self.places else ""

    @property
    def spoken(self) -> str:
        """Say the same: 'up 2 from rank 5'."""
        if self.places is None:
            return "new in the list"
        if not self.places:
            return "same rank"
        return f"{'up' if self.places > 0 else 'down'} {abs(self.places)} from rank {self.before}"


@dataclass(frozen=True, slots=True)
class RowContent:
    """One row: line one is the gist, line two `detail` with `aside` after it.

    `position` and `share` (of the best score, 0..1) belong to ranked rows only. `warning` says
    what is odd about the row, empty where nothing is. `matches` are the places in the gist that
    were searched for, in UTF-16 units; `stored_gist` is what they are found in. `store` is the
    key of the row's store and `badge` what it is called, empty where only one is listed.
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
    matches: ShownSpans = ()
    fold: Fold | None = None
    is_in_fold: bool = False
    move: RowMove | None = None
    grade: int | None = None
    stored_gist: str = field(default="", repr=False)
    store: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class RowExtras:
    """What is learnt about rows after they are on screen, by uuid."""

    spans: Mapping[str, Spans] = MappingProxyType({})
    dead: frozenset[str] = frozenset()
    moves: Mapping[str, RowMove] = MappingProxyType({})
    grades: Mapping[str, int] = MappingProxyType({})
    ends: Mapping[str, ChainEnd] = MappingProxyType({})

    def dress(self, content: RowContent) -> RowContent:
        """Return the row with what is known of it."""
        spans = self.spans.get(content.uuid, ())
        if spans:
            content = replace(content, matches=line_spans(content.stored_gist, spans))
        content = _led_on(content, self.ends.get(content.uuid))
        content = _judged(content, self.moves.get(content.uuid), self.grades.get(content.uuid))
        if content.uuid not in self.dead or content.state is State.LIVE:
            return content
        words = DEAD_HEAD if content.state is State.RETIRED else DEAD_CHAIN
        return replace(
            content,
            warning=" · ".join(w for w in (content.warning, words) if w),
            spoken=f"{content.spoken}, {words}",
            tip=f"{content.tip}\n{words}",
        )


def _led_on(content: RowContent, chain: ChainEnd | None) -> RowContent:
    """Return a replaced row with what replaced it and where its chain ends, shown and spoken."""
    if chain is None or content.state is not State.SUPERSEDED:
        return content
    words = chain_words(chain)
    return replace(
        content,
        aside=chain_line(chain),
        spoken=f"{content.spoken}, {words}",
        tip=f"{content.tip}\n{words}",
    )


def _judged(content: RowContent, move: RowMove | None, grade: int | None) -> RowContent:
    """Return the row with its movement and its grade, shown and spoken."""
    said = [] if move is None else [move.spoken]
    said += [] if grade is None else [f"grade {grade}"]
    if not said:
        return content
    is_unranked = content.position is None and grade is not None
    return replace(
        content,
        move=move,
        grade=grade,
        detail=f"{content.detail} · grade {grade}" if is_unranked else content.detail,
        spoken=", ".join((content.spoken, *said)),
        tip="\n".join((content.tip, *said)),
    )


def in_store(content: RowContent, label: StoreLabel | None) -> RowContent:
    """Return the row with the store that it comes from, shown and spoken where it has a badge."""
    if label is None:
        return content
    if not label.badge:
        return replace(content, store=label.key)
    badge = one_line(label.badge)
    return replace(
        content,
        store=label.key,
        badge=badge,
        spoken=f"{content.spoken}, in {badge}",
        tip=f"{content.tip}\n{label.path}",
    )


def folded(content: RowContent, fold: Fold) -> RowContent:
    """Return the row that stands for a fold."""
    spoken = f"{content.spoken}, {fold.spoken}"
    tip = f"{content.tip}\n{fold.words}: the same text"
    return replace(content, fold=fold, spoken=spoken, tip=tip)


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
        stored_gist=head.gist,
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


def hit_rows(outcome: SearchOutcome, limit: int, *, is_agents: bool = True) -> list[RowContent]:
    """Return the rows of the whole pool in final order, the cut at `limit` only spoken.

    Without `is_agents` the list is not the agent's own, and no row is said to be seen by it.
    """
    above = "seen by the agent" if is_agents else "above the cut"
    best = max((h.fused_score for h in outcome.hits), default=0.0)
    total = len(outcome.hits)
    return [
        _row(
            hit.head,
            ranks_line(hit),
            (
                f"rank {hit.position} of {grouped(total)}",
                above if hit.position <= limit else "below the cut",
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


def literal_row(match: LiteralMatch, needle: str = "") -> RowContent:
    """Return the row of a memory that contains the typed text, marked where the gist has it."""
    where = _FIELD_WORDS[match.where]
    row = _row(match.head, f"{where} · {minute(match.head.created_at)}", (f"found {where}",))
    spans = literal_spans(match.head.gist, needle) if match.where is Field.GIST else ()
    return replace(row, matches=line_spans(match.head.gist, spans))


def found_row(head: MemoryHead, words: str) -> RowContent:
    """Return the row of a memory in a list that says something of each, or when it was created."""
    created = f"created {minute(head.created_at)}"
    said = tuple(part for part in (words, created) if part)
    row = _row(head, words or minute(head.created_at), said)
    return replace(row, tip="\n".join((row.tip, *said)))


def remark_row(words: str, detail: str, label: StoreLabel | None) -> RowContent:
    """Return a row that no memory can be opened by: it has no uuid, and no mark is painted."""
    gist = one_line(words)
    spoken = f"{gist}, {detail}" if detail else gist
    content = RowContent(
        uuid="",
        gist=gist,
        state=State.LIVE,
        tier="",
        warning="",
        detail=detail,
        aside="",
        spoken=spoken,
        tip="\n".join(part for part in (words, detail) if part),
    )
    return in_store(content, label)
