"""The explanation of any memory, read in one short snapshot of the search's own state.

The caller holds the snapshot and has compared its data_version with the outcome's. Spans of
chunks need a tokenizer, which is not for a snapshot: see `located`.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.explain.dense_side import dense_side, with_spans
from core.explain.explanation import DenseSide, Explanation, LexicalSide, Margin, Verdict
from core.explain.lexical_side import lexical_side
from core.explain.margins import margins, term_advice
from core.explain.provenance import TRACES, Provenance, injections_of
from core.explain.standing import Standing, standing_of
from core.readmodels import MemoryHead
from core.retrieval.ladder import Rung, eligibility_ladder
from core.retrieval.lexical_rank import rank_if_searched
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import alphanumeric_runs, lexical_query
from core.retrieval.searcher import HeldVectors
from core.store import event_log, fts_statistics, memories
from core.store.connection import Connection
from core.store.text import is_damaged, well_formed

_ADVICE_WORDS = 24


async def explain_memory(
    connection: Connection,
    outcome: SearchOutcome,
    uuid: str,
    limit: int,
    *,
    store_id: str,
    held: HeldVectors | None = None,
) -> Explanation:
    """Explain what became of a memory in a search whose list is cut at `limit`.

    Any text is a safe `uuid`; one that names no row gets an explanation too. The margins, some
    70 ms of ranking again, are worked out in the executor of `held`. Raises GenizahError.
    """
    head = await _head(connection, outcome, uuid)
    ladder = await _ladder(connection, outcome, uuid)
    standing = standing_of(outcome, uuid, limit)
    verdict = _verdict(head, ladder, standing)
    sides = _nothing(outcome)
    if head is not None:
        subject = _Subject(head, limit, verdict)
        sides = await _sides(connection, outcome, subject, held or HeldVectors())
    return Explanation(
        uuid=uuid,
        store_id=store_id,
        verdict=verdict,
        head=head,
        outcome=outcome,
        limit=limit,
        ladder=ladder,
        dense=sides.dense,
        lexical=sides.lexical,
        standing=standing,
        margins=sides.margins,
        provenance=None if head is None else await _provenance(connection, uuid),
    )


@dataclass(frozen=True, slots=True)
class _Subject:
    head: MemoryHead
    limit: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Sides:
    dense: DenseSide
    lexical: LexicalSide
    margins: tuple[Margin, ...]


async def _sides(
    connection: Connection, outcome: SearchOutcome, subject: _Subject, held: HeldVectors
) -> _Sides:
    """Rank the memory in both arms and weigh what would move it.

    One that is left out is ranked for its margins only: the place it would have if it were live.
    """
    head, eligible = subject.head, subject.verdict is not Verdict.NOT_ELIGIBLE
    could_be = head.uuid != outcome.scope.exclude_uuid
    dense = await dense_side(connection, outcome, head, eligible=could_be, held=held)
    lexical = await lexical_side(connection, outcome, head, eligible)
    words = lexical.rank
    if could_be and not eligible:
        words = await _word_rank_if_eligible(connection, outcome, head, lexical.bm25)
    ranks = partial(margins, lexical_rank=words, dense_rank=dense.rank, head=head)
    weigh = partial(ranks, outcome, head.uuid, subject.limit)
    found = await asyncio.get_running_loop().run_in_executor(held.executor, weigh)
    if subject.verdict is not Verdict.HIT:
        found = (*found, *await _advice(connection, outcome, head))
    return _Sides(dense if eligible else replace(dense, rank=None), lexical, found)


def located(e: Explanation, spans: Sequence[tuple[int, int]] | None) -> Explanation:
    """Return the explanation with (start, end) of every chunk put in, where they are known."""
    return replace(e, dense=with_spans(e.dense, spans))


async def _head(
    connection: Connection, outcome: SearchOutcome, uuid: str
) -> MemoryHead | None:
    hit = outcome.hit(uuid)
    if hit is not None:
        return hit.head
    if is_damaged(uuid):  # no text of SQLite's can be equal to it
        return None
    return (await memories.heads_by_uuid(connection, (uuid,))).get(uuid)


async def _ladder(
    connection: Connection, outcome: SearchOutcome, uuid: str
) -> tuple[Rung, ...]:
    rungs = await eligibility_ladder(connection, outcome.scope, "" if is_damaged(uuid) else uuid)
    if outcome.hit(uuid) is None:
        return rungs
    return tuple(replace(rung, holds=True) for rung in rungs)  # also one that no text can name


def _verdict(
    head: MemoryHead | None, ladder: Sequence[Rung], standing: Standing | None
) -> Verdict:
    if head is None:
        return Verdict.NO_SUCH_MEMORY
    if standing is not None:
        return Verdict.HIT if standing.cut.inside else Verdict.BELOW_CUT
    return Verdict.OUTSIDE_POOL if ladder[-1].holds else Verdict.NOT_ELIGIBLE


def _nothing(outcome: SearchOutcome) -> _Sides:
    """Return the sides of a memory that does not exist."""
    dense = DenseSide(None, 0, None, None, outcome.dense.stop_reason, ())
    return _Sides(dense, LexicalSide(None, 0, None, outcome.lexical.stop_reason, ()), ())


async def _word_rank_if_eligible(
    connection: Connection, outcome: SearchOutcome, head: MemoryHead, bm25: float | None
) -> int | None:
    """Return the rank a memory would have among the eligible rows that match."""
    expression = outcome.query.lexical.expression
    if expression is None or bm25 is None:
        return None
    return await rank_if_searched(connection, expression, outcome.scope, head.uuid, bm25)


async def _advice(
    connection: Connection, outcome: SearchOutcome, head: MemoryHead
) -> tuple[Margin, ...]:
    """Return the word of the memory's gist that would find it best, if the query lacks one."""
    asked = {term.casefold() for term in alphanumeric_runs(outcome.query.text or "")}
    words = {run.casefold(): run for run in alphanumeric_runs(well_formed(head.gist))}
    lacking = [run for folded, run in words.items() if folded not in asked][:_ADVICE_WORDS]
    if not lacking or not outcome.lexical.ran:
        return ()
    phrases = [lexical_query(word, 1).expression or "" for word in lacking]
    counts = await fts_statistics.rows_with(connection, phrases)
    advice = term_advice(list(zip(lacking, counts, strict=True)))
    return () if advice is None else (advice,)


async def _provenance(connection: Connection, uuid: str) -> Provenance:
    if is_damaged(uuid):
        return Provenance((), ())
    events = await event_log.events_of(connection, uuid)
    traces = await event_log.events_of_kinds(connection, uuid, TRACES)
    return Provenance(tuple(events), injections_of(traces))
