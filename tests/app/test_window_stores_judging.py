"""Several stores in one window: grades and baselines belong to their own stores."""

import os
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.window_view import WindowView
from core.appdata.database import AppDatabase
from core.appdata.judgments import GradedSearch, Judgments
from core.explain.explanation import Explanation
from core.retrieval.encoder import Encoder
from tests.app.test_window_comparing import dialog_of, pin
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import OpenWindow, open_window, services, spoken_rows
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.several import check, front, lines, store_of, tide_stores, tides
from tests.support.stores import WIDTH, uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services


def _row(opened: OpenWindow, gist: str) -> str:
    (row,) = [row for row in spoken_rows(opened.window.hit_view.list) if row.startswith(gist)]
    return row


async def _kept(personal: PersonalWindow) -> dict[str, tuple[GradedSearch, ...]]:
    """Return what the program's own file has of each open store, by its name."""
    found: dict[str, tuple[GradedSearch, ...]] = {}
    stores = [entry.store for entry in personal.opened.controller.opening.stores.entries]

    async def look(database: AppDatabase) -> None:
        for store in stores:
            assert store is not None
            kept = await Judgments(database, personal.own.clock).graded(store.facts.meta.store_id)
            found[store.facts.location.name] = kept

    await personal.own.do(look, name="look")
    return found


async def test_a_grade_belongs_to_the_store_of_its_row_and_marks_of_all_stores_show(
    tmp_path: Path,
) -> None:
    paths = [store_of(tmp_path / name, tides(name)) for name in ("quay", "pier")]
    async with personal_window(stub_services(stub(), tmp_path)) as personal:
        opened = personal.opened
        opened.controller.open_paths(paths)
        await opened.settled()
        await opened.search("tide")
        await opened.select(uuid_of("quay0"))
        personal.trigger("grade_3")
        await opened.select(uuid_of("pier1"))
        personal.trigger("grade_2")
        opened.controller.panels.grades.grade(uuid_of("quay1"), 1)  # before its store is in front
        assert front(opened) == "pier"
        assert "grade 3" in _row(opened, "tide quay 0")
        assert "grade 2" in _row(opened, "tide pier 1")
        assert "grade 1" in _row(opened, "tide quay 1")
        assert "3 graded" in opened.window.results_page.grades_banner.text()
        assert await _kept(personal) == {
            "quay": (GradedSearch("tide", False, {uuid_of("quay0"): 3, uuid_of("quay1"): 1}),),
            "pier": (GradedSearch("tide", False, {uuid_of("pier1"): 2}),),
        }
        opened.controller.panels.grades.withdraw(uuid_of("quay1"))
        assert "grade" not in _row(opened, "tide quay 1")
        await personal.settled()
    async with personal_window(stub_services(stub(), tmp_path)) as again:
        again.opened.controller.open_paths(paths)
        await again.opened.settled()
        await again.opened.search("tide")
        await until(lambda: "2 graded" in again.window.results_page.grades_banner.text())
        assert "grade 3" in _row(again.opened, "tide quay 0")
        assert "grade 2" in _row(again.opened, "tide pier 1")
        check(again.opened, "quay", False)
        await again.opened.settled()
        assert "1 graded" in again.window.results_page.grades_banner.text()
        await again.settled()


async def test_a_list_of_several_stores_is_not_pinned_and_that_is_said(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        opened.window.actions_by_name["pin_baseline"].trigger()
        box = await dialog_of(opened, QMessageBox)
        assert "A baseline is of one store's list" in box.text()
        box.accept()
        await opened.settled()
        assert opened.controller.panels.baselines.pinned is None


async def test_a_baseline_of_one_store_gives_a_list_of_several_no_arrows(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        check(opened, "pier", False)
        await opened.settled()
        await opened.search("tide")
        await pin(opened, "before")
        assert all("same rank" in row for row in spoken_rows(opened.window.hit_view.list))
        check(opened, "pier", True)
        await until(lambda: len(opened.rows()) == 6)
        await opened.settled()
        banner = opened.window.results_page.baseline_banner
        assert "is of one store; this list is of several" in banner.text()
        assert not any("same rank" in row for row in spoken_rows(opened.window.hit_view.list))


async def test_the_first_look_at_a_row_counts_the_memories_of_all_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Explanation] = []
    show = WindowView.show_explanation

    def shown(self: WindowView, explanation: Explanation) -> None:
        seen.append(explanation)
        show(self, explanation)

    monkeypatch.setattr(WindowView, "show_explanation", shown)
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        await opened.select(uuid_of("pier1"))
        first = next(e for e in seen if e.uuid == uuid_of("pier1"))
        assert not first.is_whole
        assert first.ladder[0].remaining == 6, "3 of quay and 3 of pier"
        assert first.ladder == seen[-1].ladder


async def test_a_store_whose_model_loads_says_so_in_its_line(tmp_path: Path) -> None:
    gate = threading.Event()

    def load(model: str) -> Encoder:
        if model == "model/y":
            assert gate.wait(10)
        return GatedEncoder(StubEncoder(WIDTH))

    first = _of_model(tmp_path, "x")
    async with open_window(services(load, os.environ, tmp_path), first) as opened:
        try:
            opened.controller.open_path(_of_model(tmp_path, "y"))
            await until(lambda: "y" in lines(opened) and front(opened) == "y")
            opened.type("tide")
            await until(opened.rows)
            assert lines(opened)["y"].status == "its model is loading"
            assert lines(opened)["x"].status == ""
            assert "its model is loading" in lines(opened)["y"].spoken
            opened.window.sidebar.stores.front_wanted.emit(lines(opened)["x"].key)
            await until(lambda: front(opened) == "x")
            await until(lambda: lines(opened)["y"].status == "its model is loading")
        finally:
            gate.set()
        await until(lambda: lines(opened)["y"].status == "")
        await opened.settled()
        outcomes = opened.window.results_page.group_bar
        outcomes.tabs.setCurrentIndex(1)
        await opened.settled()
        assert opened.outcome is not None and opened.outcome.dense.ran, "it was loaded"


def _of_model(folder: Path, name: str) -> Path:
    return store_of(folder / name, tides(name), model=f"model/{name}", width=WIDTH)
