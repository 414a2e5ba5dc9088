"""Several stores in one window: opened beside each other, searched as one, one of them in front."""

from pathlib import Path

from PySide6.QtCore import Qt

from tests.support.open_window import open_window, spoken_rows
from tests.support.several import badges, check, front, lines, store_of, tide_stores, tides
from tests.support.stores import Memory, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press


async def test_a_second_store_is_opened_beside_the_first_and_searched_with_it(
    tmp_path: Path,
) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        assert not opened.window.sidebar.stores.isVisible(), "one store needs no list"
        await opened.add(second)
        assert list(lines(opened)) == ["quay", "pier"]
        assert front(opened) == "pier"
        assert [line.memories for line in lines(opened).values()] == [3, 3]
        assert "in quay, pier (all 2 open stores)" in opened.window.status_strip.words()
        assert "6 memories" in opened.window.status_strip.words()
        outcome = await opened.search("tide")
        assert outcome.memories == 6
        both = {uuid_of(f"{name}{n}") for name in ("quay", "pier") for n in range(3)}
        assert set(opened.rows()) == both
        assert sorted(badges(opened)) == ["pier"] * 3 + ["quay"] * 3
        spoken = zip(badges(opened), spoken_rows(opened.window.hit_view.list), strict=True)
        assert all(f", in {badge}" in row for badge, row in spoken)


async def test_a_row_of_another_store_brings_that_to_the_front_and_nothing_else_moves(
    tmp_path: Path,
) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(second)
        outcome = await opened.search("tide")
        for name in ("quay", "pier", "quay"):
            await opened.select(uuid_of(f"{name}1"))
            assert front(opened) == name
            assert opened.window.windowTitle() == f"{name} – Genizah"
            assert opened.outcome is outcome, "nothing was searched again"
            assert opened.window.hit_view.selected_uuid() == uuid_of(f"{name}1")
            shown = opened.window.detail_panel.shown
            assert shown is not None and shown.content == f"the {name} quay"
            assert opened.window.detail_panel._summary.text().startswith(f"in {name} · live")


async def test_unchecking_a_store_searches_without_it(tmp_path: Path) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(second)
        await opened.search("tide")
        check(opened, "pier", False)
        await opened.settled()
        assert set(opened.rows()) == {uuid_of(f"quay{i}") for i in range(3)}
        assert set(badges(opened)) == {""}, "every row would say the same"
        assert "in quay (1 of 2 open stores)" in opened.window.status_strip.words()
        check(opened, "pier", True)
        await opened.settled()
        assert len(opened.rows()) == 6


async def test_a_store_that_is_not_searched_any_more_leaves_the_front_with_its_selected_row(
    tmp_path: Path,
) -> None:
    async with tide_stores(tmp_path, "quay", "pier", "mole") as opened:
        await opened.search("tide")
        await opened.select(uuid_of("mole1"))
        assert front(opened) == "mole"
        for name in ("pier", "mole"):
            check(opened, name, False)
        await opened.settled()
        assert front(opened) == "quay"
        assert opened.window.detail_panel.shown_uuid is None
        assert len(opened.rows()) == 3


async def test_of_many_stores_the_one_in_front_is_in_view(tmp_path: Path) -> None:
    names = [f"s{number:02}" for number in range(30)]
    paths = [store_of(tmp_path / name, tides(name, 1)) for name in names]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.window.resize(1024, 640)
        opened.controller.open_paths(paths)
        await opened.settled()
        stores = opened.window.sidebar.stores
        rows = {line.label: row for row, line in enumerate(stores.lines())}
        for name in ("s29", "s00"):
            opened.controller.open_path(paths[names.index(name)])
            await until(lambda name=name: front(opened) == name)  # type: ignore[misc]
            await opened.settled()
            seen = stores.visualItemRect(stores.item(rows[name]))
            assert stores.viewport().rect().contains(seen), name


async def test_a46_what_is_only_in_another_open_store_is_one_press_away(tmp_path: Path) -> None:
    first = store_of(tmp_path / "quay", tides("quay"))
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(ferry_store(tmp_path / "ferry"))
        check(opened, "ferry", False)
        opened.window.search_bar.include_retired.setChecked(True)
        opened.type("harbour")
        opened.controller.set_meaning_search(False)
        await opened.settled()
        assert opened.page() == "state"
        assert "0 here – search all 2 open stores" in opened.page_text()
        opened.press("0 here – search all 2 open stores")
        await opened.settled()
        assert opened.rows() == [uuid_of("tide")]


async def test_browsing_lists_all_checked_stores_newest_first(tmp_path: Path) -> None:
    quay = [
        Memory(f"q{n}", f"quay {n}", created_at=f"2026-03-0{2 * n + 1}T12:00:00+00:00")
        for n in range(3)
    ]
    pier = [
        Memory(f"p{n}", f"pier {n}", created_at=f"2026-03-0{2 * n + 2}T12:00:00+00:00")
        for n in range(3)
    ]
    first, second = store_of(tmp_path / "quay", quay), store_of(tmp_path / "pier", pier)
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(second)
        await until(lambda: len(opened.browse_rows()) == 6)
        assert opened.browse_rows() == [uuid_of(n) for n in ("p2", "q2", "p1", "q1", "p0", "q0")]
        assert opened.window.browse_view.heading() == "6 memories, newest first"
        assert opened.window.browse_view.select(uuid_of("q1"))
        await opened.settled()
        assert front(opened) == "quay"
        assert opened.window.detail_panel.shown_uuid == uuid_of("q1")
        check(opened, "pier", False)
        await opened.settled()
        await until(lambda: len(opened.browse_rows()) == 3)
        assert opened.window.browse_view.selected_uuid() == uuid_of("q1"), "it is still listed"
        check(opened, "quay", False)
        await opened.settled()
        assert "No store is searched" in opened.page_text()
        assert "0 memories" in opened.window.status_strip.words()
        assert not opened.window.sidebar.facets.isVisible()
        opened.press("Search all open stores")
        await opened.settled()
        await until(lambda: len(opened.browse_rows()) == 6)


async def test_closing_one_of_three_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    names = ("quay", "pier", "dock")
    async with tide_stores(tmp_path, *names) as opened:
        assert list(lines(opened)) == list(names)
        assert front(opened) == "quay", "the first one named"
        await opened.search("tide")
        assert len(opened.rows()) == 9
        await opened.select(uuid_of("pier0"))
        stores = opened.window.sidebar.stores
        stores.setCurrentRow(1)
        press(stores, Qt.Key.Key_Delete)
        await opened.settled()
        assert list(lines(opened)) == ["quay", "dock"]
        assert front(opened) == "quay"
        left = {uuid_of(f"{name}{n}") for name in ("quay", "dock") for n in range(3)}
        assert set(opened.rows()) == left
        assert opened.is_empty_handed(), "its memory was read, and it is gone"
        opened.window.actions_by_name["close_store"].trigger()
        await opened.settled()
        assert not opened.window.sidebar.stores.isVisible()
        assert opened.window.windowTitle() == "dock – Genizah"
        assert len(opened.rows()) == 3
        opened.window.actions_by_name["close_store"].trigger()
        await opened.settled()
        assert opened.page_text().startswith("Open a memory store")


async def test_the_stores_checked_may_change_while_the_one_in_front_is_being_closed(
    tmp_path: Path,
) -> None:
    async with tide_stores(tmp_path, "quay", "pier", "dock") as opened:
        await opened.search("tide")
        assert front(opened) == "quay"
        check(opened, "dock", False)
        opened.window.sidebar.stores.close_wanted.emit(lines(opened)["quay"].key)
        await opened.settled()
        assert list(lines(opened)) == ["pier", "dock"]
        assert set(opened.rows()) == {uuid_of(f"pier{n}") for n in range(3)}


async def test_a_store_that_is_open_already_comes_to_the_front_without_the_row_of_another(
    tmp_path: Path,
) -> None:
    async with tide_stores(tmp_path, "quay", "pier", "dock") as opened:
        await opened.search("tide")
        await opened.select(uuid_of("quay1"))
        opened.controller.open_path(tmp_path / "pier")
        await opened.settled()
        assert front(opened) == "pier"
        assert opened.window.hit_view.selected_uuid() is None
        assert opened.why().startswith("This search ran")
        await opened.select(uuid_of("quay1"))
        assert (front(opened), opened.window.detail_panel.shown_uuid) == ("quay", uuid_of("quay1"))
        opened.controller.open_paths([tmp_path / "pier", tmp_path / "dock"])
        await opened.settled()
        assert front(opened) == "pier", "of several the first one"


async def test_a_store_that_is_opened_stays_in_front_whatever_row_was_selected(
    tmp_path: Path,
) -> None:
    dock = store_of(tmp_path / "dock", tides("dock"))
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        assert opened.window.browse_view.select(uuid_of("quay2"))
        await opened.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("quay2")
        await opened.add(dock)
        await until(lambda: len(opened.browse_rows()) == 9)
        await opened.settled()
        assert front(opened) == "dock"
        assert opened.window.browse_view.selected_uuid() is None


async def test_literal_matches_come_from_every_checked_store(tmp_path: Path) -> None:
    first, second = (
        store_of(tmp_path / name, [Memory(name, f"x{name}tidex", vectors=()), *distractors(2)])
        for name in ("quay", "pier")
    )
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(second)
        opened.type("tide")
        await opened.settled()
        assert set(opened.literal_rows()) == {uuid_of("quay"), uuid_of("pier")}
        spoken = spoken_rows(opened.window.literal_list.list)
        assert {row.split(", in ")[-1] for row in spoken} == {"quay", "pier"}
        assert opened.window.literal_list.select(uuid_of("quay"))
        await opened.settled()
        assert front(opened) == "quay"


async def test_the_way_back_leads_to_the_store_that_was_read(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        await opened.select(uuid_of("quay0"))
        opened.controller.selection.go_to(uuid_of("quay1"))
        await opened.settled()
        await opened.select(uuid_of("pier0"))  # at once: quay1 was only passed through
        opened.controller.selection.go_to(uuid_of("pier1"))
        await opened.settled()
        assert front(opened) == "pier"
        for name in ("pier0", "quay0"):
            opened.window.actions_by_name["back"].trigger()
            await opened.settled()
            assert opened.window.detail_panel.shown_uuid == uuid_of(name)
            assert front(opened) == name[:-1]
