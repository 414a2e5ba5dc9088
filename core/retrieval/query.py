"""Building the two queries of a search: terms for the lexical arm, a vector for the dense arm.

Pure but for the encoder handed in; the store is asked in core/retrieval/retrieve.
"""

import re
from dataclasses import dataclass

# A word character is one for which str.isalnum() is true, or the underscore.
_RUN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """The terms in selection order, those dropped by the cap, and the MATCH expression.

    `expression` is None where no term survives: the lexical arm is then skipped.
    """

    terms: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def expression(self) -> str | None:
        """Return the terms quoted and joined with OR, or None."""
        if not self.terms:
            return None
        return " OR ".join('"' + t.replace('"', '""') + '"' for t in self.terms)


def alphanumeric_runs(text: str) -> list[str]:
    """Split into maximal runs of characters for which str.isalnum() is true."""
    return _RUN.findall(text)


def lexical_query(text: str, max_terms: int) -> LexicalQuery:
    """Deduplicate the runs exactly, order by length descending (ties: first seen), cap."""
    pieces = dict.fromkeys(text.split())  # no run has a space in it; a long text repeats itself
    distinct = dict.fromkeys(alphanumeric_runs(" ".join(pieces)))
    ordered = sorted(distinct, key=len, reverse=True)
    return LexicalQuery(tuple(ordered[:max_terms]), tuple(ordered[max_terms:]))


@dataclass(frozen=True, slots=True)
class DenseQuery:
    """What the dense arm asks with.

    `vector` is little-endian float32 as the model returned it (or the store, for a search by a
    memory). `tokens` counts the text alone before cutting; `kept` is the text that was embedded,
    without the prefix; both are None where no text was embedded here.
    """

    vector: bytes
    tokens: int | None = None
    kept: str | None = None
    truncated: bool | None = None
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """Both sides of one search. `text` is None for a search by a memory (`uuid`)."""

    text: str | None
    uuid: str | None
    lexical: LexicalQuery
    dense: DenseQuery | None
    dense_reason: str | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.uuid is None):
            raise ValueError("a query is a text or a memory")
        if (self.dense is None) == (self.dense_reason is None):
            raise ValueError("a query without a vector says why")
