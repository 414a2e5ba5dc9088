"""Rows of the same text fold to one line; positions, cut and everything else stay unfolded."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.arguments import DEFAULT_LIMIT
from core.store.connection import Connection, Row, Statement
from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.window_stores import stub, stub_services
from widgets.row_content import RowContent
from widgets.row_model import ROW_ROLE

SAME = [Memory(f"same {n}", "the ferry waits", "for the tide") for n in range(8)]
OTHER = Memory("other", "ferry timetable", "the ferry leaves at nine")


def lines(opened: OpenWindow) -> list[RowContent]:
    model = opened.window.hit_view.list.model()
    return [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]


def positions(opened: OpenWindow) -> list[int | None]:
    return [line.position for line in lines(opened)]


def fold_words(opened: OpenWindow) -> list[str]:
    return [line.fold.words for line in lines(opened) if line.fold is not None]


def press(opened: OpenWindow, key: Qt.Key) -> None:
    QTest.keyClick(opened.window.hit_view.list, key)


def ferries(folder: Path, rows: list[Memory]) -> Path:
    return build_store(folder / "p", [*rows, *distractors(200)])


async def test_a16_eight_equal_rows_are_one_line_and_the_pool_keeps_all(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("the ferry waits for the tide")
        same = {memory.uuid for memory in SAME}
        assert [h.uuid in same for h in outcome.hits[:9]] == [True] * 8 + [False]
        assert fold_words(opened) == ["×8, #1–#8"]
        assert positions(opened)[:3] == [1, 9, 10]
        assert opened.rows()[1] == OTHER.uuid
        assert len(outcome.hits) == opened.window.hit_view._model.rowCount() + 7
        assert opened.window.hit_view._count.text().startswith(f"{len(outcome.hits)} ranked")
        assert "8 identical memories, ranks 1 to 8, right arrow unfolds" in spoken_rows(
            opened.window.hit_view.list
        )[0]


async def test_a16_the_cut_stays_at_the_agents_row_and_says_so(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("the ferry waits for the tide")
        model = opened.window.hit_view._model
        assert DEFAULT_LIMIT == 5
        assert (model.cut_row, model.cut_is_in_fold) == (0, True)
        opened.window.hit_view.set_fold_open(lines(opened)[0].uuid, True)
        assert (model.cut_row, model.cut_is_in_fold) == (4, False)


async def test_a16_a_fold_opens_and_closes_by_keyboard(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("the ferry waits for the tide")
        opened.window.hit_view.select_first()
        press(opened, Qt.Key.Key_Right)
        assert positions(opened)[:9] == list(range(1, 10))
        press(opened, Qt.Key.Key_Down)
        press(opened, Qt.Key.Key_Down)
        third = opened.rows()[2]
        assert opened.window.hit_view.selected_uuid() == third
        press(opened, Qt.Key.Key_Left)
        assert positions(opened)[:2] == [1, 9]
        assert opened.window.hit_view.selected_uuid() == opened.rows()[0]
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid == opened.rows()[0]


async def test_a16_a_fold_opens_and_closes_by_its_button(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("the ferry waits for the tide")
        view = opened.window.hit_view.list
        for expected in ([1, 2], [1, 9]):
            box = view.visualRect(view.model().index(0, 0))
            # The button ends before the bar at the end of the second line.
            spot = box.bottomRight() - box.topLeft()
            spot.setX(box.right() - 10 - 46 - 8 - 12)
            spot.setY(box.bottom() - 8 - 6)
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
            assert positions(opened)[:2] == expected


async def test_a_row_inside_a_fold_that_is_asked_for_is_shown(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("the ferry waits for the tide")
        hidden = outcome.hits[5].uuid
        assert hidden not in opened.rows()
        await opened.select(hidden)
        assert opened.window.hit_view.selected_uuid() == hidden
        assert "Position 6" in opened.why() or "#6" in opened.why()


async def test_a16_contradictions_and_other_states_never_fold(tmp_path: Path) -> None:
    rows = [
        Memory("a", "the ferry port", "is 22"),
        Memory("b", "the ferry port", "is 49222"),
        Memory("c", "the ferry port", "is 22", by="b"),
        Memory("d", "the ferry port", "is 22", active=False),
    ]
    project = ferries(tmp_path, rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.search_bar.include_retired.setChecked(True)
        await opened.search("ferry port")
        assert fold_words(opened) == []
        assert {uuid_of(name) for name in "abcd"} <= set(opened.rows())


async def test_a16_equal_texts_are_found_without_reading_a_content(tmp_path: Path) -> None:
    project = ferries(tmp_path, [*SAME, OTHER])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        store = opened.controller.opening.store
        assert store is not None
        connection, fetched = store.database.search.connection, list[object]()

        async def noted(statements: Sequence[Statement]) -> list[list[Row]]:
            found = await Connection.rows_of_each(connection, statements)
            fetched.extend(value for rows in found for row in rows for value in row)
            return found

        connection.rows_of_each = noted  # type: ignore[method-assign]
        await opened.search("the ferry waits for the tide")
        assert fold_words(opened) == ["×8, #1–#8"]
        assert fetched
        assert "for the tide" not in fetched
