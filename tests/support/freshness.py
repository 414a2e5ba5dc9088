"""A foreign commit, and whether everything on screen agrees with it."""

from dataclasses import dataclass
from pathlib import Path

import pysqlite3
from PySide6.QtCore import Qt

from tests.support.open_window import OpenWindow
from widgets.row_model import ROW_ROLE


def retire(project: Path, uuid: str) -> None:
    """Retire a memory in a commit of its own, as another process would."""
    raw = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    try:
        raw.execute("UPDATE memory SET active = 0 WHERE uuid = ?", (uuid,))
    finally:
        raw.close()


def select_live(opened: OpenWindow) -> str:
    """Select the topmost live memory of the list on screen; return its uuid."""
    window = opened.window
    is_browsing = opened.page() == "browse"
    table = window.browse_view.table if is_browsing else window.hit_view.list
    model = table.model()
    rows = (model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount()))
    uuid = next(r.uuid for r in rows if r is not None and ", live" in r.spoken)
    assert (window.browse_view if is_browsing else window.hit_view).select(uuid)
    return str(uuid)


@dataclass(frozen=True, slots=True)
class Retirement:
    """What list, counts and panels are to say once the selected memory is retired."""

    opened: OpenWindow
    uuid: str
    words_before: str

    @classmethod
    def of_selected(cls, opened: OpenWindow) -> "Retirement":
        """Note what is said before."""
        uuid = opened.window.detail_panel.shown_uuid
        assert uuid is not None
        return cls(opened, uuid, opened.window.status_strip.words())

    def is_everywhere(self) -> bool:
        """Tell whether the counts have moved and neither list nor panel calls it live."""
        words = self.opened.window.status_strip.words()
        return words != self.words_before and self._in_list() and self._in_panels()

    def _in_list(self) -> bool:
        window = self.opened.window
        if self.opened.page() != "browse":
            return self.uuid not in self.opened.rows()
        row = window.browse_view._model.row_of(self.uuid)
        index = window.browse_view.table.model().index(-1 if row is None else row, 0)
        return ", retired" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))

    def _in_panels(self) -> bool:
        panel = self.opened.window.detail_panel
        if self.opened.page() != "browse":  # it has left the list, so nothing is selected
            return self.opened.is_empty_handed()
        return panel.shown_uuid == self.uuid and "retired" in panel.facts.values()["state"]
