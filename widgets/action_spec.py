"""What an action is, as data: where it stands, what it says, its keys, when it can be used.

The table itself belongs to the application; widgets/window_menus makes Qt's actions from it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QKeySequence

type Key = str | QKeySequence.StandardKey


class Menu(StrEnum):
    """The menus of the menu bar, in order."""

    FILE = "&File"
    EDIT = "&Edit"
    VIEW = "&View"
    SORT = "S&ort"
    GO = "&Go"
    MEMORY = "&Memory"
    RANKING = "Ran&king"
    HELP = "&Help"


class Need(StrEnum):
    """What must be there for an action to make sense."""

    NOTHING = "nothing"
    STORE = "store"
    UNRANKED = "unranked"
    MEMORY = "memory"
    RANKING = "ranking"
    RANKED_MEMORY = "ranked_memory"
    REPLACEMENT = "replacement"
    LATER_REPLACEMENT = "later_replacement"
    WAY_BACK = "way_back"
    WAY_FORWARD = "way_forward"
    TEXT_WRITER = "text_writer"
    AMENDABLE = "amendable"
    RETIRABLE = "retirable"
    RESTORABLE = "restorable"
    SEVERAL = "several"
    STAGED = "staged"
    UNDOABLE = "undoable"
    REDOABLE = "redoable"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action.

    `keys` act in the whole window; `list_keys` only while a list of memories has the keyboard,
    the place for whatever must never happen while somebody types. The first key is the one shown.
    """

    name: str
    menu: Menu
    text: str
    keys: tuple[Key, ...] = ()
    list_keys: tuple[Key, ...] = ()
    need: Need = Need.NOTHING
    in_palette: bool = True
    in_context_menu: bool = False
    starts_group: bool = False
    is_checkable: bool = False

    def __post_init__(self) -> None:
        if not self.name or not self.plain_text:
            raise ValueError("an action has a name and a text")

    @property
    def plain_text(self) -> str:
        """Return the text without the mark of its mnemonic."""
        return self.text.replace("&", "")

    def sequences(self) -> list[QKeySequence]:
        """Return the keys of the whole window, those of this desktop first."""
        return _sequences(self.keys)

    def list_sequences(self) -> list[QKeySequence]:
        """Return the keys of the lists."""
        return _sequences(self.list_keys)

    def shown_key(self) -> str:
        """Return the key that menus, tooltips and the palette show, empty where there is none."""
        first = [*self.sequences(), *self.list_sequences()][:1]
        return "".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in first)

    def all_keys(self) -> str:
        """Return the keys in words: 'F1, ? in a list'; of a standard key its usual binding."""
        native = QKeySequence.SequenceFormat.NativeText
        everywhere = [k[0].toString(native) for k in map(_bindings, self.keys) if k]
        in_lists = [k[0].toString(native) for k in map(_bindings, self.list_keys) if k]
        words = [*everywhere, *(f"{key} in a list" for key in in_lists)]
        return ", ".join(dict.fromkeys(words))


def _sequences(keys: Iterable[Key]) -> list[QKeySequence]:
    found: list[QKeySequence] = []
    for key in keys:
        found += [sequence for sequence in _bindings(key) if sequence not in found]
    return found


def _bindings(key: Key) -> list[QKeySequence]:
    return [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)
