"""What filters depend on in each open store: the moment, and what the store is called."""

from app.open_store import OpenStore
from app.open_stores import OpenStores
from core.clock import Clock
from core.filters.compiling import FilterContext


class FilterContexts:
    """Know by which names a window's stores can be asked for."""

    def __init__(self, clock: Clock, stores: OpenStores) -> None:
        self._clock = clock
        self._stores = stores

    def of(self, store: OpenStore) -> FilterContext:
        """Return what filters depend on in a store: its name, and how lists label it."""
        names = {store.facts.location.name}
        entry = self._stores.of(store)
        if entry is not None:
            names.add(self._stores.labels()[entry.key].badge)
        return FilterContext(self._clock.now(), frozenset(names))
