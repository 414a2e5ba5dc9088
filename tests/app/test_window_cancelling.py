"""A search or a model load that takes long is said beside the box and can be cancelled there; what
is on screen afterwards says what it is, and how to go on."""

import os
import threading
from pathlib import Path

import pytest

from app.search_hints import CANCELLED, LOADING, PROBING, REFINING, SEARCHING, WORDS_ONLY
from core.retrieval.encoder import Encoder
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import OpenWindow, WindowServices, open_window, services
from tests.support.slow_search import SlowSearches
from tests.support.stores import (
    STUB_MODEL,
    WIDTH,
    Memory,
    build_store,
    insert,
    uuid_of,
    writing,
)
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.search_hint import Hint
from widgets.what_if_content import KnobName

_TEXT = "tide tables"


def hint(opened: OpenWindow) -> Hint | None:
    line = opened.window.search_bar.hint
    assert line.isVisible() == (line.shown is not None)
    return line.shown


def press(opened: OpenWindow) -> None:
    opened.window.search_bar.hint.press()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowSearches:
    return SlowSearches(monkeypatch)


async def test_a_search_that_takes_long_can_be_cancelled_and_run_again(
    tmp_path: Path, slow: SlowSearches
) -> None:
    slow.texts.add(_TEXT)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("bus")
        assert hint(opened) is None
        opened.type(_TEXT)
        await until(lambda: hint(opened) == SEARCHING)
        assert "words: searching…" in opened.window.status_strip.words()
        press(opened)
        assert "Search cancelled" in opened.page_text()
        assert f"“{_TEXT}”" in opened.page_text()
        assert opened.rows() == [], "no list under a text it does not belong to"
        assert hint(opened) is None
        assert "searching" not in opened.window.status_strip.words()
        await slow.interrupted.wait()
        assert opened.window.search_bar.text() == _TEXT
        slow.texts.clear()
        opened.press("Search again")
        await opened.settled()
        assert opened.rows()[0] == uuid_of("tide")
        assert opened.outcome is not None and opened.outcome.dense.ran


async def test_after_a_cancelled_search_the_next_text_is_searched_as_ever(
    tmp_path: Path, slow: SlowSearches
) -> None:
    slow.texts.add(_TEXT)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type(_TEXT)
        await until(lambda: hint(opened) == SEARCHING)
        press(opened)
        outcome = await opened.search("bus")
        assert outcome.dense.ran
        assert hint(opened) is None


async def test_a_cancelled_search_is_not_run_by_what_the_agent_writes_but_by_refreshing(
    tmp_path: Path, slow: SlowSearches
) -> None:
    project = ferry_store(tmp_path / "p")
    slow.texts.add(_TEXT)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type(_TEXT)
        await until(lambda: hint(opened) == SEARCHING)
        press(opened)
        assert len(slow.started) == 1
        with writing(project) as raw:
            insert(raw, [Memory("new", "brand new")], STUB_MODEL, WIDTH)
        await until(lambda: "27 memories" in opened.window.status_strip.words())
        await opened.settled()
        assert len(slow.started) == 1
        assert "Search cancelled" in opened.page_text()
        slow.texts.clear()
        opened.controller.refresh()
        await until(lambda: opened.rows() and opened.rows()[0] == uuid_of("tide"))
        await opened.settled()


@pytest.mark.parametrize("where", ["embedding", "statement"])
async def test_a_cancelled_search_by_meaning_leaves_the_list_by_words_and_says_so(
    where: str, tmp_path: Path, slow: SlowSearches
) -> None:
    encoder = stub()
    gate = threading.Event()
    if where == "embedding":
        gate = encoder.hold(_TEXT)
    else:
        slow.texts.add(_TEXT)
        slow.with_meaning = True
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type(_TEXT)
        await until(lambda: hint(opened) == REFINING)
        shown = opened.rows()
        assert shown[0] == uuid_of("tide")
        press(opened)
        await opened.settled()
        assert opened.rows() == shown
        assert hint(opened) == CANCELLED
        assert "refining" not in opened.window.status_strip.words()
        assert "meaning off: the search by meaning was cancelled" in (
            opened.window.status_strip.words()
        )
        assert "by words only, not the agent's list" in opened.window.hit_view._count.text()
        assert "the search by meaning was cancelled" in opened.banners()
        slow.texts.clear()
        gate.set()
        press(opened)
        await opened.settled()
        assert opened.outcome is not None and opened.outcome.dense.ran
        assert hint(opened) is None
        assert opened.banners() == ""


async def test_a_long_search_at_another_depth_can_be_cancelled_and_the_certain_one_comes_back(
    tmp_path: Path, slow: SlowSearches
) -> None:
    rows = [Memory(f"tide {n}", f"the tide number {n}", f"text {n}") for n in range(120)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        what_if = opened.controller.panels.what_if
        what_if.turn(KnobName.FUSION_DEPTH, 70)
        await opened.settled()
        shown = opened.rows()
        assert hint(opened) is None
        slow.texts.add("tide")
        what_if.turn(KnobName.FUSION_DEPTH, 110)
        await until(lambda: hint(opened) == PROBING)
        press(opened)
        assert hint(opened) is None
        assert what_if.knobs.fusion_depth == 70, "the list of this depth is known"
        assert opened.rows() == shown
        said = opened.window.what_if_panel.said()
        assert "The search at depth 110 was cancelled." in said
        assert "Searching" not in said
        await slow.interrupted.wait()
        await opened.settled()
        assert opened.rows() == shown
        what_if.turn(KnobName.FUSION_DEPTH, 115)
        await until(lambda: hint(opened) == PROBING)
        what_if.reset()
        assert hint(opened) is None, "nothing is left to cancel"
        assert opened.outcome is opened.controller.view.own_outcome


async def test_escape_takes_the_hint_away(tmp_path: Path, slow: SlowSearches) -> None:
    slow.texts.add(_TEXT)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type(_TEXT)
        await until(lambda: hint(opened) == SEARCHING)
        opened.window.actions_by_name["clear"].trigger()
        assert hint(opened) is None
        await opened.settled()
        assert opened.page() == "browse"


def test_the_hint_says_aloud_what_its_button_ends() -> None:
    hints = (SEARCHING, REFINING, PROBING, LOADING, CANCELLED, WORDS_ONLY)
    assert len({h.spoken for h in hints}) == len(hints)


class Loading:
    """A load that waits for its gate, counted."""

    def __init__(self, folder: Path) -> None:
        self.gate = threading.Event()
        self.loads = 0
        self.encoder: GatedEncoder = stub()
        self.services: WindowServices = services(self._load, os.environ, folder)

    def _load(self, _model: str) -> Encoder:
        self.loads += 1
        assert self.gate.wait(10), "nobody opened the gate"
        return self.encoder


async def cancel_loading(opened: OpenWindow) -> None:
    await until(lambda: hint(opened) == LOADING)
    press(opened)
    await opened.settled()


async def test_a_model_load_can_be_cancelled_and_the_search_goes_on_by_words(
    tmp_path: Path,
) -> None:
    loading = Loading(tmp_path)
    async with open_window(loading.services) as opened:
        opened.controller.open_path(ferry_store(tmp_path / "p"))
        opened.type(_TEXT)
        await cancel_loading(opened)
        assert opened.rows()[0] == uuid_of("tide")
        assert opened.outcome is not None and not opened.outcome.dense.ran
        assert "you cancelled the loading" in opened.window.status_strip.words()
        assert "meaning_switched_off" in opened.banners()
        assert hint(opened) == WORDS_ONLY
        loading.gate.set()
        await opened.search("bus")
        assert hint(opened) == WORDS_ONLY, "it stays cancelled until asked for"
        assert not opened.controller.model.may_come


@pytest.mark.parametrize("when", ["still loading", "loaded meanwhile"])
async def test_a_cancelled_load_is_taken_up_again_where_it_stands(
    when: str, tmp_path: Path
) -> None:
    loading = Loading(tmp_path)
    async with open_window(loading.services) as opened:
        opened.controller.open_path(ferry_store(tmp_path / "p"))
        opened.type(_TEXT)
        await cancel_loading(opened)
        if when == "loaded meanwhile":
            loading.gate.set()
            await until(lambda: opened.controller.model._abandoned is not None)
        press(opened)
        loading.gate.set()
        await opened.settled()
        assert opened.outcome is not None and opened.outcome.dense.ran
        assert opened.banners() == ""
        assert hint(opened) is None
        assert loading.loads == 1


async def test_a_cancelled_load_stays_cancelled_when_the_file_is_opened_again(
    tmp_path: Path,
) -> None:
    loading = Loading(tmp_path)
    project = ferry_store(tmp_path / "p")
    async with open_window(loading.services) as opened:
        opened.controller.open_path(project)
        await cancel_loading(opened)
        loading.gate.set()
        await opened.open(project)
        assert hint(opened) == WORDS_ONLY
        assert loading.loads == 1
        await opened.open(tmp_path / "nowhere")
        assert hint(opened) is None, "nothing is searched there"
