"""Work that takes long is shown, and can be ended."""

import asyncio
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import Any

import pytest

from app import patience
from app.open_store import OpenStore
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import Searcher
from core.store.database import Reader
from tests.support.open_window import open_window
from tests.support.stores import Memory, build_store, uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.status_strip import ArmStatus, arm_words


async def test_an_opening_that_takes_long_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = OpenStore.open.__func__  # type: ignore[attr-defined]  # of a class method
    gate, closed = asyncio.Event(), []

    async def slow(kind: type[OpenStore], *args: object) -> OpenStore:
        await gate.wait()
        store: OpenStore = await plain(kind, *args)
        return store

    async def note(store: OpenStore) -> None:
        await store.database.close()
        closed.append(store)

    monkeypatch.setattr(OpenStore, "open", classmethod(slow))
    monkeypatch.setattr(OpenStore, "aclose", note)
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_path(ferry_store(tmp_path / "p"))
        await until(opened.is_loading)
        await until(lambda: "Cancel" in opened.page_text())
        opened.press("Cancel")
        assert "Open a memory store" in opened.page_text()
        gate.set()
        await until(lambda: closed)
        assert "Open a memory store" in opened.page_text()
        assert opened.controller.opening.store is None


async def test_an_opening_that_is_quick_offers_no_cancel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE_S", 60.0)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        assert opened.page() == "browse"


async def test_a_look_through_the_rows_that_takes_long_is_shown_and_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(
        reader: Reader, text: str, pool: Collection[str], _among: Collection[int] | None
    ) -> AsyncIterator[LiteralMatches]:
        await asyncio.Event().wait()
        yield LiteralMatches((), 0, complete=True)

    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        with monkeypatch.context() as patched:
            patched.setattr("app.literal_union.literal_matches", endless)
            opened.type("tide tables")
            literal = opened.window.literal_list
            await until(literal._cancel.isVisible)
            assert literal._count.text() == "looking…"
            assert opened.rows()[0] == uuid_of("tide")
            literal._cancel.click()
            await opened.settled()
        assert not literal._cancel.isVisible()
        assert "before looking was stopped" in literal._count.text()
        assert opened.rows()[0] == uuid_of("tide")
        await opened.search("tide gauge")
        assert opened.literal_rows() == [uuid_of("gone")]


async def test_a_model_that_is_loading_is_said_in_the_status(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.controller.view.show_model(is_loading=True, reason="", notice=None)
        assert arm_words("meaning", ArmStatus.LOADING) in opened.window.status_strip.words()


async def test_a_search_that_takes_long_is_said_in_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, gate = Searcher.search, asyncio.Event()

    async def slow(searcher: Searcher, *args: Any, **more: Any) -> SearchOutcome:
        await gate.wait()
        return await plain(searcher, *args, **more)

    monkeypatch.setattr(Searcher, "search", slow)
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type("tide tables")
        await until(lambda: "words: searching…" in opened.window.status_strip.words())
        gate.set()
        await opened.settled()
        assert "words ✓" in opened.window.status_strip.words()


async def test_a_search_that_left_retired_memories_out_says_so_and_offers_them(
    tmp_path: Path,
) -> None:
    rows = [Memory("gone", "the tide gauge is broken", active=False, vectors=())]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type("broken tides gauge")
        await opened.settled()
        assert "Nothing found" in opened.page_text()
        assert "Left out: 1 retired memory." in opened.page_text()
        opened.press("Search retired ones, too")
        await opened.settled()
        assert opened.window.search_bar.includes_retired()
        assert opened.rows() == [uuid_of("gone")]
