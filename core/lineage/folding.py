"""What of a tree is drawn: which nodes, and what stands folded in place of the others.

A node that replaced more than FAN_MOST keeps the newest ones, the older ones fold into one with
all that is behind them. A chain of more than CHAIN_MOST keeps two at each end. Both unfold by key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.lineage.forest import NOBODY, Forest

FAN_MOST = 8
CHAIN_MOST = 5
_CHAIN_END = 2


class FoldKind(StrEnum):
    """What is folded: replaced memories beside each other, or one after another."""

    FAN = "fan"
    CHAIN = "chain"


@dataclass(frozen=True, slots=True)
class FoldKey:
    """The name of a fold that stays while the store grows at its newer end.

    A fan's is the memory that replaced them, a chain's the last memory of the chain.
    """

    kind: FoldKind
    store: int
    uuid: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Nodes that are not drawn: `beside` or after one another, and all that is `hidden` by it."""

    key: FoldKey
    roots: tuple[int, ...]
    hidden: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What is wanted of a forest: nothing folded at all, some unfolded, some nodes `only`.

    `only` must be connected within each component, as core/lineage/forest.near gives it.
    """

    folds: bool = True
    unfolded: frozenset[FoldKey] = frozenset()
    only: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What is drawn of one tree: each item before what it replaced, `parents` by place here.

    A fold's node is NOBODY, the fold itself stands in `folds` under its place.
    """

    nodes: list[int]
    parents: list[int]
    levels: list[int]
    folds: dict[int, Fold]

    def add(self, entry: int | Fold, parent: int) -> int:
        """Append a node or a fold; return its place."""
        place = len(self.nodes)
        if isinstance(entry, Fold):
            self.folds[place] = entry
            entry = NOBODY
        self.nodes.append(entry)
        self.parents.append(parent)
        self.levels.append(0 if parent == NOBODY else self.levels[parent] + 1)
        return place


def outline(forest: Forest, root: int, view: View) -> Outline:
    """Return what is drawn of the tree that ends in `root`.

    What one item replaced is in the order of the forest's nodes, a fold first.
    """
    drawn = Outline([], [], [], {})
    waiting: list[tuple[int | Fold, int]] = [(root, NOBODY)]
    while waiting:
        start, parent = waiting.pop()
        if isinstance(start, Fold):
            drawn.add(start, parent)
            continue
        chain, behind = _chain(forest, start, view)
        for entry in _folded_chain(forest, chain, view):
            parent = drawn.add(entry, parent)
        if behind:
            fan = _folded_fan(forest, chain[-1], behind, view)
            waiting += [(entry, parent) for entry in reversed(fan)]
    return drawn


def _replaced(forest: Forest, node: int, view: View) -> tuple[int, ...]:
    found = forest.replaced(node)
    if view.only is None:
        return found
    return tuple(n for n in found if n in view.only)


def _chain(forest: Forest, start: int, view: View) -> tuple[list[int], tuple[int, ...]]:
    """Walk from a node as long as each replaced one other alone; return also what is behind."""
    chain = [start]
    behind = _replaced(forest, start, view)
    while len(behind) == 1:
        chain.append(behind[0])
        behind = _replaced(forest, behind[0], view)
    return chain, behind


def _is_folded(view: View, key: FoldKey) -> bool:
    return view.folds and key not in view.unfolded


def _folded_chain(forest: Forest, chain: list[int], view: View) -> Sequence[int | Fold]:
    if len(chain) <= CHAIN_MOST:
        return chain
    last = forest.nodes[chain[-1]]
    key = FoldKey(FoldKind.CHAIN, last.store, last.uuid)
    if not _is_folded(view, key):
        return chain
    hidden = tuple(chain[_CHAIN_END:-_CHAIN_END])
    return (*chain[:_CHAIN_END], Fold(key, hidden, hidden), *chain[-_CHAIN_END:])


def _folded_fan(
    forest: Forest, node: int, behind: tuple[int, ...], view: View
) -> Sequence[int | Fold]:
    if len(behind) <= FAN_MOST:
        return behind
    by = forest.nodes[node]
    key = FoldKey(FoldKind.FAN, by.store, by.uuid)
    if not _is_folded(view, key):
        return behind
    shown = FAN_MOST - 1
    roots = behind[:-shown]
    return (Fold(key, roots, _all_behind(forest, roots, view)), *behind[-shown:])


def _all_behind(forest: Forest, roots: tuple[int, ...], view: View) -> tuple[int, ...]:
    found = list(roots)
    for at in found:  # grows while it is walked
        found += _replaced(forest, at, view)
    return tuple(found)
