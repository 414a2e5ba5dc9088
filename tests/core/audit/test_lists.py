"""The lists made from the log: ignored, misleading, never injected, shown above a replacement."""

import random
from pathlib import Path

import pytest

from core.audit.reading import (
    above_replacement,
    misleading,
    never_injected,
    often_ignored,
    session_list,
    uses,
)
from core.store.our_sessions import OUR_SESSIONS
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf, second
from tests.support.open_databases import open_databases
from tests.support.stores import Memory, build_store, uuid_of

_NAMES = ("quay", "pier", "lock", "shed", "dock")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    rows = [Memory(n, n, created_at=f"2026-01-0{at}T00:00:00") for at, n in enumerate(_NAMES, 1)]
    return build_store(tmp_path / "project", rows)


async def test_often_injected_and_never_fetched(project: Path) -> None:
    log = LogOf()
    for _ in range(3):
        log.prompt("s", "quay", "pier", "gone")
    log.prompt("s", "quay", "lock")
    log.did("other", "fetch", "pier", found=True)
    log.did(f"{OUR_SESSIONS}run", "fetch", "quay", found=True)  # a person committed a change of it
    log.did(None, "fetch", None, found=False)
    log.write(project)
    before = all_digests(project)
    async with open_databases(project) as opened:
        readers = [database.browse for database in opened]
        found = [of.row for of in await often_ignored(readers)]
        wider = [of.row.uuid for of in await often_ignored(readers, 1)]
    assert [(r.uuid, r.injected, r.is_live) for r in found] == [
        (uuid_of("quay"), 4, True),
        (uuid_of("gone"), 3, False),
    ]
    assert found[0].last_at == second(13)
    assert found[1].rowid is None
    assert set(wider) == {uuid_of(name) for name in ("quay", "gone", "lock")}
    assert all_digests(project) == before


async def test_amended_or_retired_by_the_session_that_was_shown_it(project: Path) -> None:
    log = LogOf()
    log.did("s", "amend", "quay")
    log.prompt("s", "quay", "pier")
    log.prompt("s", "quay")
    log.did("s", "amend", "quay")
    log.did("s", "retire", "quay", superseded_by=None)
    log.did("other", "retire", "pier", superseded_by=None)
    log.prompt("late", "lock")
    log.did("late", "retire", "lock", superseded_by=None)
    log.did(None, "retire", "shed", superseded_by=None)
    log.write(project)
    async with open_databases(project) as opened:
        readers = [database.browse for database in opened]
        found = [of.row for of in await misleading(readers)]
    assert [(r.uuid, r.session_id, r.kind, r.shown_at, r.changed_at) for r in found] == [
        (uuid_of("lock"), "late", "retire", second(10), second(11)),
        (uuid_of("quay"), "s", "amend", second(5), second(6)),
    ]


async def test_never_injected_are_live_memories_oldest_first(tmp_path: Path) -> None:
    rows = [
        Memory("new", "new", created_at="2026-02-01T00:00:00"),
        Memory("old", "old", created_at="2026-01-01T00:00:00"),
        Memory("seen", "seen"),
        Memory("retired", "retired", active=False),
    ]
    project = build_store(tmp_path, rows)
    log = LogOf()
    log.prompt("s", "seen")
    log.did("s", "fetch", "old", found=True)
    log.write(project)
    async with open_databases(project) as opened:
        readers = [database.browse for database in opened]
        found = await never_injected(readers)
    assert [rows[of.row - 1].name for of in found] == ["old", "new"]


async def test_superseded_and_shown_above_what_replaced_it(tmp_path: Path) -> None:
    rows = [
        Memory("old", "old", by="newer"),
        Memory("newer", "newer", by="newest"),
        Memory("newest", "newest"),
        Memory("other", "other"),
        Memory("one", "one", by="two"),
        Memory("two", "two", by="one"),
    ]
    project = build_store(tmp_path, rows)
    log = LogOf()
    log.prompt("s", "newest", "old", superseded=("old",))
    log.prompt("s", "old", "other", "newest", superseded=("old",))
    log.prompt("s", "old", "newer", superseded=("old", "newer"))
    log.prompt("s", "other", "old", superseded=("old",))
    log.prompt("s", "old", "newest")
    log.prompt("s", "one", "two", superseded=("one", "two"))
    log.odd("s", "op 2", "surface", "other", '{"demotion": "superseded"')
    log.write(project)
    async with open_databases(project) as (database,):
        told = await above_replacement(database.browse)
    found = [(a.op_id, a.uuid, a.rank, a.by, a.by_rank) for a in told.found]
    assert found == [
        ("op 6", uuid_of("one"), 1, uuid_of("two"), 2),
        ("op 4", uuid_of("old"), 2, None, None),
        ("op 3", uuid_of("newer"), 2, None, None),
        ("op 3", uuid_of("old"), 1, uuid_of("newer"), 2),
        ("op 2", uuid_of("old"), 1, uuid_of("newest"), 3),
    ]
    assert told.unreadable == 1


async def test_uses_tell_ranks_and_what_came_after_an_injection(project: Path) -> None:
    log = LogOf()
    log.did("s", "fetch", "pier", found=True)
    log.prompt("s", "quay", "pier")
    log.prompt("s", "pier", "quay")
    log.odd("s", "op 3", "surface", "pier", "broken")
    log.did("s", "fetch", "pier", found=True)
    log.did("other", "fetch", "pier", found=True)
    log.did(f"{OUR_SESSIONS}run", "fetch", "pier", found=True)
    log.did("s", "amend", "quay")
    log.did("s", "retire", "pier", superseded_by=None)
    log.write(project)
    async with open_databases(project) as (database,):
        pier, lock = await uses(database.browse, [uuid_of("pier"), uuid_of("lock")])
    assert list(pier.ranks.items()) == [(1, 1), (2, 1), (None, 1)]
    assert (pier.injected, pier.fetched, pier.fetched_after) == (3, 3, 1)
    assert (pier.amended_after, pier.retired_after, pier.unreadable) == (0, 1, 1)
    assert (lock.injected, dict(lock.ranks), lock.fetched) == (0, {}, 0)


async def test_lists_of_several_stores_are_one_list(project: Path, tmp_path: Path) -> None:
    other = build_store(tmp_path / "other", [Memory("quay", "quay")])
    one, two = LogOf(), LogOf()
    for log, times in ((one, 3), (two, 4)):
        for _ in range(times):
            log.prompt("s", "quay")
    one.write(project)
    two.did("s", "amend", "quay")
    two.write(other)
    async with open_databases(project, other) as opened:
        readers = [database.browse for database in opened]
        ignored = [(of.store, of.row.injected) for of in await often_ignored(readers)]
        never = [(of.store, _NAMES[of.row - 1]) for of in await never_injected(readers)]
        changed = [of.store for of in await misleading(readers)]
        sessions = [(of.store, of.row.prompts) for of in await session_list(readers)]
    assert ignored == [(1, 4), (0, 3)]
    assert never == [(0, name) for name in _NAMES[1:]]
    assert changed == [1]
    assert sessions == [(1, 4), (0, 3)]


@pytest.mark.parametrize("seed", range(4))
async def test_the_lists_are_those_of_the_log_read_line_by_line(seed: int, tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory(name, name) for name in _NAMES])
    rng = random.Random(seed)
    log = LogOf()
    for _ in range(60):
        session = rng.choice(["a", "b", "c"])
        if rng.random() < 0.5:
            log.prompt(session, *rng.sample(_NAMES[:4], rng.randint(0, 2)))
        else:
            kind = rng.choice(["fetch", "amend", "retire", "remember"])
            log.did(session, kind, rng.choice(_NAMES[2:]))
    log.write(project)
    shown: dict[str, int] = {}
    seen: set[tuple[str | None, str]] = set()
    fetched: set[str] = set()
    changed: dict[tuple[str | None, str], str] = {}
    for at, session_id, _, kind, uuid, _ in log.lines:
        if uuid is None:
            continue
        if kind == "surface":
            shown[uuid] = shown.get(uuid, 0) + 1
            seen.add((session_id, uuid))
        elif kind == "fetch":
            fetched.add(uuid)
        elif kind in ("amend", "retire") and (session_id, uuid) in seen:
            changed.setdefault((session_id, uuid), at)
    async with open_databases(project) as opened:
        readers = [database.browse for database in opened]
        ignored = {of.row.uuid: of.row.injected for of in await often_ignored(readers, 2)}
        never = {uuid_of(_NAMES[of.row - 1]) for of in await never_injected(readers)}
        mislead = {
            (of.row.session_id, of.row.uuid): of.row.changed_at for of in await misleading(readers)
        }
    assert ignored == {u: n for u, n in shown.items() if n >= 2 and u not in fetched}
    assert never == {uuid_of(name) for name in _NAMES} - set(shown)
    assert mislead == changed


@pytest.mark.parametrize("seed", range(8))
async def test_shown_above_a_replacement_is_what_the_log_read_line_by_line_says(
    seed: int, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    names = [str(number) for number in range(8)]
    by = {name: rng.choice(names) for name in names[:6]}
    by = {name: other for name, other in by.items() if other != name}
    project = build_store(tmp_path, [Memory(n, n, by=by.get(n)) for n in names])
    log = LogOf()
    shown: list[tuple[str, list[str], list[str]]] = []
    for _ in range(40):
        ranked = rng.sample(names, rng.randint(1, 4))
        demoted = [name for name in ranked if rng.random() < 0.5]
        log.prompt("s", *ranked, superseded=tuple(demoted))
        shown.append((f"op {log.ops}", ranked, demoted))
    log.write(project)
    expected: list[tuple[str, str, int, str | None]] = []
    for op, ranked, demoted in reversed(shown):
        for name in sorted(demoted, key=ranked.index):
            after = [one for one in _chain(name, by) if one in ranked]
            if all(ranked.index(one) > ranked.index(name) for one in after):
                nearest = uuid_of(after[0]) if after else None
                expected.append((op, uuid_of(name), ranked.index(name) + 1, nearest))
    async with open_databases(project) as (database,):
        told = await above_replacement(database.browse)
    found = [(one.op_id, one.uuid, one.rank, one.by) for one in told.found]
    assert sorted(found) == sorted(expected)
    assert told.unreadable == 0


def _chain(name: str, by: dict[str, str]) -> list[str]:
    """Return what replaced a memory and, on and on, that; a circle ends where it closes."""
    found: list[str] = []
    at = by.get(name)
    while at is not None and at != name and at not in found:
        found.append(at)
        at = by.get(at)
    return found
