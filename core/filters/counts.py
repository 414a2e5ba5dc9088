"""How many memories a saved search stands for, without running it."""

from core.filters.compiling import FilterContext, condition_of, narrowing_of
from core.filters.parsing import ParsedSearch
from core.retrieval.eligibility import Scope
from core.retrieval.lexical_rank import count_matching
from core.retrieval.query import lexical_query
from core.store import facet_rows
from core.store.connection import Connection


async def count_of(
    connection: Connection,
    parsed: ParsedSearch,
    context: FilterContext,
    *,
    include_retired: bool,
    max_terms: int,
) -> int | None:
    """Count the rows of one store that a search would list or find by words.

    With a text: the eligible rows that hold one of its first `max_terms` words. None where that
    says nothing: a search by a memory, or a text without a word; those rank any row.
    """
    if not parsed.has_words:
        if parsed.similar_to is not None:
            return None
        return await facet_rows.count_rows(connection, condition_of(parsed.filters, context))
    expression = lexical_query(parsed.free_text, max_terms).expression
    if expression is None:
        return None
    narrowed = narrowing_of(parsed.filters, context)
    scope = Scope(include_retired=include_retired, narrowed=narrowed)
    return await count_matching(connection, expression, scope)
