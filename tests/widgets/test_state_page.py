"""Pages in place of a list: told apart, in words, with what can be done."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from tests.widgets.builders import MEANING_OFF, RAN, WORDS_SKIPPED, outcome
from widgets import state_content as states
from widgets.state_page import StatePage


def _page(qtbot: QtBot, content: states.StateContent) -> StatePage:
    page = StatePage()
    qtbot.addWidget(page)
    page.show()
    page.show_state(content)
    return page


def _says(page: StatePage) -> str:
    return "\n".join(lab.text() for lab in page.findChildren(QLabel) if lab.isVisible())


def _buttons(page: StatePage) -> dict[str, QPushButton]:
    return {b.text(): b for b in page.findChildren(QPushButton) if b.isVisible()}


def test_the_welcome_page_offers_a_store_and_the_demo(qtbot: QtBot) -> None:
    page = _page(qtbot, states.welcome())
    wanted: list[str] = []
    page.action_wanted.connect(wanted.append)
    for button in _buttons(page).values():
        button.click()
    assert list(_buttons(page)) == ["Open store…", "Open the demo store"]
    assert wanted == [states.OPEN, states.DEMO]


def test_the_empty_states_are_told_apart() -> None:
    pages = [
        states.welcome(),
        states.empty_store("demo"),
        states.no_match(outcome([])),
        states.loading("Opening demo"),
        states.failure("Cannot open", "It is damaged.", "damaged", "details"),
    ]
    assert len({page.title for page in pages}) == len({page.kind for page in pages}) == 5


def test_no_match_says_what_was_searched_and_how(qtbot: QtBot) -> None:
    found = outcome([], "zz\u202eqx <b>", dense=MEANING_OFF)
    page = _page(qtbot, states.no_match(found))
    assert "Nothing found for “zz⟨U+202E⟩qx <b>”" in _says(page)
    assert "Looked through 1,234 memories (live and replaced)." in _says(page)
    assert "Words: searched · Meaning: The model is not on this machine." in _says(page)


def test_a03_a_query_without_a_word_says_that_there_is_nothing_to_search_by_words() -> None:
    found = outcome([], "*", dense=RAN, lexical=WORDS_SKIPPED, include_retired=True)
    content = states.no_match(found)
    assert "There is nothing to search by words." in content.text
    assert "(of any state)" in content.text


def test_an_error_shows_its_code_and_copies_its_details(qtbot: QtBot) -> None:
    content = states.failure(
        "The store cannot be opened",
        "Page 17 cannot be read.",
        "damaged",
        "the details",
        (states.OPEN_COPY, states.SAVE_READABLE),
    )
    page = _page(qtbot, content)
    wanted: list[str] = []
    page.action_wanted.connect(wanted.append)
    assert _says(page) == "The store cannot be opened\nPage 17 cannot be read.\ndamaged"
    buttons = _buttons(page)
    assert list(buttons) == ["Copy details", "Open a private copy", "Save readable rows…"]
    buttons["Copy details"].click()
    assert QGuiApplication.clipboard().text() == "the details"
    buttons["Open a private copy"].click()
    buttons["Save readable rows…"].click()
    assert wanted == ["private_copy", "save_rows"]


def test_only_loading_shows_work_under_way(qtbot: QtBot) -> None:
    page = _page(qtbot, states.loading("Opening demo"))
    (bar,) = page.findChildren(QProgressBar)
    assert bar.isVisible() and _says(page) == "Opening demo…"
    page.show_state(states.empty_store("demo"))
    assert not bar.isVisible()


def test_the_buttons_of_the_page_before_are_gone(qtbot: QtBot) -> None:
    page = _page(qtbot, states.welcome())
    assert page.focus_target() is not None
    page.show_state(states.loading("Opening demo"))
    assert _buttons(page) == {}
    assert page.focus_target() is None
