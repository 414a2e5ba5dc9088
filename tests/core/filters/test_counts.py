"""How many memories a saved search stands for."""

import pytest

from core.filters.counts import count_of
from core.filters.parsing import parse
from tests.core.filters.store import CONTEXT, listed
from tests.support.engine import Engine


async def counted(engine: Engine, text: str, *, include_retired: bool = False) -> int | None:
    async with engine.database.browse.snapshot() as connection:
        return await count_of(
            connection, parse(text), CONTEXT, include_retired=include_retired, max_terms=64
        )


@pytest.mark.parametrize("text", ["is:live", "is:retired,live", "-is:injected", "session:x"])
async def test_filters_alone_count_what_they_list(engine: Engine, text: str) -> None:
    assert await counted(engine, text) == len(await listed(engine, text))


@pytest.mark.parametrize(
    ("text", "include_retired", "expected"),
    [
        ("tide", False, 10),
        ("tide", True, 12),
        ("plain dead", False, 1),
        ("plain dead", True, 2),
        ("is:retired tide", False, 2),
        ("is:superseded tide", False, 7),
        ("nowhere", False, 0),
    ],
)
async def test_words_count_the_rows_that_hold_one_of_them(
    engine: Engine, text: str, include_retired: bool, expected: int
) -> None:
    assert await counted(engine, text, include_retired=include_retired) == expected


@pytest.mark.parametrize("text", ["similar:5d81", "!", "is:live !"])
async def test_what_ranks_every_row_has_no_count(engine: Engine, text: str) -> None:
    assert await counted(engine, text) is None
