"""The window as the controllers see it: their answers put into widgets, one page at a time."""

from collections.abc import Sequence

from app.arguments import DEFAULT_LIMIT, program_version
from app.detail_controller import Selected
from app.error_presenter import present
from app.open_store import OpenStore
from core.errors import GenizahError
from core.explain.explanation import Explanation
from core.explain.sentence import plain_sentence
from core.notices import Notice, NoticeCode
from core.readmodels import MemoryHead, StateCounts
from core.retrieval.eligibility import Scope
from core.retrieval.ladder import Rung
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from core.settings import SettingSource
from widgets.main_window import MainWindow
from widgets.state_content import StateAction, empty_store, failure, loading, no_match
from widgets.status_strip import ArmStatus
from widgets.why_content import WhyContent

_SOURCES = {
    SettingSource.DEFAULT: "default",
    SettingSource.USER_FILE: "user file",
    SettingSource.STORE_FILE: "store file",
}
_RULES_MEANING_OUT = (NoticeCode.WIDTH_MISMATCH, NoticeCode.NO_VECTOR_EXTENSION)
_OFF = "Meaning search off: "
_NOT_RANKED = "This memory is not part of a ranked list; type a query that finds it."


def _asked(outcome: SearchOutcome) -> tuple[str | None, Scope]:
    return outcome.query.text, outcome.scope


class WindowView:
    """Show what the controllers found; remember the outcome that is on screen."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._store: OpenStore | None = None
        self._counts: StateCounts | None = None
        self._is_browsing = False
        self._model_notice: Notice | None = None
        self._fingerprint: str | None = None
        self.outcome: SearchOutcome | None = None

    # The store

    def show_opening(self, name: str) -> None:
        """Say that a store is being opened."""
        self._forget()
        self._window.show_state(loading(f"Opening {name}"))

    def show_store(self, store: OpenStore) -> None:
        """Name the open store and its degraded modes."""
        self._store = store
        self._window.set_store_name(store.facts.location.name)
        self._say_notices(())

    def show_open_error(self, error: GenizahError) -> None:
        """Show why a store could not be opened; nothing is open then."""
        self._forget()
        self._show_failure(error)

    def _forget(self) -> None:
        self._store, self.outcome, self._counts = None, None, None
        self._is_browsing = False
        self._window.browse_view.set_rows(())
        self._window.hit_view.clear()
        self._window.literal_list.clear()
        self._window.set_store_name("")
        self._window.status_strip.clear_store()
        self._window.notice_bar.set_notices(())
        self.show_nothing_selected()

    def _show_failure(self, error: GenizahError) -> None:
        shown = present(error, program_version())
        actions = tuple(StateAction(name, label) for name, label in shown.moves)
        self._window.show_state(
            failure(shown.title, shown.sentence, shown.code, shown.details, actions)
        )

    def _say_notices(self, searched: Sequence[Notice]) -> None:
        mine = () if self._store is None else self._store.notices
        model = () if self._model_notice is None else (self._model_notice,)
        if model or any(n.code in _RULES_MEANING_OUT for n in mine):
            # Said already, and for longer than this search.
            searched = [n for n in searched if n.code is not NoticeCode.DENSE_ARM_OFF]
        everything = {n.code: n for n in (*searched, *model, *mine)}
        self._window.notice_bar.set_notices(tuple(everything.values()))

    # The model

    def show_model(self, *, is_loading: bool, reason: str, notice: Notice | None) -> None:
        """Say where the model stands; an empty reason means ready."""
        self._model_notice = notice
        strip = self._window.status_strip
        if is_loading:
            strip.set_meaning(ArmStatus.LOADING)
        elif reason:
            strip.set_meaning(ArmStatus.OFF, reason)
        else:
            strip.set_meaning(ArmStatus.IDLE)
        if self._store is not None:
            self._say_notices(() if self.outcome is None else self.outcome.notices)

    def set_fingerprint(self, fingerprint: str | None) -> None:
        """Remember which model file the vectors come from."""
        self._fingerprint = fingerprint

    # Browsing

    def show_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show a list of this many rows; heads follow when asked for."""
        self._counts = counts
        if self._store is not None:
            self._window.status_strip.set_store(
                str(self._store.facts.location.database), counts
            )
        self._window.browse_view.set_rows(rowids)
        if self._is_browsing:
            self.show_browse()

    def put_heads(self, heads: Sequence[MemoryHead]) -> None:
        """Fill rows in."""
        self._window.browse_view.put_heads(heads)

    def show_browse_error(self, error: GenizahError) -> None:
        """Say that the list could not be read."""
        self._show_failure(error)

    def show_browse(self) -> None:
        """Show all memories, newest first, or that there are none; once it is known which."""
        self.outcome, self._is_browsing = None, True
        self._window.hit_view.clear()
        self._window.literal_list.clear()
        self._say_notices(())
        if self._store is None or self._counts is None:
            return
        if self._counts.total == 0:
            self._window.show_state(empty_store(self._store.facts.location.name))
        else:
            self._window.show_browse()

    # Searching

    def show_outcome(self, outcome: SearchOutcome, *, refining: bool) -> None:
        """Show a ranked list; `refining` while the meaning search is still to come."""
        before, self.outcome, self._is_browsing = self.outcome, outcome, False
        self._window.browse_view.clear_selection()
        if before is None or _asked(before) != _asked(outcome):
            self._window.literal_list.clear()
        self._window.hit_view.show_outcome(outcome, DEFAULT_LIMIT, refining)
        if outcome.hits or refining:
            self._window.show_results()
        else:
            self._window.show_state(no_match(outcome))
        strip = self._window.status_strip
        words = outcome.lexical
        strip.set_words(ArmStatus.RAN if words.ran else ArmStatus.OFF, words.reason or "")
        if refining:
            strip.set_meaning(ArmStatus.REFINING)
        elif outcome.dense.ran:
            strip.set_meaning(ArmStatus.RAN)
        else:
            strip.set_meaning(ArmStatus.OFF, (outcome.dense.reason or "").removeprefix(_OFF))
        self._say_notices(() if refining else outcome.notices)

    def show_literal(self, matches: LiteralMatches) -> None:
        """Show the rows that contain the text, as far as they are known."""
        if matches.matches and self.outcome is not None:
            self._window.show_results()
        self._window.literal_list.show_matches(matches)

    def show_search_error(self, error: GenizahError) -> None:
        """Say that the search in the box failed."""
        self.outcome, self._is_browsing = None, False
        self._window.hit_view.clear()
        self._window.literal_list.clear()
        self._show_failure(error)

    # The selection

    def show_selected(self, selected: Selected) -> None:
        """Show one memory."""
        self._window.detail_panel.show_detail(
            selected.detail, selected.successors, selected.predecessors, selected.events
        )

    def show_nothing_selected(self) -> None:
        """Empty the detail and the explanation."""
        self._window.detail_panel.clear()
        self._window.why_panel.clear()

    def show_explanation(
        self, explanation: Explanation, outcome: SearchOutcome, ladder: tuple[Rung, ...]
    ) -> None:
        """Show why the selected row ranks where it does."""
        self._window.why_panel.show_why(
            WhyContent(
                explanation=explanation,
                sentence=plain_sentence(explanation),
                outcome=outcome,
                ladder=ladder,
                settings=self._settings(),
                store_lines=self._store_lines(outcome),
            )
        )

    def show_no_explanation(self) -> None:
        """Say that the selected row is not part of a ranked list."""
        self._window.why_panel.show_outside(_NOT_RANKED)

    def show_detail_error(self, error: GenizahError) -> None:
        """Say that the memory could not be read."""
        self._window.detail_panel.clear()
        self._window.why_panel.show_outside(error.message)

    def _settings(self) -> tuple[tuple[str, str, str], ...]:
        if self._store is None:
            return ()
        return tuple(
            (key, repr(s.value), _SOURCES[s.source]) for key, s in self._store.settings.items()
        )

    def _store_lines(self, outcome: SearchOutcome) -> tuple[str, ...]:
        if self._store is None:
            return ()
        line = self._store.line
        model = line.embed_model
        if self._fingerprint is not None:
            model += f", sha256 {self._fingerprint[:12]}…"
        return (
            line.path,
            f"store {line.store_id}, schema {line.schema_version}",
            f"{outcome.memories} memories, {outcome.chunks} chunks",
            f"model {model}",
        )
