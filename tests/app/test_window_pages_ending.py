"""Long work of pages that is cancelled, or whose stores or window are closed: nothing stays."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton

from core.health.deep import deep_problems
from core.health.rows import health_rows
from core.store.connection import Connection
from tests.support.digests import all_digests
from tests.support.duplicates_window import (
    ALONE,
    PAIR,
    HeldPass,
    groups,
    serving,
    words,
)
from tests.support.faulty_driver import READ_FAILED, install
from tests.support.health_window import findings
from tests.support.health_window import serving as health
from tests.support.held_work import HeldReport
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import check, store_of
from tests.support.stores import Memory, writing
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.support.write_window import Writer

_LONG_SQL = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"
GULL = Memory("gull", "a gull on the mast")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.patience.PATIENCE_S", 0.0)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store whose word index has lost its only text."""
    project = store_of(tmp_path / "harbour", [GULL])
    with writing(project) as raw:
        raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')")
    return project


def copies(opened: OpenWindow) -> list[Path]:
    folder = opened.controller._services.data_dir / "copies"
    return list(folder.iterdir()) if folder.exists() else []


def cancel(opened: OpenWindow) -> None:
    buttons = opened.window.message_bar.findChildren(QAbstractButton)
    (button,) = [b for b in buttons if b.text() == "Cancel" and b.isVisible()]
    button.click()


class Copying:
    """A deep check that stops while the copy is made, until it is let go or ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._held = HeldReport(at=0)
        monkeypatch.setattr("app.health_controller.deep_problems", self._held.wrap(deep_problems))

    @property
    def is_there(self) -> bool:
        return self._held.reached.is_set()

    def let_go(self) -> None:
        self._held.gate.set()


class Checking:
    """A deep check whose statement does not come to an end of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._reached = threading.Event()

        async def endless(copy: Connection) -> Any:
            self._reached.set()
            return await copy.rows(_LONG_SQL)

        monkeypatch.setattr("core.store.health.deep_check", endless)

    @property
    def is_there(self) -> bool:
        return self._reached.is_set()

    def let_go(self) -> None:
        """Nothing: a statement is interrupted."""


type Hold = Callable[[pytest.MonkeyPatch], Copying | Checking]


@pytest.mark.parametrize("hold", [Copying, Checking])
async def test_a_deep_check_is_cancelled_and_its_copy_is_gone(
    hold: Hold, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        with monkeypatch.context() as patched:
            work = hold(patched)
            opened.window.actions_by_name["health"].trigger()
            await opened.controller.settled()
            page = health(opened).page
            page.deep.click()
            await until(lambda: work.is_there)
            assert copies(opened), "there is a private copy"
            await until(lambda: "Checking a private copy" in Writer(opened).said())
            cancel(opened)
            work.let_go()
            await opened.controller.settled()
        assert copies(opened) == []
        assert page.words.text().startswith("The check was cancelled")
        assert all_digests(project) == before
        page.deep.click()
        await opened.controller.settled()
        (stale,) = findings(opened)
        assert "rebuild its word index" in stale
        assert copies(opened) == []


@pytest.mark.parametrize("hold", [Copying, Checking])
@pytest.mark.parametrize("what", ["window", "store"])
async def test_closing_during_a_deep_check_leaves_no_copy(
    hold: Hold, what: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        work = hold(monkeypatch)
        opened.window.actions_by_name["health"].trigger()
        await opened.controller.settled()
        health(opened).page.deep.click()
        await until(lambda: work.is_there)
        assert copies(opened)
        if what == "store":
            opened.controller.stores.close_front()
        work.let_go()
        if what == "store":
            await opened.controller.opening.settled()
            await opened.controller.settled()
            assert copies(opened) == []
            assert findings(opened) == []
    assert copies(opened) == []
    assert all_digests(project) == before


async def test_a_copy_that_cannot_be_read_says_nothing_of_the_word_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = install(monkeypatch)
    sound = store_of(tmp_path / "sound", [GULL])
    async with open_window(stub_services(stub(), tmp_path), sound) as opened:
        opened.window.actions_by_name["health"].trigger()
        await opened.controller.settled()
        driver.within, driver.fault = "integrity-check", READ_FAILED
        page = health(opened).page
        page.deep.click()
        await opened.controller.settled()
        assert driver.raised
        assert page.words.text() == "The stores could not be checked (store_io)."
        assert findings(opened) == []
        assert copies(opened) == []


async def test_the_window_closes_during_a_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldPass(monkeypatch)
    project = store_of(tmp_path / "harbour", PAIR)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["duplicates"].trigger()
        await until(held.started.is_set)
        assert serving(opened).is_busy
    assert not serving(opened).is_busy
    await until(held.ended.is_set)
    assert all_digests(project) == before


async def test_a_store_that_is_closed_during_a_comparison_is_compared_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldPass(monkeypatch)
    paths = [store_of(tmp_path / "quay", ALONE), store_of(tmp_path / "harbour", PAIR)]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.window.actions_by_name["duplicates"].trigger()
        await until(held.started.is_set)
        opened.controller.stores.close_front()
        await until(held.ended.is_set)
        held.gate.set()
        await opened.controller.opening.settled()
        await opened.controller.settled()
        assert words(opened).startswith("1 group: 2 of 2 memories in harbour.")
        assert len(groups(opened)) == 1
        opened.controller.stores.close_front()
        await opened.controller.opening.settled()
        await opened.controller.settled()
        assert groups(opened) == []
        assert words(opened).startswith("No store is open and checked")


async def test_a_cancelled_comparison_begins_again_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldPass(monkeypatch)
    project = store_of(tmp_path / "harbour", PAIR)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["duplicates"].trigger()
        await until(lambda: "Comparing the memories" in Writer(opened).said())
        cancel(opened)
        await opened.controller.settled()
        held.gate.set()
        with writing(project) as raw:
            raw.execute("UPDATE memory SET gist = 'the ferry leaves at one' WHERE tier = 'journal'")
        opened.controller.refresh()
        await opened.controller.settled()
        serving(opened).moved()
        await opened.controller.settled()
        assert words(opened).startswith("Comparing was cancelled")
        assert groups(opened) == []
        serving(opened).page.compare.click()
        await opened.controller.settled()
        assert len(groups(opened)) == 1


async def test_a_deep_check_takes_the_place_of_a_plain_one_under_way(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, entered = health_rows, threading.Event()

    async def held(*args: Any) -> Any:
        if not entered.is_set():
            entered.set()
            await asyncio.Event().wait()
        return await plain(*args)

    monkeypatch.setattr("app.health_controller.health_rows", held)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["health"].trigger()
        await until(entered.is_set)
        health(opened).page.deep.click()
        await opened.controller.settled()
        (stale,) = findings(opened)
        assert "rebuild its word index" in stale


async def test_a_page_says_where_it_looked_in_the_words_of_now(tmp_path: Path) -> None:
    paths = [store_of(tmp_path / "quay", ALONE), store_of(tmp_path / "harbour", PAIR)]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        check(opened, "quay", False)
        await opened.controller.settled()
        for action in ("duplicates", "health"):
            opened.window.actions_by_name[action].trigger()
            await opened.controller.settled()
        assert "in harbour (1 of 2 open stores)" in words(opened)
        stores = opened.controller.opening.stores
        (key,) = [entry.key for entry in stores.entries if entry.name == "quay"]
        opened.controller.opening.close_stores([key])
        await opened.controller.opening.settled()
        await opened.controller.settled()
        assert words(opened).startswith("1 group: 2 of 2 memories in harbour.")
        assert health(opened).page.words.text().startswith("Nothing found in harbour.")
