"""The second list: labelled, counted, apart from the ranks."""

import pytest
from pytestqt.qtbot import QtBot

from core.retrieval.literal import LiteralMatches
from tests.widgets.builders import literal, pool, uuid_of
from widgets.literal_list import LiteralList, count_words
from widgets.results_page import ResultsPage

HEADING = "Contains this text – not ranked by the agent's search"


@pytest.mark.parametrize(
    ("matches", "words"),
    [
        (literal(range(1, 201), 1234), "200 of 1,234 shown"),
        (literal([1, 2, 3]), "3 memories"),
        (literal([1]), "1 memory"),
        (literal([1, 2, 3], complete=False), "3 so far, looking…"),
        (literal(range(1, 201), 900, complete=False), "200 of 900 shown so far, looking…"),
    ],
)
def test_the_count_says_how_many_there_are_in_all(matches: LiteralMatches, words: str) -> None:
    assert count_words(matches) == words


def test_the_list_hides_while_there_is_nothing_in_it(qtbot: QtBot) -> None:
    view = LiteralList()
    qtbot.addWidget(view)
    assert view.isHidden()
    view.show_matches(literal([]))
    assert view.isHidden()
    view.show_matches(literal([1]))
    assert not view.isHidden()
    assert view.list.accessibleName() == HEADING
    view.clear()
    assert view.isHidden()


def test_a_growing_list_keeps_its_selection(qtbot: QtBot) -> None:
    view = LiteralList()
    qtbot.addWidget(view)
    heard: list[str] = []
    view.match_selected.connect(heard.append)
    view.show_matches(literal([5, 3], complete=False))
    assert view.select(uuid_of(3))
    view.show_matches(literal([9, 5, 3]))
    assert view.selected_uuid() == uuid_of(3)
    view.show_matches(literal([9]))
    assert heard == [uuid_of(3), ""]


def test_one_selection_for_both_lists(qtbot: QtBot) -> None:
    page = ResultsPage()
    qtbot.addWidget(page)
    page.show()
    page.hit_view.show_outcome(pool(5), 5, False)
    page.literal_list.show_matches(literal([8, 9]))
    page.hit_view.select(uuid_of(2))
    page.literal_list.select(uuid_of(9))
    assert page.hit_view.selected_uuid() is None
    page.hit_view.select(uuid_of(1))
    assert page.literal_list.selected_uuid() is None
    assert page.hit_view.selected_uuid() == uuid_of(1)
