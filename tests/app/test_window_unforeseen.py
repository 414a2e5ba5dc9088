"""Errors that nobody foresaw: reported, and nothing false is left in the window."""

from pathlib import Path
from typing import Any

import pytest

from app.browse_controller import BrowseController
from app.open_store import OpenStore
from app.tasks import TaskSet
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide, Searcher
from core.store.location import StoreLocation
from core.store.opening import StoreFacts
from tests.support.open_window import OpenWindow, open_window
from tests.support.watch import Watch
from tests.support.window_stores import ferry_store, stub, stub_services


def assert_failure_page(opened: OpenWindow) -> None:
    assert opened.page() == "state"
    shown = opened.page_text()
    assert "store_failed" in shown.splitlines()
    assert "RuntimeError: a wheel came off" in shown
    assert opened.rows() == [] and opened.literal_rows() == []
    assert opened.outcome is None and opened.is_empty_handed()


async def test_a_search_that_breaks_leaves_no_list_of_another_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    plain = Searcher.search

    async def breaks(
        searcher: Searcher, text: str, side: MeaningSide, **more: Any
    ) -> SearchOutcome:
        if text == "bus":
            raise RuntimeError("a wheel came off")
        return await plain(searcher, text, side, **more)

    monkeypatch.setattr(Searcher, "search", breaks)
    watch.expect_loop_error("a wheel came off")
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        opened.type("bus")
        await opened.controller.settled()
        assert_failure_page(opened)
        await opened.search("tide")
        assert opened.page() == "results"


async def test_an_opening_that_breaks_has_a_page_and_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    async def breaks(_location: StoreLocation) -> StoreFacts:
        raise RuntimeError("a wheel came off")

    watch.expect_loop_error("'open store' failed.*a wheel came off")
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        with monkeypatch.context() as patched:
            patched.setattr("core.store.database.inspect", breaks)
            await opened.open(project)
        assert_failure_page(opened)
        opened.press("Open again")
        await opened.settled()
        assert opened.page() == "browse"


async def test_a_store_that_breaks_the_window_while_it_is_put_in_is_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    def breaks(_controller: BrowseController, _stores: object, _tasks: TaskSet) -> None:
        raise RuntimeError("a wheel came off")

    closed: list[OpenStore] = []
    plain = OpenStore.aclose

    async def close(store: OpenStore) -> None:
        await plain(store)
        closed.append(store)

    monkeypatch.setattr(OpenStore, "aclose", close)
    watch.expect_loop_error("'open store' failed.*a wheel came off")
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        with monkeypatch.context() as patched:
            patched.setattr(BrowseController, "use_stores", breaks)
            await opened.open(project)
        assert_failure_page(opened)
        assert opened.window.windowTitle() == "Genizah"
        opened.press("Open again")
        await opened.settled()
        assert opened.page() == "browse"
        assert len(closed) == 1
