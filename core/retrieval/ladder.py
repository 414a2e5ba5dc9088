"""Counts that an explanation needs from the store: the eligibility ladder of one search."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.eligibility import Scope
from core.store.conditions import EVERY_ROW, Condition
from core.store.connection import Connection

ALL_ROWS, AFTER_STATE, AFTER_FILTERS = "all rows", "after state", "after filters"


@dataclass(frozen=True, slots=True)
class Rung:
    """How many rows remain after one stage, and whether the memory in question is among them."""

    stage: str
    remaining: int
    holds: bool


def fell_to_filters(ladder: Sequence[Rung]) -> bool:
    """Tell whether it was the filters, and nothing before them, that left the memory out."""
    fell = next((rung.stage for rung in ladder if not rung.holds), None)
    return fell == AFTER_FILTERS


async def eligibility_ladder(
    connection: Connection, scope: Scope, uuid: str | None
) -> tuple[Rung, ...]:
    """Count all rows, those that the state clause keeps, and those that the filters leave of them.

    The last rung is there only where the search has filters. Without a uuid no rung holds it.

    Runs in the caller's snapshot.
    """
    stages = [(ALL_ROWS, EVERY_ROW), (AFTER_STATE, scope.by_state)]
    if scope.is_filtered:
        stages.append((AFTER_FILTERS, Condition(scope.clause, scope.parameters)))
    return tuple([await _rung(connection, stage, kept, uuid) for stage, kept in stages])


async def _rung(connection: Connection, stage: str, kept: Condition, uuid: str | None) -> Rung:
    remaining = await connection.count(
        f"SELECT count(*) FROM memory m WHERE {kept.clause}", kept.parameters
    )
    holds = await connection.count(
        f"SELECT count(*) FROM memory m WHERE {kept.clause} AND m.uuid = ?",
        (*kept.parameters, uuid),
    )
    return Rung(stage, remaining, holds > 0)
