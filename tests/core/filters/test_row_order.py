"""Lists that nothing ranks: by any column, either way, over one store or several."""

import pytest

from core.store import memories
from core.store.conditions import EVERY_ROW
from core.store.connection import SqlValue
from core.store.row_order import RowOrder, SortColumn, keyed_rowids, merged
from tests.core.filters.store import FETCHED, INJECTED, MEMORIES, NAMES, TOKENS, listed
from tests.support.engine import Engine

_LAST_ADDED = list(reversed(NAMES))
_CREATED = {m.name: m.created_at for m in MEMORIES}
_STATES = dict.fromkeys(NAMES, 1) | dict.fromkeys(("plain", "end", "bare"), 0)
_STATES |= dict.fromkeys(("dead", "alone"), 2)
_KEYS: dict[SortColumn, dict[str, int | str]] = {
    SortColumn.CREATED: dict(_CREATED),
    SortColumn.EDITED: {**_CREATED, "end": "2026-09-09T12:00:00+00:00"},
    SortColumn.TOKENS: dict(TOKENS),
    SortColumn.VERSION: {name: 3 if name == "end" else 1 for name in NAMES},
    SortColumn.TIER: {m.name: m.tier for m in MEMORIES},
    SortColumn.STATE: dict(_STATES),
    SortColumn.INJECTED: {name: INJECTED.get(name, 0) for name in NAMES},
    SortColumn.FETCHED: {name: FETCHED.get(name, 0) for name in NAMES},
}


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("column", SortColumn)
async def test_a_list_is_in_the_order_of_its_column_equals_last_added_first(
    engine: Engine, column: SortColumn, descending: bool
) -> None:
    keys = _KEYS[column]
    expected = sorted(_LAST_ADDED, key=lambda name: keys[name], reverse=descending)
    assert await listed(engine, "", RowOrder(column, descending)) == expected


async def test_the_newest_first_is_the_order_of_the_list_of_all_memories(engine: Engine) -> None:
    async with engine.database.browse.snapshot() as connection:
        everything = await memories.rowids_newest_first(connection)
    assert await listed(engine, "") == [NAMES[rowid - 1] for rowid in everything]


async def test_filters_take_rows_out_of_a_list_and_leave_its_order(engine: Engine) -> None:
    order = RowOrder(SortColumn.INJECTED)
    everything = await listed(engine, "", order)
    kept = set(await listed(engine, "-is:superseded"))
    expected = [name for name in everything if name in kept]
    assert await listed(engine, "-is:superseded", order) == expected
    assert expected[:3] == ["plain", "alone", "end"]


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("column", SortColumn)
async def test_lists_of_several_stores_merge_by_the_column(
    engine: Engine, column: SortColumn, descending: bool
) -> None:
    order = RowOrder(column, descending)
    async with engine.database.browse.snapshot() as connection:
        rows = await keyed_rowids(connection, EVERY_ROW, order)
    both = merged([rows, rows], order)
    alone = [(store, rowid) for store in (0, 1) for rowid, _ in rows]
    assert sorted(both) == sorted(alone)
    keys = [_KEYS[column][NAMES[rowid - 1]] for _, rowid in both]
    assert keys == sorted(keys, reverse=descending)
    first = [rowid for store, rowid in both if store == 0]
    assert first == [rowid for rowid, _ in rows]


def test_values_of_any_type_merge_as_sqlite_orders_them() -> None:
    lists: list[list[tuple[int, SqlValue]]] = [[(1, None), (2, "b")], [(3, 7), (4, 7.5), (5, b"a")]]
    merged_rows = merged(lists, RowOrder(SortColumn.VERSION, descending=False))
    assert merged_rows == [(0, 1), (1, 3), (1, 4), (0, 2), (1, 5)]
