"""The health of stores as a list of rows: what `check` finds, sizes, what texts look like.

Every row names the memory it opens and says what can be done. Looking through texts is partial:
see core/health/secret_shapes and instruction_shapes.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.health.codes import MEANINGS, HealthCode, Severity, SizeCode
from core.health.instruction_shapes import INSTRUCTIONS
from core.health.patterns import MOST_MATCHES, Match, Suspicion, matches_in
from core.health.secret_shapes import SECRETS
from core.progress import Report, unreported
from core.readmodels import State
from core.store import health, memories, whole_rows
from core.store.database import Database
from core.store.health import Problem
from core.store.whole_rows import TextRow
from core.words import counted, grouped

MOST_GIST_UNITS = 1024
"""UTF-16 code units that the agent accepts in a gist."""
LARGE_CHARACTERS = 65_536
"""From here on a content is called large."""

_SHAPES = (*SECRETS, *INSTRUCTIONS)
_SEVERITIES = list(Severity)
_RANKS = {
    code: (_SEVERITIES.index(meaning.severity), number)
    for number, (code, meaning) in enumerate(MEANINGS.items())
}


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One finding: the place of its store, the memory (None: the store), a sentence, the matches
    in its text. A secret itself is never in the sentence."""

    store: int
    code: HealthCode
    uuid: str | None
    sentence: str
    matches: tuple[Match, ...] = ()

    @property
    def severity(self) -> Severity:
        """Return how bad it is."""
        return MEANINGS[self.code].severity

    @property
    def advice(self) -> str:
        """Return what can be done while the memory is live."""
        return MEANINGS[self.code].advice

    def advice_in(self, state: State | None) -> str:
        """Return what can be done in a state of the memory; None: it is not known."""
        ended = MEANINGS[self.code].ended
        return ended if ended and state not in (None, State.LIVE) else self.advice


@dataclass(frozen=True, slots=True)
class CheckedStore:
    """A store to be checked and how many replacements the agent follows in it."""

    database: Database
    depth_cap: int


async def health_rows(
    stores: Sequence[CheckedStore], report: Report = unreported
) -> tuple[HealthRow, ...]:
    """Check the stores without a private copy; worst first, then by kind, store and memory.

    `report` is told memories looked through.
    """
    found: list[HealthRow] = []
    for place, store in enumerate(stores):
        problems = await health.check(store.database, store.depth_cap)
        found += await asyncio.to_thread(rows_of_problems, place, problems)
        found += await _text_rows(place, store.database, report)
    return await asyncio.to_thread(in_order, found)


def rows_of_problems(store: int, problems: Iterable[Problem]) -> list[HealthRow]:
    """Return what a check found as rows, those of a deep one too."""
    return [HealthRow(store, p.code, p.uuid, p.text) for p in problems]


def in_order(rows: Iterable[HealthRow]) -> tuple[HealthRow, ...]:
    """Return rows in the order of a list, each once; of very many for a worker."""
    return tuple(
        sorted(
            dict.fromkeys(rows), key=lambda r: (_RANKS[r.code], r.store, r.uuid or "", r.sentence)
        )
    )


async def _text_rows(place: int, database: Database, report: Report) -> list[HealthRow]:
    found: list[HealthRow] = []
    after, seen = whole_rows.BEFORE_ALL, 0
    async with database.browse.snapshot() as connection:
        total = (await memories.counts(connection)).total
    while True:
        async with database.browse.snapshot() as connection:
            page = await whole_rows.text_page(connection, after)
        if not page:
            return found
        after, seen = page[-1].rowid, seen + len(page)
        found += await asyncio.to_thread(_of_page, place, page)
        report(seen, total)


def _of_page(place: int, page: Sequence[TextRow]) -> list[HealthRow]:
    return [row for memory in page for row in text_rows(place, memory)]


def text_rows(place: int, memory: TextRow) -> Iterator[HealthRow]:
    """Yield what is to be said of one memory's texts. Pure."""
    units = len(memory.gist.encode("utf-16-le", "surrogatepass")) // 2
    if units > MOST_GIST_UNITS:
        words = f"The gist is {grouped(units)} characters long."
        yield HealthRow(place, SizeCode.OVERSIZE_GIST, memory.uuid, words)
    if len(memory.content) > LARGE_CHARACTERS:
        words = f"The content is {grouped(len(memory.content))} characters long."
        yield HealthRow(place, SizeCode.OVERSIZE_CONTENT, memory.uuid, words)
    matches = matches_in(memory.gist, memory.content, _SHAPES)
    for suspicion in Suspicion:
        some = tuple(m for m in matches if m.suspicion is suspicion)
        if some:
            yield HealthRow(place, suspicion, memory.uuid, _told(suspicion, some), some)


def _told(suspicion: Suspicion, matches: Sequence[Match]) -> str:
    names = ", ".join(dict.fromkeys(m.name for m in matches))
    fields = " and ".join(dict.fromkeys(m.field.value for m in matches))
    most = max(Counter((m.name, m.field) for m in matches).values())
    places = counted(len(matches), "place") + (" or more" if most == MOST_MATCHES else "")
    if suspicion is Suspicion.LIKELY_SECRET:
        return f"In the {fields}: what may be {names} ({places})."
    return f"In the {fields}: what reads like words to a model: {names} ({places})."
