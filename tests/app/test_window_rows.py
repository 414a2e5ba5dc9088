"""What rows and panels say: gist, state, ranks, the cut; the arithmetic and the text itself."""

from pathlib import Path

import pysqlite3

from core.retrieval.outcome import Hit, SearchOutcome
from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.stores import WIDTH, Memory, build_store, uuid_of
from tests.support.stub_encoder import axis
from tests.support.window_stores import (
    demo_project,
    recorded_encoder,
    stub,
    stub_services,
)
from widgets.row_content import RowContent
from widgets.row_model import ROW_ROLE


def contents(opened: OpenWindow) -> list[RowContent]:
    model = opened.window.hit_view.list.model()
    return [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]


def all_list_text(opened: OpenWindow) -> str:
    parts: list[str] = spoken_rows(opened.window.hit_view.list)
    for row in contents(opened):
        parts += [row.gist, row.detail, row.aside, row.warning, row.tip, row.spoken]
    parts.append(opened.window.hit_view._count.text())
    return "\n".join(parts)


def reciprocal(hit: Hit, k: int) -> list[float]:
    """Return the share of each arm from its rank alone, the meaning's first."""
    return [1 / (k + e.rank) for e in (hit.dense, hit.lexical) if e is not None]


def added(shares: list[float]) -> float:
    total = 0.0
    for share in shares:
        total = total + share
    return total


async def test_a_row_says_gist_state_and_its_rank_in_both_arms(tmp_path: Path) -> None:
    services = stub_services(recorded_encoder(), tmp_path)
    async with open_window(services, demo_project(tmp_path)) as opened:
        outcome = await opened.search("boarding pass base45")
        rows = contents(opened)
        assert [r.position for r in rows] == list(range(1, 54))
        first, seventh, ninth = rows[0], rows[6], rows[8]
        assert first.detail == "words #2 · meaning #1"
        assert first.gist.startswith("Boarding pass v5")
        assert first.share == 1.0
        assert seventh.detail == "words #1 · meaning #2"
        assert seventh.aside.startswith("replaced by 9d61… → 6f05… (live) Boarding")
        assert "; the chain ends at 6f05… Boarding pass v5" in seventh.tip
        assert ninth.detail == "words – · meaning #7"
        assert "rank 7 of 53, below the cut, words 1, meaning 2" in seventh.spoken
        assert "replaced by 9d61…" in seventh.spoken
        assert opened.window.hit_view._count.text() == "53 ranked of 150 memories"
        assert opened.window.hit_view._model.cut_row == 4
        best = outcome.hits[0].fused_score
        assert [r.share for r in rows] == [h.fused_score / best for h in outcome.hits]


async def test_a13_a14_no_raw_score_stands_in_the_list(tmp_path: Path) -> None:
    services = stub_services(recorded_encoder(), tmp_path)
    async with open_window(services, demo_project(tmp_path)) as opened:
        for text in ("boarding pass base45", "kubernetes pilot"):
            outcome = await opened.search(text)
            shown = all_list_text(opened)
            for hit in outcome.hits:
                for number in (hit.fused_score, hit.rrf_score):
                    assert repr(number)[:6] not in shown
                if hit.lexical is not None:
                    assert repr(hit.lexical.bm25)[:6] not in shown
            assert "bm25" not in shown.lower()


async def test_a13_the_stronger_word_match_is_first_and_a_common_term_still_counts(
    tmp_path: Path,
) -> None:
    long_text = "harbour " + "and many other things besides " * 40
    rows = [
        Memory("long", "notes of the week", long_text, vectors=()),
        Memory("alone", "harbour", "harbour", vectors=()),
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("harbour")
        assert opened.rows() == [uuid_of("alone"), uuid_of("long")]
        bm25 = [h.lexical.bm25 for h in outcome.hits if h.lexical is not None]
        # The term is in every row: FTS5 clamps it to almost nothing, and both still match.
        assert len(bm25) == 2
        assert all(-1e-5 < value < 0 for value in bm25)


async def test_a14_one_hit_in_both_arms_and_one_in_one(tmp_path: Path) -> None:
    encoder = stub()
    near, far = encoder.embed("lantern"), axis(WIDTH, 1)
    rows = [
        Memory("both", "lantern on the pier", vectors=[near]),
        Memory("one", "nothing of the kind", vectors=[far]),
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        outcome = await opened.search("lantern")
        assert [h.rrf_score for h in outcome.hits] == [1 / 61 + 1 / 61, 1 / 62]
        assert [r.detail for r in contents(opened)] == [
            "words #1 · meaning #1",
            "words – · meaning #2",
        ]
        await opened.select(uuid_of("both"))
        assert f"{1 / 61!r} is first in one arm, {1 / 61 + 1 / 61!r} first in both" in opened.why()


async def test_a15_a_correction_stands_above_what_it_replaced(tmp_path: Path) -> None:
    encoder = stub()
    exact = encoder.embed("ssh port")
    other = axis(WIDTH, 0, -1.0)
    rows = [
        Memory("A", "ssh port is 22", "ssh port", by="B", vectors=[exact]),
        Memory("B", "we moved the shell service to 49222", "new port", vectors=[other]),
        *(Memory(f"x{n}", f"about the quay {n}", "port", vectors=[other]) for n in range(8)),
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        await opened.search("ssh port")
        shown = opened.rows()
        assert shown.index(uuid_of("B")) < shown.index(uuid_of("A"))
        marked = contents(opened)[shown.index(uuid_of("A"))]
        named = f"replaced by {uuid_of('B')[:4]}… (live) we moved the shell service to 49222"
        assert marked.aside == named


async def assert_explained(opened: OpenWindow, outcome: SearchOutcome, hit: Hit) -> None:
    await opened.select(hit.uuid)
    why = opened.why()
    k = outcome.settings.rrf_k
    shares = reciprocal(hit, k)
    ranks = [e.rank for e in (hit.dense, hit.lexical) if e is not None]
    put_in = " + ".join(f"1/({k}+{rank})" for rank in ranks)
    values = " + ".join(repr(share) for share in shares)
    total = added(shares)
    whole = f"{put_in} = {values}" + (f" = {total!r}" if len(shares) > 1 else "")
    assert whole in why
    factor = 1.0 if hit.head.active else 0.5
    assert f"{total!r} × {factor!r} = {total * factor!r}" in why
    assert f"1 score: {total * factor!r}" in why
    inside = hit.position <= 5
    assert (f"limit 5: inside, #{hit.position} of" in why) is inside
    if hit.dense is not None:
        assert f"distance: {hit.dense.distance!r}" in why
    if hit.lexical is not None:
        assert f"bm25 in all: {hit.lexical.bm25!r}" in why


async def test_the_why_panel_shows_the_arithmetic_of_every_row(tmp_path: Path) -> None:
    services = stub_services(recorded_encoder(), tmp_path)
    async with open_window(services, demo_project(tmp_path)) as opened:
        outcome = await opened.search("boarding pass base45")
        for hit in outcome.hits[:16]:
            await assert_explained(opened, outcome, hit)


async def test_the_why_panel_names_the_snapshot_and_where_each_setting_came_from(
    tmp_path: Path,
) -> None:
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        outcome = await opened.search("HP-4012")
        await opened.select(outcome.hits[0].uuid)
        why = opened.why()
        assert str(project / ".zikaron" / "memory.db") in why
        assert "150 memories, 156 chunks" in why
        assert "retrieval.rrf_k = 60 (default)" in why
        assert "embedding.embed_prefix_query = '' (store file)" in why
        assert 'expression: "4012" OR "HP"' in why
        assert "all rows: 150 memories, this one among them" in why
        assert "after state: 143 memories, this one among them" in why


async def test_the_detail_shows_and_copies_the_text_as_stored(tmp_path: Path) -> None:
    content = "First line\r\n\ttabbed <b>bold</b> &amp; \u202ereversed\u202c e\u0301\n\n  last  "
    gist = "hostile <i>gist</i> \u200b here"
    project = build_store(tmp_path / "p", [Memory("odd", gist, content)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("hostile")
        await opened.select(uuid_of("odd"))
        detail = opened.window.detail_panel
        assert detail.shown_uuid == uuid_of("odd")
        assert detail.text._text.stored == content
        assert "<b>bold</b> &amp; ⟨U+202E⟩reversed" in detail.text.toPlainText()
        detail.text.selectAll()
        assert detail.text.createMimeDataFromSelection().text() == content


async def test_the_detail_shows_every_demo_memory_whole(tmp_path: Path) -> None:
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        outcome = await opened.search("how do I run the integration tests")
        stored = stored_texts(project)
        for hit in outcome.hits[:12]:
            await opened.select(hit.uuid)
            detail = opened.window.detail_panel
            detail.text.selectAll()
            copied = detail.text.createMimeDataFromSelection().text()
            assert (detail.shown_uuid, copied) == (hit.uuid, stored[hit.uuid])
            assert detail.facts.values()["uuid"] == hit.uuid


def stored_texts(project: Path) -> dict[str, str]:
    raw = pysqlite3.connect(f"file://{project}/.zikaron/memory.db?mode=ro", uri=True)
    try:
        found = raw.execute("SELECT uuid, content FROM memory").fetchall()
        return {str(uuid): str(content) for uuid, content in found}
    finally:
        raw.close()
