"""What a page reads: the open stores that are checked, each with its label; and reading them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.shown_scope import shown_scope
from core.errors import GenizahError
from core.progress import Progress
from core.store.database import Reader
from widgets.store_labels import StoreLabel
from widgets.texts import counted


@dataclass(frozen=True, slots=True)
class PageStore:
    """One store; the badge of its label is empty where rows of no other store are listed."""

    store: OpenStore
    label: StoreLabel

    @property
    def reader(self) -> Reader:
        """Return what pages read it through."""
        return self.store.database.browse


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
class ReadOf[T]:
    """What was read, a part for each store in order; None where a store could not be read."""

    parts: tuple[T | None, ...]
    errors: tuple[GenizahError, ...]

    @property
    def words(self) -> str:
        """Say that stores are missing, empty where none is."""
        if not self.errors:
            return ""
        codes = ", ".join(dict.fromkeys(error.code.value for error in self.errors))
        of = f"{len(self.errors)} of {counted(len(self.parts), 'store')}"
        return f"Incomplete: {of} could not be read ({codes})."


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
    errors: list[GenizahError] = []
    for done, one in enumerate(stores):
        progress.report(done, len(stores))
        try:
            parts.append(await read(one.reader))
        except GenizahError as error:
            parts.append(None)
            errors.append(error)
    if errors and len(errors) == len(stores):
        raise errors[0]
    return ReadOf(tuple(parts), tuple(errors))
