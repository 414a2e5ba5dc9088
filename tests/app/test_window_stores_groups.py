"""Lists of several stores that stand apart: what is said beside one is about that list."""

import os
from pathlib import Path

from core.retrieval.encoder import Encoder
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import OpenWindow, open_window, services
from tests.support.several import front, lines, store_of, tides
from tests.support.stores import WIDTH
from tests.support.stub_encoder import StubEncoder


def _load(model: str) -> Encoder:
    return GatedEncoder(StubEncoder(8 if model == "model/narrow" else WIDTH))


def _database(project: Path) -> str:
    return str(project / ".zikaron" / "memory.db")


def _put_in_front(opened: OpenWindow, label: str) -> None:
    opened.window.sidebar.stores.front_wanted.emit(lines(opened)[label].key)


async def _opened_apart(opened: OpenWindow, folder: Path) -> tuple[Path, Path]:
    """Open two stores of other models and search both; the model of the second does not fit."""
    quay = store_of(folder / "quay", tides("quay"), model="model/wide")
    dock = store_of(folder / "dock", tides("dock"), model="model/narrow")
    opened.controller.open_paths([quay, dock])
    await opened.settled()
    await opened.search("tide")
    await opened.settled()
    return quay, dock


async def test_the_arms_told_are_those_of_the_list_whatever_store_is_in_front(
    tmp_path: Path,
) -> None:
    async with open_window(services(_load, os.environ, tmp_path)) as opened:
        await _opened_apart(opened, tmp_path)
        assert opened.window.status_strip.words().endswith("meaning ✓")
        _put_in_front(opened, "dock")
        await opened.settled()
        assert front(opened) == "dock"
        assert opened.outcome is not None and opened.outcome.dense.ran
        assert opened.window.status_strip.words().endswith("meaning ✓")
        assert "Meaning search off" not in opened.banners()
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        await opened.settled()
        assert "the model is 8 wide" in opened.window.status_strip.words()
        assert "Meaning search off: the model is 8 wide" in opened.banners()
        opened.window.results_page.group_bar.tabs.setCurrentIndex(0)
        await opened.settled()
        assert opened.window.status_strip.words().endswith("meaning ✓")
        assert opened.banners() == ""


async def test_the_search_explained_is_that_of_the_lists_own_store(tmp_path: Path) -> None:
    async with open_window(services(_load, os.environ, tmp_path)) as opened:
        quay, dock = await _opened_apart(opened, tmp_path)
        assert _database(quay) in opened.why()
        _put_in_front(opened, "dock")
        await opened.settled()
        assert _database(quay) in opened.why()
        assert "model model/wide" in opened.why()
        assert _database(dock) not in opened.why()
