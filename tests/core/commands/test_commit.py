"""Committing a person's changes: all or nothing, what was on the screen counts as read."""

from pathlib import Path

import pytest

from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
)
from core.commands.commit import BatchRefused, Committed, commit_batch, commit_one
from core.commands.outcome import Written
from core.commands.preflight import try_change, try_text
from core.commands.preparation import Prepared
from core.commands.refusals import Refused
from core.errors import ErrorCode, GenizahError
from core.notices import NoticeCode
from core.store.database import Database
from core.store.location import locate
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, matches_of, problems_of, rows_of

_A, _B, _NEW, _OTHER = (uuid_of(name) for name in ("a", "b", "new", "other"))
_GONE, _NOBODY = uuid_of("gone"), uuid_of("nobody")
_AMEND = Amend(_A, 1, "new wording", "a lantern\n\nhangs at the door")


def _states(project: Path) -> dict[object, tuple[object, ...]]:
    """Return active, superseded_by and version by uuid."""
    return {row[1]: row[5:8] for row in rows_of(project)["memory"]}


def _sound(project: Path, tmp_path: Path) -> bool:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return problems_of(project, scratch) == []


async def test_a_change_brings_its_own_fetch(hand: Hand, project: Path, tmp_path: Path) -> None:
    assert await commit_one(hand.gate, _AMEND) == Written(_A, 2)
    rows = rows_of(project)
    assert [r[5:] for r in rows["event"]] == [
        ("fetch", _A, '{"version": 1, "found": true}'),
        (
            "amend",
            _A,
            '{"from_version": 1, "to_version": 2, "token_count": 6, "gist_tokens": 2, '
            '"n_chunks": 1, "truncated": false}',
        ),
    ]
    assert len({r[4] for r in rows["event"]}) == 2, "a fetch has an op_id of its own"
    assert [r[2:4] + r[5:] for r in rows["read_receipt"]] == [(_A, 2, "own_write")]
    assert await commit_one(hand.gate, Retire(_A, 2)) == Written(_A, 3)
    assert [r[5] for r in rows_of(project)["event"]] == ["fetch", "amend", "retire"]
    assert _sound(project, tmp_path)


async def test_a19_an_amended_row_is_found_by_its_new_words_alone(
    hand: Hand, project: Path
) -> None:
    await commit_batch(hand.gate, [_AMEND, Retire(_B, 1)])
    found = matches_of(project, ["zarquon", "lantern"])
    assert [len(found[w]) for w in ("zarquon", "lantern")] == [1, 1]
    assert found["zarquon"][0][0] == 2, "the retired row keeps its words"


async def test_a25_a_row_is_amended_twice_and_its_chunks_pair_with_their_vectors(
    hand: Hand, project: Path, tmp_path: Path
) -> None:
    longer = "\n\n".join(f"paragraph {n} with some words" for n in range(12))
    assert await commit_one(hand.gate, Amend(_A, 1, "gist", longer)) == Written(_A, 2)
    chunks = rows_of(project)["memory_chunk"]
    parts = [row[2] for row in chunks if row[1] == _A]
    assert parts == list(range(len(parts))) and len(parts) > 1
    assert await commit_one(hand.gate, Amend(_A, 2, "gist", "short")) == Written(_A, 3)
    rows = rows_of(project)
    assert [r[2] for r in rows["memory_chunk"] if r[1] == _A] == [0]
    assert [r[0] for r in rows["memory_chunk"]] == [r[0] for r in rows["memory_vec"]]
    assert _sound(project, tmp_path)


async def test_the_first_refusal_takes_the_whole_batch_back_and_leaves_its_own_audit(
    hand: Hand, project: Path
) -> None:
    before = rows_of(project)
    remember, stale = Remember("one more", "memory"), Retire(_B, 9)
    changes: list[Change] = [_AMEND, remember, stale, Retire(_NOBODY, 1)]
    found = await commit_batch(hand.gate, changes)
    assert isinstance(found, BatchRefused)
    assert (found.index, found.refused.code) == (2, ErrorCode.VERSION_CONFLICT)
    after = rows_of(project)
    assert {n: after[n] for n in ("memory", "memory_chunk", "memory_vec")} == {
        n: before[n] for n in ("memory", "memory_chunk", "memory_vec")
    }
    assert [r[5:7] for r in after["event"]] == [("version_conflict", _B)]
    assert [r[2:4] + r[5:] for r in after["read_receipt"]] == [(_B, 1, "conflict")]
    assert matches_of(project, ["lantern"]) == {"lantern": []}


async def test_a_refusal_by_state_leaves_not_even_the_fetch(hand: Hand, project: Path) -> None:
    before = rows_of(project)
    found = await commit_one(hand.gate, Retire(_GONE, 2))
    assert isinstance(found, Refused)
    assert found.code is ErrorCode.INACTIVE_ROW
    assert rows_of(project) == before


async def test_a_conflict_of_a_batch_with_itself_leaves_no_version_that_never_was(
    hand: Hand, project: Path
) -> None:
    before = rows_of(project)
    found = await commit_batch(hand.gate, [_AMEND, Amend(_A, 1, "twice", "at once")])
    assert isinstance(found, BatchRefused)
    assert (found.index, found.refused.code) == (1, ErrorCode.VERSION_CONFLICT)
    assert rows_of(project) == before


async def test_a_new_text_replaces_the_old_row_in_one_step(
    hand: Hand, project: Path, tmp_path: Path
) -> None:
    change = SupersedeWithText(_A, 1, "zarquon lamp", "the lamp is lit again")
    found = await commit_one(hand.gate, change)
    assert isinstance(found, Written)
    assert (found.uuid, found.version) == (_A, 2)
    assert found.new_uuid is not None
    assert _states(project)[_A] == (0, found.new_uuid, 2)
    assert _states(project)[found.new_uuid] == (1, None, 1)
    near = [n.uuid for n in found.near_duplicates]
    assert _A in near, "it was live when near-duplicates were sought"
    events = rows_of(project)["event"]
    by_kind = {r[5]: r[4] for r in events}
    assert by_kind["dedup_offered"] == by_kind["remember"] != by_kind["retire"]
    assert _sound(project, tmp_path)


async def test_a_refused_new_text_leaves_no_new_row(hand: Hand, project: Path) -> None:
    before = rows_of(project)
    found = await commit_one(hand.gate, SupersedeWithText(_GONE, 2, "a", "b"))
    assert isinstance(found, Refused)
    assert rows_of(project) == before


async def test_a41_of_three_equal_rows_exactly_one_stays_live(hand: Hand, project: Path) -> None:
    done = await commit_batch(hand.gate, [Supersede(_A, 1, _NEW), Supersede(_B, 1, _NEW)])
    assert isinstance(done, Committed)
    states = _states(project)
    assert [states[u] for u in (_A, _B, _NEW)] == [(0, _NEW, 2), (0, _NEW, 2), (1, None, 1)]


async def test_a37_of_two_writers_at_once_exactly_one_changes_the_row(
    hand: Hand, project: Path
) -> None:
    second = await Hand.open(project, StubEncoder(), "second", wait_s=5.0)
    try:
        first_done = await commit_one(hand.gate, Amend(_A, 1, "mine", "my text"))
        second_done = await commit_one(second.gate, Amend(_A, 1, "yours", "your text"))
    finally:
        await second.close()
    assert isinstance(first_done, Written)
    assert isinstance(second_done, Refused)
    current = second_done.fields["current"]
    assert isinstance(current, dict)
    assert (current["gist"], current["version"]) == ("mine", 2)


async def test_without_the_model_rows_retire_and_texts_are_refused_with_the_reason(
    project: Path,
) -> None:
    hand = await Hand.open(project, None)
    try:
        with pytest.raises(GenizahError) as refused:
            await commit_one(hand.gate, _AMEND)
        with pytest.raises(GenizahError):
            await commit_batch(hand.gate, [Retire(_B, 1), Remember("a", "b")])
        assert isinstance(await commit_one(hand.gate, Retire(_A, 1)), Written)
        assert isinstance(await commit_one(hand.gate, Supersede(_B, 1, _NEW)), Written)
    finally:
        await hand.close()
    assert refused.value.code is ErrorCode.NO_ARTIFACT
    assert "not loaded" in refused.value.message


async def test_where_the_agents_search_fails_remembering_succeeds_and_says_so(
    tmp_path: Path,
) -> None:
    config = "[retrieval]\nfusion_depth = 100\nchunk_overfetch = 64\n"
    rows = [Memory("a", "zarquon lamp", "the lamp is lit")]
    hand = await Hand.open(build_store(tmp_path / "deep", rows, config=config), StubEncoder())
    found = await commit_one(hand.gate, Remember("zarquon lamp", "the lamp is lit"))
    await hand.close()
    assert isinstance(found, Written)
    assert [n.uuid for n in found.near_duplicates] == [_A]
    assert [n.code for n in found.notices] == [NoticeCode.PEER_FAILS_K_LIMIT]


async def test_an_index_that_cannot_be_written_fails_the_change_and_leaves_nothing(
    hand: Hand, project: Path
) -> None:
    with writing(project) as raw:
        raw.execute("CREATE TABLE kept AS SELECT * FROM memory")
        raw.execute("DROP TABLE memory_vec")
    with pytest.raises(GenizahError) as failed:
        await commit_one(hand.gate, _AMEND)
    with writing(project) as raw:
        differs = "SELECT * FROM memory EXCEPT SELECT * FROM kept"
        assert raw.execute(differs).fetchall() == []
        assert raw.execute("SELECT * FROM event").fetchall() == []
    assert (failed.value.code, failed.value.reason) == (ErrorCode.INDEX_FAILED, "index_write")


async def test_a_preflight_says_what_the_commit_would_and_writes_nothing(
    hand: Hand, project: Path
) -> None:
    changes: list[Change] = [
        _AMEND,
        Retire(_A, 9),
        Retire(_GONE, 2),
        Supersede(_A, 1, _NOBODY),
        Supersede(_A, 1, _A),
        Remember("a", "b"),
        Remember(" ", "b"),
    ]
    before = (project / ".zikaron" / "memory.db").read_bytes(), rows_of(project)
    database = await Database.open(locate(project))
    gate = hand.gate
    said: list[ErrorCode | None] = []
    for change in changes:
        text = await try_text(change, gate.settings, gate.model, gate.meta)
        if isinstance(text, Refused):
            said.append(text.code)
            continue
        assert (text is None) == isinstance(change, Retire | Supersede)
        assert text is None or isinstance(text, Prepared)
        async with database.browse.snapshot() as connection:
            found = await try_change(connection, change, gate.author, gate.settings)
        said.append(None if found is None else found.code)
    await database.close()
    assert ((project / ".zikaron" / "memory.db").read_bytes(), rows_of(project)) == before
    made = []
    for change in changes[1:5] + changes[6:]:
        done = await commit_one(gate, change)
        assert isinstance(done, Refused)
        made.append(done.code)
    assert said == [None, *made[:4], None, made[4]]
