"""Duplicates of real stores: which vectors count, equal texts, twins, several stores, marks."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.duplicates.corpus import Corpus
from core.duplicates.groups import DuplicateGroup, groups_of, identical_sets, twin_sets
from core.duplicates.keys import MemoryKey, pair_of
from core.duplicates.reading import read_corpus
from core.duplicates.scanning import scan_pairs
from core.progress import Progress, WorkCancelledError
from tests.support.digests import all_digests
from tests.support.open_databases import open_databases
from tests.support.stores import STORE_ID, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import axis, packed

_OTHER_ID = "11111111-1111-4111-8111-111111111111"
_WIDTH = 16


def _vector(*numbers: float) -> bytes:
    return packed([*numbers, *([0.0] * (_WIDTH - len(numbers)))])


async def _corpus(*projects: Path, live_only: bool = True) -> Corpus:
    async with open_databases(*projects) as databases:
        return await read_corpus(databases, live_only=live_only)


def _groups(corpus: Corpus, threshold: float = 0.9) -> tuple[DuplicateGroup, ...]:
    return groups_of(corpus, scan_pairs(corpus, threshold), threshold)


def _uuids(groups: Sequence[DuplicateGroup]) -> list[list[str]]:
    return [[m.memory.key.uuid for m in g.members] for g in groups]


def _key(name: str, store: str = STORE_ID) -> MemoryKey:
    return MemoryKey(store, uuid_of(name))


async def test_live_memories_are_grouped_and_others_only_when_asked(tmp_path: Path) -> None:
    rows = [
        Memory("a", "quay", "one", vectors=[_vector(1)], created_at="2026-01-01T00:00:00+00:00"),
        Memory("b", "quay", "two", vectors=[_vector(1, 0.1)]),
        Memory("old", "quay", "three", vectors=[_vector(1, 0.05)], by="a"),
        Memory("gone", "quay", "four", vectors=[_vector(1, 0.02)], active=False),
        Memory("far", "pier", "five", vectors=[_vector(0, 1)]),
    ]
    project = build_store(tmp_path, rows)
    before = all_digests(project)
    corpus = await _corpus(project)
    (group,) = _groups(corpus)
    assert _uuids([group]) == [[uuid_of("a"), uuid_of("b")]]
    assert group.closest == pytest.approx(1 / 1.01**0.5, abs=1e-7)
    assert not group.identical
    everyone = await _corpus(project, live_only=False)
    (wide,) = _groups(everyone)
    assert {m.memory.key.uuid for m in wide.members} == {
        uuid_of(name) for name in ("a", "b", "old", "gone")
    }
    assert all_digests(project) == before


async def test_a_first_part_is_compared_with_every_part_as_the_agent_does(
    tmp_path: Path,
) -> None:
    rows = [
        Memory("long", "a", vectors=[_vector(1), _vector(0, 1)]),
        Memory("short", "b", vectors=[_vector(0, 1, 0.1)]),
        Memory("other", "c", vectors=[_vector(0, 0, 1), _vector(0, 1, 0, 0.1)]),
    ]
    corpus = await _corpus(build_store(tmp_path, rows))
    groups = _groups(corpus)
    assert {frozenset(m.memory.key.uuid for m in g.members) for g in groups} == {
        frozenset(uuid_of(name) for name in ("long", "short", "other"))
    }
    # Two further parts are never compared: without the short memory nothing is left.
    without = await _corpus(build_store(tmp_path / "without", [rows[0], rows[2]]))
    assert _groups(without) == ()


async def test_vectors_that_cannot_be_measured_are_counted(tmp_path: Path) -> None:
    rows = [
        Memory("a", "a", vectors=[_vector(1)]),
        Memory("nan", "b", vectors=[_vector(float("nan"))]),
        Memory("infinite", "c", vectors=[_vector(float("inf"))]),
        Memory("zero", "d", vectors=[_vector(0)]),
        Memory("none", "e", vectors=[]),
        Memory("foreign", "f", vectors=[_vector(1)]),
    ]
    project = build_store(tmp_path, rows)
    with writing(project) as raw:
        raw.execute(
            "UPDATE memory_chunk SET embed_model = 'other' WHERE memory_uuid = ?",
            (uuid_of("foreign"),),
        )
    corpus = await _corpus(project)
    assert (len(corpus.memories), corpus.unmeasured) == (6, 5)
    assert _groups(corpus) == ()


async def test_equal_texts_are_one_group_whatever_their_vectors(tmp_path: Path) -> None:
    rows = [
        Memory("a", "quay", "opens", vectors=[_vector(1)]),
        Memory("b", "quay", "opens", vectors=[_vector(0, 1)]),
        Memory("c", "quay", "opens ", vectors=[_vector(0, 0, 1)]),
        Memory("d", "quay", "opens", vectors=[]),
    ]
    corpus = await _corpus(build_store(tmp_path, rows))
    (same,) = identical_sets(corpus)
    assert {m.key.uuid for m in same} == {uuid_of(name) for name in ("a", "b", "d")}
    (group,) = _groups(corpus)
    assert group.is_all_identical
    assert group.closest == 1.0
    assert [m.closest for m in group.members] == [None] * 3
    marked = frozenset({pair_of(_key("a"), _key("b")), pair_of(_key("a"), _key("d"))})
    (rest,) = identical_sets(corpus, marked)
    assert {m.key.uuid for m in rest} == {uuid_of("b"), uuid_of("d")}
    (left,) = groups_of(corpus, scan_pairs(corpus, 0.9), 0.9, marked)
    assert len(left.members) == 2


async def test_twins_are_flagged_inside_their_group_and_in_a_list(tmp_path: Path) -> None:
    rows = [
        Memory("a", "the relay listens on port 8080", "said twice", vectors=[_vector(1)]),
        Memory("b", "the relay listens on port 8081", "said twice", vectors=[_vector(1, 0.1)]),
        Memory("c", "the relay listens on some port", "said once", vectors=[_vector(1, 0.2)]),
    ]
    corpus = await _corpus(build_store(tmp_path, rows))
    (group,) = _groups(corpus)
    assert len(group.members) == 3
    assert not group.is_all_identical
    (twins,) = group.twins
    assert {m.key.uuid for m in twins} == {uuid_of("a"), uuid_of("b")}
    assert twin_sets(corpus) == (twins,)
    assert twin_sets(corpus, frozenset({pair_of(_key("a"), _key("b"))})) == ()


async def test_stores_of_one_model_are_compared_and_those_of_another_are_not(
    tmp_path: Path,
) -> None:
    here = build_store(tmp_path / "here", [Memory("a", "quay", vectors=[_vector(1)])])
    there = build_store(
        tmp_path / "there",
        [Memory("a", "pier", vectors=[_vector(1)]), Memory("t", "lock", vectors=[_vector(0, 1)])],
        meta={"store_id": _OTHER_ID},
    )
    foreign = build_store(
        tmp_path / "foreign",
        [Memory("f", "shed", vectors=[_vector(1)])],
        model="stub/other",
        meta={"store_id": "22222222-2222-4222-8222-222222222222"},
    )
    corpus = await _corpus(here, there, foreign)
    assert corpus.unmeasured == 0
    (near,) = _groups(corpus)
    assert [(m.memory.store, m.memory.key) for m in near.members] == [
        (1, _key("a", _OTHER_ID)),
        (0, _key("a")),
    ]
    assert len(corpus.memories) == 4
    with writing(foreign) as raw:
        raw.execute("UPDATE memory SET gist = 'lock'")
    near, equal = _groups(await _corpus(here, there, foreign))
    assert len(near.members) == 2
    assert [m.memory.store for m in equal.members] == [1, 2], "equal texts need no model"


async def test_a_copy_of_a_store_is_left_out_and_said(tmp_path: Path) -> None:
    one = build_store(tmp_path / "one", [Memory("a", "quay")])
    copy = build_store(tmp_path / "copy", [Memory("a", "quay")])
    corpus = await _corpus(one, copy)
    assert (len(corpus.memories), corpus.copies) == (1, (1,))


async def test_a_store_without_usable_vectors_still_tells_equal_texts(tmp_path: Path) -> None:
    rows = [Memory("a", "quay"), Memory("b", "quay")]
    corpus = await _corpus(build_store(tmp_path, rows, table_width=8))
    assert (corpus.spaces, corpus.unmeasured) == ((), 2)
    (group,) = _groups(corpus)
    assert group.is_all_identical


async def test_vectors_in_storage_of_another_shape_are_read_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [*distractors(30), Memory("a", "x", vectors=[axis(_WIDTH, 3)])]
    rows.append(Memory("b", "y", vectors=[axis(_WIDTH, 3)]))
    project = build_store(tmp_path, rows)
    usual = _uuids(_groups(await _corpus(project)))

    async def other_shape(*_: object) -> None:
        return None

    monkeypatch.setattr("core.store.vectors.read_blocks", other_shape)
    corpus = await _corpus(project)
    assert corpus.unmeasured == 0
    assert _uuids(_groups(corpus)) == usual
    assert {uuid_of("a"), uuid_of("b")} <= {uuid for group in usual for uuid in group}


async def test_reading_says_how_far_it_is_and_can_be_cancelled(tmp_path: Path) -> None:
    project = build_store(tmp_path, distractors(1500))
    told: list[tuple[int, int]] = []
    async with open_databases(project) as databases:
        await read_corpus(databases, report=lambda *amount: told.append(amount))
        assert told == [(500, 1500), (1000, 1500), (1500, 1500)]
        progress = Progress()
        progress.cancel()
        with pytest.raises(WorkCancelledError):
            await read_corpus(databases, report=progress.report)


async def test_a_write_while_reading_is_said(tmp_path: Path) -> None:
    project = build_store(tmp_path, distractors(1500))
    async with open_databases(project) as databases:

        def meddle(done: int, _total: int) -> None:
            with writing(project) as raw:
                raw.execute("UPDATE memory SET tier = 'long_term' WHERE rowid = 1")

        assert (await read_corpus(databases, report=meddle)).moved
        assert not (await read_corpus(databases)).moved
