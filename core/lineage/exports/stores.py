"""The stores of a forest of several, as the files name them; of a single store no file says which.

Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import JsonValue
from core.lineage.forest import Forest
from core.lineage.problems import LineageProblem


@dataclass(frozen=True, slots=True)
class NamedStore:
    """One store of a forest, in the forest's order: a short name for people, file and id."""

    name: str
    path: str
    store_id: str


@dataclass(frozen=True, slots=True)
class StoreMarks:
    """What is added to nodes, edges and problems; nothing where there are not several stores."""

    stores: Sequence[NamedStore] = ()

    def label(self, store: int) -> str:
        """Return the name of a store, its path where another has that name; else ''."""
        if len(self.stores) < 2:
            return ""
        names = Counter(one.name for one in self.stores)
        one = self.stores[store]
        return one.name if names[one.name] == 1 else one.path

    def place(self, store: int) -> Mapping[str, JsonValue]:
        """Return the key that says where a node or an edge is."""
        return {} if len(self.stores) < 2 else {"store": store}

    def places(self, forest: Forest, problem: LineageProblem) -> Mapping[str, JsonValue]:
        """Return the key that says where each memory of a problem is."""
        if len(self.stores) < 2:
            return {}
        return {"stores": [forest.nodes[n].store for n in problem.nodes]}

    def listed(self) -> Mapping[str, JsonValue]:
        """Return the key that lists the stores."""
        if len(self.stores) < 2:
            return {}
        return {"stores": [{"path": s.path, "store_id": s.store_id} for s in self.stores]}


ONE_STORE = StoreMarks()


def with_store(parts: Iterable[str], label: str) -> list[str]:
    """Return what is said of a node, and of which store it is where that needs saying."""
    return [*parts, *((f"in {label}",) if label else ())]
