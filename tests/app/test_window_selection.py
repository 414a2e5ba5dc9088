"""The selection is a memory, not a row; the panels never speak of another state of the store."""

import asyncio
from pathlib import Path

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import STUB_MODEL as MODEL
from tests.support.stores import WIDTH, Memory, insert, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services


def write(project: Path, *memories: Memory) -> None:
    """Write as the agent would, over a connection of its own."""
    with writing(project) as raw:
        insert(raw, memories, MODEL, WIDTH)


def retire(project: Path, name: str) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET active = 0 WHERE uuid = ?", (uuid_of(name),))


def is_in_step(opened: OpenWindow, uuid: str) -> bool:
    """Tell whether list, detail and explanation are all about `uuid` in the list on screen."""
    outcome = opened.outcome
    hit = None if outcome is None else outcome.hit(uuid)
    if outcome is None or hit is None:
        return False
    place = f"#{hit.position} of {len(outcome.hits)}"
    return (
        opened.window.hit_view.selected_uuid() == uuid
        and opened.window.detail_panel.shown_uuid == uuid
        and place in opened.why()
    )


async def test_the_selected_memory_stays_while_meaning_reorders_the_list(tmp_path: Path) -> None:
    encoder = stub()
    gate = encoder.hold("tide tables")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        opened.type("tide tables")
        await until(lambda: encoder.calls)
        ferry = uuid_of("ferry")
        assert opened.window.hit_view.select(ferry)
        await opened.controller.detail.settled()
        assert is_in_step(opened, ferry)
        assert "did not run" in opened.why()
        gate.set()
        await opened.settled()
        assert is_in_step(opened, ferry)
        assert "did not run" not in opened.why()


async def test_a_row_that_leaves_leaves_nothing_selected(tmp_path: Path) -> None:
    encoder = stub()
    project = ferry_store(tmp_path)
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("ferry"))
        retire(project, "ferry")
        opened.controller.search.again()
        await opened.settled()
        assert uuid_of("ferry") not in opened.rows()
        assert opened.is_empty_handed()


async def test_a_new_text_without_the_selected_memory_empties_the_panels(tmp_path: Path) -> None:
    encoder = stub()
    encoder.fail("bus")
    encoder.fail("tide")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("ferry"))
        await opened.search("bus")
        assert opened.rows() == [uuid_of("bus")]
        assert opened.is_empty_handed()


async def test_a_write_between_search_and_click_makes_list_and_panel_follow(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        before = await opened.search("tide tables")
        new = Memory("new", "tide tables tide tables", "tide tables")
        write(project, new)
        await opened.select(uuid_of("ferry"))
        await opened.settled()
        after = opened.outcome
        assert after is not None
        assert after is not before
        assert after.memories == before.memories + 1
        assert opened.rows()[0] == new.uuid
        assert is_in_step(opened, uuid_of("ferry"))
        assert "all rows: 27 memories" in opened.why()
        assert "store changed: the list was searched again" in opened.why()
        await opened.search("ferry")
        opened.window.hit_view.select_first()
        await opened.settled()
        assert "store changed" not in opened.why()


async def test_a_write_that_takes_the_clicked_row_away_leaves_nothing_selected(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        retire(project, "ferry")
        assert opened.window.hit_view.select(uuid_of("ferry"))
        await opened.settled()
        assert uuid_of("ferry") not in opened.rows()
        assert opened.is_empty_handed()


async def test_explanations_stay_true_while_the_agent_writes_all_the_time(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        for turn in range(6):
            write(project, Memory(f"w{turn}", f"tide tables {turn}", "tide " * turn + "x"))
            names = ("tide", "old", "ferry")
            wanted = uuid_of(names[turn % 3])
            assert opened.window.hit_view.select(wanted)
            await asyncio.sleep(0.002 * turn)
            await opened.settled()
            assert is_in_step(opened, wanted)
            assert f"all rows: {27 + turn} memories" in opened.why()


async def test_moving_quickly_shows_the_last_one_only(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide tables")
        for uuid in opened.rows():
            opened.window.hit_view.select(uuid)
        await opened.settled()
        assert is_in_step(opened, opened.rows()[-1])


async def test_one_list_ends_the_selection_of_the_other(tmp_path: Path) -> None:
    encoder = stub()
    encoder.fail("tide")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("ferry"))
        gone = uuid_of("gone")
        assert opened.window.literal_list.select(gone)
        await opened.settled()
        assert opened.window.hit_view.selected_uuid() is None
        assert opened.window.detail_panel.shown_uuid == gone
        assert opened.why().startswith("Not eligible: it was retired")
        await opened.select(uuid_of("ferry"))
        assert opened.window.literal_list.selected_uuid() is None
        assert is_in_step(opened, uuid_of("ferry"))


async def test_a_literal_match_stays_selected_when_the_list_is_searched_again(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    encoder = stub()
    encoder.fail("tide")
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        await opened.search("tide")
        gone = uuid_of("gone")
        assert opened.window.literal_list.select(gone)
        write(project, Memory("new", "spring tide"))
        opened.controller.search.again()
        await opened.settled()
        assert uuid_of("new") in opened.rows()
        assert opened.window.literal_list.selected_uuid() == gone
        assert opened.window.detail_panel.shown_uuid == gone


async def test_clearing_the_box_while_a_memory_is_being_read_shows_nothing(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide")
        assert opened.window.hit_view.select(uuid_of("ferry"))
        opened.type("")
        await opened.settled()
        assert opened.page() == "browse"
        assert opened.is_empty_handed()


async def test_a_search_that_fails_leaves_no_memory_of_the_earlier_list(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("ferry"))
        database = project / ".zikaron" / "memory.db"
        aside = database.with_name("aside.db")
        database.rename(aside)
        opened.type("bus")
        await opened.settled()
        assert "store_changed" in opened.page_text()
        aside.rename(database)
        opened.type("")
        await opened.settled()
        assert opened.page() == "browse"
        assert opened.is_empty_handed()


async def test_a_link_shows_a_memory_outside_the_list_and_it_stays(tmp_path: Path) -> None:
    encoder = stub()
    encoder.fail("paper")
    project = ferry_store(tmp_path)
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        await opened.search("paper")
        await opened.select(uuid_of("old"))
        opened.window.detail_panel.memory_wanted.emit(uuid_of("tide"))
        await opened.settled()
        assert opened.window.hit_view.selected_uuid() is None
        assert opened.window.detail_panel.shown_uuid == uuid_of("tide")
        write(project, Memory("new", "paper"))
        opened.controller.search.again()
        await opened.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("tide")
        await opened.select(uuid_of("old"))
        assert is_in_step(opened, uuid_of("old"))


async def test_a_link_while_browsing_moves_the_selection_along(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        browse, detail = opened.window.browse_view, opened.window.detail_panel
        assert browse.select(uuid_of("old"))
        await opened.settled()
        assert detail.shown_uuid == uuid_of("old")
        detail.memory_wanted.emit(uuid_of("tide"))
        await opened.settled()
        assert (browse.selected_uuid(), detail.shown_uuid) == (uuid_of("tide"), uuid_of("tide"))
        assert browse.select(uuid_of("old"))
        await opened.settled()
        assert detail.shown_uuid == uuid_of("old")
