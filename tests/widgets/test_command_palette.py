"""Narrowing the palette: every typed word, in any order; what begins so stands first."""

from widgets.action_spec import ActionSpec, Menu
from widgets.command_palette import label_of, matching

SPECS = (
    ActionSpec("copy", Menu.EDIT, "&Copy uuid"),
    ActionSpec("search", Menu.EDIT, "&Search"),
    ActionSpec("clear", Menu.EDIT, "&Clear search"),
    ActionSpec("save", Menu.FILE, "Save search…"),
)


def names(typed: str) -> list[str]:
    return [spec.name for spec in matching(SPECS, typed)]


def test_an_empty_box_lists_all_in_the_order_of_the_table() -> None:
    assert names("  ") == ["copy", "search", "clear", "save"]


def test_every_word_must_be_there_in_any_order_and_case() -> None:
    assert names("SEARCH cl") == ["clear"]
    assert names("uuid copy") == ["copy"]
    assert names("search nothing") == []


def test_what_begins_with_the_text_stands_first() -> None:
    assert names("search") == ["search", "clear", "save"]
    assert names("sa") == ["save"]


def test_the_menu_counts_as_a_word_and_no_mnemonic_is_shown() -> None:
    assert names("file") == ["save"]
    assert label_of(SPECS[0]) == "Edit: Copy uuid"
