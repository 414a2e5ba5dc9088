"""The window: puts the widgets together and says what the person asks for. Decides nothing."""

from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from widgets.browse_view import BrowseView
from widgets.notice_bar import NoticeBar
from widgets.plain import colour_handle, line_between
from widgets.reading_pane import ReadingPane
from widgets.results_page import ResultsPage
from widgets.search_bar import SearchBar
from widgets.state_content import DEMO, OPEN, StateContent, StateKind, welcome
from widgets.state_page import StatePage
from widgets.status_strip import StatusStrip
from widgets.texts import APP_NAME
from widgets.window_menus import build_menus

_SIZE = (1180, 760)
_LIST_WIDTH = 470


class MainWindow(QMainWindow):
    """Search bar and notices above a list and a reading pane; status below.

    `action_wanted` carries the state page's own buttons other than open and demo.
    """

    open_wanted = Signal()
    demo_wanted = Signal()
    about_wanted = Signal()
    closing = Signal()
    path_dropped = Signal(str)
    action_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(APP_NAME)
        self.setAcceptDrops(True)
        self.search_bar = SearchBar()
        self.notice_bar = NoticeBar()
        self.results_page = ResultsPage()
        self.hit_view = self.results_page.hit_view
        self.literal_list = self.results_page.literal_list
        self.browse_view = BrowseView()
        self.state_page = StatePage()
        self.pages = QStackedWidget()
        for page in (self.state_page, self.browse_view, self.results_page):
            self.pages.addWidget(page)
        self.reading_pane = ReadingPane()
        self.detail_panel = self.reading_pane.detail_panel
        self.why_panel = self.reading_pane.why_panel
        self.status_strip = StatusStrip()
        self.setStatusBar(self.status_strip)
        self._lay_out()
        self._connect()
        self.resize(*_SIZE)
        self.show_state(welcome())

    def _lay_out(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.pages)
        self.splitter.addWidget(self.reading_pane)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        colour_handle(self.splitter)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setSizes([_LIST_WIDTH, _SIZE[0] - _LIST_WIDTH])
        self.pages.setMinimumWidth(320)
        self.reading_pane.setMinimumWidth(320)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.search_bar, self.notice_bar, line_between()):
            column.addWidget(widget)
        column.addWidget(self.splitter, 1)
        self.setCentralWidget(middle)

    def _connect(self) -> None:
        self.menus, self.actions_by_name = build_menus(
            self,
            {
                "open": self.open_wanted.emit,
                "demo": self.demo_wanted.emit,
                "about": self.about_wanted.emit,
                "quit": self.close,
                "find": self.search_bar.focus_box,
                "clear": self._clear_search,
                "next_pane": lambda: self._cycle(1),
                "previous_pane": lambda: self._cycle(-1),
            },
        )
        self.menus["&View"].addSeparator()
        self.menus["&View"].addAction(self.reading_pane.why_dock.toggleViewAction())
        self.search_bar.submitted.connect(self._enter_list)
        self.state_page.action_wanted.connect(self._pass_on)
        for opened in (
            self.hit_view.hit_opened,
            self.literal_list.match_opened,
            self.browse_view.row_opened,
        ):
            opened.connect(self._read)

    def show_browse(self) -> None:
        """Show all memories."""
        self.reading_pane.show()
        self.pages.setCurrentWidget(self.browse_view)

    def show_results(self) -> None:
        """Show the lists of a search."""
        self.reading_pane.show()
        self.pages.setCurrentWidget(self.results_page)

    def show_state(self, content: StateContent) -> None:
        """Show a page in place of the lists; alone where there is nothing to read beside it."""
        self.reading_pane.setVisible(content.kind is StateKind.NO_MATCH)
        self.state_page.show_state(content)
        self.pages.setCurrentWidget(self.state_page)

    def set_store_name(self, name: str) -> None:
        """Put the name of the open store into the title, or only the program's where empty."""
        self.setWindowTitle(f"{name} – {APP_NAME}" if name else APP_NAME)

    def _panes(self) -> list[QWidget]:
        panes = (
            self.search_bar.box,
            self.state_page.focus_target(),
            self.browse_view.table,
            self.hit_view.list,
            self.literal_list.list,
            self.detail_panel.text,
            self.why_panel.lines,
        )
        return [pane for pane in panes if pane is not None and pane.isVisible()]

    def _cycle(self, step: int) -> None:
        panes = self._panes()
        focus = self.focusWidget()
        at = next((i for i, pane in enumerate(panes) if pane is focus), 0 if step < 0 else -1)
        panes[(at + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _clear_search(self) -> None:
        self.search_bar.clear()
        self.search_bar.focus_box()

    def _enter_list(self) -> None:
        for view in (self.hit_view, self.browse_view):
            if view.isVisible():
                view.select_first()
                view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _read(self, _uuid: str) -> None:
        self.detail_panel.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _pass_on(self, name: str) -> None:
        if name == OPEN:
            self.open_wanted.emit()
        elif name == DEMO:
            self.demo_wanted.emit()
        else:
            self.action_wanted.emit(name)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.path_dropped.emit(paths[0])

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closing.emit()
