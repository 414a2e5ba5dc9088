"""The blast radius: exactly what searches give after the commit, and the store is left alone."""

import asyncio
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from core.commands.blast_radius import AskedQuery, Ground, Meaning, QueryShift, blast_radius
from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
)
from core.commands.commit import BatchRefused, Committed, commit_batch
from core.commands.gate import Model, WriteSettings
from core.errors import ErrorCode, GenizahError
from core.explain.compare import Movement
from core.progress import WorkCancelledError
from core.readmodels import State
from core.retrieval.encoder import dense_query
from core.retrieval.searcher import MeaningSide, Searcher
from core.settings_layers import resolve_settings
from core.store.database import Database
from core.store.location import locate
from core.store.opening import inspect
from tests.support.digests import all_digests
from tests.support.stores import Memory, build_store, uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, SetClock, SetIds

A, B, NEW, OTHER = (uuid_of(n) for n in ("a", "b", "new", "other"))
QUERIES = (
    AskedQuery("zarquon lamp"),
    AskedQuery("quay"),
    AskedQuery("was the lamp lit", include_retired=True),
)
CHANGES: tuple[Change, ...] = (
    Supersede(A, 1, B),
    Amend(NEW, 1, "lamp", "the zarquon lamp of the quay"),
    SupersedeWithText(OTHER, 1, "pier", "the pier is lit by a lamp"),
    Remember("zarquon lamp", "the third lamp is lit"),
)


async def _meaning(text: str) -> MeaningSide:
    return MeaningSide(dense_query(text, StubEncoder(), ""))


async def ground_of(project: Path, data_dir: Path) -> Ground:
    location = locate(project)
    facts = await inspect(location)
    settings = WriteSettings.of(resolve_settings(location.config, Path("/nonexistent")))
    return Ground(facts, settings, Model(StubEncoder()), SetClock(), data_dir, SetIds())


async def shifts_of(
    project: Path,
    data_dir: Path,
    changes: Sequence[Change],
    queries: Sequence[AskedQuery] = QUERIES,
    meaning: Meaning = _meaning,
    first: int = 10,
) -> tuple[QueryShift, ...]:
    ground = await ground_of(project, data_dir)
    found = await blast_radius(ground, changes, queries, meaning, first=first)
    assert not isinstance(found, BatchRefused)
    return found


async def searched(project: Path) -> list[list[tuple[str, State]]]:
    """Return what each query ranks in a store."""
    ground = await ground_of(project, Path("/nonexistent"))
    database = await Database.open(ground.facts.location)
    try:
        searcher = Searcher(database, ground.settings.retrieval)
        return [
            [
                (hit.uuid, hit.state)
                for hit in (
                    await searcher.search(
                        q.text, await _meaning(q.text), include_retired=q.include_retired
                    )
                ).hits
            ]
            for q in QUERIES
        ]
    finally:
        await database.close()


async def test_it_says_what_the_searches_give_after_the_commit(
    project: Path, tmp_path: Path
) -> None:
    before = await searched(project)
    shifts = await shifts_of(project, tmp_path / "data", CHANGES)
    hand = await Hand.open(project, StubEncoder())
    try:
        done = await commit_batch(hand.gate, CHANGES)
    finally:
        await hand.close()
    assert isinstance(done, Committed)
    written = {done.written[2].new_uuid, done.written[3].uuid}
    after = await searched(project)
    assert [[(r.uuid, r.state) for r in s.before] for s in shifts] == before
    assert [[(r.uuid, r.state) for r in s.after] for s in shifts] == after
    assert {r.uuid for s in shifts for r in s.after if r.is_new} == written
    assert [s.query for s in shifts] == list(QUERIES)
    assert all(s.is_changed for s in shifts)


async def test_the_store_gets_no_write_and_no_copy_stays(project: Path, tmp_path: Path) -> None:
    before = all_digests(project)
    files = sorted(p.name for p in (project / ".zikaron").iterdir())
    await shifts_of(project, tmp_path / "data", CHANGES)
    assert all_digests(project) == before
    assert set(files) >= {p.name for p in (project / ".zikaron").iterdir()} - {
        "memory.db-wal",
        "memory.db-shm",
    }
    assert list((tmp_path / "data" / "copies").iterdir()) == []


async def test_a_retired_memory_leaves_and_the_next_ones_move_up(
    project: Path, tmp_path: Path
) -> None:
    (shift,) = await shifts_of(project, tmp_path, [Retire(B, 1)], QUERIES[:1])
    first = [row.uuid for row in shift.before]
    assert B in first
    place = first.index(B) + 1
    assert [row.uuid for row in shift.after] == [u for u in first if u != B]
    assert Movement(B, place, None) in shift.movements
    moved = {m.uuid: (m.before, m.now) for m in shift.movements}
    assert all(
        moved[u] == (at, at - 1 if at > place else at)
        for at, u in enumerate(first, 1)
        if u != B
    )


async def test_only_the_first_rows_are_shown_and_places_count_in_the_whole_pool(
    project: Path, tmp_path: Path
) -> None:
    (whole,) = await shifts_of(project, tmp_path, [Retire(B, 1)], QUERIES[:1])
    (shift,) = await shifts_of(project, tmp_path, [Retire(B, 1)], QUERIES[:1], first=1)
    assert (shift.before, shift.after) == (whole.before[:1], whole.after[:1])
    shown = {row.uuid for row in (*shift.before, *shift.after)}
    assert shift.movements == tuple(m for m in whole.movements if m.uuid in shown)


async def test_a_query_that_ranks_as_before_says_so(project: Path, tmp_path: Path) -> None:
    shifts = await shifts_of(project, tmp_path, [])
    assert not any(s.is_changed for s in shifts)
    assert all(m.before == m.now for s in shifts for m in s.movements)


async def test_changes_that_would_be_refused_as_a_whole_are_told(
    project: Path, tmp_path: Path
) -> None:
    before = all_digests(project)
    ground = await ground_of(project, tmp_path)
    # Each would be made by itself; together the second closes a circle.
    changes = [Supersede(A, 1, B), Supersede(B, 1, A)]
    found = await blast_radius(ground, changes, QUERIES, _meaning)
    assert isinstance(found, BatchRefused)
    assert (found.index, found.refused.reason) == (1, "cycle")
    assert all_digests(project) == before
    assert list((tmp_path / "copies").iterdir()) == []


async def test_without_the_model_words_are_compared_and_texts_are_refused(
    project: Path, tmp_path: Path
) -> None:
    async def no_meaning(_text: str) -> MeaningSide:
        return MeaningSide(None, "there is no model")

    ground = replace(await ground_of(project, tmp_path), model=Model(None))
    found = await blast_radius(ground, [Retire(B, 1)], QUERIES, no_meaning)
    assert not isinstance(found, BatchRefused)
    assert {s.words_only for s in found} == {"there is no model"}
    assert found[0].is_changed
    with pytest.raises(GenizahError) as refused:
        await blast_radius(ground, [Remember("g", "c")], QUERIES, no_meaning)
    assert refused.value.code is ErrorCode.NO_ARTIFACT
    assert list((tmp_path / "copies").iterdir()) == []


async def test_the_copy_is_for_the_user_alone(project: Path, tmp_path: Path) -> None:
    modes: set[int] = set()

    async def looking(text: str) -> MeaningSide:
        modes.update(stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "d/copies").iterdir())
        modes.add(stat.S_IMODE((tmp_path / "d/copies").stat().st_mode) & 0o077)
        return await _meaning(text)

    umask = os.umask(0)
    try:
        await shifts_of(project, tmp_path / "d", CHANGES, meaning=looking)
    finally:
        os.umask(umask)
    assert modes == {0o600, 0}


async def test_it_reports_every_step_and_ends_at_any_of_them(
    project: Path, tmp_path: Path
) -> None:
    ground = await ground_of(project, tmp_path)
    heard: list[tuple[int, int]] = []
    await blast_radius(
        ground, CHANGES, QUERIES, _meaning, report=lambda *amount: heard.append(amount)
    )
    assert [done for done, _ in heard if done] == list(range(1, 9))
    assert {total for _, total in heard} == {8}
    assert heard == sorted(heard)
    before = all_digests(project)
    for number in range(len(heard)):
        told = 0

        def report(_done: int, _total: int, last: int = number) -> None:
            nonlocal told
            told += 1
            if told > last:
                raise WorkCancelledError

        with pytest.raises(WorkCancelledError):
            await blast_radius(ground, CHANGES, QUERIES, _meaning, report=report)
        assert list((tmp_path / "copies").glob("*")) == []
    assert all_digests(project) == before


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
async def test_a_cancellation_at_any_moment_leaves_no_copy(
    turns: int, project: Path, tmp_path: Path
) -> None:
    ground = await ground_of(project, tmp_path)
    task = asyncio.ensure_future(blast_radius(ground, CHANGES, QUERIES, _meaning))
    for _ in range(turns):
        if not task.done():
            await asyncio.wait({task}, timeout=0.001)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert list((tmp_path / "copies").glob("*")) == []


async def test_a_copy_that_a_killed_process_left_is_removed_and_a_running_one_is_not(
    project: Path, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    for name in ("blast-old.db", "blast-old.db-wal", "blast-running.db", "check-old.db"):
        (copies / name).touch()
    for name in ("blast-old.db", "check-old.db"):
        os.utime(copies / name, (0, 0))
    await shifts_of(project, tmp_path, [])
    assert sorted(p.name for p in copies.iterdir()) == ["blast-running.db", "check-old.db"]


async def test_a_folder_that_cannot_hold_the_copy_is_said(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ground = await ground_of(project, tmp_path / "file")
    with pytest.raises(GenizahError, match="private copy could not be made") as failed:
        await blast_radius(ground, [], QUERIES, _meaning)
    assert failed.value.code is ErrorCode.STORE_IO


async def test_many_queries_rank_as_each_of_them_does(project: Path, tmp_path: Path) -> None:
    words = ("lamp", "quay", "pier", "wharf", "lit", "shut", "open", "zarquon", "now", "once")
    queries = [AskedQuery(word) for word in words]
    together = await shifts_of(project, tmp_path, CHANGES, queries)
    alone = [(await shifts_of(project, tmp_path, CHANGES, [query]))[0] for query in queries]
    assert list(together) == alone


async def test_a_store_of_another_width_is_compared_by_words(tmp_path: Path) -> None:
    rows = [Memory("a", "zarquon lamp"), Memory("b", "zarquon lamp")]
    project = build_store(tmp_path / "odd", rows, meta={"embed_dim": "32"})
    queries = [AskedQuery("lamp")] * 9
    shifts = await shifts_of(project, tmp_path, [Supersede(A, 1, B)], queries)
    assert all(s.is_changed and s.words_only and "16" in s.words_only for s in shifts)


async def test_what_the_agent_wrote_last_counts_though_it_is_only_in_its_log(
    project: Path, tmp_path: Path
) -> None:
    hand = await Hand.open(project, StubEncoder(), "agent")
    try:
        await commit_batch(hand.gate, [Retire(A, 1)])
        before = all_digests(project)
        (shift,) = await shifts_of(project, tmp_path, [Retire(B, 1)], QUERIES[:1])
        assert A not in {row.uuid for row in shift.before}
        assert all_digests(project) == before
    finally:
        await hand.close()
