"""The panes of the window that F6 goes through, in the order they are read."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from widgets.main_window import MainWindow


def cycle_panes(window: "MainWindow", page: tuple[QWidget, ...], step: int) -> None:
    """Give the keyboard to the next pane (1) or the one before (-1).

    `page` are the panes of the page that stands in place of the lists.
    """
    panes = _panes(window, page)
    focus = window.focusWidget()
    at = next((i for i, pane in enumerate(panes) if pane is focus), 0 if step < 0 else -1)
    panes[(at + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)


def _panes(window: "MainWindow", page: tuple[QWidget, ...]) -> list[QWidget]:
    panes = (
        window.search_bar.box,
        window.chip_bar.focus_target(),
        window.sidebar.stores,
        window.sidebar.facets,
        window.sidebar.saved,
        window.sidebar.recent,
        window.state_page.focus_target(),
        window.browse_view.table,
        window.results_page.group_bar.tabs,
        window.hit_view.list,
        window.literal_list.list,
        *page,
        window.detail_panel.text,
        window.why_panel.lines,
        window.what_if_panel.focus_target(),
        window.rank_panel.focus_target(),
        window.reading_pane.lineage_panel.focus_target(),
        window.first_steps.focus_target(),
        window.pending_bar.entries,
    )
    return [pane for pane in panes if pane is not None and pane.isVisible()]
