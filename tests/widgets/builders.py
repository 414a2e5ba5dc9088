"""Read-models for the widgets' tests, ranked by the product's own fusion and order."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.notices import Notice
from core.readmodels import MemoryDetail, MemoryHead
from core.retrieval import fusion, ranking
from core.retrieval.arms import ArmReport, StopReason
from core.retrieval.eligibility import Scope
from core.retrieval.literal import Field, LiteralMatch, LiteralMatches
from core.retrieval.outcome import DenseEvidence, Hit, LexicalEvidence, SearchOutcome
from core.retrieval.query import DenseQuery, PreparedQuery, lexical_query
from core.settings import RetrievalSettings

SETTINGS = RetrievalSettings()
CREATED = "2026-03-04T10:20:30.123456+00:00"


def uuid_of(number: int) -> str:
    """Return a uuid that begins with the number in hexadecimal."""
    return f"{number:08x}-1111-4222-8333-444455556666"


def head(
    number: int,
    gist: str | None = None,
    *,
    tier: str = "journal",
    active: bool = True,
    by: str | None = None,
    version: int | None = 1,
    created_at: str = CREATED,
) -> MemoryHead:
    """Make a head; the rowid is the number."""
    return MemoryHead(
        rowid=number,
        uuid=uuid_of(number),
        tier=tier,
        gist=f"memory {number}" if gist is None else gist,
        active=active,
        superseded_by=by,
        version=version,
        created_at=created_at,
        updated_at=created_at,
        session_id="sess-1",
        token_count=42,
    )


def detail(row: MemoryHead, content: str = "the text", *, is_damaged: bool = False) -> MemoryDetail:
    """Make a whole row."""
    return MemoryDetail(row, content, is_damaged)


@dataclass(frozen=True, slots=True)
class Found:
    """A row with its ranks in the arms (None: that arm has not got it)."""

    head: MemoryHead
    words: int | None
    meaning: int | None


def _rankable(found: Found) -> ranking.Rankable:
    row = found.head
    return ranking.Rankable(
        row.uuid,
        fusion.rrf_score(found.meaning, found.words, SETTINGS.rrf_k),
        min(r for r in (found.words, found.meaning) if r is not None),
        row.state,
        row.tier,
        row.created_at,
        row.superseded_by,
    )


def _hit(found: Found, placed: ranking.Placed) -> Hit:
    meaning, words = found.meaning, found.words
    return Hit(
        head=found.head,
        dense=None if meaning is None else DenseEvidence(meaning, 0.5 + meaning / 8, 0, 77),
        lexical=None if words is None else LexicalEvidence(words, -4.0 + words / 8),
        rrf_score=_rankable(found).rrf_score,
        penalty=placed.penalty,
        fused_score=placed.fused_score,
        position=placed.position,
        position_before_repair=placed.position_before_repair,
        on_cycle=placed.on_cycle,
    )


RAN = ArmReport(True, 51, StopReason.DEPTH_REACHED)
MEANING_OFF = ArmReport(False, reason="The model is not on this machine.")
WORDS_SKIPPED = ArmReport(False, reason="The query has no letter or digit.")


def outcome(
    found: Sequence[Found],
    text: str = "ssh port",
    *,
    dense: ArmReport = RAN,
    lexical: ArmReport = RAN,
    query: PreparedQuery | None = None,
    notices: tuple[Notice, ...] = (),
    include_retired: bool = False,
) -> SearchOutcome:
    """Rank rows as a search would."""
    by_uuid = {f.head.uuid: f for f in found}
    placed = ranking.rank([_rankable(f) for f in found], SETTINGS)
    vector = DenseQuery(b"\0" * 64, tokens=3, kept=text, truncated=False)
    asked = PreparedQuery(
        text=text,
        uuid=None,
        lexical=lexical_query(text, SETTINGS.fts_query_max_terms),
        dense=vector if dense.ran else None,
        dense_reason=dense.reason,
    )
    return SearchOutcome(
        query=query or asked,
        scope=Scope(include_retired=include_retired),
        settings=SETTINGS,
        dense=dense,
        lexical=lexical,
        doublings=0,
        hits=tuple(_hit(by_uuid[p.uuid], p) for p in placed),
        memories=1234,
        chunks=1300,
        data_version=1,
        notices=notices,
    )


def pool(size: int, text: str = "ssh port") -> SearchOutcome:
    """Return a pool of live rows: row n has rank n in both arms."""
    return outcome([Found(head(n), n, n) for n in range(1, size + 1)], text)


def literal(
    numbers: Sequence[int], total: int | None = None, *, complete: bool = True
) -> LiteralMatches:
    """Return literal matches in the text of the numbered rows."""
    rows = tuple(LiteralMatch(head(n), Field.CONTENT) for n in numbers)
    return LiteralMatches(rows, len(rows) if total is None else total, complete)
