"""The right-hand side: the memory in the middle and docks around it (Why now; others can join)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from widgets.detail_panel import DetailPanel
from widgets.why_panel import WhyPanel


class ReadingPane(QMainWindow):
    """A window inside the window: Qt keeps docks around a QMainWindow's centre only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setAnimated(False)
        self.setObjectName("reading")  # its docks are remembered under this name
        self.detail_panel = DetailPanel()
        self.why_panel = WhyPanel()
        self.setCentralWidget(self.detail_panel)
        self.why_dock = QDockWidget("Why here?", self)
        self.why_dock.setObjectName("why")
        self.why_dock.setWidget(self.why_panel)
        self.why_dock.setAllowedAreas(
            Qt.DockWidgetArea.BottomDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.why_dock)
        self.resizeDocks([self.why_dock], [230], Qt.Orientation.Vertical)
