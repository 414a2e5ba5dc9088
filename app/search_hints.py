"""What stands beside the search box while a search, also one at another depth, or a model load
takes long, and once one was cancelled: the way to end it, or the way back.
"""

from app.error_presenter import Move, move_text
from app.model_controller import ModelController
from app.search_controller import SearchController, SearchStage
from app.what_if_controller import WhatIfController
from widgets.search_hint import Hint, SearchHint
from widgets.state_content import StateAction


def _hint(text: str, move: Move, spoken: str) -> Hint:
    return Hint(text, StateAction(move, move_text(move)), spoken)


SEARCHING = _hint("Searching…", Move.CANCEL_SEARCH, "Cancel the search")
REFINING = _hint("Searching by meaning…", Move.CANCEL_SEARCH, "Cancel the search by meaning")
PROBING = _hint(
    "Searching at another depth…", Move.CANCEL_DEPTH, "Cancel the search at another depth"
)
LOADING = _hint("Loading the model…", Move.CANCEL_MODEL, "Cancel, and search by words only")
CANCELLED = _hint("Search cancelled", Move.SEARCH_AGAIN, "Search again for the text in the box")
WORDS_ONLY = _hint("By words only", Move.LOAD_MODEL, "Load the model and search by meaning")


class SearchHints:
    """Keep the line in step with search and model; call `update` when the model has changed."""

    def __init__(
        self,
        hint: SearchHint,
        search: SearchController,
        model: ModelController,
        what_if: WhatIfController,
    ) -> None:
        self._hint = hint
        self._search = search
        self._model = model
        self._what_if = what_if
        search.stage_changed = self.update
        model.took_long = self.update
        what_if.slow_changed = self.update

    def update(self) -> None:
        """Show what is to be said now."""
        self._hint.show_hint(self._wanted() if self._search.has_store else None)

    def _wanted(self) -> Hint | None:
        stage = self._search.stage
        if stage is SearchStage.WORDS:
            return SEARCHING
        if self._what_if.is_slow:
            return PROBING
        if self._model.is_slow:
            return LOADING  # what a search by meaning waits for
        if stage is SearchStage.MEANING:
            return REFINING
        if stage is SearchStage.CANCELLED:
            return CANCELLED
        return WORDS_ONLY if self._model.is_cancelled else None
