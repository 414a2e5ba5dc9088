"""The context menus about one memory: in every list and over the memory that is being read."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QMenu, QWidget

from widgets.main_window import MainWindow
from widgets.stored_text_view import StoredTextView
from widgets.window_menus import WindowActions

_Custom = Qt.ContextMenuPolicy.CustomContextMenu


class MemoryMenus:
    """Give lists and reading pane their menus. In a text, what is selected can be copied too."""

    def __init__(self, window: MainWindow, actions: WindowActions) -> None:
        self._actions = actions
        self.menu = QMenu(window)
        self.menu.setToolTipsVisible(True)  # what cannot be used says why
        panel = window.detail_panel
        for widget in (*window.memory_lists(), panel.title, panel.text):
            self.serve(widget)

    def serve(self, widget: QWidget) -> None:
        """Give a widget that shows memories the menu."""
        widget.setContextMenuPolicy(_Custom)
        widget.customContextMenuRequested.connect(lambda at: self._open(widget, at))

    def fill(self, widget: QWidget) -> None:
        """Fill the menu for a widget."""
        self.menu.clear()
        if isinstance(widget, StoredTextView):
            copy = self.menu.addAction("&Copy")
            copy.setEnabled(widget.textCursor().hasSelection())
            copy.triggered.connect(widget.copy)
            self.menu.addAction("Select &all").triggered.connect(widget.selectAll)
            self.menu.addSeparator()
        self._actions.fill_context_menu(self.menu)

    def _open(self, widget: QWidget, at: QPoint) -> None:
        if isinstance(widget, QAbstractItemView) and not widget.indexAt(at).isValid():
            return
        self.fill(widget)
        ground = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        self.menu.popup(ground.mapToGlobal(at))
