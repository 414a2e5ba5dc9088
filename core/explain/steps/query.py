"""The first step of an explanation: what was asked, by words and by meaning. Pure."""

from core.explain.steps.lines import Line, LineStyle, Step, absent, fact, sums
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery, PreparedQuery
from core.words import grouped

_MOST_TERMS = 100


def query_step(outcome: SearchOutcome) -> Step:
    """Say the query as typed, what of it was embedded, and the terms with their expression."""
    query = outcome.query
    return Step("Query", (*_asked(query), *_embedded(query), *_terms(query)))


def _quoted(text: str) -> str:
    return f"“{text}”"


def _asked(query: PreparedQuery) -> list[Line]:
    if query.text is None:
        return [fact("memory", f"{query.uuid or ''}: its own first part and its words")]
    return [fact("as typed", _quoted(query.text))]


def _embedded(query: PreparedQuery) -> list[Line]:
    dense = query.dense
    if dense is None:
        reason = query.dense_reason or ""
        return [absent("by meaning", f"not asked: {reason}")]
    lines = []
    if dense.prefix:
        lines.append(fact("prefix", _quoted(dense.prefix)))
    if dense.tokens is not None:
        lines.append(fact("tokens", f"{grouped(dense.tokens)} in the text"))
    return lines + _cut_text(query.text, dense)


def _cut_text(text: str | None, dense: DenseQuery) -> list[Line]:
    if not dense.truncated or dense.kept is None or text is None:
        return []
    start = max(0, text.find(dense.kept))
    tail = text[start + len(dense.kept) :]
    return [
        fact("embedded", _quoted(dense.kept)),
        Line("cut off, not embedded", tail, LineStyle.STRUCK),
    ]


def _terms(query: PreparedQuery) -> list[Line]:
    lexical = query.lexical
    if lexical.expression is None:
        none = "nothing to search by words: no letter or digit"
        return [absent("terms", none)]
    lines = [fact("terms", _listed(lexical.terms))]
    if lexical.dropped:
        lines.append(Line("dropped by the cap", _listed(lexical.dropped), LineStyle.STRUCK))
    return [*lines, sums("expression", lexical.expression)]


def _listed(terms: tuple[str, ...]) -> str:
    shown = ", ".join(term for term in terms[:_MOST_TERMS])
    left = len(terms) - _MOST_TERMS
    return shown if left <= 0 else f"{shown} and {grouped(left)} more"
