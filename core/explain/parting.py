"""Two memories of one search side by side, step by step: where they first differ, and which step
put one above the other for good. Pure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from core.explain.explanation import Explanation
from core.explain.standing import Standing

type Value = str | int | float | None


class PartingStep(StrEnum):
    """The steps of a ranking, in order."""

    ELIGIBILITY = "eligibility"
    DENSE_RANK = "dense_rank"
    LEXICAL_RANK = "lexical_rank"
    FUSION = "fusion"
    DEMOTION = "demotion"
    ORDER = "order"
    REPAIR = "repair"
    CUT = "cut"


#: In words, for a heading.
STEP_WORDS = {
    PartingStep.ELIGIBILITY: "allowed in this search",
    PartingStep.DENSE_RANK: "rank by meaning",
    PartingStep.LEXICAL_RANK: "rank by words",
    PartingStep.FUSION: "sum of both arms",
    PartingStep.DEMOTION: "score after the penalty",
    PartingStep.ORDER: "place in the order",
    PartingStep.REPAIR: "place once replacements stand first",
    PartingStep.CUT: "inside the list",
}

ELIGIBLE, INSIDE, BELOW = "eligible", "inside", "below the cut"


@dataclass(frozen=True, slots=True)
class StepValue:
    """Both memories at one step; `ahead` is the uuid of the better one, None where level.

    Ranks and places count from 1. None: the step does not reach the memory.
    """

    step: PartingStep
    first: Value
    second: Value
    ahead: str | None

    @property
    def differs(self) -> bool:
        """Tell whether the memories part here."""
        return self.first != self.second


@dataclass(frozen=True, slots=True)
class Parting:
    """All steps of two memories; `parted` is the first in which they differ.

    `decided` is the step in which the memory that ends above goes ahead for good: later it is
    level at worst. None where no step tells them apart.
    """

    first: str
    second: str
    steps: tuple[StepValue, ...]
    parted: StepValue | None
    decided: StepValue | None


def _eligibility(e: Explanation) -> Value:
    return next((rung.stage for rung in e.ladder if not rung.holds), ELIGIBLE)


def _from_standing(read: Callable[[Standing], Value]) -> Callable[[Explanation], Value]:
    return lambda e: None if e.standing is None else read(e.standing)


_READERS: tuple[tuple[PartingStep, Callable[[Explanation], Value]], ...] = (
    (PartingStep.ELIGIBILITY, _eligibility),
    (PartingStep.DENSE_RANK, lambda e: e.dense.rank),
    (PartingStep.LEXICAL_RANK, lambda e: e.lexical.rank),
    (PartingStep.FUSION, _from_standing(lambda s: s.rrf_score)),
    (PartingStep.DEMOTION, _from_standing(lambda s: s.fused_score)),
    (PartingStep.ORDER, _from_standing(lambda s: s.position_before_repair)),
    (PartingStep.REPAIR, _from_standing(lambda s: s.position)),
    (PartingStep.CUT, _from_standing(lambda s: INSIDE if s.cut.inside else BELOW)),
)
_HIGHER_IS_BETTER = (PartingStep.FUSION, PartingStep.DEMOTION)


def _goodness(step: PartingStep, value: Value) -> float:
    """Return a number that is larger for the better value; nothing is worse than None."""
    if value is None:
        return float("-inf")
    if isinstance(value, str):
        return float(value in (ELIGIBLE, INSIDE))
    return value if step in _HIGHER_IS_BETTER else -value


def _step(
    step: PartingStep, read: Callable[[Explanation], Value], a: Explanation, b: Explanation
) -> StepValue:
    first, second = read(a), read(b)
    one, other = _goodness(step, first), _goodness(step, second)
    ahead = None if one == other else a.uuid if one > other else b.uuid
    return StepValue(step, first, second, ahead)


def _decided(steps: tuple[StepValue, ...]) -> StepValue | None:
    """Walk back from the final place until the other memory is ahead."""
    decided: StepValue | None = None
    for value in reversed([s for s in steps if s.step is not PartingStep.CUT]):
        if value.ahead is None:
            continue
        if decided is not None and value.ahead != decided.ahead:
            break
        decided = value
    return decided


def parting(a: Explanation, b: Explanation) -> Parting:
    """Compare two memories of one search, in pipeline order."""
    steps = tuple(_step(step, read, a, b) for step, read in _READERS)
    return Parting(
        first=a.uuid,
        second=b.uuid,
        steps=steps,
        parted=next((s for s in steps if s.differs), None),
        decided=_decided(steps),
    )
