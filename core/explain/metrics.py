"""How good a ranking is by a person's grades: recall@k, MRR@k, nDCG@k, and their definitions.

A grade is 0 (of no use) to 3 (exactly what was wanted); what is not graded counts as 0. Each
measure is None where no memory has a grade above 0: there is nothing to find. Pure.
"""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

HIGHEST_GRADE = 3


class Measure(StrEnum):
    """The measures, as they are named in files and options."""

    RECALL = "recall"
    MRR = "mrr"
    NDCG = "ndcg"


DEFINITIONS: Mapping[Measure, str] = MappingProxyType(
    {
        Measure.RECALL: (
            "recall@k: of the memories graded 1 or higher, the share that stands in the first k."
        ),
        Measure.MRR: (
            "MRR@k: 1 divided by the place of the first memory graded 1 or higher, 0 where none "
            "stands in the first k; the mean over the queries."
        ),
        Measure.NDCG: (
            "nDCG@k: the sum over the first k of (2^grade - 1) / log2(place + 1), divided by that "
            "sum for the best possible order."
        ),
    }
)


def _relevant(grades: Mapping[str, int]) -> set[str]:
    return {uuid for uuid, grade in grades.items() if grade > 0}


def recall_at(grades: Mapping[str, int], ranking: Sequence[str], k: int) -> float | None:
    """Return the share of the relevant memories among the first k; `ranking` is best first."""
    relevant = _relevant(grades)
    if not relevant:
        return None
    return len(relevant.intersection(ranking[:k])) / len(relevant)


def reciprocal_rank_at(grades: Mapping[str, int], ranking: Sequence[str], k: int) -> float | None:
    """Return 1 / place of the first relevant memory among the first k, else 0."""
    relevant = _relevant(grades)
    if not relevant:
        return None
    places = (place for place, uuid in enumerate(ranking[:k], 1) if uuid in relevant)
    first = next(places, None)
    return 0.0 if first is None else 1 / first


def _discounted(grades: Sequence[int]) -> float:
    return math.fsum((2**grade - 1) / math.log2(at + 1) for at, grade in enumerate(grades, 1))


def ndcg_at(grades: Mapping[str, int], ranking: Sequence[str], k: int) -> float | None:
    """Return the discounted gain of the first k over that of the best order (Jarvelin, Kekalainen
    2002; gain 2^grade - 1, discount log2).
    """
    if not _relevant(grades):
        return None
    best = sorted(grades.values(), reverse=True)
    found = [grades.get(uuid, 0) for uuid in ranking[:k]]
    return _discounted(found) / _discounted(best[:k])


def measure_at(
    measure: Measure, grades: Mapping[str, int], ranking: Sequence[str], k: int
) -> float | None:
    """Return one measure by its name."""
    match measure:
        case Measure.RECALL:
            return recall_at(grades, ranking, k)
        case Measure.MRR:
            return reciprocal_rank_at(grades, ranking, k)
        case Measure.NDCG:
            return ndcg_at(grades, ranking, k)
