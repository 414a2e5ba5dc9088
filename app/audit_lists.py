"""Reading the lists of the audit page over some stores: rows with what the log says of each."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from app.page_scope import PageStore, ReadOf, read_each
from core.audit import reading
from core.audit.demoted import DemotedShown, ShownAbove
from core.audit.payloads import Kind
from core.progress import Progress
from core.store.audit_rows import ChangedAfterRow, InjectedRow, times_of
from core.store.connection import Connection
from core.store.database import Reader
from widgets.audit_content import AuditList, above_words, changed_words, times_words
from widgets.found_rows import FoundRow, Numbered
from widgets.texts import minute

_TIMES = (Kind.SURFACE, Kind.FETCH, Kind.AMEND)


@dataclass(frozen=True, slots=True)
class ListRead:
    """The rows of a list, how many entries could not be read, which stores are missing."""

    rows: Sequence[FoundRow]
    unreadable: int
    incomplete: str


async def read_list(
    which: AuditList, often: int, stores: Sequence[PageStore], progress: Progress
) -> ListRead:
    """Read one of the lists. Raises GenizahError where no store can be read."""
    match which:
        case AuditList.IGNORED:
            return await _ignored(often, stores, progress)
        case AuditList.MISLEADING:
            return await _misleading(stores, progress)
        case AuditList.NEVER:
            return await _never(stores, progress)
        case AuditList.ABOVE:
            return await _above(stores, progress)


async def _ignored(often: int, stores: Sequence[PageStore], progress: Progress) -> ListRead:
    async def read(reader: Reader) -> list[InjectedRow]:
        return [of.row for of in await reading.often_ignored([reader], often)]

    found = await read_each(stores, progress, read)
    return _listed(
        found,
        lambda row: (row.injected, row.last_at),
        lambda place, row: FoundRow(place, uuid=row.uuid, words=f"last {minute(row.last_at)}"),
    )


async def _misleading(stores: Sequence[PageStore], progress: Progress) -> ListRead:
    async def read(reader: Reader) -> list[ChangedAfterRow]:
        return [of.row for of in await reading.misleading([reader])]

    def found_row(place: int, row: ChangedAfterRow) -> FoundRow:
        kind = "supersede" if row.kind == "retire" and row.is_replaced else row.kind
        words = changed_words(kind, row.changed_at, row.shown_at)
        return FoundRow(place, uuid=row.uuid, words=words)

    found = await read_each(stores, progress, read)
    return _listed(found, lambda row: row.changed_at, found_row)


async def _never(stores: Sequence[PageStore], progress: Progress) -> ListRead:
    async def read(reader: Reader) -> list[int]:
        return [of.row for of in await reading.never_injected([reader])]

    found = await read_each(stores, progress, read)
    pairs = ((place, rowid) for place, part in enumerate(found.parts) for rowid in part or ())
    return ListRead(Numbered(pairs), 0, found.words)


async def _above(stores: Sequence[PageStore], progress: Progress) -> ListRead:
    read: Callable[[Reader], Awaitable[DemotedShown]] = reading.above_replacement
    told = await read_each(stores, progress, read)
    parts = tuple(None if part is None else list(part.found) for part in told.parts)
    unreadable = sum(part.unreadable for part in told.parts if part is not None)

    def found_row(place: int, row: ShownAbove) -> FoundRow:
        return FoundRow(place, uuid=row.uuid, words=above_words(row))

    found = ReadOf(parts, told.unread)
    return _listed(found, lambda row: row.at, found_row, unreadable)


def _listed[T](
    found: ReadOf[list[T]],
    order: Callable[[T], tuple[int, str] | str],
    row_of: Callable[[int, T], FoundRow],
    unreadable: int = 0,
) -> ListRead:
    """Join the parts, what is highest in order first; equals as their stores come."""
    rows = [(place, row) for place, part in enumerate(found.parts) for row in part or ()]
    rows.sort(key=lambda placed: order(placed[1]), reverse=True)
    return ListRead([row_of(place, row) for place, row in rows], unreadable, found.words)


async def read_times(connection: Connection, uuids: Sequence[str]) -> Mapping[str, str]:
    """Say of some memories how often they were shown, fetched and amended."""
    times = await times_of(connection, uuids, _TIMES)
    return {uuid: times_words(*(times.get((uuid, kind), 0) for kind in _TIMES)) for uuid in uuids}
