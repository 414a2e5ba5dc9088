"""Stores in a group that are not as wished for: equal rows, odd versions, foreign files."""

from pathlib import Path

from core.errors import ErrorCode
from core.federation.outcome import Searched
from tests.support.federating import Asked, numbered_store, open_several
from tests.support.stores import Memory, uuid_of, writing

_DEPTH = 50


async def test_rows_equal_in_score_go_by_uuid_and_no_store_hands_in_more_than_is_asked_for(
    tmp_path: Path,
) -> None:
    names = [[f"row {number}-{n}" for n in range(100)] for number in range(3)]
    folders = [
        numbered_store(tmp_path, number, [Memory(name, "zarquon") for name in some])
        for number, some in enumerate(names)
    ]
    async with open_several(folders) as several:
        found = await several.search("zarquon", Asked())
    outcome = found.first.outcome
    every = sorted(uuid_of(name) for some in names for name in some)
    ranks = {h.uuid: h.lexical.rank for h in outcome.hits if h.lexical is not None}
    assert sorted(ranks, key=lambda uuid: ranks[uuid]) == every[:_DEPTH]
    assert outcome.union is not None
    assert outcome.union.words is not None
    assert outcome.union.words.examined <= 3 * (_DEPTH + 1)
    assert not outcome.union.words.exhaustive


async def test_a_row_whose_version_is_below_one_takes_no_store_down(tmp_path: Path) -> None:
    folders = [numbered_store(tmp_path, n, [Memory(f"hit {n}", "zarquon")]) for n in range(2)]
    with writing(folders[1]) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("UPDATE memory SET version = -3")
    async with open_several(folders) as several:
        found = await several.search("zarquon", Asked())
    assert {h.uuid for h in found.first.outcome.hits} == {uuid_of("hit 0"), uuid_of("hit 1")}


async def test_a_store_of_a_newer_schema_and_one_that_is_no_store_are_named(
    tmp_path: Path,
) -> None:
    folders = [numbered_store(tmp_path, n, [Memory(f"hit {n}", "zarquon")]) for n in range(3)]
    with writing(folders[1]) as raw:
        raw.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
        raw.execute("ALTER TABLE memory RENAME COLUMN gist TO headline")
    (folders[2] / ".zikaron" / "memory.db").write_bytes(b"not a database" * 100)
    async with open_several(folders) as several:
        found = await several.search("zarquon", Asked())
    assert [s.searched for s in found.stores] == [Searched.LEXICAL, *[Searched.FAILED] * 2]
    codes = [None if s.error is None else s.error.code for s in found.stores]
    assert codes == [None, ErrorCode.SCHEMA_INCOMPATIBLE, ErrorCode.NOT_A_DATABASE]
    assert found.incomplete
    assert {h.uuid for h in found.first.outcome.hits} == {uuid_of("hit 0")}
