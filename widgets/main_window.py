"""The window: puts the widgets together and says what the person asks for. Decides nothing."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QMouseEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from widgets.action_spec import ActionSpec
from widgets.browse_view import BrowseView
from widgets.browsing_page import BrowsingPage
from widgets.chip_bar import ChipBar
from widgets.first_steps import FirstStepsStrip
from widgets.glyph_button import GLYPHS, GlyphButton
from widgets.memory_list import MemoryList
from widgets.message_bar import MessageBar
from widgets.notice_bar import NoticeBar
from widgets.pending_bar import PendingBar
from widgets.plain import colour_handle, line_between
from widgets.reading_pane import ReadingPane
from widgets.results_page import ResultsPage
from widgets.search_bar import SearchBar
from widgets.sidebar import Sidebar
from widgets.state_content import DEMO, FIND, OPEN, StateContent, StateKind, welcome
from widgets.state_page import StatePage
from widgets.status_strip import StatusStrip
from widgets.text_marks import one_line
from widgets.texts import APP_NAME
from widgets.window_menus import Handlers, WindowActions
from widgets.window_panes import cycle_panes

if TYPE_CHECKING:
    from widgets.lineage_page import LineagePage

_SIZE = (1180, 760)
_LIST_WIDTH = 430
_SIDEBAR_WIDTH = 190


class MainWindow(QMainWindow):
    """Toolbar, search bar and notices above sidebar, list and reading pane; status below.

    Without `install_actions` there is neither menu nor key.
    `action_wanted` carries the state page's own buttons other than open, find and demo;
    `page_turned` the name of the page that stands in place of the lists, empty for the lists.
    """

    open_wanted = Signal()
    demo_wanted = Signal()
    find_wanted = Signal()
    about_wanted = Signal()
    preferences_wanted = Signal()
    save_search_wanted = Signal()
    closing = Signal()
    path_dropped = Signal(str)
    action_wanted = Signal(str)
    page_turned = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(APP_NAME)
        self.setAcceptDrops(True)
        self.actions_by_name: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self.sidebar = Sidebar()
        self._wants_sidebar = True
        self._state = StateKind.WELCOME
        self.search_bar = SearchBar()
        self.chip_bar = ChipBar()
        self.notice_bar = NoticeBar()
        self.message_bar = MessageBar()
        self.results_page = ResultsPage()
        self.hit_view = self.results_page.hit_view
        self.literal_list = self.results_page.literal_list
        self.browse_view = BrowseView()
        self.state_page = StatePage()
        self.pages = QStackedWidget()
        self._list_page: QWidget = self.state_page
        self._page: BrowsingPage | None = None
        self.page_name = ""
        self._is_page_kept = False
        for page in (self.state_page, self.browse_view, self.results_page):
            self.pages.addWidget(page)
        self.reading_pane = ReadingPane()
        self.detail_panel = self.reading_pane.detail_panel
        self.why_panel = self.reading_pane.why_panel
        self.what_if_panel = self.reading_pane.what_if_panel
        self.rank_panel = self.reading_pane.rank_panel
        self.first_steps = FirstStepsStrip()
        self.pending_bar = PendingBar()
        self.status_strip = StatusStrip()
        self.setStatusBar(self.status_strip)
        self._lay_out()
        self._connect()
        self.resize(*_SIZE)
        self.show_state(welcome())

    def _lay_out(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("panes")  # it is remembered under this name
        self.splitter.addWidget(self.sidebar)
        self.splitter.addWidget(self.pages)
        self.splitter.addWidget(self.reading_pane)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        colour_handle(self.splitter)
        for place, share in enumerate((0, 2, 3)):
            self.splitter.setStretchFactor(place, share)
        rest = _SIZE[0] - _SIDEBAR_WIDTH - _LIST_WIDTH
        self.splitter.setSizes([_SIDEBAR_WIDTH, _LIST_WIDTH, rest])
        self.pages.setMinimumWidth(320)
        self.reading_pane.setMinimumWidth(320)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._tools = QHBoxLayout()
        self._tools.setContentsMargins(8, 0, 0, 0)
        self._tools.setSpacing(2)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addLayout(self._tools)
        top.addWidget(self.search_bar, 1)
        column.addLayout(top)
        for widget in (self.chip_bar, self.notice_bar, self.message_bar, line_between()):
            column.addWidget(widget)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.first_steps)
        column.addWidget(self.pending_bar)
        self.setCentralWidget(middle)

    def _connect(self) -> None:
        self.search_bar.submitted.connect(self._enter_list)
        self.state_page.action_wanted.connect(self._pass_on)
        self.reading_pane.why_dock.toggleViewAction().toggled.connect(self._mirror_toggles)
        for opened in (
            self.hit_view.hit_opened,
            self.literal_list.match_opened,
            self.browse_view.row_opened,
        ):
            opened.connect(self._read)

    def install_actions(self, specs: Sequence[ActionSpec], handlers: Handlers) -> WindowActions:
        """Make menus, keys and toolbar from a table; `handlers` has a function for each name."""
        actions = WindowActions(self, specs, handlers, self.memory_lists())
        self.menus, self.actions_by_name = actions.menus, actions.by_name
        before: QWidget = self.search_bar.box.previousInFocusChain() or self.search_bar
        for name in GLYPHS:
            if name in actions.by_name:
                button = GlyphButton(actions.by_name[name])
                self._tools.addWidget(button)
                self.setTabOrder(before, button)
                before = button
        self.search_bar.box.leave_to_the_window(actions.window_keys())
        self._mirror_toggles()
        return actions

    def own_handlers(self) -> Handlers:
        """Return the actions that the window does by itself."""
        return {
            "open": self.open_wanted.emit,
            "demo": self.demo_wanted.emit,
            "about": self.about_wanted.emit,
            "preferences": self.preferences_wanted.emit,
            "save_search": self.save_search_wanted.emit,
            "quit": self.close,
            "find": self.search_bar.focus_box,
            "clear": self._clear_search,
            "browse": self._browse,
            "sidebar": self._toggle_sidebar,
            "dock": self.reading_pane.why_dock.toggleViewAction().trigger,
            "explain": self.show_why,
            "what_if": lambda: self._show_panel(
                self.what_if_panel, self.what_if_panel.focus_target()
            ),
            "local_lineage": lambda: self._show_panel(
                self.reading_pane.lineage_panel, self.reading_pane.lineage_panel.focus_target()
            ),
            "rank_chart": lambda: self._show_panel(
                self.rank_panel, self.rank_panel.focus_target()
            ),
            "next_pane": lambda: self._cycle(1),
            "previous_pane": lambda: self._cycle(-1),
        }

    def memory_lists(self) -> tuple[QWidget, ...]:
        """Return the lists in which list keys act."""
        return self.hit_view.list, self.literal_list.list, self.browse_view.table

    @property
    def wants_sidebar(self) -> bool:
        """Tell whether the sidebar stands wherever a store is open."""
        return self._wants_sidebar

    def want_sidebar(self, is_wanted: bool) -> None:
        """Show the sidebar wherever a store is open, or nowhere."""
        self._wants_sidebar = is_wanted
        self._place_sidebar()

    def _toggle_sidebar(self) -> None:
        self.want_sidebar(not self._wants_sidebar)

    def _place_sidebar(self) -> None:
        """Show the sidebar where it is wanted and a store is, or is about to be, open."""
        is_welcome = self.pages.currentWidget() is self.state_page and (
            self._state is StateKind.WELCOME
        )
        self.sidebar.setVisible(self._wants_sidebar and not is_welcome)
        self._mirror_toggles()

    def _mirror_toggles(self) -> None:
        dock = self.reading_pane.why_dock.toggleViewAction()
        for name, is_on in (("sidebar", self._wants_sidebar), ("dock", dock.isChecked())):
            if name in self.actions_by_name:
                self.actions_by_name[name].setChecked(is_on)

    def show_browse(self) -> None:
        """Show all memories."""
        self._turn_to(self.browse_view)

    def show_results(self) -> None:
        """Show the lists of a search."""
        self._turn_to(self.results_page)

    def show_state(self, content: StateContent) -> None:
        """Show a page in place of the lists; alone where there is nothing to read beside it."""
        is_of_list = content.kind in (StateKind.NO_MATCH, StateKind.UNSEARCHED)
        self._page = self._page if is_of_list else None
        self._state = content.kind
        self.state_page.show_state(content)
        self._turn_to(self.state_page)
        self.reading_pane.setVisible(is_of_list)
        self._tell_page("" if self._page is None else self.page_name)

    @cached_property
    def lineage_page(self) -> "LineagePage":
        """Return the page of lineages, made when it is first asked for: not before the paint."""
        from widgets.lineage_page import LineagePage

        page = LineagePage()
        self.pages.addWidget(page)
        return page

    def show_page(self, page: BrowsingPage, name: str) -> None:
        """Show a page in place of the lists until another list is asked for."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self._page = page
        self._turn_to(self._list_page)
        page.focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._tell_page(name)

    @contextmanager
    def page_kept(self) -> Iterator[None]:
        """Leave no page, whatever is asked for meanwhile."""
        self._is_page_kept = True
        try:
            yield
        finally:
            self._is_page_kept = False

    def _tell_page(self, name: str) -> None:
        if name != self.page_name:
            self.page_name = name
            self.page_turned.emit(name)

    def leave_page(self) -> None:
        """Show the lists again; they take the keyboard where the page had it."""
        if self._page is not None and not self._is_page_kept:
            had_focus = self._page.isAncestorOf(self.focusWidget())
            self._page = None
            self._turn_to(self._list_page)
            self.reading_pane.setVisible(
                self._list_page is not self.state_page or self._state is StateKind.NO_MATCH
            )
            if had_focus and self._focus_list() is None:
                (self.state_page.focus_target() or self.search_bar.box).setFocus()
            self._tell_page("")

    def _turn_to(self, page: QWidget) -> None:
        """Turn to what the lists have to show, unless another page is looked at."""
        self._list_page = page
        self.reading_pane.show()
        self.pages.setCurrentWidget(self._page or page)
        self._place_sidebar()

    def offer_finding(self) -> None:
        """Offer to find stores on the first page, too: `find_wanted` is served from now on."""
        self.state_page.offer_finding()

    def set_store_name(self, name: str) -> None:
        """Put the name of the open store into the title, or only the program's where empty."""
        self.setWindowTitle(f"{one_line(name)} – {APP_NAME}" if name else APP_NAME)

    def _cycle(self, step: int) -> None:
        cycle_panes(self, () if self._page is None else self._page.panes(), step)

    def _clear_search(self) -> None:
        self.leave_page()
        self.search_bar.clear()
        self.search_bar.focus_box()

    def _browse(self) -> None:
        self.leave_page()
        self.search_bar.clear()
        self.browse_view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_why(self) -> None:
        """Bring the explanation to the front and give it the keyboard."""
        self._show_panel(self.why_panel, self.why_panel.lines)

    def _show_panel(self, panel: QWidget, target: QWidget) -> None:
        self.reading_pane.show_panel(panel)
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _enter_list(self) -> None:
        self.leave_page()
        view = self._focus_list()
        if view is not None:
            view.select_first()

    def _focus_list(self) -> MemoryList | None:
        """Give the keyboard to the list on screen and return it, None where there is none."""
        for view in (self.hit_view, self.browse_view, self.literal_list):
            if view.isVisible():  # the literal list where it stands alone
                view.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return view
        return None

    def _read(self, _uuid: str) -> None:
        self.detail_panel.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _pass_on(self, name: str) -> None:
        if name == OPEN:
            self.open_wanted.emit()
        elif name == DEMO:
            self.demo_wanted.emit()
        elif name == FIND:
            self.find_wanted.emit()
        else:
            self.action_wanted.emit(name)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        handle = self.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)  # before any widget below the pointer takes the button

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            ways = {Qt.MouseButton.BackButton: "back", Qt.MouseButton.ForwardButton: "forward"}
            name = ways.get(event.button())
            if name in self.actions_by_name:
                self.actions_by_name[name].trigger()
                return True
        return False

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            for path in paths:
                self.path_dropped.emit(path)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closing.emit()
