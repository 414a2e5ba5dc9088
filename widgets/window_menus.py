"""Qt's actions made from the table: menu bar, context menus, keys, tooltips. Knows no action."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from widgets.action_spec import ActionSpec, Menu, Need
from widgets.text_marks import marked, menu_text, safe_tooltip

type Handlers = Mapping[str, Callable[[], object]]

_Context = Qt.ShortcutContext


class WindowActions(QObject):
    """Make every action of a table. `lists` are the widgets in which list keys act.

    Raises KeyError where an action has no handler.
    """

    def __init__(
        self,
        window: QMainWindow,
        specs: Sequence[ActionSpec],
        handlers: Handlers,
        lists: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(window)
        self.specs = tuple(specs)
        self.by_name: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self._window = window
        self._lists = tuple(lists)
        self._of_lists: list[QAction] = []
        self._reasons: dict[str, str] = {}
        self._said: dict[Menu, QAction] = {}
        for menu in Menu:
            if any(spec.menu is menu for spec in specs):
                self.menus[menu] = window.menuBar().addMenu(menu)
                self.menus[menu].setToolTipsVisible(menu in (Menu.MEMORY, Menu.SORT))
        for spec in specs:
            self._add(spec, handlers[spec.name])
        self.set_met(())

    def _add(self, spec: ActionSpec, handler: Callable[[], object]) -> None:
        action = QAction(spec.text, self._window)
        action.setObjectName(spec.name)
        action.setCheckable(spec.is_checkable)
        action.setToolTip(_tip(spec))
        action.triggered.connect(lambda _checked=False: handler())
        self._give_keys(action, spec)
        if spec.starts_group:
            self.menus[spec.menu].addSeparator()
        self.menus[spec.menu].addAction(action)
        self.by_name[spec.name] = action

    def _give_keys(self, action: QAction, spec: ActionSpec) -> None:
        everywhere, in_lists = spec.sequences(), spec.list_sequences()
        if everywhere:
            action.setShortcuts(everywhere)
        elif in_lists:
            self._keep_to_lists(action, in_lists)
        if everywhere and in_lists:  # an action has one scope: its twin holds the other keys
            twin = QAction(spec.text, self._window)
            twin.triggered.connect(action.trigger)
            self._keep_to_lists(twin, in_lists)

    def _keep_to_lists(self, action: QAction, keys: list[QKeySequence]) -> None:
        action.setShortcuts(keys)
        action.setShortcutContext(_Context.WidgetWithChildrenShortcut)
        self._of_lists.append(action)
        for widget in self._lists:
            widget.addAction(action)

    def add_list(self, widget: QWidget) -> None:
        """Let the keys of lists act in another widget, too."""
        widget.addActions(self._of_lists)

    def set_met(
        self, needs: Collection[Need], reasons: Mapping[Need, str] = MappingProxyType({})
    ) -> None:
        """Say what is there; actions that need something else cannot be used meanwhile.

        Where it is known why, their tooltip says so.
        """
        met = {Need.NOTHING, *needs}
        for spec in self.specs:
            action = self.by_name[spec.name]
            action.setEnabled(spec.need in met)
            reason = "" if spec.need in met else reasons.get(spec.need, "")
            tip = _tip(spec)
            action.setToolTip(safe_tooltip(f"{tip}\n{marked(reason)}") if reason else tip)
            self._reasons[spec.name] = reason

    def reason_of(self, name: str) -> str:
        """Return why an action cannot be used, empty where it can or nobody knows."""
        return self._reasons.get(name, "")

    def say_reason(self, menu: Menu, reason: str) -> None:
        """Say at the top of a menu why nothing in it can be used; nothing where it is empty."""
        if menu not in self._said:
            said = self._said[menu] = QAction(self._window)
            said.setEnabled(False)
            actions = self.menus[menu].actions()
            self.menus[menu].insertAction(actions[0], said)
        self._said[menu].setText(menu_text(reason))
        self._said[menu].setVisible(bool(reason))

    def fill_context_menu(self, menu: QMenu) -> None:
        """Add the actions about one memory to a menu."""
        for spec in self.specs:
            if spec.in_context_menu:
                if spec.starts_group and not menu.isEmpty():
                    menu.addSeparator()
                menu.addAction(self.by_name[spec.name])

    def window_keys(self) -> list[QKeySequence]:
        """Return every key that acts in the whole window."""
        return [key for spec in self.specs for key in spec.sequences()]


def _tip(spec: ActionSpec) -> str:
    key = spec.shown_key()
    return f"{spec.plain_text} ({key})" if key else spec.plain_text
