"""What a list without a rank can be sorted by, in words; which way each column runs first. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from core.store.row_order import RowOrder, SortColumn

SORT_NAMES: Mapping[SortColumn, str] = MappingProxyType(
    {
        SortColumn.CREATED: "By when it was c&reated",
        SortColumn.EDITED: "By the last &change",
        SortColumn.TOKENS: "By &length in tokens",
        SortColumn.VERSION: "By &version",
        SortColumn.TIER: "By &tier",
        SortColumn.STATE: "By &state",
        SortColumn.INJECTED: "By how often it was &injected",
        SortColumn.FETCHED: "By how often it was &fetched",
    }
)
#: In words, downwards and upwards.
_ORDERS: Mapping[SortColumn, tuple[str, str]] = MappingProxyType(
    {
        SortColumn.CREATED: ("newest first", "oldest first"),
        SortColumn.EDITED: ("changed last first", "changed longest ago first"),
        SortColumn.TOKENS: ("longest first", "shortest first"),
        SortColumn.VERSION: ("highest version first", "lowest version first"),
        SortColumn.TIER: ("by tier, Z to A", "by tier, A to Z"),
        SortColumn.STATE: ("retired first", "live first"),
        SortColumn.INJECTED: ("most often injected first", "least often injected first"),
        SortColumn.FETCHED: ("most often fetched first", "least often fetched first"),
    }
)
_UPWARDS = frozenset({SortColumn.TIER, SortColumn.STATE})


def order_words(order: RowOrder) -> str:
    """Say an order: 'newest first'."""
    downwards, upwards = _ORDERS[order.column]
    return downwards if order.descending else upwards


def sorted_by(column: SortColumn) -> RowOrder:
    """Return a column's order as it is first wanted."""
    return RowOrder(column, descending=column not in _UPWARDS)


def other_way(order: RowOrder) -> RowOrder:
    """Return the same column the other way round."""
    return replace(order, descending=not order.descending)
