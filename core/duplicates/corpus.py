"""All that duplicates are looked for in: memories with fingerprints, vectors by model.

Imports numpy; import it off the first paint.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.duplicates.fingerprints import Fingerprint
from core.duplicates.keys import MemoryKey
from core.errors import GenizahError

type Floats = npt.NDArray[np.float32]
type Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class ComparedMemory:
    """One memory: the place of its store in the list, its row, its fingerprint."""

    store: int
    key: MemoryKey
    rowid: int
    created_at: str
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The vectors of one model: the first parts of memories, then further parts.

    `owners` and `further_owners` are places in the corpus' memories. Vectors are as stored.
    """

    model: str
    firsts: Floats
    owners: Places
    further: Floats
    further_owners: Places


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A store that could not be read to its end, by its place, and why: nothing of it is kept."""

    store: int
    error: GenizahError


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was read. `unmeasured` memories have no usable vector of their store's model.

    `copies` are the places of stores left out because another one in the list has the same id;
    `moved` tells that a store was written meanwhile.
    """

    memories: tuple[ComparedMemory, ...]
    spaces: tuple[VectorSpace, ...]
    unmeasured: int
    copies: tuple[int, ...] = ()
    moved: bool = False
    unreadable: tuple[Unreadable, ...] = ()
