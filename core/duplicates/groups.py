"""Groups of memories that may say the same, told from one pass over a corpus.

A group is a connected component: everyone is near enough to someone in it (not to everyone), or has
an equal text. A pair that a person called no duplicates is no link; both stay in one group where
others link them still. Nothing is merged here: what looks alike may be different facts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.duplicates.corpus import ComparedMemory, Corpus, Places
from core.duplicates.keys import KeyPair, pair_of
from core.duplicates.scanning import TOLERANCE, PairScan, apart_codes, join


@dataclass(frozen=True, slots=True)
class Member:
    """One memory of a group; `closest` is the cosine to its nearest one, None where the group is
    held together by equal texts alone."""

    memory: ComparedMemory
    closest: float | None


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Members by age, then key.

    `identical` are its sets of equal texts. `twins` are its sets of texts that are equal but for
    identifiers: they look alike and may well be different facts.
    """

    members: tuple[Member, ...]
    identical: tuple[tuple[ComparedMemory, ...], ...]
    twins: tuple[tuple[ComparedMemory, ...], ...]

    @property
    def closest(self) -> float:
        """Return the best cosine in it; equal texts count as 1."""
        found = max((m.closest for m in self.members if m.closest is not None), default=0.0)
        return 1.0 if self.identical else found

    @property
    def is_all_identical(self) -> bool:
        """Tell whether all of its texts are equal."""
        return any(len(same) == len(self.members) for same in self.identical)


def identical_sets(
    corpus: Corpus, apart: Collection[KeyPair] = frozenset()
) -> tuple[tuple[ComparedMemory, ...], ...]:
    """Return the sets of memories with equal gist and content, the largest first."""
    everyone = range(len(corpus.memories))
    return _told(corpus, _equal(corpus, everyone, apart))


def twin_sets(
    corpus: Corpus, apart: Collection[KeyPair] = frozenset()
) -> tuple[tuple[ComparedMemory, ...], ...]:
    """Return the sets of memories with texts equal but for identifiers, the largest first."""
    everyone = range(len(corpus.memories))
    return _told(corpus, _twins(corpus, everyone, apart))


def groups_of(
    corpus: Corpus, scan: PairScan, threshold: float, apart: frozenset[KeyPair] = frozenset()
) -> tuple[DuplicateGroup, ...]:
    """Return the groups, nearest first, then larger ones. For a worker.

    Raises ValueError where the scan cannot tell: ask `scan.answers` before.
    """
    if not scan.answers(threshold, apart):
        raise ValueError("these groups need another pass")
    labels, closest = _linked(corpus, scan, threshold, apart)
    for same in _equal(corpus, range(len(labels)), apart):
        equal = np.array(same, dtype=np.intp)
        join(labels, equal[:-1], equal[1:])
    members: dict[int, list[int]] = {}
    sizes = np.bincount(labels, minlength=len(labels))
    for place in np.flatnonzero(sizes[labels] > 1).tolist():
        members.setdefault(int(labels[place]), []).append(place)
    found = [_group(corpus, places, closest, apart) for places in members.values()]
    return tuple(sorted(found, key=lambda g: (-g.closest, -len(g.members), _age(g.members[0]))))


def _linked(
    corpus: Corpus, scan: PairScan, threshold: float, apart: frozenset[KeyPair]
) -> tuple[Places, Mapping[int, float]]:
    """Return each memory's label and the best cosine of those that have a link."""
    if scan.is_complete:
        labels: Places = np.arange(len(corpus.memories))
        first, second = scan.pairs.first, scan.pairs.second
        out = np.isin(first * len(labels) + second, apart_codes(corpus, apart))
        kept = (scan.pairs.cosines >= threshold - TOLERANCE) & ~out
        join(labels, first[kept], second[kept])
        best = np.zeros(len(labels))
        for places in (first[kept], second[kept]):
            np.maximum.at(best, places, scan.pairs.cosines[kept])
    else:
        labels, best = scan.labels.copy(), scan.closest
    near = np.flatnonzero(best)
    return labels, dict(zip(near.tolist(), best[near].tolist(), strict=True))


def _group(
    corpus: Corpus,
    places: Sequence[int],
    closest: Mapping[int, float],
    apart: Collection[KeyPair],
) -> DuplicateGroup:
    members = [Member(corpus.memories[at], closest.get(at)) for at in places]
    return DuplicateGroup(
        tuple(sorted(members, key=_age)),
        _told(corpus, _equal(corpus, places, apart)),
        _told(corpus, _twins(corpus, places, apart)),
    )


def _equal(
    corpus: Corpus, places: Iterable[int], apart: Collection[KeyPair]
) -> Iterator[tuple[int, ...]]:
    by_text: dict[bytes, list[int]] = {}
    for place in places:
        by_text.setdefault(corpus.memories[place].fingerprint.text, []).append(place)
    for same in by_text.values():
        yield from _parted(corpus, same, apart)


def _twins(
    corpus: Corpus, places: Iterable[int], apart: Collection[KeyPair]
) -> Iterator[tuple[int, ...]]:
    by_shape: dict[bytes, list[int]] = {}
    for place in places:
        shape = corpus.memories[place].fingerprint.shape
        if shape is not None:
            by_shape.setdefault(shape, []).append(place)
    for alike in by_shape.values():
        for some in _parted(corpus, alike, apart):
            if len({corpus.memories[place].fingerprint.names for place in some}) > 1:
                yield some


def _parted(
    corpus: Corpus, places: Sequence[int], apart: Collection[KeyPair]
) -> Iterator[tuple[int, ...]]:
    """Yield what hangs together of alike memories: all of them, but for pairs that are apart."""
    left = dict.fromkeys(places)
    while len(left) > 1:
        reached, waiting = [], [left.popitem()[0]]
        while waiting:
            at = waiting.pop()
            reached.append(at)
            linked = [n for n in left if not apart or _pair(corpus, at, n) not in apart]
            waiting += linked
            for place in linked:
                del left[place]
        if len(reached) > 1:
            yield tuple(sorted(reached))


def _pair(corpus: Corpus, one: int, other: int) -> KeyPair:
    return pair_of(corpus.memories[one].key, corpus.memories[other].key)


def _told(
    corpus: Corpus, sets: Iterable[tuple[int, ...]]
) -> tuple[tuple[ComparedMemory, ...], ...]:
    """Return the sets with their memories, the largest first, each by place."""
    ordered = sorted(sets, key=lambda places: (-len(places), places))
    return tuple(tuple(corpus.memories[place] for place in places) for places in ordered)


def _age(member: Member) -> tuple[str, str, str]:
    memory = member.memory
    return memory.created_at, memory.key.store_id, memory.key.uuid
