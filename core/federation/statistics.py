"""The numbers of the word arm over several stores: checked store by store, then summed. Pure.

A store's numbers that cannot be are its own fault and named as such; sums that do not fit are the
search's.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.union import SharedStatistics
from core.windows.errors import corrupt, invalid, over_budget

EPOCH_VERSION = 1
_INT32, _INT64 = 2**31 - 1, 2**63 - 1


@dataclass(frozen=True, slots=True)
class StoreStatistics:
    """One store's share: rows and tokens of its index, and for each term the rows that hold it."""

    store_id: str
    rows: int
    tokens: int
    terms: tuple[str, ...]
    dfs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StatisticsRequest:
    """What the numbers were asked for: the terms in query order, and which rows may be found."""

    terms: tuple[str, ...]
    scope: str


def check(numbers: StoreStatistics, terms: Sequence[str]) -> None:
    """Refuse numbers that no index can have. Raises WindowError(CORRUPTION)."""
    if numbers.terms != tuple(terms):
        raise corrupt(f"The store {numbers.store_id} answered for other terms than the others.")
    if len(numbers.dfs) != len(numbers.terms):
        raise corrupt(f"The store {numbers.store_id} counted another number of terms.")
    if min(numbers.rows, numbers.tokens, *numbers.dfs) < 0:
        raise corrupt(f"The word index of the store {numbers.store_id} has a negative count.")
    if numbers.rows == 0 and numbers.tokens > 0:
        raise corrupt(f"The word index of the store {numbers.store_id} has words and no rows.")
    if any(df > numbers.rows for df in numbers.dfs):
        raise corrupt(
            f"In the word index of the store {numbers.store_id} a term is in more rows than it has."
        )


def shared_statistics(
    request: StatisticsRequest, stores: Sequence[StoreStatistics]
) -> SharedStatistics:
    """Sum the stores' numbers. Raises WindowError: VALIDATION without a store, CORRUPTION as
    `check` does, BUDGET_EXCEEDED where a sum does not fit.
    """
    if not stores:
        raise invalid("There is no store to take statistics of.")
    for numbers in stores:
        check(numbers, request.terms)
    rows, tokens = _total([s.rows for s in stores]), _total([s.tokens for s in stores])
    dfs = tuple(_total([s.dfs[at] for s in stores]) for at in range(len(request.terms)))
    if max((rows, *dfs)) > _INT32 or tokens > _INT64:
        raise over_budget("The stores together have more rows or words than can be counted.")
    return SharedStatistics(rows, tokens, dfs, _epoch(request, stores))


def _total(counts: Sequence[int]) -> int:
    return sum(counts)  # of integers: exact


def _epoch(request: StatisticsRequest, stores: Sequence[StoreStatistics]) -> str:
    """Return a digest that is equal only for equal numbers of the same stores and request."""
    asked = [list(request.terms), request.scope]
    numbers = [[s.store_id, s.rows, s.tokens, list(s.dfs)] for s in stores]
    text = json.dumps([EPOCH_VERSION, asked, numbers], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
