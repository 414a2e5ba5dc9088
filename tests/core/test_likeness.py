"""What lists say of several rows: equal texts, chains that end in a retired memory."""

from pathlib import Path

from core.store.database import Database
from core.store.likeness import dead_ends, equal_pairs
from core.store.location import locate
from tests.support.stores import Memory, build_store, uuid_of, writing


async def dead_names(project: Path, names: str) -> set[str]:
    database = await Database.open(locate(project))
    try:
        async with database.browse.snapshot() as connection:
            found = await dead_ends(connection)
    finally:
        await database.close()
    return {name for name in names if uuid_of(name) in found}


async def test_texts_are_equal_byte_for_byte_or_not_at_all(tmp_path: Path) -> None:
    rows = [
        Memory("a", "same", "text"),
        Memory("b", "same", "text"),
        Memory("c", "same", "text "),
        Memory("d", "Same", "text"),
    ]
    database = await Database.open(locate(build_store(tmp_path, rows)))
    async with database.search.snapshot() as connection:
        found = await equal_pairs(connection, [(1, 2), (2, 3), (1, 4), (1, 99)])
        assert found == {(1, 2)}
        assert await equal_pairs(connection, []) == set()
    await database.close()


async def test_a_retired_head_is_a_dead_end_and_so_is_all_that_leads_to_it(tmp_path: Path) -> None:
    rows = [
        Memory("h", "retired head", active=False),
        Memory("m", "middle", by="h"),
        Memory("f", "first", by="m"),
        Memory("r", "retired, replaced nothing", active=False),
        Memory("l", "live head"),
        Memory("s", "superseded by the live one", by="l"),
    ]
    project = build_store(tmp_path, rows)
    assert await dead_names(project, "hmfrls") == {"h", "m", "f"}


async def test_a_cycle_has_no_end_and_does_not_hang(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "one"), Memory("b", "two")])
    with writing(project) as raw:
        for one, other in (("a", "b"), ("b", "a")):
            raw.execute(
                "UPDATE memory SET active = 0, superseded_by = ? WHERE uuid = ?",
                (uuid_of(one), uuid_of(other)),
            )
    assert await dead_names(project, "ab") == set()
