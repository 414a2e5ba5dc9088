"""Many stores in one window: it stays live, closes at once, and needs no mouse."""

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.support.accessibility import nameless
from tests.support.open_window import open_window
from tests.support.several import check, front, lines, store_of, tide_stores, tides
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press


async def test_fifty_stores_are_opened_and_typing_goes_on(tmp_path: Path) -> None:
    paths = [store_of(tmp_path / f"s{n:02}", tides(f"s{n:02}", 2)) for n in range(50)]
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        assert "in all 50 open stores" in opened.window.status_strip.words()
        assert "100 memories" in opened.window.status_strip.words()
        for text in ("t", "ti", "tid", "tide"):
            opened.type(text)
            await asyncio.sleep(0.004)
        await opened.settled()
        assert opened.outcome is not None and opened.outcome.query.text == "tide"
        assert opened.outcome.memories == 100
        assert encoder.calls.count("tide") == 1, "one embedding for all stores of a model"
        assert not [text for text in encoder.calls if text in ("t", "ti", "tid")]


async def test_everything_about_the_stores_is_done_by_keys_and_has_a_name(tmp_path: Path) -> None:
    names = ("quay", "pier", "dock")
    async with tide_stores(tmp_path, *names) as opened:
        await opened.search("tide")
        stores = opened.window.sidebar.stores
        for _ in range(12):
            if QApplication.focusWidget() is stores:
                break
            opened.window.actions_by_name["next_pane"].trigger()
        assert stores.hasFocus()
        assert nameless(opened.window) == []
        press(stores, Qt.Key.Key_Home)
        press(stores, Qt.Key.Key_Down)
        press(stores, Qt.Key.Key_Return)
        await until(lambda: front(opened) == "pier")
        press(stores, Qt.Key.Key_Space)
        await opened.settled()
        assert not lines(opened)["pier"].is_checked
        assert len(opened.rows()) == 6
        assert lines(opened)["pier"].spoken == "pier, 3 memories, not searched"
        assert lines(opened)["quay"].spoken == ("quay, 3 memories, shown beside the list, searched")
        opened.window.actions_by_name["search_all_stores"].trigger()
        await opened.settled()
        assert len(opened.rows()) == 9
        press(stores, Qt.Key.Key_Delete)
        await opened.settled()
        assert list(lines(opened)) == ["quay", "dock"]


async def test_a_burst_of_checks_ends_with_the_last_one(tmp_path: Path) -> None:
    names = ("quay", "pier", "dock")
    async with tide_stores(tmp_path, *names) as opened:
        await opened.search("tide")
        for name in names:
            check(opened, name, False)
            await asyncio.sleep(0.004)
            check(opened, name, True)
        check(opened, "dock", False)
        check(opened, "pier", False)
        await opened.settled()
        assert set(opened.rows()) == {uuid_of(f"quay{n}") for n in range(3)}
