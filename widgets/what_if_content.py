"""The numbers a ranking can be tried with, and how they are written as settings lines. Pure."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from core.settings import RetrievalSettings

BANNER = "What if: not the agent's list"
MOST_K = 1000
MOST_LIMIT = 50
MOST_DEPTH = 500
_SECTION = "[retrieval]"
_K_PER_DECADE = 40


class KnobName(StrEnum):
    """What can be turned, spelled as the store's settings spell it."""

    RRF_K = "rrf_k"
    SUPERSESSION_PENALTY = "supersession_penalty"
    RETIRED_PENALTY = "retired_penalty"
    FUSION_DEPTH = "fusion_depth"
    LIMIT = "limit"


def _spread(most: int, per_decade: int = _K_PER_DECADE) -> tuple[float, ...]:
    """Return whole numbers from 1 to `most`, each about as much larger than the one before."""
    found: set[int] = {most}
    step = 0
    while (value := round(10 ** (step / per_decade))) < most:
        found.add(value)
        step += 1
    return tuple(float(n) for n in sorted(found))


_PENALTIES = tuple(round(0.05 * n, 2) for n in range(1, 21))
STOPS: Mapping[KnobName, tuple[float, ...]] = MappingProxyType(
    {
        KnobName.RRF_K: _spread(MOST_K),
        KnobName.SUPERSESSION_PENALTY: _PENALTIES,
        KnobName.RETIRED_PENALTY: _PENALTIES,
        KnobName.FUSION_DEPTH: _spread(MOST_DEPTH),
        KnobName.LIMIT: tuple(float(n) for n in range(1, MOST_LIMIT + 1)),
    }
)
#: Where a chart of ranks over rrf_k is computed.
RRF_KS = tuple(int(k) for k in STOPS[KnobName.RRF_K])


def nearest_stop(stops: tuple[float, ...], value: float) -> int:
    """Return the place of the stop nearest to a value, the lower one of two."""
    at = bisect_left(stops, value)
    if at == 0:
        return 0
    if at == len(stops) or value - stops[at - 1] <= stops[at] - value:
        return at - 1
    return at


@dataclass(frozen=True, slots=True)
class Knobs:
    """One setting of all knobs. `limit` is where the list is cut and no setting of a store."""

    rrf_k: int = 60
    supersession_penalty: float = 0.5
    retired_penalty: float = 0.5
    fusion_depth: int = 50
    limit: int = 5

    @classmethod
    def of(cls, settings: RetrievalSettings, limit: int) -> Self:
        """Return the knobs as settings and a limit have them."""
        return cls(
            settings.rrf_k,
            settings.supersession_penalty,
            settings.retired_penalty,
            settings.fusion_depth,
            limit,
        )

    def value(self, name: KnobName) -> float:
        """Return one knob's number."""
        return float(getattr(self, name))

    def turned(self, name: KnobName, value: float) -> Self:
        """Return the knobs with one turned to a value."""
        match name:
            case KnobName.RRF_K:
                return replace(self, rrf_k=round(value))
            case KnobName.SUPERSESSION_PENALTY:
                return replace(self, supersession_penalty=round(value, 4))
            case KnobName.RETIRED_PENALTY:
                return replace(self, retired_penalty=round(value, 4))
            case KnobName.FUSION_DEPTH:
                return replace(self, fusion_depth=round(value))
            case KnobName.LIMIT:
                return replace(self, limit=round(value))

    def changed(self, own: "Knobs") -> tuple[KnobName, ...]:
        """Return what differs from the agent's own, in order."""
        return tuple(n for n in KnobName if getattr(self, n) != getattr(own, n))

    def settings(self, own: RetrievalSettings) -> RetrievalSettings:
        """Return settings that rank with these numbers; all others as they are."""
        return replace(
            own,
            rrf_k=self.rrf_k,
            supersession_penalty=self.supersession_penalty,
            retired_penalty=self.retired_penalty,
            fusion_depth=self.fusion_depth,
        )

    def words(self, own: "Knobs") -> str:
        """Say what is changed: 'rrf_k 20 instead of 60, limit 8 instead of 5'."""
        return ", ".join(
            f"{name} {getattr(self, name)!r} instead of {getattr(own, name)!r}"
            for name in self.changed(own)
        )


def config_lines(knobs: Knobs, own: Knobs) -> str:
    """Write the changed settings as lines for a config.toml, empty where no setting is changed.

    The limit is not among them: the agent's service has no setting for it.
    """
    names = [name for name in knobs.changed(own) if name is not KnobName.LIMIT]
    if not names:
        return ""
    lines = [f"{name} = {getattr(knobs, name)!r}" for name in names]
    return "\n".join([_SECTION, *lines]) + "\n"
