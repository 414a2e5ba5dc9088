"""What is said of every store of a search: failed, slow, changed, a copy, another model."""

import asyncio
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.federation.group_search import GroupMember, GroupResult, search_group
from core.federation.member import ModelKey
from core.federation.outcome import FederatedOutcome, Searched
from core.federation.part import PartRequest
from core.federation.searcher import MAX_STORES, FederatedSearcher
from core.federation.word_arm import WordArm, WordSearch
from core.retrieval.searcher import MeaningSide
from core.retrieval.union import WindowFlags
from core.store.connection import Connection, Row, Statement
from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchScope
from tests.support.federating import Asked, numbered_store, open_several, open_stores, opened
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import StubEncoder
from tests.support.wait import until

_ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
_HANG_S = 10.0


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Return three stores of one model, each with the word once."""
    return [
        numbered_store(tmp_path, n, [Memory(f"hit {n}", f"zarquon {n}"), Memory(f"o{n}", "other")])
        for n in range(3)
    ]


def _hits(found: FederatedOutcome) -> list[set[str]]:
    return [{h.uuid for h in group.outcome.hits} for group in found.groups]


@dataclass
class _Hang:
    """Statements of stores that never end: the paths where one began, and where one has ended."""

    started: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def _has(start: str, statements: Sequence[Statement]) -> bool:
    return any(sql.startswith(start) for sql, _ in statements)


def _hang(monkeypatch: pytest.MonkeyPatch, folder: Path) -> _Hang:
    """Let the statement about new words never end in the stores of a folder."""
    plain = Connection.rows_of_each
    hang = _Hang()

    async def rows_of_each(
        connection: Connection, statements: Sequence[Statement]
    ) -> list[list[Row]]:
        if _has("WITH found", statements) and connection.path.startswith(str(folder)):
            hang.started.append(connection.path)
            try:
                await plain(connection, [(_ENDLESS, ())])
            finally:
                hang.ended.append(connection.path)
        return await plain(connection, statements)

    monkeypatch.setattr(Connection, "rows_of_each", rows_of_each)
    return hang


async def test_a_store_too_slow_is_named_and_the_statistics_are_taken_without_it(
    three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_several(three[::2]) as two:
        expected = await two.search("zarquon", Asked())
    hang = _hang(monkeypatch, three[1])
    async with open_several(three, time_limit_s=1.5) as several:
        async with asyncio.timeout(_HANG_S):
            found = await several.search("zarquon", Asked())
    assert hang.ended
    assert [s.searched for s in found.stores] == [
        Searched.LEXICAL,
        Searched.FAILED,
        Searched.LEXICAL,
    ]
    error = found.stores[1].error
    assert error is not None
    assert (error.code, error.reason) == (ErrorCode.STORE_BUSY, "time_limit")
    assert str(three[1]) in error.message
    assert found.incomplete
    union, without = found.first.outcome.union, expected.first.outcome.union
    assert union is not None
    assert without is not None
    assert union.statistics == without.statistics
    assert found.first.outcome.hits == expected.first.outcome.hits


async def test_a_store_damaged_while_it_is_open_is_named_and_the_others_answer(
    three: list[Path],
) -> None:
    async with open_several(three) as several:
        await several.search("zarquon", Asked())
        with writing(three[2]) as raw:
            raw.execute("DELETE FROM memory_fts_docsize")
        found = await several.search("zarquon", Asked())
    assert [s.searched for s in found.stores][2] is Searched.FAILED
    assert _hits(found) == [{uuid_of("hit 0"), uuid_of("hit 1")}]
    assert found.incomplete


async def test_all_stores_failed_is_an_error_that_says_how_many(tmp_path: Path) -> None:
    missing = [tmp_path / "a", tmp_path / "b"]
    async with open_several(missing) as several:
        with pytest.raises(GenizahError) as refusal:
            await several.search("zarquon", Asked())
    assert refusal.value.code is ErrorCode.NO_STORE
    assert "None of the 2 stores" in refusal.value.message


@pytest.mark.parametrize("count", [0, MAX_STORES + 1])
async def test_95_no_store_or_too_many_are_refused(three: list[Path], count: int) -> None:
    async with open_stores(three[:1]) as members:
        with pytest.raises(GenizahError) as refusal:
            await FederatedSearcher(members * count).search("zarquon", Asked())
    assert refusal.value.code is ErrorCode.USAGE


async def test_the_only_store_answers_exactly_as_its_own_searcher(three: list[Path]) -> None:
    asked = Asked("zarquon", StubEncoder())
    async with open_stores([three[0], three[0].parent / "missing"]) as members:
        found = await FederatedSearcher(members).search("zarquon", asked)
        (store,) = opened(members)
        side = await asked(asked.keys[0])
        assert found.first.outcome == await store.searcher.search("zarquon", side)
    assert found.first.outcome.union is None
    assert [s.searched for s in found.stores] == [Searched.HYBRID, Searched.FAILED]


async def test_91_a_commit_between_two_steps_is_not_seen_and_one_between_two_searches_is(
    three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Connection.rows_of_each
    written: list[str] = []

    async def rows_of_each(
        connection: Connection, statements: Sequence[Statement]
    ) -> list[list[Row]]:
        if _has("SELECT m.rowid, m.uuid, m.tier", statements) and not written:
            written.append("zarquon 1, changed")
            with writing(three[1]) as raw:
                raw.execute("UPDATE memory SET gist = ? WHERE gist = 'zarquon 1'", written)
        return await plain(connection, statements)

    async with open_several(three) as several:
        before = await several.search("zarquon", Asked())
        monkeypatch.setattr(Connection, "rows_of_each", rows_of_each)
        during = await several.search("zarquon", Asked())
        after = await several.search("zarquon", Asked())
    assert written
    assert during.first.outcome.hits == before.first.outcome.hits
    gists = {h.head.gist for h in after.first.outcome.hits}
    assert gists == {"zarquon 0", "zarquon 1, changed", "zarquon 2"}
    assert [s.error for s in after.stores] == [None] * 3


@pytest.mark.parametrize(("writes", "reasons"), [(1, []), (99, ["changed_meanwhile"])])
async def test_91_a_store_changed_before_its_snapshot_is_searched_again_once_and_then_named(
    three: list[Path], monkeypatch: pytest.MonkeyPatch, writes: int, reasons: list[str]
) -> None:
    written = 0

    async def after_a_write(
        members: Sequence[GroupMember], request: PartRequest, form: str, limit_s: float
    ) -> GroupResult:
        nonlocal written
        if written < writes:
            written += 1
            with writing(three[1]) as raw:
                gist = (f"z 1 {written}",)
                raw.execute("UPDATE memory SET gist = ? WHERE gist LIKE 'z% 1%'", gist)
        return await search_group(members, request, form, limit_s)

    async with open_several(three) as several:
        with monkeypatch.context() as patch:
            patch.setattr("core.federation.searcher.search_group", after_a_write)
            found = await several.search("zarquon", Asked())
        fresh = await several.search("zarquon", Asked())
    assert [s.error.reason for s in found.stores if s.error is not None] == reasons
    gists = {h.head.gist for h in found.first.outcome.hits}
    assert gists == {"zarquon 0", "zarquon 2", *(() if reasons else ("z 1 1",))}
    assert len(fresh.first.outcome.hits) == 3, "a fresh request succeeds"
    assert [s.error for s in fresh.stores] == [None] * 3


async def test_90_a_text_that_nothing_matches_is_answered_in_full(three: list[Path]) -> None:
    async with open_several(three) as several:
        found = await several.search("nowhere", Asked())
    outcome = found.first.outcome
    union = outcome.union
    assert union is not None
    assert outcome.hits == ()
    assert union.words == WindowFlags(
        window_complete=True, approximate=False, truncated=False, exhaustive=True, examined=0
    )
    assert re.fullmatch("[0-9a-f]{64}", union.statistics.epoch)


async def test_a_memory_that_comes_to_be_in_two_stores_parts_them_at_the_next_search(
    three: list[Path],
) -> None:
    async with open_several(three) as several:
        assert [g.stores for g in (await several.search("zarquon", Asked())).groups] == [(0, 1, 2)]
        with writing(three[2]) as raw:
            raw.execute("UPDATE memory SET uuid = ? WHERE gist = 'other'", (uuid_of("hit 0"),))
        found = await several.search("zarquon", Asked())
    assert [g.stores for g in found.groups] == [(0, 1), (2,)]
    reason = found.groups[1].reason
    assert reason is not None
    assert str(three[0]) in reason
    assert str(three[2]) in reason


async def test_a43_an_equal_copy_is_not_searched_and_answers_once_its_original_fails(
    three: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(three[0], tmp_path / "copy")
    async with open_several([three[0], three[1], copy], time_limit_s=1.5) as several:
        found = await several.search("zarquon", Asked())
        assert [s.searched for s in found.stores][2] is Searched.COPY_OF
        assert found.stores[2].copy_of == 0
        assert found.stores[2].memories == 2
        assert _hits(found) == [{uuid_of("hit 0"), uuid_of("hit 1")}]
        assert not is_said_twice(found)
        _hang(monkeypatch, three[0])
        alone = await several.search("zarquon new", Asked())
    assert [s.searched for s in alone.stores] == [
        Searched.FAILED,
        Searched.LEXICAL,
        Searched.LEXICAL,
    ]
    assert alone.groups[0].stores == (1, 2)


def is_said_twice(found: FederatedOutcome) -> bool:
    """Tell whether a memory stands in a list more than once."""
    hits = [h.uuid for group in found.groups for h in group.outcome.hits]
    return len(hits) != len(set(hits))


async def test_a45_each_model_is_asked_once_before_any_snapshot_is_taken(
    three: list[Path], tmp_path: Path
) -> None:
    other = build_store(
        tmp_path / "other",
        [Memory("w", "zarquon wide")],
        width=8,
        model="stub/wide",
        meta={"store_id": "7b1c8f2e-93d4-4c55-a6b7-0000000000aa"},
    )
    async with open_stores([*three, other]) as members:
        keys: list[ModelKey] = []
        stores = opened(members)

        async def meaning(key: ModelKey) -> MeaningSide:
            keys.append(key)
            assert not any(s.database.search.connection.in_transaction for s in stores)
            return await Asked("zarquon", StubEncoder(width=key.width))(key)

        found = await FederatedSearcher(members).search("zarquon", meaning)
    assert [(k.model, k.width) for k in keys] == [("stub/words", 16), ("stub/wide", 8)]
    assert [g.stores for g in found.groups] == [(0, 1, 2), (3,)]
    assert found.groups[1].reason == "Another model: stub/wide, 8 wide."
    assert [s.searched for s in found.stores] == [Searched.HYBRID] * 4
    assert not found.incomplete


async def test_a_vector_of_another_width_is_the_error_of_the_stores_it_was_meant_for(
    three: list[Path],
) -> None:
    async with open_several(three) as several:
        with pytest.raises(GenizahError) as refusal:
            await several.search("zarquon", Asked(vector=b"\0" * 12))
    assert refusal.value.code is ErrorCode.BAD_VECTOR


async def test_cancelling_reaches_every_store_and_leaves_nothing_running(
    three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_stores(three) as members:
        several = FederatedSearcher(members)
        expected = await several.search("zarquon", Asked())
        with monkeypatch.context() as patch:
            hang = _hang(patch, three[0].parent)
            searching = asyncio.create_task(several.search("zarquon new", Asked()))
            await until(lambda: len(hang.started) == 3)
            searching.cancel()
            async with asyncio.timeout(_HANG_S):
                with pytest.raises(asyncio.CancelledError):
                    await searching
        assert sorted(hang.ended) == sorted(hang.started)
        connections = [s.database.search.connection for s in opened(members)]
        assert not any(c.in_transaction for c in connections)
        again = await several.search("zarquon", Asked())
    assert again.first.outcome.hits == expected.first.outcome.hits


async def test_cancelling_while_the_stores_are_given_back_leaves_none_of_them_taken(
    three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = WordSearch.merge

    def merge(words: WordSearch, scope: GlobalBranchScope, budget: Budget) -> WordArm:
        searching.cancel()  # heard where all that is left to do is to give the stores back
        return plain(words, scope, budget)

    async with open_stores(three) as members:
        several = FederatedSearcher(members)
        monkeypatch.setattr(WordSearch, "merge", merge)
        searching = asyncio.create_task(several.search("zarquon", Asked()))
        with pytest.raises(asyncio.CancelledError):
            await searching
        connections = [s.database.search.connection for s in opened(members)]
        assert not any(c.in_transaction or c.opening for c in connections)


async def test_two_searches_of_the_same_stores_at_once_do_not_wait_for_each_other(
    tmp_path: Path,
) -> None:
    folders = [
        numbered_store(tmp_path, n, [Memory(f"{n}", "zarquon"), *distractors(0)]) for n in range(6)
    ]
    async with open_stores(folders) as members:
        one, other = FederatedSearcher(members), FederatedSearcher(members[::-1])
        async with asyncio.timeout(_HANG_S):
            found = await asyncio.gather(
                *(s.search("zarquon", Asked()) for _ in range(5) for s in (one, other))
            )
    uuids = [[h.uuid for h in f.first.outcome.hits] for f in found]
    assert all(u == uuids[0] for u in uuids)
    assert len(uuids[0]) == 6
