"""Several stores in one window: what could not be searched, by which model, which is a copy."""

import os
import shutil
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder
from core.store import opening
from core.store.location import StoreLocation
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import OpenWindow, open_window, services
from tests.support.several import badges, check, front, lines, store_of, tides
from tests.support.stores import WIDTH, Memory, uuid_of, writing
from tests.support.stub_encoder import StubEncoder
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services


def groups(opened: OpenWindow) -> list[str]:
    """Return what the tabs of the groups say."""
    return opened.window.results_page.group_bar.words()


async def test_a_store_that_is_missing_has_its_line_and_the_others_are_searched(
    tmp_path: Path,
) -> None:
    first, last = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([first, tmp_path / "gone", last])
        await opened.settled()
        assert list(lines(opened)) == ["quay", "gone", "pier"]
        assert lines(opened)["gone"].status == "not open (no_store)"
        assert "There is nothing at" in lines(opened)["gone"].tip
        await opened.search("tide")
        assert len(opened.rows()) == 6
        assert "Incomplete: 1 of 3 stores could not be searched" in opened.banners()
        assert "stores_failed" in opened.banners()
        store_of(tmp_path / "gone", tides("gone"))
        opened.window.sidebar.stores.again_wanted.emit(lines(opened)["gone"].key)
        await opened.settled()
        assert len(opened.rows()) == 9
        assert opened.banners() == ""


async def test_a_failed_store_that_is_unchecked_makes_nothing_incomplete(tmp_path: Path) -> None:
    first = store_of(tmp_path / "quay", tides("quay"))
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        opened.controller.open_path(tmp_path / "gone")
        await opened.settled()
        await opened.search("tide")
        assert "stores_failed" in opened.banners()
        check(opened, "gone", False)
        await opened.settled()
        assert opened.banners() == ""
        assert len(opened.rows()) == 3


async def test_where_every_store_fails_an_error_is_shown_and_no_empty_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [store_of(tmp_path / name, tides(name)) for name in ("quay", "pier")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        for path in paths:
            with writing(path) as raw:
                raw.execute("DROP TABLE memory_fts")
        opened.type("tide")
        await opened.settled()
        assert opened.page() == "state"
        assert "Nothing found" not in opened.page_text()
        assert "None of the 2 stores could be searched" in opened.page_text()


async def test_a43_two_copies_of_one_store_are_told_apart_and_listed_with_their_paths(
    tmp_path: Path,
) -> None:
    first = store_of(tmp_path / "work" / "notes", tides("notes"))
    second = tmp_path / "home" / "notes"
    shutil.copytree(first, second)
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([first, second])
        await opened.settled()
        assert list(lines(opened)) == ["work/notes", "home/notes"]
        await opened.search("tide")
        assert len(opened.rows()) == 3, "an equal copy is searched once"
        copy = lines(opened)["home/notes"]
        assert copy.status == "copy of work/notes"
        assert str(first / ".zikaron" / "memory.db") in copy.tip
        assert copy.tip.startswith(str(second / ".zikaron" / "memory.db"))
        with writing(second) as raw:
            raw.execute("UPDATE memory SET version = 2 WHERE uuid = ?", [uuid_of("notes0")])
        await until(lambda: groups(opened) == ["3 · work/notes", "3 · home/notes"])
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        assert opened.window.results_page.group_bar.reason().startswith(
            "home/notes and work/notes hold memories in common but are not equal"
        )


async def test_a44_stores_of_other_models_are_lists_of_their_own_and_say_what_they_lack(
    tmp_path: Path,
) -> None:
    def load(model: str) -> Encoder:
        return GatedEncoder(StubEncoder({"x": WIDTH, "y": WIDTH, "z": 8}[model[-1]]))

    paths = [
        store_of(tmp_path / name, tides(name), model=f"model/{name[0]}", width=width)
        for name, width in (("x one", WIDTH), ("y two", WIDTH), ("z three", WIDTH))
    ]
    async with open_window(services(load, os.environ, tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        await opened.search("tide")
        await opened.settled()
        assert groups(opened) == ["3 · x one", "3 · y two", "3 · z three"]
        assert set(badges(opened)) == {""}, "a list of one store"
        assert lines(opened)["x one"].status == lines(opened)["y two"].status == ""
        assert lines(opened)["z three"].status == "by words only"
        assert "the model is 8 wide, the store 16" in lines(opened)["z three"].tip
        assert opened.outcome is not None and opened.outcome.dense.ran
        opened.window.results_page.group_bar.tabs.setCurrentIndex(2)
        await opened.settled()
        assert set(opened.rows()) == {uuid_of(f"z three{n}") for n in range(3)}
        assert front(opened) == "z three", "one of the list's stores is in front"
        assert opened.why().startswith("This search ran"), "nothing is selected"
        bar = opened.window.results_page.group_bar
        assert bar.reason() == "Another model: model/z, 16 wide."
        assert not opened.outcome.dense.ran
        await opened.select(uuid_of("z three1"))
        assert front(opened) == "z three"
        assert opened.window.windowTitle() == "z three – Genizah"
        assert groups(opened) == ["3 · x one", "3 · y two", "3 · z three"]


async def test_memories_of_one_number_in_two_stores_are_no_fold(tmp_path: Path) -> None:
    same = ("the tide is out", "twice told")
    paths = [
        store_of(tmp_path / "quay", [Memory("a", *same), Memory("b", *same)]),
        store_of(tmp_path / "pier", [Memory("c", *same), Memory("d", "the tide is out", "other")]),
    ]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        await opened.search("tide")
        stood = [set(opened.window.hit_view._model.uuids_at(r)) for r in range(len(opened.rows()))]
        folded = [uuids for uuids in stood if len(uuids) > 1]
        assert all(uuids == {uuid_of("a"), uuid_of("b")} for uuids in folded)


async def test_a_locked_store_says_so_and_joins_the_others_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    inspect, answers = opening.inspect, [ErrorCode.STORE_BUSY]

    async def inspect_later(location: StoreLocation) -> opening.StoreFacts:
        if location.name == "pier" and answers:
            raise GenizahError(answers.pop(), "Another program keeps it locked.")
        return await inspect(location)

    monkeypatch.setattr("core.store.database.inspect", inspect_later)
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        opened.controller.open_path(second)
        await until(lambda: "pier" in lines(opened) and lines(opened)["pier"].status != "opening…")
        assert lines(opened)["pier"].status == "locked; it is tried again"
        assert lines(opened)["pier"].may_try_again
        opened.type("tide")
        await until(lambda: len(opened.rows()) == 3)
        await until(lambda: len(opened.rows()) == 6)
        await opened.settled()
        assert lines(opened)["pier"].status == ""
        assert opened.banners() == ""
