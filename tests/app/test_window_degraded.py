"""Degraded modes are loud and stay on screen; words search on; nothing in the store is changed."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.bootstrap import Services
from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder
from core.store import files
from core.store.files import Access
from tests.support.digests import all_digests
from tests.support.open_window import open_window, services
from tests.support.stores import STUB_MODEL, WIDTH, build_store, uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.window_stores import FERRY, demo_project, ferry_store, stub, stub_services
from tests.widgets.keys import press

_BY_WORDS = [uuid_of(n) for n in ("tide", "ferry", "old")]


def refusing(code: ErrorCode, sentence: str, folder: Path) -> Services:
    def load(_model: str) -> Encoder:
        raise GenizahError(code, sentence)

    return services(load, os.environ, folder)


async def assert_words_only(given: Services, project: Path, code: str, sentence: str) -> None:
    """Check banner and lists; the banner stands before, during and after a search, said once."""
    before = all_digests(project)
    async with open_window(given, project) as opened:
        await opened.controller.model.settled()
        for text in ("", "tide tables", ""):
            opened.type(text)
            await opened.settled()
            assert code in opened.banners()
            assert sentence in opened.banners()
            assert opened.banners().count("Meaning search off") == 1
            if text:
                assert opened.rows() == _BY_WORDS
                strip = opened.window.status_strip.words()
                assert "words ✓ | meaning off: " in strip
                assert "Meaning search off" not in strip
        assert opened.page() == "browse"
    assert all_digests(project) == before


async def test_a21_a_table_of_another_width_turns_meaning_off(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", FERRY, table_width=8)
    encoder = stub()
    await assert_words_only(
        stub_services(encoder, tmp_path), project, "width_mismatch", f"(8 ≠ {WIDTH})"
    )
    assert encoder.calls == []


async def test_a21_a_model_of_another_width_turns_meaning_off(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", FERRY)
    await assert_words_only(
        stub_services(StubEncoder(8), tmp_path), project, "width_mismatch", f"(8 ≠ {WIDTH})"
    )


async def test_an_unknown_model_turns_meaning_off_and_says_what_would_help(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", FERRY)
    given = Services(working_folder=tmp_path)  # the program's own way to load a model
    await assert_words_only(given, project, "no_artifact", STUB_MODEL)


async def test_a_damaged_model_turns_meaning_off_and_names_the_file(tmp_path: Path) -> None:
    sentence = "The model file /m/model.onnx is not the one that stub/words needs."
    given = refusing(ErrorCode.ARTIFACT_DAMAGED, sentence, tmp_path)
    project = build_store(tmp_path / "p", FERRY)
    await assert_words_only(given, project, "encoder_failed", sentence)


async def test_a30_a_newer_schema_is_shown_with_a_banner(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", FERRY, meta={"schema_version": "99"})
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert "newer_schema" in opened.banners()
        assert "schema version 99" in opened.banners()
        outcome = await opened.search("tide tables")
        assert outcome.dense.ran
        assert "newer_schema" in opened.banners()
    assert all_digests(project) == before


async def test_settings_that_name_another_model_are_said(tmp_path: Path) -> None:
    config = '[embedding]\nembed_model = "other/model"\nembed_dim = 8\nembed_prefix_query = ""\n'
    project = build_store(tmp_path / "p", FERRY, config=config)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("tide tables")
        assert outcome.dense.ran
        assert "settings_differ_from_meta" in opened.banners()
        assert "other/model (8 wide)" in opened.banners()
        assert f"{STUB_MODEL} ({WIDTH} wide)" in opened.banners()


async def test_the_prefix_of_another_model_is_said_and_used(tmp_path: Path) -> None:
    config = f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {WIDTH}\n'
    project = build_store(tmp_path / "p", FERRY, config=config)
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        await opened.search("tide")
        assert "prefix_of_other_model" in opened.banners()
        assert encoder.calls == [
            "Represent this sentence for searching relevant passages: tide"
        ]


async def test_a_static_view_is_said_and_checked_before_each_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    monkeypatch.setattr(files, "choose_access", lambda _path: Access.IMMUTABLE)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert "static_view" in opened.banners()
        assert (await opened.search("tide tables")).dense.ran
        beside = sorted(path.name for path in (project / ".zikaron").iterdir())
        assert beside == ["config.toml", "memory.db"]
        monkeypatch.setattr(files, "choose_access", lambda _path: Access.READ_ONLY)
        opened.type("bus")
        await opened.settled()
        assert "store_changed" in opened.page_text()
        opened.press("Open again")
        await opened.settled()
        assert "static_view" not in opened.banners()
        assert opened.outcome is not None
        assert opened.outcome.query.text == "bus"


async def test_a_store_reached_through_a_link_is_said_so(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    link = tmp_path / "link"
    link.symlink_to(project)
    async with open_window(stub_services(stub(), tmp_path), link) as opened:
        assert "symlink" in opened.banners()
        assert str(project.resolve() / ".zikaron" / "memory.db") in opened.banners()


async def test_banners_of_one_store_do_not_outlive_it(tmp_path: Path) -> None:
    odd = build_store(tmp_path / "odd", FERRY, table_width=8, meta={"schema_version": "9"})
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path), odd) as opened:
        assert "width_mismatch" in opened.banners()
        assert "newer_schema" in opened.banners()
        await opened.open(ferry_store(tmp_path / "sound"))
        await opened.controller.model.settled()
        assert opened.banners() == ""
        assert (await opened.search("tide")).dense.ran
        await opened.open(odd)
        assert "meaning off" in opened.window.status_strip.words()
        await opened.open(tmp_path / "nowhere")
        assert opened.window.status_strip.words().endswith("words – | meaning –")
        assert opened.banners() == ""


async def test_a_model_that_fits_one_store_is_not_used_for_another_width(tmp_path: Path) -> None:
    wide = build_store(tmp_path / "wide", FERRY, width=24)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        assert (await opened.search("tide tables")).dense.ran
        await opened.open(wide)
        assert opened.rows() == _BY_WORDS
        assert f"({WIDTH} ≠ 24)" in opened.banners()


async def test_the_demo_has_no_banner(tmp_path: Path) -> None:
    given = Services(working_folder=tmp_path)
    async with open_window(given, demo_project(tmp_path)) as opened:
        outcome = await opened.search("why does the integration test hang")
        assert outcome.dense.ran
        assert opened.banners() == ""


async def test_the_strip_says_of_the_list_by_time_that_no_search_made_it(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", FERRY)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.controller.model.settled()
        strip = opened.window.status_strip
        assert "words – | meaning –" in strip.words()
        await opened.search("tide")
        assert "words ✓ | meaning ✓" in strip.words()
        opened.window.search_bar.clear()
        await opened.settled()
        assert "words – | meaning –" in strip.words()
        opened.controller.set_meaning_search(False)
        await opened.search("tide")
        opened.window.search_bar.clear()
        await opened.settled()
        assert "words – | meaning off: " in strip.words()


async def test_where_nothing_ranks_the_rows_that_contain_the_text_have_the_page(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", FERRY)
    given = refusing(ErrorCode.ARTIFACT_DAMAGED, "No model here.", tmp_path)
    async with open_window(given, project) as opened:
        page, window = opened.window.results_page, opened.window
        await opened.search("idexylo")
        assert opened.page() == "results"
        assert opened.literal_rows() == [uuid_of("glued")]
        assert page.no_ranks.isVisible()
        assert page.no_ranks.text().startswith("No memory ranks for this search.")
        assert not page.hit_view.isVisible(), "no blank list stands above"
        assert page.literal_list.height() > page.height() * 3 // 4
        press(window.search_bar.box, Qt.Key.Key_Return)
        assert page.literal_list.selected_uuid() == uuid_of("glued")
        assert page.literal_list.list.hasFocus()
        await opened.search("tide")
        assert page.hit_view.isVisible()
        assert not page.no_ranks.isVisible()
