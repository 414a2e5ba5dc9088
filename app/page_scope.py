"""What a page reads: the open stores that are checked, each with its label; and reading them."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.shown_scope import shown_scope
from core.errors import GenizahError
from core.progress import Progress
from core.store.connection import Connection
from core.store.database import Reader
from widgets.store_labels import StoreLabel
from widgets.text_marks import one_line

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class PageStore:
    """One store; the badge of its label is empty where rows of no other store are listed."""

    store: OpenStore
    label: StoreLabel

    @property
    def reader(self) -> Reader:
        """Return what pages read it through."""
        return self.store.database.browse

    @property
    def name(self) -> str:
        """Return what it is called beside the other stores of its page."""
        return self.label.badge or self.store.facts.location.name


@dataclass(frozen=True, slots=True)
class PageScope:
    """The stores of a page in order, and which of the open ones they are in words."""

    stores: tuple[PageStore, ...] = ()
    words: str = ""

    @property
    def labels(self) -> tuple[StoreLabel, ...]:
        """Return the labels of the stores."""
        return tuple(one.label for one in self.stores)

    def has_same_stores(self, other: "PageScope") -> bool:
        """Tell whether two pages read the same stores, whatever they are called."""
        return [s.store for s in self.stores] == [s.store for s in other.stores]


@dataclass(frozen=True, slots=True)
class Unread:
    """A store that could not be read, and why."""

    store: PageStore
    error: GenizahError


def incomplete(unread: Iterable[Unread]) -> str:
    """Say which stores are missing, empty where none is."""
    codes = {one.store.name: one.error.code.value for one in unread}
    if not codes:
        return ""
    named = [f"{one_line(name)} ({code})" for name, code in list(codes.items())[:_MOST_NAMED]]
    more = [f"{len(codes) - len(named)} more"] if len(named) < len(codes) else []
    return f"Incomplete: {', '.join([*named, *more])} could not be read."


@dataclass(frozen=True, slots=True)
class ReadOf[T]:
    """What was read, a part for each store in order; None where a store could not be read."""

    parts: tuple[T | None, ...]
    unread: tuple[Unread, ...]

    @property
    def words(self) -> str:
        """Say which stores are missing, empty where none is."""
        return incomplete(self.unread)


def page_scope(stores: OpenStores) -> PageScope:
    """Return what pages read of the stores of a window."""
    searched, shown = stores.open_and_checked, shown_scope(stores)
    labels = stores.labels()
    read = []
    for entry in searched:
        label = labels[entry.key]
        if len(searched) == 1:  # a badge on every row would say the same
            label = StoreLabel(label.key, "", label.path)
        assert entry.store is not None
        read.append(PageStore(entry.store, label))
    words = shown.words or ", ".join(f"in {entry.name}" for entry in searched)
    return PageScope(tuple(read), words)


async def read_each[T](
    stores: Sequence[PageStore], progress: Progress, read: Callable[[Reader], Awaitable[T]]
) -> ReadOf[T]:
    """Read one store after another. Raises GenizahError where every one fails."""
    parts: list[T | None] = []
    unread: list[Unread] = []
    for done, one in enumerate(stores):
        progress.report(done, len(stores))
        try:
            parts.append(await read(one.reader))
        except GenizahError as error:
            parts.append(None)
            unread.append(Unread(one, error))
    if unread and len(unread) == len(stores):
        raise unread[0].error
    return ReadOf(tuple(parts), tuple(unread))


async def read_placed[T](
    stores: Sequence[PageStore],
    places: Iterable[int],
    read: Callable[[int, Connection], Awaitable[T]],
) -> tuple[dict[int, T], tuple[Unread, ...]]:
    """Read from the stores at some places, each in a snapshot; what fails is told beside it."""
    found: dict[int, T] = {}
    unread: list[Unread] = []
    for place in sorted(set(places)):
        try:
            async with stores[place].reader.snapshot() as connection:
                found[place] = await read(place, connection)
        except GenizahError as error:
            unread.append(Unread(stores[place], error))
    return found, tuple(unread)
