"""The order of the list by time, and its top that is known before the whole order."""

from pathlib import Path

import pytest

from core.readmodels import MemoryHead
from core.store import memories
from tests.support.engine import open_engine
from tests.support.stores import Memory, build_store


def at(minute: int) -> str:
    return f"2026-03-01T12:{minute:02}:00+00:00"


async def read(project: Path, most: int) -> tuple[list[int], list[MemoryHead]]:
    async with open_engine(project) as engine, engine.database.browse.snapshot() as connection:
        order = await memories.rowids_newest_first(connection)
        return order, await memories.newest_heads(connection, most)


@pytest.mark.parametrize("most", [2, 7, 20, 40])
async def test_the_newest_heads_are_the_beginning_of_the_order(most: int, tmp_path: Path) -> None:
    # Three rows a minute, made oldest last: neither rowids nor uuids run with the time.
    rows = [Memory(f"m{n}", f"note {n}", created_at=at(59 - n // 3)) for n in range(30)]
    order, heads = await read(build_store(tmp_path, rows), most)
    assert [h.rowid for h in heads] == order[: len(heads)]
    assert len(heads) == {2: 0, 7: 6, 20: 18, 40: 27}[most]


async def test_rows_of_one_instant_that_do_not_all_fit_are_left_to_the_order(
    tmp_path: Path,
) -> None:
    rows = [Memory(f"m{n}", f"note {n}", created_at=at(1)) for n in range(30)]
    order, heads = await read(build_store(tmp_path, rows), 20)
    assert heads == []
    assert len(order) == 30
