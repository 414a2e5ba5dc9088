"""The window as the marks controller sees it."""

from collections.abc import Mapping

from app.marks_controller import TextMarks
from core.readmodels import ChainEnd
from core.retrieval.highlight import Spans
from widgets.main_window import MainWindow


class MarksInWindow:
    """Put marks into lists and detail."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def show_spans(self, spans: Mapping[str, Spans]) -> None:
        """Mark where the gists of the ranked list match, by uuid."""
        self._window.hit_view.set_spans(spans)

    def fold_equal(self, equal: set[tuple[int, int]]) -> None:
        """Fold adjacent ranked rows whose texts are equal, given as pairs of rowids."""
        self._window.hit_view.fold_equal(equal)

    def show_ends(self, ends: Mapping[str, ChainEnd]) -> None:
        """Name what replaced the rows of the ranked list, and where their chains end."""
        self._window.hit_view.set_ends(ends)

    def show_dead(self, dead: frozenset[str]) -> None:
        """Warn at memories whose chain ends in a retired one."""
        window = self._window
        for view in (window.hit_view, window.literal_list, window.browse_view):
            view.set_dead(dead)

    def show_text_marks(self, uuid: str, marks: TextMarks) -> None:
        """Mark the text of a memory, if that is still being read."""
        self._window.detail_panel.show_marks(uuid, marks.gist, marks.content, marks.chunk)

    def hits_in_view(self) -> tuple[int, int]:
        """Return the positions (from 1) of the first and the last ranked row on screen."""
        return self._window.hit_view.positions_in_view()
