"""Reading the lineage of real stores: as their own SQL says, page by page, nothing written."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from core.lineage.building import forest_of
from core.lineage.forest import NodeState
from core.lineage.records import EndEvent, StoreLineage, Verb
from core.progress import WorkCancelledError
from core.store.database import Database
from core.store.lineage_rows import read_lineage
from core.store.location import locate
from tests.support.digests import all_digests
from tests.support.stores import Memory, build_store, uuid_of, writing

_CHAIN_OF = (
    "WITH RECURSIVE walk(uuid, depth) AS (SELECT uuid, 0 FROM memory "
    "WHERE superseded_by IS NULL UNION ALL SELECT m.uuid, depth + 1 FROM memory m "
    "JOIN walk ON m.superseded_by = walk.uuid) SELECT uuid, depth FROM walk"
)


@asynccontextmanager
async def _opened(project: Path) -> AsyncIterator[Database]:
    database = await Database.open(locate(project))
    try:
        yield database
    finally:
        await database.close()


async def _read(project: Path, page: int = 5000) -> StoreLineage:
    async with _opened(project) as database:
        return await read_lineage(database.browse, page=page)


def _rows(project: Path, sql: str) -> list[Any]:
    raw = sqlite3.connect(f"file:{project}/.zikaron/memory.db?mode=ro", uri=True)
    try:
        return raw.execute(sql).fetchall()
    finally:
        raw.close()


@pytest.mark.parametrize("which", ["demo", "oracle"])
async def test_depths_edges_and_fan_in_are_what_sql_says(
    which: str, request: pytest.FixtureRequest
) -> None:
    project: Path = request.getfixturevalue(which)
    before = all_digests(project)
    forest = forest_of([await _read(project)])
    assert all_digests(project) == before
    found = {n.uuid: depth for n, depth in zip(forest.nodes, forest.depth, strict=True)}
    assert found == dict(_rows(project, _CHAIN_OF))
    edges = {
        (forest.nodes[e.source].uuid, forest.nodes[e.target].uuid) for e in forest.edges if e
    }
    named = "FROM memory WHERE superseded_by IS NOT NULL"
    assert edges == set(_rows(project, f"SELECT uuid, superseded_by {named}"))
    counted = _rows(project, f"SELECT superseded_by, count(*) {named} GROUP BY 1")
    assert {n.uuid: forest.fan_in(p) for p, n in enumerate(forest.nodes) if forest.before[p]} == (
        dict(counted)
    )


@pytest.mark.parametrize("which", ["demo", "oracle"])
async def test_every_edge_of_the_agents_own_has_verb_time_and_session(
    which: str, request: pytest.FixtureRequest
) -> None:
    """The time is that of the event which SQL finds by role or by the named replacement."""
    project: Path = request.getfixturevalue(which)
    forest = forest_of([await _read(project)])
    told = {
        forest.nodes[e.source].uuid: (e.verb, e.at, e.session_id) for e in forest.edges if e
    }
    expected = _rows(
        project,
        "SELECT m.uuid, e.kind, e.at, e.session_id FROM memory m JOIN event e "
        "ON e.memory_uuid = m.uuid WHERE m.superseded_by IS NOT NULL "
        "AND (json_extract(e.detail, '$.superseded_by') = m.superseded_by "
        "OR json_extract(e.detail, '$.role') = 'absorbed')",
    )
    assert told == {row[0]: row[1:] for row in expected}
    assert all(None not in facts for facts in told.values())


async def test_pages_of_any_size_read_the_same(demo: Path) -> None:
    assert await _read(demo, page=7) == await _read(demo)


async def test_rows_that_another_tool_made_are_read_as_they_are(tmp_path: Path) -> None:
    rows = [Memory("a", "one", by="b"), Memory("b", "two"), Memory("c", "three", by="a")]
    project = build_store(tmp_path / "p", rows)
    with writing(project) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute(
            "UPDATE memory SET gist = CAST(x'6869eda0bd' AS TEXT), version = 'x', "
            "created_at = x'31', superseded_by = 'nobody' WHERE uuid = ?",
            (uuid_of("a"),),
        )
        raw.executemany(
            "INSERT INTO event (at, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES (?, 'mcp', 'op', ?, ?, ?)",
            [
                (b"\xff", "retire", uuid_of("c"), "[" * 100_000),
                ("2026", "merge", uuid_of("c"), '{"role": "king"}'),
                ("2026", "merge", uuid_of("c"), None),
                ("2026", "retire", None, "{}"),
                ("2026", "retire", uuid_of("c"), '{"superseded_by": 7}'),
                ("2026", "search", uuid_of("c"), "{}"),
            ],
        )
    read = await _read(project)
    first = next(row for row in read.rows if row.uuid == uuid_of("a"))
    assert (first.version, first.superseded_by, first.created_at) == (None, "nobody", "1")
    assert [(e.verb, e.role, e.target) for e in read.events] == [
        *((verb, None, None) for verb in (Verb.RETIRE, Verb.MERGE, Verb.MERGE, Verb.RETIRE)),
    ]
    forest = forest_of([read])
    place = forest.find("nobody")
    assert place is not None
    assert forest.nodes[place].state is NodeState.MISSING
    assert forest.depth[forest.find(uuid_of("c")) or 0] == 2


async def test_a_store_that_is_written_meanwhile_is_read_again_and_the_second_time_is_whole(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", [Memory(n, n) for n in "abcdef"])
    calls = []

    def write_once(done: int, total: int) -> None:
        calls.append((done, total))
        if len(calls) == 1:
            with writing(project) as raw:
                raw.execute(
                    "UPDATE memory SET active = 0, superseded_by = ? WHERE uuid = ?",
                    (uuid_of("f"), uuid_of("a")),
                )

    async with _opened(project) as database:
        read = await read_lineage(database.browse, write_once, page=2)
    assert not read.moved
    assert next(r for r in read.rows if r.uuid == uuid_of("a")).superseded_by == uuid_of("f")
    assert calls[:1] == [(2, 6)]


async def test_a_store_that_never_rests_says_that_it_moved(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", [Memory(n, n) for n in "abc"])

    def write(_done: int, _total: int) -> None:
        with writing(project) as raw:
            raw.execute("UPDATE memory SET token_count = token_count + 1")

    async with _opened(project) as database:
        assert (await read_lineage(database.browse, write)).moved


async def test_a_reading_that_is_not_wanted_any_more_ends_and_leaves_the_reader_free(
    demo: Path,
) -> None:
    def refuse(_done: int, _total: int) -> None:
        raise WorkCancelledError

    async with _opened(demo) as database:
        with pytest.raises(WorkCancelledError):
            await read_lineage(database.browse, refuse, page=10)
        task = asyncio.ensure_future(read_lineage(database.browse, page=1))
        await asyncio.wait({task}, timeout=0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert isinstance((await read_lineage(database.browse)).events[0], EndEvent)
