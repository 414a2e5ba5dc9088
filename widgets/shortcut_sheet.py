"""Every key of the window on one sheet, from the action table and the few that lists have."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.action_spec import ActionSpec, Menu

_SIZE = (540, 600)
_LISTS = (
    ("Move through the rows", "Arrows, Page Up, Page Down, Home, End"),
    ("Read the memory", "Enter"),
    ("Go from the search box to the rows", "Enter in the box"),
    ("See the last queries", "Down in the box"),
    ("See what can be done with a row", "Menu"),
)


def sections(specs: Sequence[ActionSpec]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the actions with keys by menu, then the keys of lists."""
    found = []
    for menu in Menu:
        rows = [(s.plain_text, s.all_keys()) for s in specs if s.menu is menu and s.all_keys()]
        if rows:
            found.append((menu.replace("&", ""), rows))
    return [*found, ("Box and lists", list(_LISTS))]


class ShortcutSheet(QDialog):
    """Show the keys. Delete it on closing."""

    def __init__(self, specs: Sequence[ActionSpec], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.rows = QTreeWidget()
        self.rows.setColumnCount(2)
        self.rows.setHeaderLabels(["Action", "Keys"])
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setUniformRowHeights(True)
        self.rows.setItemsExpandable(False)
        self.rows.setRootIsDecorated(False)
        self.rows.setAccessibleName("Keyboard shortcuts")
        self.rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        for title, keys in sections(specs):
            self._add(title, keys)
        self.rows.expandAll()
        self.rows.setCurrentIndex(self.rows.model().index(0, 0))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.rows)
        layout.addWidget(buttons)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        margins = layout.contentsMargins()
        width = self._rows_width() + margins.left() + margins.right()
        self.resize(max(_SIZE[0], width), _SIZE[1])

    def _rows_width(self) -> int:
        """Return the width at which no key is cut off, in the font of this moment."""
        self.ensurePolished()
        columns = sum(self.rows.sizeHintForColumn(n) for n in range(2))
        bar = self.rows.verticalScrollBar().sizeHint().width()
        return columns + bar + 2 * self.rows.indentation()

    def _add(self, title: str, keys: Sequence[tuple[str, str]]) -> None:
        section = QTreeWidgetItem([title])
        font = section.font(0)
        font.setBold(True)
        section.setFont(0, font)
        self.rows.addTopLevelItem(section)
        for action, key in keys:
            row = QTreeWidgetItem([action, key])
            row.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{action}, {key}")
            section.addChild(row)

    def lines(self) -> list[tuple[str, str]]:
        """Return every row: what it does and its keys."""
        model = self.rows.model()
        tops = [model.index(n, 0) for n in range(model.rowCount())]
        rows = [model.index(n, 0, top) for top in tops for n in range(model.rowCount(top))]
        return [(str(row.data()), str(row.siblingAtColumn(1).data())) for row in rows]
