"""Pairs and groups by meaning, against every pair worked out one by one."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duplicates.corpus import ComparedMemory, Corpus, VectorSpace
from core.duplicates.fingerprints import fingerprint
from core.duplicates.groups import DuplicateGroup, groups_of
from core.duplicates.keys import KeyPair, MemoryKey, pair_of
from core.duplicates.scanning import PairScan, scan_pairs
from core.progress import Progress, WorkCancelledError
from tests.support.properties import PROPERTY

_WIDTH = 4


def _key(place: int) -> MemoryKey:
    return MemoryKey("store", f"u{place:05}")


def _memory(place: int) -> ComparedMemory:
    at = f"2026-01-01T00:00:{place % 60:02}+00:00"
    return ComparedMemory(0, _key(place), place, at, fingerprint(f"g{place}", "c"))


def corpus_of(parts: Sequence[Sequence[Sequence[float]]]) -> Corpus:
    """Make a corpus of one model from each memory's vectors, the first part first."""
    firsts = [(at, vectors[0]) for at, vectors in enumerate(parts) if vectors]
    further = [(at, v) for at, vectors in enumerate(parts) for v in vectors[1:]]
    width = max((len(v) for _, v in firsts), default=_WIDTH)

    def block(rows: list[tuple[int, Sequence[float]]]) -> tuple[np.ndarray, np.ndarray]:
        vectors = np.array([v for _, v in rows], dtype=np.float32).reshape(-1, width)
        return vectors, np.array([at for at, _ in rows], dtype=np.intp)

    space = VectorSpace("stub", *block(firsts), *block(further))
    memories = tuple(_memory(at) for at in range(len(parts)))
    return Corpus(memories, (space,), len(parts) - len(firsts))


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    a, b = [float(np.float32(x)) for x in a], [float(np.float32(x)) for x in b]
    dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(math.fsum(x * x for x in a)) / math.sqrt(math.fsum(y * y for y in b))


def _expected(
    parts: Sequence[Sequence[Sequence[float]]], threshold: float
) -> dict[tuple[int, int], float]:
    """Work every pair out: the first part of one against any part of the other."""
    found = {}
    for a, b in combinations(range(len(parts)), 2):
        if not parts[a] or not parts[b]:
            continue
        sides = [(parts[a][0], v) for v in parts[b]] + [(parts[b][0], v) for v in parts[a]]
        best = max(_cosine(x, y) for x, y in sides)
        if best >= threshold - 1e-9:
            found[a, b] = best
    return found


def _pairs(scan: PairScan) -> dict[tuple[int, int], float]:
    p = scan.pairs
    return {
        (int(a), int(b)): float(c) for a, b, c in zip(p.first, p.second, p.cosines, strict=True)
    }


def _components(count: int, pairs: Sequence[tuple[int, int]]) -> set[frozenset[int]]:
    groups = {at: {at} for at in range(count)}
    for a, b in pairs:
        if groups[a] is not groups[b]:
            groups[a] |= groups[b]
            for at in groups[b]:
                groups[at] = groups[a]
    return {frozenset(g) for g in groups.values() if len(g) > 1}


def _members(groups: Sequence[DuplicateGroup]) -> set[frozenset[int]]:
    return {frozenset(m.memory.rowid for m in g.members) for g in groups}


_NUMBERS = st.integers(-3, 3).map(float)
_VECTORS = st.lists(_NUMBERS, min_size=_WIDTH, max_size=_WIDTH).filter(any)
_MEMORIES = st.lists(st.lists(_VECTORS, max_size=3), max_size=14)


@given(_MEMORIES, st.sampled_from([0.80, 0.85, 0.90, 0.95, 1.00]))
@PROPERTY
def test_pairs_and_groups_are_those_of_all_pairs_worked_out(
    parts: list[list[list[float]]], threshold: float
) -> None:
    corpus = corpus_of(parts)
    scan = scan_pairs(corpus, threshold)
    expected = _expected(parts, threshold)
    assert scan.is_complete
    assert _pairs(scan) == pytest.approx(expected, abs=1e-12)
    assert list(scan.pairs.cosines) == sorted(scan.pairs.cosines, reverse=True)
    groups = groups_of(corpus, scan, threshold)
    assert _members(groups) == _components(len(parts), list(expected))


@given(_MEMORIES, st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=6))
@PROPERTY
def test_a_cap_on_pairs_changes_no_group_and_no_nearest_cosine(
    parts: list[list[list[float]]], marked: set[tuple[int, int]]
) -> None:
    corpus = corpus_of(parts)
    apart = frozenset(pair_of(_key(a), _key(b)) for a, b in marked if a != b)
    capped = scan_pairs(corpus, 0.8, apart, max_pairs=3)
    whole = scan_pairs(corpus, 0.8, apart)
    assert len(capped.pairs) == min(3, len(whole.pairs))
    assert list(capped.pairs.cosines) == list(whole.pairs.cosines[:3])
    assert groups_of(corpus, capped, 0.8, apart) == groups_of(corpus, whole, 0.8, apart)


def test_a_higher_threshold_and_other_marks_are_told_from_one_pass() -> None:
    near = [[[1.0, 0, 0, 0]], [[1.0, 0.1, 0, 0]], [[1.0, 0.6, 0, 0]]]
    corpus = corpus_of(near)
    scan = scan_pairs(corpus, 0.80)
    assert _members(groups_of(corpus, scan, 0.80)) == {frozenset({0, 1, 2})}
    assert _members(groups_of(corpus, scan, 0.95)) == {frozenset({0, 1})}
    marked = frozenset({pair_of(_key(1), _key(0))})
    assert _members(groups_of(corpus, scan, 0.95, marked)) == set()
    (still,) = groups_of(corpus, scan, 0.80, marked)
    assert len(still.members) == 3, "both are linked to the third still"
    assert not scan.answers(0.79, frozenset())
    with pytest.raises(ValueError, match="another pass"):
        groups_of(corpus, scan, 0.79)


def test_a_capped_pass_answers_only_for_what_it_was_asked() -> None:
    corpus = corpus_of([[[1.0, at / 100, 0, 0]] for at in range(8)])
    scan = scan_pairs(corpus, 0.8, max_pairs=5)
    assert not scan.is_complete
    assert scan.answers(0.8, frozenset())
    assert not scan.answers(0.9, frozenset())
    assert not scan.answers(0.8, frozenset({pair_of(_key(0), _key(1))}))


@pytest.mark.parametrize("threshold", [0.79, 1.01, math.nan])
def test_a_threshold_has_a_range(threshold: float) -> None:
    with pytest.raises(ValueError, match=r"0\.8"):
        scan_pairs(corpus_of([]), threshold)


def test_pairs_across_the_edges_of_blocks_are_found() -> None:
    """3,000 memories in blocks of 1,024: three vectors that are equal, far from one another."""
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((3000, 32)).astype(np.float32)
    vectors[[7, 1500, 2999]] = vectors[7]
    corpus = corpus_of([[v.tolist()] for v in vectors])
    scan = scan_pairs(corpus, 0.99)
    equal = {(7, 1500): 1.0, (7, 2999): 1.0, (1500, 2999): 1.0}
    assert _pairs(scan) == pytest.approx(equal, abs=1e-12)


def test_ten_thousand_equal_vectors_are_one_group() -> None:
    corpus = corpus_of([[[0.6, 0.8, 0, 0]]] * 10_000)
    scan = scan_pairs(corpus, 1.0, max_pairs=1000)
    assert (len(scan.pairs), scan.is_complete) == (1000, False)
    (group,) = groups_of(corpus, scan, 1.0)
    assert len(group.members) == 10_000


def test_a_pass_says_how_far_it_is_and_ends_when_it_is_cancelled() -> None:
    rng = np.random.default_rng(5)
    corpus = corpus_of([[v.tolist()] for v in rng.standard_normal((2500, 8))])
    told: list[tuple[int, int]] = []
    scan_pairs(corpus, 0.9999, report=lambda *amount: told.append(amount))
    assert told == [(done, 6) for done in range(7)]
    progress = Progress()

    def stop(done: int, total: int) -> None:
        if done == 2:
            progress.cancel()
        progress.report(done, total)

    with pytest.raises(WorkCancelledError):
        scan_pairs(corpus, 0.9999, report=stop)
    assert progress.amount == (1, 6)


def test_a_pair_is_two_memories_in_any_order() -> None:
    assert pair_of(_key(2), _key(1)) == pair_of(_key(1), _key(2)) == (_key(1), _key(2))
    pair: KeyPair = pair_of(MemoryKey("b", "a"), MemoryKey("a", "b"))
    assert pair[0].store_id == "a"
    with pytest.raises(ValueError, match="two memories"):
        pair_of(_key(1), _key(1))
