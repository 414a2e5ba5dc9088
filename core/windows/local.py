"""The way a single source goes through the kernel: looked at in place, nothing copied.

There is nothing to merge and nothing to deduplicate: the list given is the list returned.
"""

import math
from collections.abc import Callable, Sequence

from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchCandidate
from core.windows.errors import corrupt
from core.windows.order import ReferenceKey, reference_key


def local_branch[C, K: (str, ReferenceKey)](
    candidates: Sequence[C],
    *,
    score: Callable[[C], float],
    reference: Callable[[C], K | None],
    budget: Budget | None = None,
) -> Sequence[C]:
    """Return this very list after a look: scores finite and descending, equals by reference.

    Among equal scores a candidate whose reference is None may stand anywhere. Raises WindowError.
    """
    above: C | None = None
    score_above = math.inf
    for candidate in candidates:
        if budget is not None:
            budget.check()
        here = score(candidate)
        if not math.isfinite(here):
            raise corrupt("A branch has a score that is not finite.")
        if here > score_above:
            raise corrupt("A branch is not in order of its scores.")
        if here == score_above and above is not None:
            _check_tie(reference(above), reference(candidate))
        above, score_above = candidate, here
    return candidates


def _check_tie[K: (str, ReferenceKey)](above: K | None, below: K | None) -> None:
    if above is not None and below is not None and below < above:
        raise corrupt("Equal scores of a branch are not in order of their references.")


def local_candidates(
    candidates: Sequence[GlobalBranchCandidate], budget: Budget | None = None
) -> Sequence[GlobalBranchCandidate]:
    """Pass a single source's candidates of the kernel's own type."""
    return local_branch(
        candidates,
        score=lambda c: c.score,
        reference=lambda c: reference_key(c.reference),
        budget=budget,
    )
