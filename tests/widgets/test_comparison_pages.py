"""Comparisons and qualities as pages: movements, overlaps with definitions, measures."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.explain.compare import RBO_DEFINITION
from core.explain.metrics import DEFINITIONS
from core.explain.parting import Parting, PartingStep, StepValue
from widgets.comparison_content import (
    RankingSide,
    compared_rankings,
    parted_memories,
    row_moves,
)
from widgets.fitted_area import FittedArea
from widgets.quality_content import (
    JudgedSearch,
    metrics_line,
    quality_page,
    query_set_page,
)
from widgets.row_content import RowMove
from widgets.table_content import TableContent, TableFact
from widgets.table_dialog import TableDialog

GRADES = {"a": 3, "b": 2, "c": 1, "d": 0}
GISTS = {"a": "the ferry", "b": "the tide", "c": "the bus"}


def test_rows_are_marked_by_how_far_they_moved() -> None:
    moves = row_moves(["a", "b", "c"], ["c", "a", "x"])
    assert moves == {"c": RowMove(2, 3), "a": RowMove(-1, 1), "x": RowMove(None, None)}
    assert [moves[u].words for u in "cax"] == ["▲2", "▼1", "new"]
    assert [moves[u].spoken for u in "cax"] == [
        "up 2 from rank 3",
        "down 1 from rank 1",
        "new in the list",
    ]


def test_a_row_that_stays_has_no_mark_but_says_so() -> None:
    assert row_moves(["a"], ["a"])["a"].words == ""
    assert row_moves(["a"], ["a"])["a"].spoken == "same rank"


def test_two_rankings_are_compared_row_by_row_with_what_left_last() -> None:
    sides = RankingSide("own", ["a", "b", "c"]), RankingSide("what if", ["c", "a", "x"])
    page = compared_rankings("Title", *sides, GISTS)
    assert page.columns == ("what if", "own", "move", "memory")
    assert page.rows == (
        ("#1", "#3", "▲2", "the bus"),
        ("#2", "#1", "▼1", "the ferry"),
        ("#3", "–", "new", "x…"),
        ("–", "#2", "gone", "the tide"),
    )
    assert page.headline == "Of 4 memories: 1 up, 1 down, 1 new, 1 gone."
    facts = {fact.label: fact for fact in page.facts}
    # Two of four memories are in both lists.
    assert facts["Jaccard at 5"].value == "0.500"
    assert facts["Jaccard over 50"].value == "0.500"
    assert "divided by those in the first k of either" in facts["Jaccard at 5"].meaning
    assert "p = 0.9" in facts["Rank-biased overlap"].meaning


def test_the_same_list_twice_is_said_to_be_the_same() -> None:
    side = RankingSide("x", ["a", "b"])
    page = compared_rankings("Title", side, side, GISTS)
    assert page.headline == "The same 2 memories in the same order."
    assert [fact.value for fact in page.facts] == ["1.000"] * 4
    empty = RankingSide("x", [])
    assert compared_rankings("Title", empty, empty, {}).headline == "Both lists are empty."


def test_what_decides_between_two_memories_is_said_first() -> None:
    steps = (
        StepValue(PartingStep.ELIGIBILITY, "eligible", "eligible", None),
        StepValue(PartingStep.DENSE_RANK, 7, 2, "b"),
        StepValue(PartingStep.LEXICAL_RANK, 1, None, "a"),
        StepValue(PartingStep.FUSION, 0.03, 0.016, "a"),
    )
    page = parted_memories(Parting("a", "b", steps, steps[1], steps[2]), ("the ferry", "x\u202ey"))
    assert page.headline == (
        "They part first at “rank by meaning”: #7 for A, #2 for B. "
        "From “rank by words” on, A is ahead for good."
    )
    assert page.rows[1] == ("Rank by meaning", "#7", "#2", "B")
    assert page.rows[2] == ("Rank by words", "#1", "–", "A")
    assert page.rows[3] == ("Sum of both arms", "0.03", "0.016", "A")
    assert page.chosen == 1
    assert page.facts[1].meaning == "x⟨U+202E⟩y", "a stored text reorders nothing"


def test_the_line_of_measures_has_the_golden_numbers() -> None:
    assert metrics_line(GRADES, ["d", "c", "b", "a"]) == (
        "recall@5 1.000 · recall@10 1.000 · MRR@10 0.500 · nDCG@10 0.548 · 4 graded"
    )
    assert metrics_line({}, ["a"]) == ""
    assert metrics_line({"a": 0}, ["a"]) == (
        "1 graded: nothing is graded 1 or higher yet, so there is nothing to find"
    )


def test_the_page_of_a_search_defines_what_it_counts() -> None:
    page = quality_page(JudgedSearch("tide", GRADES, ["d", "c", "b"]), GISTS, "")
    assert page.headline == "4 memories graded for “tide”."
    assert page.rows == (
        ("3", "not found", "the ferry"),
        ("2", "#3", "the tide"),
        ("1", "#2", "the bus"),
        ("0", "#1", "d…"),
    )
    meanings = [fact.meaning for fact in page.facts if fact.meaning]
    assert meanings == list(DEFINITIONS.values()), "each once"
    assert {f.label: f.value for f in page.facts}["recall@5"] == "0.667"


def test_a_set_is_measured_by_the_mean_of_what_has_something_to_find() -> None:
    done = [
        JudgedSearch("one", {"a": 1}, ["a"]),
        JudgedSearch("two", {"a": 1}, ["x", "a"], "no model"),
        JudgedSearch("three", {"a": 0}, ["a"]),
    ]
    page = query_set_page(done, 4, "")
    assert page.headline.startswith("Running… 3 of 4 graded searches run")
    assert {f.label: f.value for f in page.facts}["MRR@10"] == "0.750"
    assert page.rows[1][0] == "two"
    assert page.rows[1][-1] == "1 grade · words only: no model"
    assert page.rows[2][1:-1] == ("–",) * 6


PAGE = TableContent(
    "A page",
    "What it says.",
    (TableFact("Jaccard at 5", "0.667", "how alike"),),
    ("one", "two"),
    (("a|b", "c"), ("d", "e")),
    chosen=1,
)


def test_a_page_is_copied_as_markdown(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = TableDialog(parent, PAGE)
    dialog.buttons["copy"].click()
    assert QApplication.clipboard().text() == (
        "## A page\n\nWhat it says.\n\n- Jaccard at 5: 0.667 (how alike)\n\n"
        "| one | two |\n| --- | --- |\n| a\\|b | c |\n| d | e |\n"
    )
    QApplication.clipboard().clear()


def test_a_page_shows_plain_text_and_says_its_table(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = TableDialog(parent, PAGE)
    formats = {label.textFormat() for label in dialog.findChildren(QLabel)}
    assert formats == {Qt.TextFormat.PlainText}
    assert dialog.table.accessibleDescription() == "What it says. 2 rows."
    assert dialog.table.currentRow() == 1, "the row that the headline speaks of"
    assert [dialog.table.item(1, n).text() for n in range(2)] == ["d", "e"]  # type: ignore[union-attr]  # filled


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="every column"):
        TableContent("t", "h", (), ("one",), (("a", "b"),))


def test_the_page_of_a_search_says_what_its_first_places_rest_on() -> None:
    search = JudgedSearch("tide", GRADES, ["d", "c", "b"])
    fragile = "Two of the first 5 places are held over the next row by a tie-break."
    assert quality_page(search, GISTS, "", (fragile,)).headline.endswith(f"“tide”. {fragile}")
    firm = quality_page(search, GISTS, "", ())
    assert firm.headline.endswith("No place among the first five is decided by uuid or date alone.")


@pytest.mark.parametrize("points", [11, 16])
def test_every_definition_has_the_height_that_it_needs(qtbot: QtBot, points: int) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    font = parent.font()
    font.setPointSize(points)
    parent.setFont(font)
    dialog = TableDialog(parent, query_set_page((), 2, ""))
    dialog.show()
    dialog.show_content(query_set_page([JudgedSearch("tide", GRADES, ["d"])], 2, ""))
    texts = DEFINITIONS.values()
    qtbot.waitUntil(lambda: sum(w.text() in texts for w in dialog.findChildren(QLabel)) == 3)
    labels = [w for w in dialog.findChildren(QLabel) if w.text() in texts]
    qtbot.waitUntil(lambda: all(w.height() >= w.heightForWidth(w.width()) for w in labels))
    assert dialog.table.height() >= dialog.height() // 4
    dialog.reject()


def test_headline_and_definitions_of_a_comparison_are_whole(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    sides = RankingSide("own", list("abcdefgh")), RankingSide("today", list("bcdefghi"))
    dialog = TableDialog(parent, compared_rankings("Title", *sides, GISTS))
    dialog.show()
    labels = [w for w in dialog.findChildren(QLabel) if w.wordWrap() and w.text()]
    assert any(w.text() == RBO_DEFINITION for w in labels)
    area = dialog.findChild(FittedArea)
    assert isinstance(area, FittedArea)

    def is_whole(label: QLabel) -> bool:
        lowest = label.mapTo(area, label.rect().bottomLeft()).y()
        return label.height() >= label.heightForWidth(label.width()) and lowest < area.height()

    qtbot.waitUntil(lambda: all(map(is_whole, labels)))
    assert area.verticalScrollBar().maximum() == 0
    dialog.reject()
