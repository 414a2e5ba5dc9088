"""A session played again: prompts, what they were shown, what was done next."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.payloads import Demotion, Kind
from core.audit.reading import session_list, session_replay
from core.audit.replay import Replay, Verb, replay_of
from core.readmodels import EventRow
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf, second
from tests.support.open_databases import open_databases
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.properties import PROPERTY, any_texts
from tests.support.stores import Memory, build_store, uuid_of
from tests.support.writing import open_raw


async def _replay(project: Path, session: str) -> Replay:
    async with open_databases(project) as (database,):
        return await session_replay(database.browse, session)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_store(tmp_path / "project", [Memory("quay", "quay"), Memory("pier", "pier")])


async def test_each_prompt_has_what_it_was_shown_and_what_was_done_next(project: Path) -> None:
    log = LogOf()
    log.did("s", "fetch", "pier", version=1, found=True)
    log.prompt("s", "quay", "pier", superseded=("pier",))
    log.prompt("other", "pier")
    log.did("other", "fetch", "pier", version=1, found=True)
    log.did("s", "fetch", "quay", version=1, found=True)
    log.did("s", "retire", "pier", from_version=1, to_version=2, superseded_by=uuid_of("quay"))
    log.prompt("s")
    log.did("s", "search", None, n_returned=0)
    log.did("s", "call", None, method="memory_search")
    log.did("s", "remember", "new", version=1)
    log.did("s", "retire", "quay", from_version=1, to_version=2, superseded_by=None)
    log.write(project)
    before = all_digests(project)
    told = await _replay(project, "s")
    assert [(a.verb, a.uuid) for a in told.before] == [(Verb.FETCHED, uuid_of("pier"))]
    first, last = told.prompts
    assert [(s.uuid, s.rank, s.score, s.demotion) for s in first.shown] == [
        (uuid_of("quay"), 1, 1 / 61, None),
        (uuid_of("pier"), 2, 1 / 62, Demotion.SUPERSEDED),
    ]
    assert [s.is_demoted for s in first.shown] == [False, True]
    assert [(a.verb, a.uuid, a.by, a.rank, a.was_shown) for a in first.actions] == [
        (Verb.FETCHED, uuid_of("quay"), None, 1, True),
        (Verb.SUPERSEDED, uuid_of("pier"), uuid_of("quay"), 2, True),
    ]
    assert (first.number, first.at, first.prompt_chars) == (1, second(1), 90)
    assert first.done_to(uuid_of("pier")) == (Verb.SUPERSEDED,)
    assert (last.number, last.shown) == (2, ())
    assert [(a.verb, a.uuid, a.was_shown) for a in last.actions] == [
        (Verb.SEARCHED, None, False),
        (Verb.REMEMBERED, uuid_of("new"), False),
        (Verb.RETIRED, uuid_of("quay"), False),
    ]
    assert (told.unreadable, told.strays) == (0, ())
    assert all_digests(project) == before


async def test_each_memory_tells_its_ranks_and_what_came_after_the_first(project: Path) -> None:
    log = LogOf()
    log.prompt("s", "pier")
    log.did("s", "fetch", "quay", found=True)
    log.prompt("s", "quay", "pier")
    log.did("s", "fetch", "pier", found=True)
    log.did("s", "fetch", "pier", found=True)
    log.prompt("s", "lock", "pier", "quay")
    log.did("s", "amend", "quay")
    log.write(project)
    told = [(m.uuid, m.ranks, m.fetched, m.verbs) for m in (await _replay(project, "s")).memories()]
    assert told == [
        (uuid_of("pier"), (1, 2, 2), 2, (Verb.FETCHED,)),
        (uuid_of("quay"), (1, 3), 0, (Verb.AMENDED,)),
        (uuid_of("lock"), (1,), 0, ()),
    ]


_BAD = [
    None,
    "",
    "not json",
    "[1]",
    "null",
    "{}",
    '{"rank": 0, "fused_score": 0.1, "demoted": false, "demotion": null}',
    '{"rank": true, "fused_score": 0.1, "demoted": false, "demotion": null}',
    '{"rank": 1.0, "fused_score": 0.1, "demoted": false, "demotion": null}',
    '{"rank": 1, "fused_score": NaN, "demoted": false, "demotion": null}',
    '{"rank": 1, "fused_score": "0.1", "demoted": false, "demotion": null}',
    '{"rank": 1, "fused_score": 0.1, "demoted": 0, "demotion": null}',
    '{"rank": 1, "fused_score": 0.1, "demoted": true, "demotion": "of old"}',
    '{"rank": 1, "fused_score": 0.1, "demoted": true, "demotion": []}',
    '{"rank": 1, "fused_score": ' + "9" * 400 + ', "demoted": true, "demotion": null}',
    '{"rank": ' + "9" * 5000 + "}",
    "[" * 100_000,
]


@pytest.mark.parametrize("detail", _BAD)
async def test_a_payload_that_cannot_be_read_is_counted_and_the_rest_is_told(
    detail: str | None, project: Path
) -> None:
    log = LogOf()
    log.prompt("s", "quay")
    log.odd("s", "op 1", "surface", "pier", detail)
    log.did("s", "fetch", "pier", version=1, found=True)
    log.write(project)
    told = await _replay(project, "s")
    (prompt,) = told.prompts
    assert told.unreadable == 1
    assert [s.uuid for s in prompt.shown if s.is_readable] == [uuid_of("quay")]
    assert {s.uuid for s in prompt.shown} == {uuid_of("quay"), uuid_of("pier")}
    (fetched,) = prompt.actions
    assert fetched.was_shown


async def test_a_memory_shown_for_no_prompt_of_the_log_is_a_stray(project: Path) -> None:
    log = LogOf()
    log.odd("s", "op 9", "surface", "pier", json.dumps({"rank": 1}))
    log.prompt("s", "quay")
    log.odd("s", "op 1", "fetch", "quay", "broken")
    log.write(project)
    told = await _replay(project, "s")
    assert [s.uuid for s in told.strays] == [uuid_of("pier")]
    assert told.unreadable == 2
    assert [a.verb for a in told.prompts[0].actions] == [Verb.FETCHED]


@given(
    st.lists(st.tuples(st.sampled_from([*Kind, "call"]), any_texts, st.integers(0, 2)), max_size=9)
)
@PROPERTY
def test_any_log_is_played_and_no_event_is_told_twice(
    lines: list[tuple[str, str, int]],
) -> None:
    events = [
        EventRow(at, "t", "s", "hook", f"op {op}", kind, f"u{op}", detail)
        for at, (kind, detail, op) in enumerate(lines)
    ]
    told = replay_of(events)
    ids = [p.event_id for p in told.prompts]
    ids += [s.event_id for p in told.prompts for s in p.shown]
    ids += [s.event_id for s in told.strays]
    ids += [a.event_id for p in told.prompts for a in p.actions]
    ids += [a.event_id for a in told.before]
    assert sorted(ids) == [e.id for e in events if e.kind != "call"]
    assert 0 <= told.unreadable <= len(ids)


async def test_sessions_are_listed_by_their_last_event_with_their_prompts(
    project: Path,
) -> None:
    log = LogOf()
    log.prompt("one", "quay")
    log.did("two", "fetch", "quay")
    log.prompt(None, "quay")
    log.prompt("one", "pier")
    log.write(project)
    async with open_databases(project) as (database,):
        found = [of.row for of in await session_list([database.browse])]
    assert [(s.session_id, s.first_at, s.last_at, s.prompts, s.events) for s in found] == [
        ("one", second(0), second(6), 2, 4),
        ("two", second(2), second(2), 0, 1),
    ]


async def test_all_of_the_demo_stores_log_is_told(tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path)
    raw = open_raw(project / ".zikaron" / "memory.db")
    counted = "SELECT kind, count(*) FROM event WHERE session_id NOT NULL GROUP BY kind"
    logged = {str(kind): int(number) for kind, number in raw.execute(counted).fetchall()}
    raw.close()
    async with open_databases(project) as (database,):
        sessions = [of.row for of in await session_list([database.browse])]
        told = [await session_replay(database.browse, s.session_id) for s in sessions]
    assert sum(s.prompts for s in sessions) == logged["surface_call"]
    assert sum(len(r.prompts) for r in told) == logged["surface_call"]
    assert sum(len(p.shown) for r in told for p in r.prompts) == logged["surface"]
    actions = [a for r in told for p in r.prompts for a in p.actions]
    actions += [a for r in told for a in r.before]
    assert sum(a.verb is Verb.FETCHED for a in actions) == logged["fetch"]
    retired = sum(a.verb in (Verb.RETIRED, Verb.SUPERSEDED) for a in actions)
    assert retired == logged["retire"]
    assert all(p.n_returned == len(p.shown) for r in told for p in r.prompts)
    assert sum(r.unreadable for r in told) == 0
