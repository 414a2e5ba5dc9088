"""The window's actions: one table for menus, shortcuts and texts, filled in by the window."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

_Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action: its name in code, where it stands, what it says, its keys (first one shown)."""

    name: str
    menu: str
    text: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    starts_group: bool = False


ACTIONS = (
    ActionSpec("open", "&File", "&Open store…", (_Key.Open,)),
    ActionSpec("demo", "&File", "Open &demo store"),
    ActionSpec("quit", "&File", "&Quit", (_Key.Quit, "Ctrl+Q"), starts_group=True),
    ActionSpec("find", "&View", "&Search", (_Key.Find, "/")),
    ActionSpec("clear", "&View", "&Clear search", ("Esc",)),
    ActionSpec("next_pane", "&View", "&Next pane", ("F6",), starts_group=True),
    ActionSpec("previous_pane", "&View", "&Previous pane", ("Shift+F6",)),
    ActionSpec("about", "&Help", "&About Genizah"),
)


def _sequences(spec: ActionSpec) -> list[QKeySequence]:
    sequences: list[QKeySequence] = []
    for key in spec.keys:
        made = QKeySequence.keyBindings(key) if isinstance(key, _Key) else [QKeySequence(key)]
        sequences += [sequence for sequence in made if sequence not in sequences]
    return sequences


def build_menus(
    window: QMainWindow, handlers: Mapping[str, Callable[[], object]]
) -> tuple[dict[str, QMenu], dict[str, QAction]]:
    """Make every action of the table and its menu; return both, menus by title.

    `handlers` has one function for each name.
    """
    actions: dict[str, QAction] = {}
    titles = dict.fromkeys(spec.menu for spec in ACTIONS)
    menus = {title: window.menuBar().addMenu(title) for title in titles}
    for spec in ACTIONS:
        action = QAction(spec.text, window)
        action.setShortcuts(_sequences(spec))
        action.triggered.connect(lambda _checked=False, name=spec.name: handlers[name]())
        if spec.starts_group:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        actions[spec.name] = action
    return menus, actions
