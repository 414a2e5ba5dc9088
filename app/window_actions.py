"""What each action of the table does, and when it can be used: the window's actions wired up."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from app.actions import ACTIONS
from app.detail_controller import DetailController
from app.late_actions import LateActions
from app.quick_open_controller import QuickOpenController
from app.selection_controller import SelectionController
from app.tasks import TaskSet
from core.readmodels import MemoryDetail
from widgets.action_spec import Menu, Need
from widgets.clipboard import copy_text
from widgets.command_palette import CommandPalette
from widgets.main_window import MainWindow
from widgets.memory_list import MemoryList
from widgets.memory_menu import MemoryMenus
from widgets.shortcut_sheet import ShortcutSheet
from widgets.why_panel import CopyForm
from widgets.window_menus import Handlers

_RANKED = "A ranked list has the order of its search; lists without words in the box can be sorted."
_REASONS = {
    Need.STORE: "No store is open.",
    Need.UNRANKED: "This page has an order of its own; Ctrl+1 shows all memories.",
    Need.MEMORY: "No memory is selected.",
    Need.RANKING: "There is no ranked list on screen; type what the agent would look for.",
    Need.RANKED_MEMORY: "It is about a memory's rank; select one in a ranked list.",
}


class ActionController:
    """Install the table into a window and keep what can be used in step."""

    def __init__(
        self,
        window: MainWindow,
        tasks: TaskSet,
        detail: DetailController,
        selection: SelectionController,
        quick_open: QuickOpenController,
        refresh: Callable[[], None],
        panels: Handlers,
        installed: LateActions | None = None,
    ) -> None:
        """Give every action its handler, those of the panels as given.

        `installed` are the actions of a window that is shown.
        """
        self._window = window
        self._tasks = tasks
        self._detail = detail
        self._selection = selection
        self._navigation = selection.navigation
        self._quick_open = quick_open
        self._refresh = refresh
        self._panels = panels
        self.unmet: Callable[[], Mapping[Need, str]] = dict
        """Says of more needs why they are not met, empty where they are."""
        self._has_store = False
        late = installed or LateActions(window)
        late.serve(self._handlers())
        self.actions = late.actions
        self.palette = CommandPalette(self.actions, window)
        self.menus = MemoryMenus(window, self.actions)
        self._navigation.changed = self.update
        window.detail_panel.changed.connect(self.update)

    def _handlers(self) -> Handlers:
        panel = self._window.detail_panel
        return {
            **self._window.own_handlers(),
            **self._panels,
            "copy_uuid": lambda: self._copy(lambda memory: memory.head.uuid),
            "copy_gist": lambda: self._copy(lambda memory: memory.head.gist),
            "copy_text": lambda: self._copy(lambda memory: memory.content),
            "palette": self._open_palette,
            "refresh": self._refresh,
            "back": self._navigation.back,
            "forward": self._navigation.forward,
            "quick_open": self._quick_open.open,
            "why_not": lambda: self._quick_open.open_why_not(self._window.show_why),
            "explain_search": self._explain_search,
            "copy_why_markdown": lambda: self._copy_why(CopyForm.MARKDOWN),
            "copy_why_json": lambda: self._copy_why(CopyForm.JSON),
            "replacement": panel.links.follow_replacement,
            "end_of_chain": panel.links.follow_end,
            "similar": self._similar,
            "shortcuts": lambda: ShortcutSheet(ACTIONS, self._window).open(),
        }

    def serve_list(self, view: MemoryList) -> None:
        """Give a list of memories on a page the keys and the menu of every other one."""
        widget = view.focusProxy()
        if widget is not None:
            self.actions.add_list(widget)
            self.menus.serve(widget)

    def set_store(self, is_open: bool) -> None:
        """Say whether a store is open."""
        self._has_store = is_open
        self.update()

    def update(self) -> None:
        """Bring the actions in step with what is there."""
        links = self._window.detail_panel.links
        has_memory = self._detail.uuid is not None and (
            self._detail.is_busy or self._window.detail_panel.shown is not None
        )
        has_ranking = self._window.pages.currentWidget() is self._window.results_page
        lists: tuple[QWidget, ...] = (self._window.browse_view, self._window.state_page)
        is_list = self._has_store and self._window.pages.currentWidget() in lists
        facts = (
            (Need.STORE, self._has_store),
            (Need.UNRANKED, is_list),
            (Need.MEMORY, has_memory),
            (Need.RANKING, has_ranking),
            (Need.RANKED_MEMORY, has_ranking and has_memory),
            (Need.REPLACEMENT, has_memory and links.has_replacement),
            (Need.LATER_REPLACEMENT, has_memory and links.has_end),
            (Need.WAY_BACK, self._navigation.can_go_back),
            (Need.WAY_FORWARD, self._navigation.can_go_forward),
        )
        unmet = {**_REASONS, **self.unmet()}
        if not self._has_store:
            unmet[Need.UNRANKED] = _REASONS[Need.STORE]
        elif has_ranking:
            unmet[Need.UNRANKED] = _RANKED
        self.actions.say_reason(Menu.SORT, "" if is_list else unmet[Need.UNRANKED])
        met = [need for need, is_met in facts if is_met]
        self.actions.set_met([*met, *(n for n, why in unmet.items() if not why)], unmet)

    def _open_palette(self) -> None:
        self.palette.begin()

    def _copy(self, part: Callable[[MemoryDetail], str]) -> None:
        self._tasks.spawn(self._copy_selected(part), name="copy")

    async def _copy_selected(self, part: Callable[[MemoryDetail], str]) -> None:
        await self._detail.settled()  # a row selected just now is still being read
        memory = self._window.detail_panel.shown
        if memory is not None:
            copy_text(part(memory))

    def _copy_why(self, form: CopyForm) -> None:
        self._tasks.spawn(self._copy_explanation(form), name="copy")

    async def _copy_explanation(self, form: CopyForm) -> None:
        await self._detail.settled()  # the first look is not the whole of it
        self._window.why_panel.copy(form)

    def _explain_search(self) -> None:
        self._selection.explain_search()
        self._window.show_why()

    def _similar(self) -> None:
        memory = self._window.detail_panel.shown
        if memory is not None:
            self._quick_open.open_similar(memory.head.uuid)
