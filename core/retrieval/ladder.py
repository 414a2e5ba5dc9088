"""Counts that an explanation needs from the store: the eligibility ladder of one search."""

from dataclasses import dataclass

from core.retrieval.eligibility import Scope
from core.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Rung:
    """How many rows remain after one stage, and whether the memory in question is among them."""

    stage: str
    remaining: int
    holds: bool


async def eligibility_ladder(connection: Connection, scope: Scope, uuid: str | None
) -> tuple[Rung, ...]:
    """Count all rows, then those that the scope's state clause keeps; say where `uuid` falls out.

    Without a uuid no rung holds it.

    Runs in the caller's snapshot.
    """
    return tuple(
        [
            await _rung(connection, stage, clause, parameters, uuid)
            for stage, clause, parameters in (
                ("all rows", "1", ()),
                ("after state", scope.clause, scope.parameters),
            )
        ]
    )


async def _rung(
    connection: Connection,
    stage: str,
    clause: str,
    parameters: tuple[object, ...],
    uuid: str | None,
) -> Rung:
    bound = tuple(str(p) for p in parameters)
    remaining = await connection.count(f"SELECT count(*) FROM memory m WHERE {clause}", bound)
    holds = await connection.count(
        f"SELECT count(*) FROM memory m WHERE {clause} AND m.uuid = ?", (*bound, uuid)
    )
    return Rung(stage, remaining, holds > 0)
