"""The README says what is there: rooms, files, names of the recipes, commands, actions' keys."""

import re

import pytest

from app.actions import ACTIONS
from app.arguments import COMMANDS
from app.filter_orders import SORT_NAMES
from core.store.row_order import SortColumn
from tests.house.tree import ROOT

_README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_map_names_every_room_of_the_library() -> None:
    rooms = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    assert rooms == set(re.findall(r"^\| `core/(\w+)` \|", _README, re.MULTILINE))


def test_every_link_and_every_file_it_names_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", _README)
    files = re.findall(r"`((?:app|widgets|core|tests|docs|packaging|resources)/[\w/.-]*)`", _README)
    assert len(links) > 10
    assert len(files) > 10
    assert [name for name in (*links, *files) if not (ROOT / name).exists()] == []


def test_every_command_is_shown() -> None:
    shown = set(re.findall(r"^genizah (\w+)", _README, re.MULTILINE))
    assert shown == set(COMMANDS)


@pytest.mark.usefixtures("qapp")
def test_every_key_it_names_does_something() -> None:
    keys = {key.toString() for a in ACTIONS for key in (*a.sequences(), *a.list_sequences())}
    named = set(re.findall(r"\b(?:Ctrl|Alt)\+(?:Shift\+)?\w\b", _README))
    assert len(named) > 10
    assert named - keys == set()


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("app/actions.py", ["ACTIONS = (", "ActionSpec("]),
        ("app/window_actions.py", ["def _handlers("]),
        ("app/arguments.py", ["COMMANDS = ("]),
        ("app/cli.py", ["def _commands("]),
        ("core/store/row_order.py", ["class SortColumn("]),
        ("app/filter_orders.py", ["SORT_NAMES", "_ORDERS"]),
    ],
)
def test_the_recipes_names_exist(file: str, names: list[str]) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert [name for name in names if name not in text] == []


def test_a_column_to_sort_by_needs_what_the_recipe_says() -> None:
    assert set(SORT_NAMES) == set(SortColumn)
    assert {f"sort_{column.value}" for column in SortColumn} <= {action.name for action in ACTIONS}
