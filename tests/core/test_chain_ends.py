"""Where chains of replaced rows lead: the replacement and the last row, whatever the chain."""

from pathlib import Path

import pytest

from core.store.chain_ends import chain_ends
from tests.support.engine import open_engine
from tests.support.stores import Memory, build_store, uuid_of, writing


@pytest.fixture
def project(tmp_path: Path) -> Path:
    rows = [
        Memory("live", "now"),
        Memory("middle", "then", by="live"),
        Memory("first", "long ago", by="middle"),
        Memory("dead", "given up", active=False),
        Memory("lost", "led to nothing", by="dead"),
        Memory("left", "left", by="live"),
        Memory("right", "right", by="left"),
    ]
    return build_store(tmp_path / "project", rows)


async def test_each_replaced_row_names_its_replacement_and_the_end_of_its_chain(
    project: Path,
) -> None:
    names = ("first", "middle", "lost", "live", "dead")
    async with open_engine(project) as engine, engine.database.browse.snapshot() as connection:
        found = await chain_ends(connection, [uuid_of(name) for name in names])
    told = {
        uuid: (
            end.replacement.gist if end.replacement else None,
            end.end.gist if end.end else None,
            end.steps,
        )
        for uuid, end in found.items()
    }
    assert told == {
        uuid_of("first"): ("then", "now", 2),
        uuid_of("middle"): ("now", "now", 1),
        uuid_of("lost"): ("given up", "given up", 1),
    }


async def test_a_circle_has_no_end_and_a_missing_row_is_none(project: Path) -> None:
    with writing(project) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute(
            "UPDATE memory SET superseded_by = ? WHERE uuid = ?",
            (uuid_of("right"), uuid_of("left")),
        )
        raw.execute(
            "UPDATE memory SET superseded_by = 'nobody' WHERE uuid = ?", (uuid_of("lost"),)
        )
    async with open_engine(project) as engine, engine.database.browse.snapshot() as connection:
        found = await chain_ends(connection, [uuid_of("left"), uuid_of("lost")])
    circle, missing = found[uuid_of("left")], found[uuid_of("lost")]
    assert circle.replacement is not None and circle.end is None
    assert (missing.replacement, missing.end) == (None, None)
