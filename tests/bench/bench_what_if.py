"""Ranking again in memory: a pool of 100 rows that no two arms share, a third of them replaced.

Prints the best of several runs in ms: one rerank (asked for: 2), a curve of 60 values of rrf_k
(100), and all margins of rows above, at and below the cut, which run off the event loop.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from core.explain.margins import margins
from core.explain.what_if import rank_curve, rerank
from core.readmodels import MemoryHead, State
from core.retrieval.outcome import SearchOutcome
from tests.support.pools import head_of, outcome_of

_LIMIT = 5
_ROWS = 100


def _heads() -> dict[str, MemoryHead]:
    names = [f"row{n:03}" for n in range(_ROWS)]
    return {
        name: head_of(name, State.SUPERSEDED, by=names[(n * 7 + 1) % _ROWS])
        if n % 3 == 0
        else head_of(name)
        for n, name in enumerate(names)
    }


def _mixed(name: str) -> int:
    """Mix the rows in the same way in every run."""
    return int(name[3:]) * 7919 % 101


def _pool() -> SearchOutcome:
    heads = _heads()
    names = sorted(heads, key=_mixed)
    return outcome_of(names[: _ROWS // 2], names[_ROWS // 2 :], heads)


def _best_ms(work: Callable[[], object], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def main() -> None:
    """Measure and print."""
    outcome = _pool()
    other = replace(outcome.settings, rrf_k=10, supersession_penalty=0.9)
    ks = [round(1.122**n) + n for n in range(60)]
    print(f"rerank       {_best_ms(lambda: rerank(outcome.hits, other), 30):8.2f} ms")
    curve = _best_ms(lambda: rank_curve(outcome.hits, outcome.settings, ks), 10)
    print(f"rank curve   {curve:8.2f} ms")
    for place in (1, _LIMIT + 1, _ROWS):
        hit = outcome.hits[place - 1]
        take = partial(
            margins,
            outcome,
            hit.uuid,
            _LIMIT,
            head=hit.head,
            lexical_rank=None if hit.lexical is None else hit.lexical.rank,
            dense_rank=None if hit.dense is None else hit.dense.rank,
        )
        took = _best_ms(take, 5)
        print(f"margins #{place:<3} {took:8.2f} ms")


if __name__ == "__main__":
    main()
