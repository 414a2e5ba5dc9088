"""The chart of ranks over rrf_k: computed for the list on screen while the chart can be seen."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.tasks import TaskSet
from app.worker import Worker
from core.explain.what_if import Crossing, crossings, rank_curve
from core.retrieval.outcome import SearchOutcome
from core.settings import RetrievalSettings
from widgets.rank_content import MOST_LINES, RankContent, RankCrossing, RankLine
from widgets.rank_panel import RankPanel
from widgets.text_marks import one_line
from widgets.what_if_content import RRF_KS

_LONGEST = 44
_EMPTY = RankContent((), (), (), 60)


type _Ranks = tuple[str, int | None, int | None]


@dataclass(frozen=True, slots=True)
class _Curve:
    """Every memory's place at each of `rrf_ks`, for one pool and all settings but rrf_k."""

    pool: frozenset[_Ranks]
    data_version: int
    settings: RetrievalSettings
    rrf_ks: tuple[int, ...]
    places: Mapping[str, tuple[int | None, ...]]


class RankChartController:
    """Keep the chart in step with the list; the newest one wins."""

    def __init__(self, panel: RankPanel) -> None:
        self._panel = panel
        self._worker = Worker("chart")
        self._tasks: TaskSet | None = None
        self._running: asyncio.Task[None] | None = None
        self._outcome: SearchOutcome | None = None
        self._drawn: SearchOutcome | None = None
        self._curve: _Curve | None = None
        panel.became_visible.connect(self._draw)

    @property
    def is_busy(self) -> bool:
        """Tell whether a chart is coming."""
        return self._running is not None and not self._running.done()

    async def settled(self) -> None:
        """Wait until the chart belongs to the list."""
        while self._running is not None and self.is_busy:
            await asyncio.wait({self._running})

    def use(self, tasks: TaskSet) -> None:
        """Work in a store's tasks."""
        self._tasks = tasks

    def drop(self) -> None:
        """Draw nothing from now on."""
        self.show(None)
        self._tasks = self._curve = None

    def close(self) -> None:
        """End the worker's thread."""
        self._worker.close()

    def show(self, outcome: SearchOutcome | None) -> None:
        """Draw this list, now or once the chart can be seen."""
        self._outcome = outcome
        if outcome is None:
            self._end()
            self._drawn = None
            self._panel.show_content(_EMPTY)
        elif self._panel.isVisible():
            self._draw()

    def _draw(self) -> None:
        outcome = self._outcome
        if outcome is None or outcome is self._drawn or self._tasks is None:
            return
        self._end()
        self._running = self._tasks.spawn(self._compute(outcome), name="rank chart")

    def _end(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _compute(self, outcome: SearchOutcome) -> None:
        curve = self._curve
        if curve is None or not _belongs(curve, outcome):
            curve = self._curve = await self._worker.run(_curve_of, outcome)
        content = await self._worker.run(content_of, outcome, curve.rrf_ks, curve.places)
        self._drawn = outcome
        self._panel.show_content(content)


def _but_k(settings: RetrievalSettings) -> RetrievalSettings:
    return replace(settings, rrf_k=1)


def _belongs(curve: _Curve, outcome: SearchOutcome) -> bool:
    return (curve.data_version, curve.settings, curve.pool) == (
        outcome.data_version,
        _but_k(outcome.settings),
        _ranks(outcome),
    )


def _ranks(outcome: SearchOutcome) -> frozenset[_Ranks]:
    return frozenset(
        (hit.uuid, hit.dense.rank if hit.dense else None, hit.lexical.rank if hit.lexical else None)
        for hit in outcome.hits
    )


def _curve_of(outcome: SearchOutcome) -> _Curve:
    return _Curve(
        _ranks(outcome),
        outcome.data_version,
        _but_k(outcome.settings),
        RRF_KS,
        rank_curve(outcome.hits, outcome.settings, RRF_KS),
    )


def content_of(
    outcome: SearchOutcome,
    rrf_ks: tuple[int, ...],
    places: Mapping[str, tuple[int | None, ...]],
) -> RankContent:
    """Return what is drawn: the first rows of the list, and where their lines cross."""
    first = outcome.hits[:MOST_LINES]
    lines = {
        hit.uuid: RankLine(
            hit.uuid, one_line(hit.head.gist, _LONGEST), hit.position, places[hit.uuid]
        )
        for hit in first
    }
    found = crossings(places, rrf_ks, list(lines))
    exact = [_exact(outcome, crossing, rrf_ks) for crossing in found]
    return RankContent(
        rrf_ks,
        tuple(lines.values()),
        tuple(
            RankCrossing(c.rrf_k, lines[c.upper], lines[c.lower], c.position)
            for c in sorted(exact, key=lambda c: (c.rrf_k, c.position))
        ),
        outcome.settings.rrf_k,
    )


def _exact(outcome: SearchOutcome, found: Crossing, rrf_ks: tuple[int, ...]) -> Crossing:
    """Find the very first rrf_k of a crossing: the chart's own are further apart."""
    low, high = max((k for k in rrf_ks if k < found.rrf_k), default=0), found.rrf_k
    at = found
    while high - low > 1:
        middle = (low + high) // 2
        places = rank_curve(outcome.hits, outcome.settings, (middle,))
        upper, lower = places[found.upper][0], places[found.lower][0]
        if upper is not None and lower is not None and upper < lower:
            high, at = middle, replace(found, rrf_k=middle, position=upper)
        else:
            low = middle
    return at
