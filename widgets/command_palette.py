"""Every action by name: type to narrow, Enter runs it. Shows the key that would have done it."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from widgets.action_spec import ActionSpec
from widgets.pick_dialog import PickDialog
from widgets.roomy_delegate import RoomyDelegate
from widgets.window_menus import WindowActions

_NAME = Qt.ItemDataRole.UserRole
_SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def label_of(spec: ActionSpec) -> str:
    """Name an action with its menu: 'View: Refresh'."""
    return f"{spec.menu.replace('&', '')}: {spec.plain_text}"


def matching(specs: Sequence[ActionSpec], typed: str) -> list[ActionSpec]:
    """Return the actions whose label has every typed word; those beginning so come first."""
    words = typed.casefold().split()
    found = [s for s in specs if all(word in label_of(s).casefold() for word in words)]
    start = typed.strip().casefold()
    return sorted(found, key=lambda s: not s.plain_text.casefold().startswith(start))


class CommandPalette(PickDialog):
    """List the actions of a window that can be used now."""

    def __init__(self, actions: WindowActions, parent: QWidget) -> None:
        self.rows = QTreeWidget()
        self.rows.setColumnCount(2)
        self.rows.setHeaderHidden(True)
        self.rows.setRootIsDecorated(False)
        self.rows.setUniformRowHeights(True)
        self.rows.setItemDelegate(RoomyDelegate(self.rows))
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.rows.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.rows.setAccessibleName("Commands")
        header = self.rows.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        super().__init__("Commands", self.rows, parent)
        self.box.setPlaceholderText("Type what to do")
        self._actions = actions
        self.box.changed.connect(self._fill)

    def begin(self) -> None:
        """Show every command that can be used, with an empty box."""
        self.box.clear()
        self._fill("")
        self.present()

    def labels(self) -> list[tuple[str, str]]:
        """Return the rows: label and key."""
        items = [self.rows.topLevelItem(row) for row in range(self.rows.topLevelItemCount())]
        return [(item.text(0), item.text(1)) for item in items if item is not None]

    def choose(self, index: QModelIndex) -> None:
        """Close, then run the action: it finds the window as it was."""
        name = str(index.siblingAtColumn(0).data(_NAME))
        self.accept()
        self._actions.by_name[name].trigger()

    def _fill(self, typed: str) -> None:
        usable = [
            spec
            for spec in self._actions.specs
            if spec.in_palette and self._actions.by_name[spec.name].isEnabled()
        ]
        self.rows.clear()
        for spec in matching(usable, typed):
            key = spec.shown_key()
            item = QTreeWidgetItem([label_of(spec), key])
            item.setData(0, _NAME, spec.name)
            item.setData(0, _SPOKEN, f"{label_of(spec)}, {key}" if key else label_of(spec))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.rows.addTopLevelItem(item)
        self.select_row(0)
        found = self.rows.topLevelItemCount()
        self.hint.setText("Enter runs it, Esc closes" if found else self._why_none(typed))

    def _why_none(self, typed: str) -> str:
        """Say why a command of that name is not listed, or that there is none."""
        unusable = [spec for spec in self._actions.specs if spec.in_palette]
        for spec in matching(unusable, typed):
            reason = self._actions.reason_of(spec.name)
            return f"{label_of(spec)} cannot be used now. {reason}".rstrip()
        return "No command of that name"
