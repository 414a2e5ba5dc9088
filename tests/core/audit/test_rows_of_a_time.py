"""What is in a time, and how often what was done: the rows behind the timeline and the lists."""

from pathlib import Path

from core.store.audit_rows import times_of
from core.store.timeline_rows import MomentRow, Span, events_within, memories_within
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf, second
from tests.support.open_databases import open_databases
from tests.support.stores import Memory, build_store, uuid_of

_STATES = ("live", "superseded", "retired")
_DAY = Span("2026-03-02T00:00:00+00:00", "2026-03-03T00:00:00+00:00")


async def test_memories_of_a_time_begin_with_it_and_end_before_its_end(tmp_path: Path) -> None:
    times = {
        "before": "2026-03-01T23:59:59.999999+00:00",
        "first": "2026-03-02T00:00:00+00:00",
        "soon": "2026-03-02T00:00:00.000001+00:00",
        "last": "2026-03-02T23:59:59.999999+00:00",
        "after": "2026-03-03T00:00:00+00:00",
        "odd": "2026-03-02",
    }
    rows = [Memory(name, name, created_at=at) for name, at in times.items()]
    rows.append(Memory("old", "old", by="first", created_at=times["last"]))
    project = build_store(tmp_path, rows)
    before = all_digests(project)
    async with open_databases(project) as (database,), database.browse.snapshot() as connection:
        found = await memories_within(connection, _DAY, _STATES)
        live = await memories_within(connection, _DAY, ("live",))
        ever = await memories_within(connection, Span(), _STATES)
        none = await memories_within(connection, _DAY, ())
    uuids = [uuid_of(name) for name in ("first", "soon", "last")]
    assert [row.uuid for row in live] == uuids
    assert {row.uuid for row in found} == {*uuids, uuid_of("old")}
    assert [row.label for row in found if row.uuid == uuid_of("old")] == ["superseded"]
    assert [row.at for row in found] == sorted(row.at for row in found)
    assert len(ever) == 6 and none == []
    assert all_digests(project) == before


async def test_events_of_a_time_come_in_the_order_of_writing_and_no_more_than_asked_for(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path, [])
    log = LogOf()
    log.prompt("s", "a", "b")
    log.did("s", "fetch", "a")
    log.did("s", "search", None)
    log.write(project)
    async with open_databases(project) as (database,), database.browse.snapshot() as connection:
        kinds = ("surface", "fetch", "search")
        found = await events_within(connection, Span(second(2)), kinds, 10)
        few = await events_within(connection, Span(), kinds, 2)
    assert found == [
        MomentRow(second(2), "surface", None, uuid_of("b")),
        MomentRow(second(3), "fetch", None, uuid_of("a")),
        MomentRow(second(4), "search", None, None),
    ]
    assert [row.at for row in few] == [second(1), second(2)]


async def test_how_often_what_was_done_counts_every_session(tmp_path: Path) -> None:
    project = build_store(tmp_path, [])
    log = LogOf()
    log.prompt("s", "a", "b")
    log.prompt("t", "a")
    log.did("t", "fetch", "a")
    log.did(None, "amend", "b")
    log.did(None, "retire", "b")
    log.write(project)
    async with open_databases(project) as (database,), database.browse.snapshot() as connection:
        uuids = [uuid_of("a"), uuid_of("b"), uuid_of("a"), uuid_of("nobody")]
        found = await times_of(connection, uuids, ("surface", "fetch", "amend"))
    assert found == {
        (uuid_of("a"), "surface"): 2,
        (uuid_of("a"), "fetch"): 1,
        (uuid_of("b"), "surface"): 1,
        (uuid_of("b"), "amend"): 1,
    }
