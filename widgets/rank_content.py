"""What the chart of ranks over rrf_k shows and says. Pure; widgets/rank_chart paints it."""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from widgets.theme import Scheme

MOST_LINES = 8
#: Line colours on the ground of lists: at least 4.5:1 in both schemes.
LINE_COLOURS: Mapping[Scheme, tuple[str, ...]] = MappingProxyType(
    {
        Scheme.LIGHT: (
            *("#2a62b8", "#a3231b", "#1b7340", "#7a4ba8"),
            *("#8a5a00", "#0f6e7c", "#9c2f74", "#4b5563"),
        ),
        Scheme.DARK: (
            *("#6ea5f5", "#ff9d94", "#7fd49b", "#c0a1ef"),
            *("#e5b567", "#6fd0de", "#f29bd0", "#b8c0c8"),
        ),
    }
)
_TABLE_KS = (1, 2, 5, 10, 20, 60, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class RankLine:
    """One memory: its position now and at each rrf_k, None where it is not ranked there."""

    uuid: str
    gist: str
    position: int
    positions: tuple[int | None, ...]

    @property
    def name(self) -> str:
        """Return the number that stands at both ends of the line."""
        return f"#{self.position}"


@dataclass(frozen=True, slots=True)
class RankCrossing:
    """Where two lines change places: from `rrf_k` on `upper` is above, at `position`."""

    rrf_k: int
    upper: RankLine
    lower: RankLine
    position: int

    @property
    def words(self) -> str:
        """Say what happens here."""
        return (
            f"from rrf_k {self.rrf_k} on, {self.upper.name} “{self.upper.gist}” stands above "
            f"{self.lower.name} “{self.lower.gist}”, at place {self.position}"
        )


@dataclass(frozen=True, slots=True)
class RankContent:
    """The lines of the first rows over `rrf_ks` (ascending), their crossings, the k in force."""

    rrf_ks: tuple[int, ...]
    lines: tuple[RankLine, ...]
    crossings: tuple[RankCrossing, ...]
    current_k: int

    def __post_init__(self) -> None:
        if any(len(line.positions) != len(self.rrf_ks) for line in self.lines):
            raise ValueError("a line has a position for every rrf_k")

    @property
    def lowest(self) -> int:
        """Return the last place that any line reaches."""
        places = [p for line in self.lines for p in line.positions if p is not None]
        return max(places, default=1)

    def summary(self) -> str:
        """Describe the chart in a sentence."""
        if not self.lines:
            return "No ranked list to draw."
        count = len(self.crossings)
        what = f"Places of the first {len(self.lines)} memories for rrf_k from 1 to 1000"
        if len(self.lines) == 1:
            what = "The place of the one memory for rrf_k from 1 to 1000"
        if not count:
            return f"{what}; none change places. In force: rrf_k {self.current_k}."
        times = "once" if count == 1 else f"{count} times"
        return f"{what}; they change places {times}. In force: rrf_k {self.current_k}."

    def crossing_words(self, at: int) -> str:
        """Say one crossing, counted from 0."""
        return f"Crossing {at + 1} of {len(self.crossings)}: {self.crossings[at].words}."


def meeting_point(rrf_ks: Sequence[int], crossing: RankCrossing) -> tuple[float, float]:
    """Return (rrf_k, place) where the two lines meet as they are drawn: straight over log(k)."""
    after = bisect_left(rrf_ks, crossing.rrf_k)
    if not 0 < after < len(rrf_ks):
        return float(crossing.rrf_k), float(crossing.position)
    one, other = crossing.upper.positions, crossing.lower.positions
    a, b, c, d = one[after - 1], one[after], other[after - 1], other[after]
    if a is None or b is None or c is None or d is None or (a - c) == (b - d):
        return float(crossing.rrf_k), float(crossing.position)
    share = (a - c) / ((a - c) - (b - d))
    low, high = math.log(rrf_ks[after - 1]), math.log(rrf_ks[after])
    return math.exp(low + share * (high - low)), a + share * (b - a)


def table_columns(content: RankContent) -> tuple[int, ...]:
    """Return the rrf_ks that the table shows: some of those drawn, and the one in force."""
    wanted = {k for k in _TABLE_KS if k in content.rrf_ks} | {content.current_k}
    return tuple(sorted(k for k in wanted if k in content.rrf_ks))


def table_rows(content: RankContent, columns: Sequence[int]) -> list[tuple[RankLine, list[str]]]:
    """Return each line with its places at some rrf_ks, a dash where it has none."""
    at = {k: place for place, k in enumerate(content.rrf_ks)}
    return [
        (line, ["–" if (p := line.positions[at[k]]) is None else f"#{p}" for k in columns])
        for line in content.lines
    ]


def label_tops(wanted: Sequence[float], height: float, last: float) -> list[float]:
    """Return where labels of a height stand that would overlap at `wanted`, ascending.

    Each moves down as far as it must, then up again so that the lowest is not below `last`.
    """
    tops: list[float] = []
    for top in wanted:
        tops.append(max(top, tops[-1] + height) if tops else top)
    for at in reversed(range(len(tops))):
        tops[at] = min(tops[at], last - (len(tops) - 1 - at) * height)
    return tops
