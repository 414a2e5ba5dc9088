"""The ranked list: selection by memory, the cut as a line, counts."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from core.notices import Notice, NoticeCode
from core.retrieval.eligibility import Consumer, Narrowing, Scope
from core.store.conditions import EVERY_ROW
from tests.support.open_window import spoken_rows
from tests.widgets.builders import MEANING_OFF, Found, head, outcome, pool, uuid_of
from tests.widgets.keys import check_model
from widgets.hit_model import HitModel
from widgets.hit_view import HitView
from widgets.row_model import MemoryKey


def _view(qtbot: QtBot) -> tuple[HitView, list[str]]:
    view = HitView()
    qtbot.addWidget(view)
    view.resize(420, 500)
    view.show()
    heard: list[str] = []
    view.hit_selected.connect(heard.append)
    return view, heard


def _says(view: HitView) -> str:
    return " | ".join(label.text() for label in view.findChildren(QLabel))


def _accent_pixels(view: HitView, row: int) -> int:
    """Count the pixels of the cut's colour along the lower edge of a row."""
    image: QImage = view.list.viewport().grab().toImage()
    y = view.list.visualRect(view.list.model().index(row, 0)).bottom()
    accent = view.palette().accent().color().rgb()
    return sum(image.pixel(x, y) == accent for x in range(image.width()))


def test_the_model_obeys_qts_rules(qtmodeltester: ModelTester) -> None:
    model = HitModel()
    check_model(qtmodeltester, model)
    model.show_outcome(pool(20), 5)
    check_model(qtmodeltester, model)
    model.show_outcome(pool(3), 5)
    model.clear()
    assert model.rowCount() == 0


def test_the_whole_pool_is_shown_and_the_cut_is_a_line_below_the_limit(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(pool(20), 5, False)
    assert view.list.model().rowCount() == 20
    width = view.list.viewport().width()
    assert _accent_pixels(view, 4) > width / 4
    assert _accent_pixels(view, 3) < 10 and _accent_pixels(view, 5) < 10


@pytest.mark.parametrize("selected", [4, 5])
def test_the_cut_can_be_seen_beside_a_selected_row(qtbot: QtBot, selected: int) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(pool(20), 5, False)
    view.list.setCurrentIndex(view.list.model().index(selected, 0))
    image: QImage = view.list.viewport().grab().toImage()
    y = view.list.visualRect(view.list.model().index(4, 0)).bottom()
    line = [image.pixelColor(x, y).name() for x in range(image.width() // 2)]
    accent, base = view.palette().accent().color().name(), view.palette().base().color().name()
    assert line.count(accent) > len(line) / 4 and line.count(base) > len(line) / 4


def test_a_pool_within_the_limit_has_no_line(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    for rows in (4, 5):
        view.show_outcome(pool(rows), 5, False)
        assert all(_accent_pixels(view, row) < 10 for row in range(rows))
        assert "the agent sees all" in _says(view)


def test_a_list_with_retired_memories_is_not_called_the_agents(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    own = pool(20)
    view.show_outcome(replace(own, scope=Scope(include_retired=True)), 5, False)
    assert "with retired, not the agent's list" in _says(view)
    assert view.list.cut_text() == "cut at 5"
    assert _accent_pixels(view, 4) > view.list.viewport().width() / 4


_PEER_FAILS = tuple(code for code in NoticeCode if code.startswith("peer_fails_"))


@pytest.mark.parametrize("code", _PEER_FAILS)
def test_where_the_agents_search_fails_no_list_is_called_the_agents(
    qtbot: QtBot, code: NoticeCode
) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(replace(pool(3), notices=(Notice(code, "It fails."),)), 5, False)
    assert "· the agent's own search fails here" in _says(view)
    assert "the agent sees" not in _says(view)
    view.show_outcome(replace(pool(20), notices=(Notice(code, "It fails."),)), 5, False)
    assert view.list.cut_text() == "cut at 5"


@pytest.mark.parametrize("size", [3, 20])
@pytest.mark.parametrize(
    ("scope", "says"),
    [
        (Scope(narrowed=Narrowing(EVERY_ROW, "is:live")), ""),
        (Scope(Consumer.SIMILAR, exclude_uuid="x"), "· by likeness to a memory, no agent's list"),
    ],
)
def test_a_filtered_list_and_one_by_likeness_are_not_called_the_agents(
    qtbot: QtBot, scope: Scope, says: str, size: int
) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(replace(pool(size), scope=scope), 5, False)
    assert says in _says(view)
    assert "the agent sees" not in _says(view)
    assert view.list.cut_text() == "cut at 5"
    spoken = spoken_rows(view.list)
    assert not any("seen by the agent" in row for row in spoken)
    assert sum("above the cut" in row for row in spoken) == min(size, 5)


@pytest.mark.parametrize("size", [3, 20])
def test_a_list_by_words_alone_is_not_called_the_agents(qtbot: QtBot, size: int) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(replace(pool(size), dense=MEANING_OFF), 5, False)
    assert "· by words only, not the agent's list" in _says(view)
    assert "the agent sees" not in _says(view)
    assert view.list.cut_text() == "cut at 5"


def test_while_refining_nothing_is_said_of_the_agent(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    for size in (3, 20):
        view.show_outcome(replace(pool(size), dense=MEANING_OFF), 5, True)
        assert "agent" not in _says(view) + view.list.cut_text()
        view.show_outcome(pool(size), 5, False)
        assert view.list.cut_text() == "the agent sees 5"
    assert "agent" not in _says(view), "the line in the list says it"


def test_another_notice_takes_the_list_from_nobody(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    cut = Notice(NoticeCode.QUERY_TRUNCATED, "The query was cut.")
    view.show_outcome(replace(pool(3), notices=(cut,)), 5, False)
    assert "the agent sees all" in _says(view)


def test_counts_are_totals(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(pool(20), 5, False)
    assert "20 ranked of 1,234 memories" in _says(view)


def test_refining_is_said_until_both_arms_have_answered(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    by_words = outcome([Found(head(1), 1, None)], dense=MEANING_OFF)
    view.show_outcome(by_words, 5, True)
    assert "refining by meaning…" in _says(view)
    view.show_outcome(pool(2), 5, False)
    assert "refining" not in _says(view)


def test_the_selection_stays_with_its_memory_when_the_order_changes(qtbot: QtBot) -> None:
    view, heard = _view(qtbot)
    view.show_outcome(pool(20), 5, False)
    assert view.select(uuid_of(3))
    turned = outcome([Found(head(n), 21 - n, 21 - n) for n in range(1, 21)])
    view.show_outcome(turned, 5, False)
    assert view.selected_uuid() == uuid_of(3)
    (index,) = view.list.selectionModel().selectedIndexes()
    assert index.row() == 17
    assert heard == [uuid_of(3)], "the same memory is not told again"


def test_nothing_is_selected_when_the_selected_memory_leaves(qtbot: QtBot) -> None:
    view, heard = _view(qtbot)
    view.show_outcome(pool(20), 5, False)
    view.select(uuid_of(20))
    view.show_outcome(pool(5), 5, False)
    assert view.selected_uuid() is None
    assert view.list.selectionModel().selectedIndexes() == []
    assert heard == [uuid_of(20), ""]


def test_a_selected_row_that_moves_out_of_view_is_followed(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(pool(60), 5, False)
    view.select(uuid_of(1))
    turned = outcome([Found(head(n), 61 - n, 61 - n) for n in range(1, 61)])
    view.show_outcome(turned, 5, False)
    (index,) = view.list.selectionModel().selectedIndexes()
    assert view.list.viewport().rect().contains(view.list.visualRect(index))


def test_refining_keeps_the_scroll_and_a_new_text_begins_at_the_top(qtbot: QtBot) -> None:
    view, _ = _view(qtbot)
    view.show_outcome(pool(60), 5, True)
    bar = view.list.verticalScrollBar()
    bar.setValue(500)
    view.show_outcome(pool(60), 5, False)
    assert bar.value() == 500
    view.show_outcome(pool(60, "another text"), 5, False)
    assert bar.value() == 0


def test_focus_alone_selects_nothing(qtbot: QtBot) -> None:
    view, heard = _view(qtbot)
    view.show_outcome(pool(5), 5, False)
    view.setFocus()
    assert view.selected_uuid() is None and heard == []
    view.select_first()
    assert view.selected_uuid() == uuid_of(1)


def test_clearing_ends_the_selection(qtbot: QtBot) -> None:
    view, heard = _view(qtbot)
    view.show_outcome(pool(5), 5, False)
    view.select(uuid_of(2))
    view.clear()
    assert heard == [uuid_of(2), ""]
    assert view.list.model().rowCount() == 0


def _positions(model: HitModel) -> list[int | None]:
    contents = [model.content_at(row) for row in range(model.count())]
    return [content.position for content in contents if content is not None]


def test_a_folded_pool_is_a_valid_model_and_keeps_its_positions(
    qtmodeltester: ModelTester,
) -> None:
    same = [Found(head(n, "the same gist"), n, n) for n in range(1, 5)]
    model = HitModel()
    model.show_outcome(outcome([*same, Found(head(5), 5, 5)]), 2)
    model.fold_equal({(1, 2), (2, 3), (3, 4)}, None)
    check_model(qtmodeltester, model)
    assert _positions(model) == [1, 5]
    assert (model.cut_row, model.cut_is_in_fold) == (0, True)
    model.set_open(head(3).uuid, True)
    check_model(qtmodeltester, model)
    assert _positions(model) == [1, 2, 3, 4, 5]
    assert (model.cut_row, model.cut_is_in_fold) == (1, False)


def test_a16_rows_that_are_not_adjacent_stay_apart_and_so_does_the_one_being_read() -> None:
    model = HitModel()
    model.show_outcome(outcome([Found(head(n, "the same gist"), n, n) for n in range(1, 4)]), 5)
    model.fold_equal({(1, 3)}, None)
    assert _positions(model) == [1, 2, 3]
    model.fold_equal({(1, 2)}, pinned=MemoryKey(head(2).uuid, ""))
    assert _positions(model) == [1, 2, 3]
    model.fold_equal({(1, 2), (2, 3)}, pinned=MemoryKey(head(1).uuid, ""))
    assert _positions(model) == [1, 2, 3], "a fold that was opened stays open"
    model.set_open(head(1).uuid, False)
    assert _positions(model) == [1]
