"""How stores are told apart in little room: a short label each, their whole path in tooltips. Pure.

Stores of the same name get as many of the folders above them as it takes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

_STORE_FOLDER = ".zikaron"


@dataclass(frozen=True, slots=True)
class StoreLabel:
    """One store in a row of a list: `key` tells stores apart, `badge` is empty where one is alone.

    `path` is the whole truth of it.
    """

    key: str
    badge: str
    path: str


def short_labels(stores: Sequence[tuple[str, str]]) -> list[str]:
    """Return a label for each (name, path): the name, with folders before it where it is shared."""
    parts = [_parts(name, path) for name, path in stores]
    depths = [1] * len(parts)
    while shared := _shared(parts, depths):
        for at in shared:
            depths[at] += 1
    return ["/".join(p[-depth:]) for p, depth in zip(parts, depths, strict=True)]


def _parts(name: str, path: str) -> tuple[str, ...]:
    folders = [part for part in PurePath(path).parts[:-1] if part not in ("/", _STORE_FOLDER)]
    above = folders[:-1] if folders and folders[-1] == name else folders
    return (*above, name)


def _shared(parts: Sequence[tuple[str, ...]], depths: Sequence[int]) -> list[int]:
    """Return the places whose labels are not their own and can still grow."""
    made = [p[-depth:] for p, depth in zip(parts, depths, strict=True)]
    times = Counter(made)
    return [at for at, label in enumerate(made) if times[label] > 1 and depths[at] < len(parts[at])]
