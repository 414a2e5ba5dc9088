"""The Why panel as the controllers see it: a memory explained, or the search; copies of it."""

from collections.abc import Callable, Sequence

from app.open_store import OpenStore
from app.snapshot import snapshot_of
from core.documents.explanation_document import explanation_document
from core.documents.explanation_markdown import explanation_markdown
from core.documents.json_text import dump
from core.explain.explanation import Explanation
from core.explain.sentence import sentence_of
from core.explain.steps.explanation import (
    Snapshot,
    sentence_of_search,
    steps_of,
    steps_of_search,
)
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from widgets.clipboard import copy_text
from widgets.why_panel import CopyForm, WhyPanel

_NOT_RANKED = "This memory is not part of a ranked list; type a query that finds it."
_CHANGED = "store changed: the list was searched again"


class WhyView:
    """Say in the panel why a memory is where it is; remember what the panel explains."""

    def __init__(self, panel: WhyPanel, is_own: Callable[[SearchOutcome], bool]) -> None:
        """`is_own` tells whether a list is as it was searched; any other is a what-if."""
        self._panel = panel
        self._is_own = is_own
        self.stores: Callable[[], Sequence[OpenStore]] = tuple
        """Returns the stores that the list on screen comes from."""
        self._store: OpenStore | None = None
        self._explained: Explanation | None = None
        self._changed_under: str | None = None
        self.fingerprint: str | None = None
        """The checksum of the model in use, None without one."""
        panel.copy_wanted.connect(self._copy)

    def use(self, store: OpenStore | None) -> None:
        """Explain lists while this store is in front."""
        self._store = store
        self._changed_under = None

    def note_changed(self, text: str | None) -> None:
        """Mark what follows: the store moved under this query, and it is searched again."""
        self._changed_under = text

    def show(self, explanation: Explanation) -> None:
        """Show what became of a memory in the list, in it or not."""
        self._explained = explanation
        outcome = explanation.outcome
        sentence = f"{self._prefix(outcome)}{sentence_of(explanation)}"
        self._panel.show_steps(sentence, steps_of(explanation, self._snapshot(outcome)))

    def show_search(
        self, outcome: SearchOutcome, limit: int, ladder: tuple[Rung, ...] | None
    ) -> None:
        """Explain the search itself, where no memory is selected."""
        self._explained = None
        sentence = f"{self._prefix(outcome)}{sentence_of_search(outcome)}"
        steps = steps_of_search(outcome, limit, ladder, self._snapshot(outcome))
        self._panel.show_steps(sentence, steps)

    def show_outside(self, text: str = _NOT_RANKED) -> None:
        """Say in words why there is nothing to explain."""
        self._explained = None
        self._panel.show_outside(text)

    def clear(self) -> None:
        """Explain nothing."""
        self._explained = None
        self._panel.clear()

    def _prefix(self, outcome: SearchOutcome) -> str:
        return "" if self._is_own(outcome) else "What if: "

    def _snapshot(self, outcome: SearchOutcome) -> Snapshot:
        store = self._store_of_list()
        if store is None:
            return Snapshot((), ())
        changed = outcome.query.text is not None and outcome.query.text == self._changed_under
        facts = (_CHANGED,) if changed else ()
        fingerprint = self.fingerprint if store is self._store else None
        is_tried = not self._is_own(outcome)
        return snapshot_of(store, outcome, fingerprint, *facts, is_tried=is_tried)

    def _store_of_list(self) -> OpenStore | None:
        """Return the store in front where the list comes from it, else the list's first one."""
        stores = self.stores()
        if not stores or any(store is self._store for store in stores):
            return self._store
        return stores[0]

    def _copy(self, form: CopyForm) -> None:
        e = self._explained
        if e is None:
            copy_text(self._panel.text())
        elif form is CopyForm.JSON:
            copy_text(dump(explanation_document(e)))
        else:
            copy_text(explanation_markdown(e, self._snapshot(e.outcome)))
        self._panel.copied.emit()
