"""What a search over several stores as one adds to an outcome: its parts and what they share.

Plain facts; how they come about is core/federation's.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SharedStatistics:
    """The numbers of the word arm, summed over all parts (spec: exact global text scores).

    `rows` and `tokens` are those of the indexes, rows of any state; `dfs` counts the rows that
    hold each kept term, in query order. `epoch` is the SHA-256, in hex, of what they were made of.
    """

    rows: int
    tokens: int
    dfs: tuple[int, ...]
    epoch: str


@dataclass(frozen=True, slots=True)
class StorePart:
    """One store's part of the search: the state of it that was searched.

    `data_version` is comparable on that store's search connection only. `rows`, `tokens` and `dfs`
    are its own share of the statistics; `words` and `meaning` count the candidates it handed in.
    """

    store_id: str
    path: str
    memories: int
    chunks: int
    data_version: int
    rows: int
    tokens: int
    dfs: tuple[int, ...]
    words: int = 0
    meaning: int = 0


@dataclass(frozen=True, slots=True)
class WindowFlags:
    """What the merge of one arm's windows says of itself (spec: flags of a merge)."""

    window_complete: bool
    approximate: bool
    truncated: bool
    exhaustive: bool
    examined: int


@dataclass(frozen=True, slots=True)
class Union:
    """Several stores searched as one. `home` names the part of every hit, by uuid.

    A flag is None where that arm did not run.
    """

    parts: tuple[StorePart, ...]
    home: Mapping[str, int]
    statistics: SharedStatistics
    words: WindowFlags | None
    meaning: WindowFlags | None

    def part_of(self, store_id: str) -> StorePart | None:
        """Return a store's part, or None where it had none."""
        return next((p for p in self.parts if p.store_id == store_id), None)
