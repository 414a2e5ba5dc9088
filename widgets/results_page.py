"""The ranked list above the literal one, as one page with one selection between them.

Above the ranked list stands what must not be overlooked about it.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from widgets.group_bar import GroupBar
from widgets.hit_view import HitView
from widgets.list_banner import ListBanner
from widgets.literal_list import LiteralList
from widgets.plain import colour_handle, plain_label
from widgets.row_delegate import EDGE

_NO_RANKS = "No memory ranks for this search."


class ResultsPage(QWidget):
    """Hold both lists; a selection in one ends the selection in the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hit_view = HitView()
        self.literal_list = LiteralList()
        self.group_bar = GroupBar()
        self.what_if_banner = ListBanner(
            (
                ("compare", "Compare…", "Compare with the agent's own list"),
                ("reset", "Reset", "Reset to the agent's own numbers"),
            ),
            is_warning=True,
        )
        self.baseline_banner = ListBanner(
            (
                ("compare", "Compare…", "Compare with the baseline"),
                ("drop", "Unpin", "Unpin the baseline"),
            )
        )
        self.mark_banner = ListBanner((("drop", "Cancel", "Compare nothing"),))
        self.grades_banner = ListBanner((("details", "Quality…", "Quality of this search"),))
        self.filter_banner = ListBanner(
            (("unfiltered", "Unfiltered", "Take the filters out: the unfiltered list"),)
        )
        self.banners = (
            self.filter_banner,
            self.what_if_banner,
            self.baseline_banner,
            self.mark_banner,
            self.grades_banner,
        )
        self.no_ranks = plain_label(_NO_RANKS)
        self.no_ranks.setWordWrap(True)
        self.no_ranks.setContentsMargins(EDGE, 8, EDGE, 0)
        self.no_ranks.hide()
        for view in (self.hit_view, self.literal_list):
            view.list.model().modelReset.connect(self._make_room)
        self.hit_view.hit_selected.connect(self._after_hit)
        self.literal_list.match_selected.connect(self._after_match)
        self._lay_out()

    def _lay_out(self) -> None:
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
        layout.setSpacing(0)
        layout.addWidget(self.group_bar)
        for banner in self.banners:
            layout.addWidget(banner)
        layout.addWidget(self.no_ranks)
        layout.addWidget(splitter, 1)

    def _make_room(self) -> None:
        """Give the literal list the room of a ranked one that is empty, and say that it is."""
        is_alone = not self.hit_view.has_rows and self.literal_list.has_rows
        self.no_ranks.setVisible(is_alone)
        self.hit_view.setVisible(not is_alone)

    def _after_hit(self, uuid: str) -> None:
        if uuid:
            self.literal_list.clear_selection()

    def _after_match(self, uuid: str) -> None:
        if uuid:
            self.hit_view.clear_selection()
