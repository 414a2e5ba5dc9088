"""The person's own finder: rows that contain the typed text, apart from the agent's ranking.

NFC + casefold substring over gist, content and uuid, rows of any state that are not in the pool.
"""

import unicodedata
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from enum import StrEnum

from core.readmodels import MemoryHead
from core.store import literal_scan
from core.store.database import Reader
from core.store.text import is_blank, well_formed

LITERAL_LIMIT = 200


class Field(StrEnum):
    """Where a text was found; the first of these that contains it."""

    GIST = "gist"
    CONTENT = "content"
    UUID = "uuid"


@dataclass(frozen=True, slots=True)
class LiteralMatch:
    """One row that contains the text, and in which field."""

    head: MemoryHead
    where: Field


@dataclass(frozen=True, slots=True)
class LiteralMatches:
    """At most 200 matches, newest first, and how many there are in all.

    `complete` is False while rows are still being looked through.
    """

    matches: tuple[LiteralMatch, ...]
    total: int
    complete: bool


def fold(text: str) -> str:
    """Return the comparison form: NFC, then casefold."""
    return unicodedata.normalize("NFC", text).casefold()


async def literal_matches(
    reader: Reader, text: str, pool: Collection[str], among: Collection[int] | None = None
) -> AsyncIterator[LiteralMatches]:
    """Look through the store page by page; yield what is known after each page, newest kept first.

    Only rows whose numbers are `among` these are looked for, where it is given. The last item is
    complete. A blank text matches nothing. Each page is a snapshot of its own.
    """
    needle = fold(well_formed(text).strip())
    found: list[tuple[str, str, int, Field]] = []
    if not is_blank(text):
        skip, kept = frozenset(pool), None if among is None else frozenset(among)
        async for page in literal_scan.pages(reader, needle, fold):
            found += [
                (row.created_at, row.uuid, row.rowid, Field(row.where))
                for row in page
                if row.uuid not in skip and (kept is None or row.rowid in kept)
            ]
            yield await _report(reader, found, complete=False)
    yield await _report(reader, found, complete=True)


async def _report(
    reader: Reader, found: list[tuple[str, str, int, Field]], *, complete: bool
) -> LiteralMatches:
    found.sort(key=lambda r: r[1])
    found.sort(key=lambda r: r[0], reverse=True)
    first = found[:LITERAL_LIMIT]
    where = {rowid: field for _, _, rowid, field in first}
    heads = await literal_scan.heads(reader, list(where))
    return LiteralMatches(
        tuple(LiteralMatch(h, where[h.rowid]) for h in heads), len(found), complete
    )
