"""Lists of several stores that stand apart: what is said beside one is about that list."""

import os
import shutil
from pathlib import Path

from core.retrieval.encoder import Encoder
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import OpenWindow, open_window, services
from tests.support.several import check, front, lines, store_of, tides
from tests.support.stores import WIDTH, Memory, uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.window_stores import stub, stub_services

_OWN = """[embedding]
embed_model = "model/other"
embed_dim = 16
embed_prefix_query = ""
[retrieval]
supersession_penalty = 1.0
"""


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


async def test_a_list_by_another_stores_settings_is_not_called_the_agents(tmp_path: Path) -> None:
    first = store_of(tmp_path / "quay", tides("quay"))
    rows = [*tides("dock"), Memory("old", "tide of old", by="dock0")]
    second = store_of(tmp_path / "dock", rows, model="model/other")
    (second / ".zikaron" / "config.toml").write_text(_OWN)
    async with open_window(stub_services(stub(), tmp_path), second) as opened:
        await opened.search("tide")
        assert opened.window.hit_view._count.text().endswith("the agent sees all")
        await opened.add(first)
        opened.controller.opening.close_stores([lines(opened)["dock"].key])
        await opened.settled()
        await opened.add(second)
        await opened.search("tide")
        await opened.settled()
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        await opened.settled()
        assert set(opened.rows()) == {uuid_of("old"), *(uuid_of(f"dock{n}") for n in range(3))}
        line = opened.window.hit_view._count.text()
        assert line == "4 ranked of 4 memories · by another store's settings, not the agent's list"
        assert "supersession_penalty = 0.5 (not this store's own)" in opened.why()
        assert "what if" not in opened.why()
        opened.window.results_page.group_bar.tabs.setCurrentIndex(0)
        await opened.settled()
        assert opened.window.hit_view._count.text().endswith("the agent sees all")


async def test_where_no_store_is_searched_any_more_no_search_is_explained(tmp_path: Path) -> None:
    paths = [store_of(tmp_path / name, tides(name)) for name in ("quay", "pier")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        await opened.search("tide")
        for name in ("quay", "pier"):
            assert opened.why().startswith("This search ran")
            check(opened, name, False)
            await opened.settled()
        assert "No store is searched" in opened.page_text()
        assert opened.why().startswith("Select a ranked memory")


async def test_a46_where_no_list_found_anything_that_is_said_and_all_stores_are_offered(
    tmp_path: Path,
) -> None:
    rows = {"quay": tides("quay"), "dock": tides("dock"), "pier": [Memory("only", "harbour")]}
    models = {"quay": "model/a", "dock": "model/b", "pier": "model/a"}
    paths = [store_of(tmp_path / n, rows[n], model=models[n]) for n in rows]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.controller.set_meaning_search(False)
        await opened.search("tide")
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        check(opened, "pier", False)
        await opened.settled()
        assert front(opened) == "dock"
        opened.type("harbour")
        await opened.settled()
        assert opened.page() == "state"
        assert "Looked through 6 memories" in opened.page_text()
        opened.press("0 here – search all 3 open stores")
        await opened.settled()
        assert opened.rows() == [uuid_of("only")], "not the empty list that was chosen before"
        assert opened.window.results_page.group_bar.words() == ["1 · quay, pier", "0 · dock"]


async def test_what_was_looked_through_are_the_memories_of_the_stores_that_were_searched(
    tmp_path: Path,
) -> None:
    retired = [Memory(f"gone{n}", "gone", active=False) for n in range(5)]
    quay = store_of(tmp_path / "quay", tides("quay"))
    pier = store_of(tmp_path / "pier", [*tides("pier"), *retired])
    copy = shutil.copytree(pier, tmp_path / "copy")
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([quay, pier, copy])
        await opened.settled()
        opened.controller.set_meaning_search(False)
        for text, looked, left_out in (("zarquon", 6, 5), ("store:quay zarquon", 3, 0)):
            opened.type(text)
            await opened.settled()
            assert f"Looked through {looked} memories (live and replaced)." in opened.page_text()
            told = f"Left out: {left_out} retired memories." in opened.page_text()
            assert told is (left_out > 0)
        opened.window.search_bar.include_retired.setChecked(True)
        opened.type("zarquon")
        await opened.settled()
        assert "Looked through 11 memories (of any state)." in opened.page_text()


async def test_a_list_of_a_store_that_is_not_searched_any_more_does_not_stay_where_a_search_fails(
    tmp_path: Path,
) -> None:
    paths = [store_of(tmp_path / name, tides(name)) for name in ("quay", "pier")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.type(f"similar:{uuid_of('pier1')}")
        await opened.settled()
        assert set(opened.rows()) == {uuid_of("pier0"), uuid_of("pier2")}
        check(opened, "pier", False)
        await opened.settled()
        assert opened.page() == "state"
        assert f"There is no memory {uuid_of('pier1')} in the stores" in opened.page_text()
