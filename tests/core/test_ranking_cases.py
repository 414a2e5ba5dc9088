"""Public reports about ranking and the vector index: A13, A14, A15, A20-A24, A26."""

import ast
from pathlib import Path

import pytest

from core.notices import NoticeCode
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.store import health
from core.store.private_copy import open_copy, snapshot_copy
from tests.support.digests import all_digests
from tests.support.engine import open_engine
from tests.support.oracle import ROOT
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import StubEncoder, axis, packed


def _rank(outcome: SearchOutcome, name: str) -> tuple[int | None, int | None]:
    """Return (word rank, meaning rank)."""
    hit = outcome.hit(uuid_of(name))
    assert hit is not None
    return (
        hit.lexical.rank if hit.lexical else None,
        hit.dense.rank if hit.dense else None,
    )


async def test_the_stronger_word_match_comes_first_a13(tmp_path: Path) -> None:
    filler = " ".join(f"filler{n}" for n in range(300))
    rows = [
        Memory("long", "a long remark", f"{filler} zarquon"),
        Memory("short", "zarquon", "zarquon"),
    ]
    build_store(tmp_path, [*rows, *distractors(200)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("zarquon")
    assert [h.uuid for h in outcome.hits] == [uuid_of("short"), uuid_of("long")]
    scores = [h.lexical.bm25 for h in outcome.hits if h.lexical]
    assert scores == sorted(scores), "FTS5's sign: smaller is better"
    assert scores[1] < 0


async def test_a_word_of_every_row_still_counts_as_a_match_a13(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory(f"m{n}", f"common {n}") for n in range(30)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("common")
    assert len(outcome.hits) == 30
    assert all(-1e-4 < h.lexical.bm25 < 0 for h in outcome.hits if h.lexical)


async def test_rank_one_in_both_arms_and_in_one_arm_score_as_stated_a14(tmp_path: Path) -> None:
    """0.0328 is the best there is; 0.0164 is a first place too, and nothing is cut by score."""
    rows = [Memory("both", "zarquon", vectors=(axis(WIDTH, 0),))]
    build_store(tmp_path, [*rows, *distractors(200)])
    async with open_engine(tmp_path) as engine:
        both = await engine.by_vector("zarquon", axis(WIDTH, 0))
        one = await engine.by_words("zarquon")
    assert _rank(both, "both") == (1, 1)
    assert both.hits[0].fused_score == 2 / 61
    assert one.hits[0].fused_score == 1 / 61
    assert len(both.hits) == 50


async def test_a_correction_precedes_what_it_replaced_and_the_cut_comes_later_a15(
    tmp_path: Path,
) -> None:
    """The old wording is first in both arms and its correction far down; B is shown before A."""
    rows = [
        Memory("A", "ssh port is 22", by="B", vectors=(axis(WIDTH, 0),)),
        Memory(
            "B",
            "we moved the shell service to 49222",
            vectors=(packed([0.9, 0.1, *[0.0] * (WIDTH - 2)]),),
        ),
    ]
    build_store(tmp_path, [*rows, *distractors(200)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_vector("ssh port", axis(WIDTH, 0))
    assert (_rank(outcome, "A"), _rank(outcome, "B")) == ((1, 1), (None, 2))
    order = [h.uuid for h in outcome.hits]
    assert order.index(uuid_of("B")) < order.index(uuid_of("A")) < 5
    old = outcome.hit(uuid_of("A"))
    assert old is not None
    assert (old.state, old.head.superseded_by) == ("superseded", uuid_of("B"))
    assert old.fused_score == 1 / 61


async def test_texts_changed_behind_the_index_are_reported_as_out_of_date_a20(
    tmp_path: Path,
) -> None:
    build_store(tmp_path / "store", [Memory("a", "first", "old words"), *distractors(20)])
    with writing(tmp_path / "store") as raw:
        raw.execute("UPDATE memory SET content = 'new words' WHERE uuid = ?", (uuid_of("a"),))
    before = all_digests(tmp_path / "store")
    async with open_engine(tmp_path / "store") as engine:
        facts = engine.database.facts
        assert await health.check(engine.database, 32) == [], "the quick look cannot see it"
        await snapshot_copy(facts.location, facts.access, tmp_path / "copy.db")
        copy = await open_copy(tmp_path / "copy.db")
        found = await health.deep_check(copy)
        await copy.close()
    assert [p.code for p in found] == [health.ProblemCode.INDEX_OUT_OF_DATE]
    assert "out of date" in found[0].text
    assert all_digests(tmp_path / "store") == before


async def test_a_sound_store_passes_the_deep_check_a20(tmp_path: Path) -> None:
    build_store(tmp_path / "store", distractors(20))
    async with open_engine(tmp_path / "store") as engine:
        facts = engine.database.facts
        await snapshot_copy(facts.location, facts.access, tmp_path / "copy.db")
        copy = await open_copy(tmp_path / "copy.db")
        assert await health.deep_check(copy) == []
        await copy.close()


async def test_a_table_of_another_width_leaves_the_word_search_a21(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "zarquon"), *distractors(200)], width=384, table_width=256)
    before = all_digests(tmp_path)
    async with open_engine(tmp_path) as engine:
        (notice,) = engine.database.facts.notices
        outcome = await engine.by_vector("zarquon", axis(384, 0))
    assert notice.code is NoticeCode.WIDTH_MISMATCH
    assert "256 ≠ 384" in notice.text
    assert "Meaning search off" in notice.text
    assert not outcome.dense.ran
    assert [h.uuid for h in outcome.hits] == [uuid_of("a")]
    assert all_digests(tmp_path) == before


async def test_opening_under_another_configured_model_changes_nothing_a22(tmp_path: Path) -> None:
    other = '[embedding]\nembed_model = "other/model"\nembed_dim = 768\n'
    build_store(tmp_path, [Memory("a", "zarquon"), *distractors(20)], width=384, config=other)
    before = all_digests(tmp_path)
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_vector("zarquon", axis(384, 0))
    assert outcome.dense.ran, "the store's own vectors are searched"
    assert all_digests(tmp_path) == before


@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_live_rows_behind_three_hundred_retired_ones_are_found_a23(
    tmp_path: Path, matrix: bool
) -> None:
    near = [
        Memory(f"gone {n}", f"lamp {n}", active=False, vectors=(axis(WIDTH, 0),))
        for n in range(300)
    ]
    far = [
        Memory(f"live {n}", f"quay {n}", vectors=(packed([0.1 * n, 1.0, *[0.0] * (WIDTH - 2)]),))
        for n in range(5)
    ]
    build_store(tmp_path, [*near, *far])
    async with open_engine(tmp_path) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await engine.by_vector("zarquon", axis(WIDTH, 0))
    assert [h.uuid for h in outcome.hits] == [uuid_of(f"live {n}") for n in (4, 3, 2, 1, 0)]
    assert outcome.dense.stop_reason == "index_exhausted"


@pytest.mark.parametrize(
    ("chunks", "stop", "doublings"),
    [
        (1, "index_exhausted", 0),
        (2, "index_exhausted", 1),
        (16, "index_exhausted", 4),
        (17, "probe_cap_hit", 4),
    ],
)
@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_probing_ends_where_the_last_chunk_is_covered_or_four_doublings_are_spent(
    tmp_path: Path, chunks: int, stop: str, doublings: int, matrix: bool
) -> None:
    """One memory alone, probes of 1, 2, 4, 8 and 16 chunks."""
    config = f'[embedding]\nembed_model = "stub/words"\nembed_dim = {WIDTH}\n'
    config += "[retrieval]\nfusion_depth = 1\nchunk_overfetch = 1\n"
    build_store(tmp_path, [Memory("a", "x", vectors=[axis(WIDTH, 0)] * chunks)], config=config)
    async with open_engine(tmp_path) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await engine.by_vector("zarquon", axis(WIDTH, 0))
    assert (outcome.dense.depth_reached, outcome.dense.stop_reason) == (1, stop)
    assert outcome.doublings == doublings


def _sql_texts(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_every_nearest_neighbour_statement_says_k_and_never_limit_a24() -> None:
    statements = [
        text
        for file in sorted((ROOT / "core").rglob("*.py"))
        for text in _sql_texts(file)
        if "embedding MATCH" in text
    ]
    assert statements
    for text in statements:
        assert "k = ?" in text
        assert "LIMIT" not in text


async def test_the_shown_distance_is_l2_and_no_similarity_is_made_of_it_a26(
    tmp_path: Path,
) -> None:
    """Two orthogonal unit vectors lie sqrt(2) apart; their cosine is 1 - 2/2 = 0."""
    build_store(tmp_path, [Memory("a", "zarquon", vectors=(axis(WIDTH, 1),)), *distractors(5)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_vector("zarquon", axis(WIDTH, 0))
    hit = outcome.hit(uuid_of("a"))
    assert hit is not None
    assert hit.dense is not None
    assert hit.dense.distance == pytest.approx(2**0.5, abs=1e-6)
    assert 1 - hit.dense.distance**2 / 2 == pytest.approx(0.0, abs=1e-6)


async def test_a_query_vector_of_another_width_is_refused_in_numbers_a21(tmp_path: Path) -> None:
    from core.errors import ErrorCode, GenizahError
    from core.retrieval.query import DenseQuery

    build_store(tmp_path, distractors(5), width=384)
    async with open_engine(tmp_path) as engine:
        encoder = StubEncoder(256)
        side = MeaningSide(DenseQuery(encoder.embed("zarquon")))
        with pytest.raises(GenizahError, match="256 ≠ 384") as refusal:
            await engine.searcher.search("zarquon", side)
    assert refusal.value.code is ErrorCode.BAD_VECTOR
