"""SQL conditions with the values they bind: built in pieces, put together here. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.store.connection import SqlValue


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition over alias `m` of memory that may stand anywhere, and its values in order."""

    clause: str
    parameters: tuple[SqlValue, ...] = ()


EVERY_ROW = Condition("1")
NO_ROW = Condition("0")


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that holds where all of these do; every row where there are none."""
    return _joined(conditions, " AND ", EVERY_ROW)


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that holds where one of these does; no row where there are none."""
    return _joined(conditions, " OR ", NO_ROW)


def none_of(condition: Condition) -> Condition:
    """Return the condition that holds where this one does not, an unknown value included."""
    return Condition(f"({condition.clause} IS NOT TRUE)", condition.parameters)


def _joined(conditions: Sequence[Condition], word: str, empty: Condition) -> Condition:
    if len(conditions) < 2:
        return conditions[0] if conditions else empty
    values = tuple(value for c in conditions for value in c.parameters)
    return Condition(f"({word.join(c.clause for c in conditions)})", values)
