"""How a memory is named across stores, and two of them as one pair. No numpy, no SQL."""

from dataclasses import dataclass

type KeyPair = tuple[MemoryKey, MemoryKey]
"""Two memories, the smaller key first: `pair_of` makes it."""


@dataclass(frozen=True, slots=True, order=True)
class MemoryKey:
    """One memory of one store."""

    store_id: str
    uuid: str


def pair_of(one: MemoryKey, other: MemoryKey) -> KeyPair:
    """Return two memories as a pair, whichever is named first."""
    if one == other:
        raise ValueError("a pair is two memories")
    return (one, other) if one < other else (other, one)
