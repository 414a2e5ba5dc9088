"""The right-hand side: the memory in the middle, a dock around it with ranking and lineage."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from widgets.detail_panel import DetailPanel
from widgets.lineage_panel import LineagePanel
from widgets.rank_panel import RankPanel
from widgets.what_if_panel import WhatIfPanel
from widgets.why_panel import WhyPanel

_LEAST_HEIGHT = 150


class ReadingPane(QMainWindow):
    """A window inside the window: Qt keeps docks around a QMainWindow's centre only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setAnimated(False)
        self.setObjectName("reading")  # its docks are remembered under this name
        self.detail_panel = DetailPanel()
        self.why_panel = WhyPanel()
        self.what_if_panel = WhatIfPanel()
        self.rank_panel = RankPanel()
        self.lineage_panel = LineagePanel()
        self.setCentralWidget(self.detail_panel)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setMinimumHeight(_LEAST_HEIGHT)  # a large font must not push the window apart
        self.tabs.tabBar().setAccessibleName("Panels of the ranking")
        self.tabs.addTab(self.why_panel, "Why here?")
        self.tabs.addTab(self.what_if_panel, "What if")
        self.tabs.addTab(self.rank_panel, "Rank chart")
        self.tabs.addTab(self.lineage_panel, "Lineage")
        self.why_dock = QDockWidget("Ranking", self)
        self.why_dock.setObjectName("why")
        self.why_dock.setWidget(self.tabs)
        self.why_dock.setAllowedAreas(
            Qt.DockWidgetArea.BottomDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.why_dock)
        self.resizeDocks([self.why_dock], [260], Qt.Orientation.Vertical)

    def show_panel(self, panel: QWidget) -> None:
        """Bring one of the ranking's panels to the front, the dock with it."""
        self.why_dock.show()
        self.why_dock.raise_()
        self.tabs.setCurrentWidget(panel)
