"""The list of found stores: what a line says, and choosing among many."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.widgets.test_rank_chart import contrast
from widgets.find_content import FindLine, FindTally, end_words, progress_words
from widgets.find_dialog import FindDialog
from widgets.theme import Scheme, ThemeFollower, apply_theme

_DAY_S = 1_700_000_000.0  # 2023-11-14 22:13 UTC


def _line(number: int, memories: int | None = None) -> FindLine:
    path = f"/home/me/p{number}/.zikaron/memory.db"
    return FindLine(path, f"p{number}", path, 2_345_678, _DAY_S, memories)


def _dialog(qtbot: QtBot, lines: list[FindLine]) -> FindDialog:
    dialog = FindDialog(None, "/home/me")  # type: ignore[arg-type]  # stands alone here
    qtbot.addWidget(dialog)
    dialog.show_lines(lines)
    return dialog


def test_a_line_says_name_memories_path_size_and_time() -> None:
    assert _line(1).lines == (
        "p1 · counting…\n/home/me/p1/.zikaron/memory.db · 2.3 MB, changed 2023-11-14 22:13"
    )
    assert _line(1, 1204).lines.startswith("p1 · 1,204 memories\n")
    assert _line(1, 1).spoken.startswith("p1, 1 memory, 2.3 MB")


def test_small_files_and_odd_times_have_words_too() -> None:
    small = FindLine("k", "n", "/n", 999, 1e30)
    assert small.lines.endswith("999 bytes, changed at an unknown time")
    assert "4 kB" in FindLine("k", "n", "/n", 4096, _DAY_S).lines


def test_the_progress_is_said_in_whole_words() -> None:
    tally = FindTally(1204, 3, 12, 1, 2)
    assert progress_words(tally) == "Looking… 1,204 folders looked at, 3 stores found"
    assert end_words(tally, is_stopped=False) == (
        "Looked through 1,204 folders: 3 stores found.\n"
        "Left out: 12 folders of tools and of the system, 1 link to a folder, "
        "2 that could not be read."
    )
    assert end_words(FindTally(1, 1, 0, 0, 0), is_stopped=True) == (
        "Stopped after 1 folder: 1 store found."
    )


def test_a_count_that_comes_later_leaves_check_and_place_alone(qtbot: QtBot) -> None:
    dialog = _dialog(qtbot, [_line(1), _line(2)])
    dialog.list.setCurrentRow(1)
    dialog.list.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.show_lines([_line(2, 40), _line(3)])
    assert dialog.list.currentRow() == 1
    assert dialog.list.item(1).checkState() is Qt.CheckState.Checked
    assert "40 memories" in dialog.list.item(1).text()
    assert dialog.chosen() == [_line(2).key]
    dialog.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.open_button.isEnabled()


def test_a_thousand_stores_are_told_of_one_by_one(qtbot: QtBot) -> None:
    dialog = _dialog(qtbot, [_line(number) for number in range(1_000)])
    changed: list[int] = []
    dialog.list.model().dataChanged.connect(lambda first, _last: changed.append(first.row()))
    dialog.show_lines([_line(500, 7)])
    assert set(changed) <= {500}, "no other line is written again"
    assert "7 memories" in dialog.list.item(500).text()
    dialog.all.click()
    assert len(dialog.chosen()) == 1_000


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_an_unchecked_box_can_be_seen(qtbot: QtBot, qapp: QApplication, scheme: Scheme) -> None:
    follower = ThemeFollower(qapp, scheme)
    dialog = _dialog(qtbot, [_line(1), _line(2)])
    dialog.show()
    place = dialog.list.visualItemRect(dialog.list.item(1))
    shown = dialog.list.viewport().grab().toImage()
    ground = dialog.list.palette().base().color()
    across = range(place.left(), place.left() + 18)
    edge = max(contrast(shown.pixelColor(x, place.center().y()), ground) for x in across)
    follower.deleteLater()
    apply_theme(qapp, Scheme.LIGHT)
    assert edge >= 3
