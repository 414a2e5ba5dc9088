"""Judging rankings by grades: which measures at which k, their means, and floors to hold. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.explain.metrics import Measure, measure_at

DEFAULT_KS = (5, 10)
LARGEST_K = 1000
_FLOOR = re.compile(r"(?P<measure>[a-z]+)@(?P<k>[0-9]{1,4})=(?P<floor>[0-9.]{1,20})", re.ASCII)
#: Less than this is rounding: a mean of equal values is not below their value.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class MeasureAt:
    """One measure over the first k of a list."""

    measure: Measure
    k: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= LARGEST_K:
            raise ValueError(f"k is 1 to {LARGEST_K}")

    @property
    def name(self) -> str:
        """Return it as options and files spell it: ndcg@10."""
        return f"{self.measure.value}@{self.k}"


DEFAULT_MEASURES = tuple(MeasureAt(measure, k) for measure in Measure for k in DEFAULT_KS)


@dataclass(frozen=True, slots=True)
class Floor:
    """What the mean of a measure must reach."""

    measure: MeasureAt
    at_least: float

    def __post_init__(self) -> None:
        if not 0 <= self.at_least <= 1:
            raise ValueError("a floor is 0 to 1")


@dataclass(frozen=True, slots=True)
class Check:
    """One floor, the mean it was held against and whether it was reached.

    Nothing to find (`value` None) does not reach a floor.
    """

    floor: Floor
    value: float | None

    @property
    def passed(self) -> bool:
        """Tell whether the mean reaches the floor."""
        return self.value is not None and self.value + _ROUNDING >= self.floor.at_least


def parse_floor(text: str) -> Floor:
    """Read `ndcg@10=0.8`. Raises ValueError."""
    found = _FLOOR.fullmatch(text)
    if found is None:
        raise ValueError(text)
    measure = MeasureAt(Measure(found["measure"]), int(found["k"]))
    return Floor(measure, float(found["floor"]))


def measures_for(floors: Sequence[Floor]) -> tuple[MeasureAt, ...]:
    """Return the measures to tell: recall, MRR and nDCG at 5 and 10, then those asked for."""
    return tuple(dict.fromkeys((*DEFAULT_MEASURES, *(floor.measure for floor in floors))))


def values_of(
    grades: Mapping[str, int], ranking: Sequence[str], measures: Sequence[MeasureAt]
) -> dict[MeasureAt, float | None]:
    """Return every measure of one ranking; None where there is nothing to find."""
    return {m: measure_at(m.measure, grades, ranking, m.k) for m in measures}


def means_of(
    values: Sequence[Mapping[MeasureAt, float | None]], measures: Sequence[MeasureAt]
) -> dict[MeasureAt, float | None]:
    """Return the mean of each measure over the queries that have something to find."""
    return {m: _mean([v[m] for v in values]) for m in measures}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None
