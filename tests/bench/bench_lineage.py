"""Building, judging and laying out a forest of 10,000 memories (layout asked for: below 100 ms).

Three shapes: trees as stores have them, one chain, one memory that replaced all others. Prints the
best of several runs in ms, folded as the window shows it and with nothing folded.
"""

import random
import time
from collections.abc import Callable

from core.lineage.building import forest_of
from core.lineage.folding import View
from core.lineage.layout import Axis, arrange
from core.lineage.problems import problems_of
from core.lineage.records import LineageRow, StoreLineage

_NODES = 10_000
_DEPTH_CAP = 32


def _row(n: int, by: int | None) -> LineageRow:
    at = f"2026-01-{n // 1440 % 28 + 1:02}T{n // 60 % 24:02}:{n % 60:02}:00+00:00"
    name = f"{n:08}"
    after = None if by is None else f"{by:08}"
    return LineageRow(name, by is None, after, "journal", at, f"remark {n}", 1)


def _trees() -> list[LineageRow]:
    rng = random.Random(1)
    return [
        _row(n, None if rng.random() < 0.2 else min(n + rng.randint(1, 40), _NODES - 1))
        for n in range(_NODES - 1)
    ] + [_row(_NODES - 1, None)]


def _chain() -> list[LineageRow]:
    return [_row(n, n + 1 if n + 1 < _NODES else None) for n in range(_NODES)]


def _fan() -> list[LineageRow]:
    return [_row(n, _NODES - 1 if n + 1 < _NODES else None) for n in range(_NODES)]


def _best_ms(work: Callable[[], object], runs: int = 7) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def main() -> None:
    """Measure and print."""
    whole = View(folds=False)
    for name, rows in (("trees", _trees()), ("chain", _chain()), ("fan", _fan())):
        store = StoreLineage(tuple(rows))
        forest = forest_of([store])
        took = {
            "build": _best_ms(lambda store=store: forest_of([store])),  # type: ignore[misc]
            "problems": _best_ms(lambda: problems_of(forest, _DEPTH_CAP)),  # noqa: B023
            "folded": _best_ms(lambda: arrange(forest)),  # noqa: B023
            "whole": _best_ms(lambda: arrange(forest, view=whole)),  # noqa: B023
            "by time": _best_ms(lambda: arrange(forest, view=whole, axis=Axis.TIME)),  # noqa: B023
        }
        line = " · ".join(f"{what} {ms:6.1f}" for what, ms in took.items())
        print(f"{name:6} {len(forest.related()):5} components  {line} ms")


if __name__ == "__main__":
    main()
