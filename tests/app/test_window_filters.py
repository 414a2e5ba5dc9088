"""Filters in the window: typed, clicked, taken out; what they leave, and what is said of it."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from app.filter_asked import asks_for
from core.filters.filter import FilterKey
from core.filters.parsing import parse
from tests.support.filtering import chips, counted, listed, said
from tests.support.open_window import open_window, uuids_of
from tests.support.stores import (
    Memory,
    build_store,
    uuid_of,
)
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press

# A12


async def test_a12_a_filter_is_inside_the_search_not_after_its_cut(tmp_path: Path) -> None:
    """60 journal rows match well, one long-term row weakly; the filter shows it."""
    rows = [Memory(f"j{n}", f"harbour tide {n}", "harbour tide harbour tide") for n in range(60)]
    rows.append(Memory("weak", "a remark", f"the tide {'and so on ' * 40}", tier="long_term"))
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.show()
        first = await opened.search("harbour tide")
        assert uuid_of("weak") not in [hit.uuid for hit in first.hits[:10]]
        outcome = await opened.search("tier:long_term harbour tide")
        assert opened.rows() == [uuid_of("weak")]
        assert outcome.query.text == "harbour tide"
        banner = opened.window.results_page.filter_banner
        assert banner.text().startswith("Filtered – not the agent's list")
        await counted(opened)
        assert banner.text().endswith("1 of 61 memories pass")
        banner.buttons["unfiltered"].click()
        await opened.controller.settled()
        assert opened.window.search_bar.text() == "harbour tide"
        assert opened.rows() == [hit.uuid for hit in first.hits]
        assert banner.text() == ""


# Text


async def test_a_text_without_filters_is_the_agents_query_to_the_last_character(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        text = ' note: the  ferry "is:live" http://x '
        outcome = await opened.search(text)
        assert outcome.query.text == text
        assert not outcome.scope.is_filtered
        assert not opened.window.chip_bar.isVisible()
        assert opened.window.results_page.filter_banner.text() == ""


async def test_filters_without_words_list_what_passes_and_say_of_how_many(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        rows = await listed(opened, "tier:long_term")
        assert rows == [uuid_of("tide")]
        assert opened.window.browse_view.heading() == "1 of 26 memories, newest first"
        assert set(await listed(opened, "is:retired,superseded")) == {
            uuid_of("gone"),
            uuid_of("old"),
        }
        assert await listed(opened, "-is:live -is:retired") == [uuid_of("old")]
        await listed(opened, "")
        assert opened.window.browse_view.heading() == "26 memories, newest first"


async def test_filters_that_leave_nothing_say_so_and_one_click_takes_them_out(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await listed(opened, "session:nobody")
        assert opened.page() == "state"
        assert "The filters leave nothing" in opened.page_text()
        assert "None of 26 memories passes: session:nobody" in opened.page_text()
        opened.press("Take the filters out")
        await opened.controller.settled()
        assert opened.page() == "browse"
        assert opened.window.browse_view.heading() == "26 memories, newest first"
        opened.controller.model.embedder = None
        await opened.search("session:nobody tide")
        assert "Only what passes: session:nobody" in opened.page_text()
        opened.press("Take the filters out")
        await opened.controller.settled()
        assert opened.window.search_bar.text() == "tide"
        assert opened.page() == "results"


async def test_unknown_keys_and_bad_values_are_searched_as_text_and_said(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        outcome = await opened.search("colour:red created:soon is:live tide")
        assert outcome.query.text == "colour:red created:soon tide"
        assert chips(opened) == ["is:live"]
        assert "colour: is no filter; it is searched as text." in said(opened)
        assert "created: takes" in said(opened)
        await opened.search("tide")
        assert said(opened) == ""


async def test_a_retired_memory_that_a_filter_asks_for_is_found_without_the_switch(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("is:retired tide")
        assert opened.rows() == [uuid_of("gone")]
        assert not opened.window.search_bar.includes_retired()
        await opened.search("tide")
        assert uuid_of("gone") not in opened.rows()


async def test_rows_that_only_contain_the_text_are_filtered_too(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.controller.model.embedder = None
        await opened.search("tide")
        assert uuid_of("glued") in opened.literal_rows()
        await opened.search("tier:long_term tide")
        assert opened.literal_rows() == []
        assert opened.rows() == [uuid_of("tide")]


async def test_similar_searches_by_a_memory_named_by_the_beginning_of_its_uuid(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        outcome = await opened.search(f"similar:{uuid_of('tide')[:8]}")
        assert outcome.query.uuid == uuid_of("tide")
        assert uuid_of("tide") not in opened.rows()
        assert opened.rows()
        opened.type("similar:ffffffffffff")
        await opened.controller.settled()
        assert "There is no memory ffffffffffff" in opened.page_text()


# Chips


async def test_chips_mirror_the_text_and_go_by_mouse_and_by_key(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        window = opened.window
        await opened.search("is:live tide tier:journal,long_term -session:x")
        assert chips(opened) == ["is:live", "tier:journal,long_term", "-session:x"]
        bar = window.chip_bar
        assert bar.chips[0].accessibleName() == "Filter: memories that are live"
        bar.chips[0].click()
        assert window.search_bar.text() == "tide tier:journal,long_term -session:x"
        bar.chips[1].setFocus()
        press(bar.chips[1], Qt.Key.Key_Backspace)
        assert window.search_bar.text().strip() == "tide tier:journal,long_term"
        assert window.focusWidget() is bar.chips[0], "the next chip takes the keyboard"
        press(bar.chips[0], Qt.Key.Key_Delete)
        await opened.controller.settled()
        assert window.search_bar.text() == "tide"
        assert window.focusWidget() is window.search_bar.box
        assert not bar.isVisible()


async def test_the_tab_key_leads_from_the_box_over_the_chips(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        window = opened.window
        await opened.search("is:live tier:journal tide")
        window.activateWindow()
        window.search_bar.include_retired.setFocus()
        walked = []
        for _ in range(4):
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
            walked.append(window.focusWidget())
        bar = window.chip_bar
        assert walked == [*bar.chips, bar.explain, bar.clear]


async def test_the_search_is_said_in_words(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("is:retired tide")
        opened.window.actions_by_name["search_in_words"].trigger()
        await until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.text().splitlines() == [
            "Ranks by the text “tide”, as the agent's own search does.",
            "Keeps only memories that are retired outright.",
            "The filters are applied before the search looks for its best matches, so this list "
            "is not the one the agent gets.",
            "Retired memories are let in, because a filter asks for them.",
        ]
        box.accept()


async def test_a_search_for_a_long_text_is_said_in_short(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type("is:live " + "the ferry and the tide " * 20_000)
        await opened.controller.settled()
        opened.window.actions_by_name["search_in_words"].trigger()
        await until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert len(box.text()) < 2_000
        assert "characters)" in box.text()
        box.accept()


def test_a_list_is_asked_for_by_the_text_that_it_was_asked_by() -> None:
    written = "is:live tier:journal tide tables"
    assert parse(written).free_text == "tide tables"
    assert [f.key for f in parse(written).filters] == [FilterKey.IS, FilterKey.TIER]


# Any text


_PIECES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [
                "is:live",
                "-is:",
                "created:7d",
                "created:..",
                'session:"',
                "similar:abcd",
                "store:x",
                "tokens:>4",
                "uuid:",
                '"',
                "-",
                ":",
                "is:live,",
                "replaces:\u0000",
                "version:>1 tide",
            ]
        ),
    ),
    max_size=5,
)


async def test_any_typed_text_is_safe(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        texts: list[str] = []

        @settings(max_examples=60, database=None, suppress_health_check=list(HealthCheck))
        @given(_PIECES)
        def collect(pieces: list[str]) -> None:
            texts.append(" ".join(pieces))

        collect()
        for text in texts:
            opened.type(text)
            await opened.controller.settled()
            assert opened.page() in ("browse", "results", "state")
            if opened.page() == "state":
                assert "Genizah itself failed" not in opened.page_text()
            outcome = opened.outcome
            if outcome is not None:
                box = opened.window.search_bar
                assert asks_for(parse(box.text()), box.includes_retired(), outcome)
        opened.type("")
        await opened.settled()
        assert len(uuids_of(opened.window.browse_view.table)) > 0


async def test_many_long_chips_leave_room_for_the_list_and_are_scrolled_to(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        window, bar = opened.window, opened.window.chip_bar
        window.resize(1024, 640)
        opened.type(" ".join(f'-session:"a long name of some session {n:04}"' for n in range(60)))
        await opened.settled()
        assert said(opened) == "20 more filters in the text."
        assert (window.width(), window.height()) == (1024, 640)
        assert bar.height() < 150
        assert window.browse_view.table.height() > 300
        lowest = max(chip.mapTo(bar, chip.rect().bottomLeft()).y() for chip in bar.chips)
        assert lowest > bar.height(), "they do not all fit"
        bar.chips[0].setFocus()
        for _ in range(39):
            press(window.focusWidget(), Qt.Key.Key_Right)
        last = bar.chips[-1]
        assert window.focusWidget() is last
        assert not last.visibleRegion().isEmpty()
        opened.type("is:live tier:journal")
        await opened.settled()
        await until(lambda: bar.height() < 2 * bar.chips[0].height())
