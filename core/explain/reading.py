"""The explanation of any memory, read from the search's own state.

For a search of one store the caller holds the snapshot and has compared its data_version with the
outcome's. Spans of chunks need a tokenizer, which is not for a snapshot: see `located`.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

from core.explain.dense_side import with_spans
from core.explain.explanation import DenseSide, Explanation, LexicalSide, Margin, Verdict
from core.explain.margins import margins, term_advice
from core.explain.memory_reader import MemoryReader, SearchedMemory
from core.explain.one_store import OneStore
from core.explain.standing import Standing, standing_of
from core.readmodels import MemoryHead
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import alphanumeric_runs, lexical_query
from core.retrieval.searcher import HeldVectors
from core.store.connection import Connection
from core.store.text import well_formed

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
    """Explain what became of a memory in a search of one store whose list is cut at `limit`.

    Any text is a safe `uuid`; one that names no row gets an explanation too. The margins, some
    70 ms of ranking again, are worked out in the executor of `held`. Raises GenizahError.
    """
    vectors = held or HeldVectors()
    store = OneStore(connection, outcome, store_id, vectors)
    return await explain_with(store, outcome, uuid, limit, vectors.executor)


async def explain_with(
    reader: MemoryReader,
    outcome: SearchOutcome,
    uuid: str,
    limit: int,
    executor: Executor | None = None,
) -> Explanation:
    """Explain what became of a memory, with all that has to be looked up read by `reader`."""
    memory, ladder = await reader.find(uuid)
    head = None if memory is None else memory.head
    standing = standing_of(outcome, uuid, limit)
    verdict = _verdict(head, ladder, standing)
    sides = _nothing(outcome)
    if memory is not None:
        passes = ladder[-1].holds or not outcome.scope.is_filtered
        subject = _Subject(memory, limit, verdict, passes_filters=passes)
        sides = await _sides(reader, outcome, subject, executor)
    return Explanation(
        uuid=uuid,
        store_id=reader.store_id if memory is None else memory.store_id,
        verdict=verdict,
        head=head,
        outcome=outcome,
        limit=limit,
        ladder=ladder,
        dense=sides.dense,
        lexical=sides.lexical,
        standing=standing,
        margins=sides.margins,
        provenance=None if memory is None else await reader.provenance(memory),
    )


@dataclass(frozen=True, slots=True)
class _Subject:
    memory: SearchedMemory
    limit: int
    verdict: Verdict
    passes_filters: bool


@dataclass(frozen=True, slots=True)
class _Sides:
    dense: DenseSide
    lexical: LexicalSide
    margins: tuple[Margin, ...]


async def _sides(
    reader: MemoryReader, outcome: SearchOutcome, subject: _Subject, executor: Executor | None
) -> _Sides:
    """Rank the memory in both arms and weigh what would move it.

    One that is left out is ranked for its margins only: the place it would have if it were live.
    """
    memory, head = subject.memory, subject.memory.head
    eligible = subject.verdict is not Verdict.NOT_ELIGIBLE
    could_be = subject.passes_filters and head.uuid != outcome.scope.exclude_uuid
    dense = await reader.dense(memory, eligible=could_be)
    lexical = await reader.lexical(memory, eligible=eligible)
    words = lexical.rank
    if could_be and not eligible and lexical.bm25 is not None:
        words = await reader.word_rank_if_eligible(memory, lexical.bm25)
    ranks = partial(margins, lexical_rank=words, dense_rank=dense.rank, head=head)
    weigh = partial(ranks, outcome, head.uuid, subject.limit, passes_filters=subject.passes_filters)
    found = await asyncio.get_running_loop().run_in_executor(executor, weigh)
    if subject.verdict is not Verdict.HIT and subject.passes_filters:
        found = (*found, *await _advice(reader, outcome, head))
    return _Sides(dense if eligible else replace(dense, rank=None), lexical, found)


def located(e: Explanation, spans: Sequence[tuple[int, int]] | None) -> Explanation:
    """Return the explanation with (start, end) of every chunk put in, where they are known."""
    return replace(e, dense=with_spans(e.dense, spans))


def _verdict(head: MemoryHead | None, ladder: Sequence[Rung], standing: Standing | None) -> Verdict:
    if head is None:
        return Verdict.NO_SUCH_MEMORY
    if standing is not None:
        return Verdict.HIT if standing.cut.inside else Verdict.BELOW_CUT
    return Verdict.OUTSIDE_POOL if ladder[-1].holds else Verdict.NOT_ELIGIBLE


def _nothing(outcome: SearchOutcome) -> _Sides:
    """Return the sides of a memory that does not exist."""
    dense = DenseSide(None, 0, None, None, outcome.dense.stop_reason, ())
    return _Sides(dense, LexicalSide(None, 0, None, outcome.lexical.stop_reason, ()), ())


async def _advice(
    reader: MemoryReader, outcome: SearchOutcome, head: MemoryHead
) -> tuple[Margin, ...]:
    """Return the word of the memory's gist that would find it best, if the query lacks one."""
    asked = {term.casefold() for term in alphanumeric_runs(outcome.query.text or "")}
    words = {run.casefold(): run for run in alphanumeric_runs(well_formed(head.gist))}
    lacking = [run for folded, run in words.items() if folded not in asked][:_ADVICE_WORDS]
    if not lacking or not outcome.lexical.ran:
        return ()
    phrases = [lexical_query(word, 1).expression or "" for word in lacking]
    counts = await reader.rows_with(phrases)
    advice = term_advice(list(zip(lacking, counts, strict=True)))
    return () if advice is None else (advice,)
