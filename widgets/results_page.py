"""The ranked list above the literal one, as one page with one selection between them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from widgets.hit_view import HitView
from widgets.literal_list import LiteralList
from widgets.plain import colour_handle


class ResultsPage(QWidget):
    """Hold both lists; a selection in one ends the selection in the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hit_view = HitView()
        self.literal_list = LiteralList()
        self.hit_view.hit_selected.connect(self._after_hit)
        self.literal_list.match_selected.connect(self._after_match)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("results")  # it is remembered under this name
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        for place, (part, share) in enumerate(((self.hit_view, 3), (self.literal_list, 1))):
            splitter.addWidget(part)
            splitter.setStretchFactor(place, share)
        splitter.setSizes([300, 150])
        colour_handle(splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _after_hit(self, uuid: str) -> None:
        if uuid:
            self.literal_list.clear_selection()

    def _after_match(self, uuid: str) -> None:
        if uuid:
            self.hit_view.clear_selection()
