"""Grading in a real window: keys, marks, measures, kept per store; the set run, written, read."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt

from core.documents.judgments_file import read_judgments
from core.explain.fragility import fragility
from tests.support.child import ROOT
from tests.support.open_window import open_window, spoken_rows
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import (
    demo_project,
    ferry_store,
    real_encoder,
    stub,
    stub_services,
)
from tests.widgets.keys import press
from widgets.main_window import MainWindow
from widgets.table_dialog import TableDialog
from widgets.what_if_content import KnobName

_Alt = Qt.KeyboardModifier.AltModifier
_OTHER = "00000000-0000-4000-8000-0000000000ff"
_DIGITS = (Qt.Key.Key_0, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)


def line(window: MainWindow) -> str:
    return window.results_page.grades_banner.text()


def spoken(window: MainWindow, gist: str) -> str:
    (row,) = [row for row in spoken_rows(window.hit_view.list) if row.startswith(gist)]
    return row


async def test_alt_and_a_digit_grade_the_selected_row(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        assert line(window) == ""
        press(window.hit_view.list, _DIGITS[3], _Alt)
        assert "grade 3" in spoken(window, "tide tables come")
        place = opened.rows().index(uuid_of("tide")) + 1
        assert f"MRR@10 {1 / place:.3f}" in line(window)
        assert "1 graded" in line(window)
        press(window.detail_panel.text, _DIGITS[0], _Alt)  # also while reading
        assert "grade 0" in spoken(window, "tide tables come")
        assert "nothing to find" in line(window)
        press(window.hit_view.list, Qt.Key.Key_Minus, _Alt)
        assert "grade" not in spoken(window, "tide tables come")
        assert line(window) == ""


async def test_a_grade_belongs_to_its_search(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        window.actions_by_name["grade_2"].trigger()
        await opened.search("tide")
        assert "grade" not in spoken(window, "tide tables come")
        window.search_bar.include_retired.setChecked(True)
        await opened.search("tide tables")
        assert "grade" not in spoken(window, "tide tables come"), "another scope"
        window.search_bar.include_retired.setChecked(False)
        await opened.settled()
        assert "grade 2" in spoken(window, "tide tables come")


async def test_a_digit_without_alt_is_typed_and_grades_nothing(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        press(opened.window.search_bar.box, _DIGITS[3])
        await opened.settled()
        assert line(opened.window) == ""


async def test_only_a_ranked_memory_can_be_graded(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        window.browse_view.select_first()
        await opened.settled()
        assert not window.actions_by_name["grade_3"].isEnabled()
        await opened.search("tide tables")
        assert not window.actions_by_name["grade_3"].isEnabled()
        await opened.select(uuid_of("tide"))
        assert window.actions_by_name["grade_3"].isEnabled()


async def test_a_memory_that_the_search_missed_can_be_graded_too(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        outcome = await opened.search("tide gauge")
        assert outcome.hit(uuid_of("gone")) is None
        assert window.literal_list.select(uuid_of("gone"))
        await opened.settled()
        press(window.literal_list.list, _DIGITS[3], _Alt)
        assert any("grade 3" in row for row in spoken_rows(window.literal_list.list))
        assert "recall@5 0.000" in line(window)


async def graded(opened: PersonalWindow) -> None:
    """Grade two searches."""
    for text, uuid, grade in (
        ("tide tables", "tide", 3),
        ("tide tables", "old", 1),
        ("ferry", "ferry", 2),
    ):
        await opened.opened.search(text)
        await opened.opened.select(uuid_of(uuid))
        opened.trigger(f"grade_{grade}")
    await opened.settled()


async def test_grades_are_there_at_the_next_start_and_only_in_their_store(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = ferry_store(tmp_path / "a"), ferry_store(tmp_path / "b")
    with writing(second) as raw:
        raw.execute("UPDATE meta SET value = ? WHERE key = 'store_id'", (_OTHER,))
    services = stub_services(stub(), tmp_path)
    async with personal_window(services, first) as opened:
        await graded(opened)
    async with personal_window(services, first) as opened:
        await opened.opened.search("tide tables")
        await opened.settled()
        assert "grade 3" in spoken(opened.window, "tide tables come")
        assert "grade 1" in spoken(opened.window, "tide tables are printed")
        await opened.opened.open(second)
        await opened.settled()
        assert "grade" not in spoken(opened.window, "tide tables come")


async def run_set(opened: PersonalWindow) -> TableDialog:
    opened.trigger("run_graded")
    panels = opened.opened.controller.panels
    await until(lambda: panels.dialog is not None)
    dialog = panels.dialog
    assert dialog is not None
    await until(lambda: not dialog.content.headline.startswith("Running"))
    return dialog


async def test_all_graded_searches_are_run_and_measured(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), project) as opened:
        await graded(opened)
        dialog = await run_set(opened)
        rows = {row[0]: row for row in dialog.content.rows}
        assert set(rows) == {"tide tables", "ferry"}
        assert dialog.content.headline.startswith("2 of 2 graded searches run")
        await opened.opened.search("ferry")
        place = opened.opened.rows().index(uuid_of("ferry")) + 1
        mrr = dialog.content.columns.index("MRR@10")
        assert rows["ferry"][mrr] == f"{1 / place:.3f}"
        dialog.reject()


async def test_a_run_says_which_numbers_were_tried(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), project) as opened:
        await graded(opened)
        opened.opened.controller.panels.what_if.turn(KnobName.RRF_K, 5)
        dialog = await run_set(opened)
        assert "with rrf_k 5 instead of 60" in dialog.content.headline
        dialog.reject()


async def test_grades_written_to_a_file_are_read_back_into_another_store(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = ferry_store(tmp_path / "a"), ferry_store(tmp_path / "b")
    file = tmp_path / "judgments.json"
    async with personal_window(stub_services(stub(), tmp_path), first) as opened:
        await graded(opened)
        query_set = opened.opened.controller.panels.query_set
        query_set.export(file)
        queries = {q.text: dict(q.grades) for q in read_judgments(file)}
        assert queries == {
            "tide tables": {uuid_of("tide"): 3, uuid_of("old"): 1},
            "ferry": {uuid_of("ferry"): 2},
        }
        await opened.opened.open(second)
        assert query_set.read(file) == "3 grades for 2 searches kept for this store."
        await opened.opened.search("ferry")
        assert "grade 2" in spoken(opened.window, "the ferry waits")
        await opened.settled()


async def test_a_file_that_is_no_judgments_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"schema": "something else"}))
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        query_set = opened.controller.panels.query_set
        assert query_set.read(file) == ""
        (message,) = opened.window.message_bar.messages()
        assert "is not usable" in message.text


async def test_the_quality_page_follows_from_the_line(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        opened.window.actions_by_name["grade_3"].trigger()
        opened.window.results_page.grades_banner.buttons["details"].click()
        await until(lambda: opened.controller.panels.dialog is not None)
        dialog = opened.controller.panels.dialog
        assert dialog is not None
        assert dialog.content.rows[0][0] == "3"
        assert "log2" in dialog.text()
        dialog.reject()
        await until(lambda: opened.controller.panels.dialog is None)


def _judged(file: Path, project: Path) -> dict[str, dict[str, float]]:
    """Run the command line as a process of its own; return the values by query."""
    line = [sys.executable, "-m", "app", "judge", "run", str(file), str(project), "--json"]
    ran = subprocess.run(line, cwd=ROOT, capture_output=True, check=True, timeout=60)
    return {query["text"]: query["values"] for query in json.loads(ran.stdout)["queries"]}


async def test_judge_run_measures_an_exported_file_as_the_window_does(
    tmp_path: Path,
) -> None:
    project = demo_project(tmp_path)
    file = tmp_path / "judgments.json"
    services = stub_services(real_encoder(), tmp_path)
    async with personal_window(services, project) as opened:
        for text in ("release", "boarding pass"):
            hits = (await opened.opened.search(text)).hits
            for hit, grade in zip((hits[1], hits[4], hits[7]), (1, 3, 2), strict=True):
                await opened.opened.select(hit.uuid)
                opened.window.actions_by_name[f"grade_{grade}"].trigger()
        dialog = await run_set(opened)
        measures = [name.lower() for name in dialog.content.columns[1:-1]]
        rows = {row[0]: dict(zip(measures, row[1:-1], strict=True)) for row in dialog.content.rows}
        dialog.reject()
        opened.opened.controller.panels.query_set.export(file)
    told = await asyncio.to_thread(_judged, file, project)
    rounded = {
        text: {name: f"{value:.3f}" for name, value in values.items()}
        for text, values in told.items()
    }
    assert rounded == rows
    assert len({values["ndcg@10"] for values in rows.values()} | {"1.000"}) > 1


async def test_the_quality_page_says_what_the_first_places_rest_on(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("tide tables")
        opened.window.actions_by_name["quality"].trigger()
        await until(lambda: opened.controller.panels.dialog is not None)
        dialog = opened.controller.panels.dialog
        assert dialog is not None
        told = fragility(outcome).sentences()
        firm = "No place among the first five is decided by uuid or date alone."
        assert all(sentence in dialog.content.headline for sentence in told or (firm,))
        dialog.reject()
        await opened.settled()
