"""How firmly the top of a list stands: places held by a tie-break alone, and agreement. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.explain.standing import decided_by
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.ranking import OrderKey

TOP = 5
_TIMES = ("none", "one", "two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class Fragility:
    """What the first five places (`places`, fewer in a short list) rest on.

    `by_uuid` and `by_recency` list places held over the next row by that key alone. `tied_in_arm`
    lists places whose rank in an arm was dealt out by uuid, among rows of equal distance or bm25.
    `agreed` counts the rows both arms found; `overtaken` are the rows below, not demoted, that one
    arm found at a better rank than any arm found one of the top. Told where both arms ran.
    """

    places: int
    by_uuid: tuple[int, ...]
    by_recency: tuple[int, ...]
    tied_in_arm: tuple[int, ...]
    agreed: int
    overtaken: tuple[str, ...]

    @property
    def arbitrary(self) -> int:
        """Return how many places are decided by uuid or recency alone."""
        return len(self.by_uuid) + len(self.by_recency)

    @property
    def agreement_dominates(self) -> bool:
        """Tell whether the top is all agreement, above rows that one arm thinks better of."""
        return self.places > 0 and self.agreed == self.places and bool(self.overtaken)

    def headline(self) -> str | None:
        """Say the most telling in one sentence, None where nothing is fragile."""
        if self.arbitrary:
            verb = "is" if self.arbitrary == 1 else "are"
            count = _count(self.arbitrary, self.places)
            return f"{count} {verb} decided by uuid or date alone."
        if self.agreement_dominates:
            return f"Agreement of both arms decides the first {self.places} places."
        return None

    def sentences(self) -> tuple[str, ...]:
        """Say in words what is fragile, most telling first; nothing where nothing is."""
        told = (self._tie_breaks(), self._arm_ties(), self._agreement())
        return tuple(sentence for sentence in told if sentence is not None)

    def _tie_breaks(self) -> str | None:
        if not self.arbitrary:
            return None
        reasons = [
            f"{_places(places)} by {why}"
            for places, why in (
                (self.by_recency, "the newer date alone"),
                (self.by_uuid, "the order of their uuids alone"),
            )
            if places
        ]
        verb = "is" if self.arbitrary == 1 else "are"
        return (
            f"{_count(self.arbitrary, self.places)} {verb} held over the next row by a tie-break: "
            f"{', '.join(reasons)}. Their scores are equal."
        )

    def _arm_ties(self) -> str | None:
        if not self.tied_in_arm:
            return None
        noun = "place" if len(self.tied_in_arm) == 1 else "places"
        return (
            f"The {noun} {_places(self.tied_in_arm)}: an arm scored other memories exactly the "
            "same, so the rank that counts was dealt out by uuid."
        )

    def _agreement(self) -> str | None:
        if not self.agreement_dominates:
            return None
        count = len(self.overtaken)
        rest = "1 memory that only one" if count == 1 else f"{count} memories that only one"
        stand = "stands" if count == 1 else "stand"
        return (
            f"Agreement decides: all of the first {self.places} were found by both arms, and "
            f"{rest} arm found, at a better rank, {stand} below them."
        )


def _places(places: Sequence[int]) -> str:
    return ", ".join(f"#{place}" for place in places)


def _count(number: int, of: int) -> str:
    words = _TIMES[number].capitalize()
    return f"{words} of the first {of} places"


def _held_by(outcome: SearchOutcome, key: OrderKey) -> tuple[int, ...]:
    pairs = pairwise(outcome.hits[: TOP + 1])
    return tuple(up.position for up, down in pairs if decided_by(up, down, outcome) is key)


def _tied(hits: Sequence[Hit]) -> set[str]:
    """Return the rows that share their distance, or their bm25, with another row of the arm."""
    scores: dict[tuple[str, float], list[str]] = {}
    for hit in hits:
        if hit.dense is not None:
            scores.setdefault(("dense", hit.dense.distance), []).append(hit.uuid)
        if hit.lexical is not None:
            scores.setdefault(("lexical", hit.lexical.bm25), []).append(hit.uuid)
    return {uuid for uuids in scores.values() if len(uuids) > 1 for uuid in uuids}


def _overtaken(hits: Sequence[Hit]) -> tuple[str, ...]:
    worst = max((h.best_rank for h in hits[:TOP]), default=0)
    one_armed = (h for h in hits[TOP:] if h.dense is None or h.lexical is None)
    return tuple(h.uuid for h in one_armed if h.penalty == 1.0 and h.best_rank < worst)


def fragility(outcome: SearchOutcome) -> Fragility:
    """Tell what the first five places of a search rest on."""
    top = outcome.hits[:TOP]
    both = outcome.dense.ran and outcome.lexical.ran
    tied = _tied(outcome.hits)
    return Fragility(
        places=len(top),
        by_uuid=_held_by(outcome, OrderKey.UUID),
        by_recency=_held_by(outcome, OrderKey.CREATED_AT),
        tied_in_arm=tuple(h.position for h in top if h.uuid in tied),
        agreed=sum(1 for h in top if h.dense is not None and h.lexical is not None) if both else 0,
        overtaken=_overtaken(outcome.hits) if both else (),
    )
