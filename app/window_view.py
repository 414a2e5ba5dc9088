"""The window as the controllers see it: their answers put into widgets, one page at a time."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.arguments import DEFAULT_LIMIT
from app.arm_status import meaning_of, ran_by_meaning
from app.detail_controller import Selected
from app.error_presenter import Move, move_text
from app.filter_asked import asked, asks_for
from app.live_controller import Origin
from app.open_store import OpenStore
from app.pages import busy_page, cancelled_page, failure_page
from app.shown_scope import ShownScope
from app.unsearched import without_meaning
from app.why_view import WhyView
from core.errors import ErrorCode, GenizahError
from core.explain.explanation import Explanation
from core.federation.outcome import FederatedOutcome
from core.filters.parsing import ParsedSearch, parse
from core.notices import Notice, NoticeCode
from core.readmodels import MemoryDetail, MemoryHead, StateCounts
from core.retrieval.ladder import Rung
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from widgets.browse_view import BrowsePlace
from widgets.main_window import MainWindow
from widgets.state_content import (
    OPEN_STORE,
    StateAction,
    empty_store,
    loading,
    no_match,
    nothing_searched,
    welcome,
)
from widgets.status_strip import ArmStatus
from widgets.store_labels import StoreLabel

_RULES_MEANING_OUT = (NoticeCode.WIDTH_MISMATCH, NoticeCode.NO_VECTOR_EXTENSION)


class WindowView:
    """Show what the controllers found; remember the outcome that is on screen."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.limit = DEFAULT_LIMIT
        """How many rows the agent sees; the next list shows it."""
        self._own_notices: tuple[Notice, ...] = ()
        self._store: OpenStore | None = None
        self._counts: StateCounts | None = None
        self._is_browsing = self.is_refining = False
        self._model_notice: Notice | None = None
        self._meaning = ArmStatus.IDLE, ""
        self.why = WhyView(window.why_panel, lambda outcome: outcome is self.own_outcome)
        """Explains the list on screen."""
        self.outcome: SearchOutcome | None = None
        """The list on screen."""
        self.own_outcome: SearchOutcome | None = None
        """What the last list shown was before it was ranked with other numbers."""
        self.labels_of: Callable[[SearchOutcome], Mapping[str, StoreLabel]] = lambda _outcome: {}
        """Says which store each hit of a list comes from."""
        self.put_found: Callable[[FederatedOutcome, bool], None] = lambda _found, _refining: None
        """Shows one group of what was found in several stores."""
        self.parsed: Callable[[], ParsedSearch] = lambda: parse(window.search_bar.text())
        """Returns what the text in the box asks for."""
        self.looked_through: Callable[[SearchOutcome], tuple[SearchOutcome, int]] = lambda o: (o, 0)
        """Says over what a search was that found nothing, and how many retired ones it left out."""
        self.is_of_scope: Callable[[], bool] = lambda: True
        """Tells whether the list on screen comes only from stores that are searched."""
        self.scope = ShownScope()
        """What the lists are about."""
        self.put_list: Callable[[SearchOutcome, bool], SearchOutcome] = self._put_list
        """Puts a list on screen, `True` while refining, and returns what it was put as."""
        self.counted_names: Callable[[], Sequence[str]] = tuple
        """Returns what the stores are called that were found empty."""
        self.put_browse = window.show_browse
        """Shows the list that nothing ranks, or why it is empty."""
        self.selected_shown: Callable[[MemoryDetail], None] = lambda _detail: None
        """Called with each memory that was put into the reading pane."""
        self.failed: Callable[[Origin, GenizahError], None] = lambda _origin, _error: None
        """Called with what fails while a list is shown and stays."""
        self.worked: Callable[[Origin], None] = lambda _origin: None
        """Called when what may have failed before has worked."""

    # The store

    def show_opening(self, name: str) -> None:
        """Say that a store is being opened."""
        self._forget()
        self._window.show_state(loading(f"Opening {name}"))

    def offer_cancel(self, name: str) -> None:
        """Offer to give up an opening that takes long."""
        cancel = StateAction(Move.CANCEL_OPENING, move_text(Move.CANCEL_OPENING))
        self._window.show_state(loading(f"Opening {name}", (cancel,)))

    def show_welcome(self) -> None:
        """Show the first page: no store is open."""
        self._forget()
        self._window.show_state(welcome())

    def show_busy(self, error: GenizahError, delay_s: float) -> None:
        """Show that a store is locked, and when opening it is tried again."""
        self._window.show_state(busy_page(error, delay_s))

    def show_store(self, store: OpenStore) -> None:
        """Name the store in front and its degraded modes."""
        self._store = store
        self.why.use(store)
        self._window.set_store_name(store.facts.location.name)
        self._window.sidebar.show_store(store.facts.location.name, self._counts)
        self._say_notices()

    def show_scope(self, scope: ShownScope) -> None:
        """Say what the lists are about from now on."""
        self.scope = scope
        self._window.detail_panel.store = scope.front
        self._window.browse_view.set_labels(scope.labels)
        if self._counts is not None and self._store is not None:
            self._window.status_strip.set_store(self._scope_words(self._store), self._counts)
        self._say_notices()

    def _scope_words(self, store: OpenStore) -> str:
        return self.scope.words or str(store.facts.location.database)

    def show_nothing_searched(self) -> None:
        """Say that stores are open, but none of them is searched."""
        self._clear_lists()
        self._window.browse_view.set_rows(())
        self._say_counts(StateCounts(0, 0, 0))
        self._window.sidebar.show_facets(())
        self._window.show_state(nothing_searched(self.scope.offer))

    def show_open_error(self, error: GenizahError) -> None:
        """Show why a store could not be opened; nothing is open then."""
        self._forget()
        self._show_failure(error, OPEN_STORE)

    def _forget(self) -> None:
        self._store, self.outcome, self._counts = None, None, None
        self._is_browsing = False
        self.why.use(None)
        self._window.browse_view.set_rows(())
        self._window.hit_view.clear()
        self._window.literal_list.clear()
        self._window.set_store_name("")
        strip = self._window.status_strip
        strip.clear_store()
        self._window.sidebar.show_store("", None)
        self._window.sidebar.show_shown(None)
        self._meaning = ArmStatus.IDLE, ""
        self._say_unsearched()
        self.scope = ShownScope()
        self._window.browse_view.set_labels(())
        self._window.results_page.group_bar.show_groups((), 0)
        self._say_notices()
        self.show_nothing_selected()

    def _say_unsearched(self) -> None:
        """Say that no search made what is shown, and where the meaning search stands."""
        self._window.status_strip.set_words(ArmStatus.IDLE)
        self._window.status_strip.set_meaning(*self._meaning)

    def _show_failure(self, error: GenizahError, *more: StateAction) -> None:
        self._window.show_state(failure_page(error, *more))

    def set_own_notices(self, notices: tuple[Notice, ...]) -> None:
        """Say what is wrong with the program's own file, whatever store is open."""
        self._own_notices = notices
        self._say_notices()

    def _say_notices(self) -> None:
        """Say what is wrong with the search, the model, the stores and the program's own file."""
        searched = () if self.outcome is None or self.is_refining else self.outcome.notices
        named, store = self.scope.notices_of(self.outcome), self._store
        mine = store.notices if store is not None and named is None else ()
        by_meaning = ran_by_meaning(self.outcome, refining=self.is_refining)
        notice = None if by_meaning else self._model_notice
        model = () if store is None or notice is None else (notice,)
        if model or any(n.code in _RULES_MEANING_OUT for n in mine):
            # Said already, and for longer than this search.
            searched = tuple(n for n in searched if n.code is not NoticeCode.DENSE_ARM_OFF)
        everything = {n.code: n for n in (*searched, *model, *mine, *self._own_notices)}
        self._window.notice_bar.set_notices((*everything.values(), *(named or ())))

    # The model

    def show_model(self, *, is_loading: bool, reason: str, notice: Notice | None) -> None:
        """Say where the model stands; an empty reason means ready."""
        self._model_notice = notice
        if is_loading:
            self._meaning = ArmStatus.LOADING, ""
        else:
            self._meaning = ArmStatus.OFF if reason else ArmStatus.IDLE, reason
        if not ran_by_meaning(self.outcome, refining=self.is_refining):
            self._window.status_strip.set_meaning(*self._meaning)
        if self._store is not None:
            self._say_notices()

    def set_fingerprint(self, fingerprint: str | None) -> None:
        """Remember which model file the vectors come from."""
        self.why.fingerprint = fingerprint

    # Browsing

    def show_first(self, heads: Sequence[MemoryHead], counts: StateCounts) -> None:
        """Show the top of a long list; the rest of its order follows with `show_rows`."""
        self._say_counts(counts)
        self._window.browse_view.show_first(heads, counts.total)
        if self._is_browsing:
            self.show_browse()

    def show_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show a list of this many rows; heads follow when asked for."""
        self._say_counts(counts)
        self._window.browse_view.set_rows(rowids)
        if self._is_browsing:
            self.show_browse()

    def refresh_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show what the list has become; what a person is looking at stays where it is."""
        self._say_counts(counts)
        self._window.browse_view.refresh_rows(rowids)
        if self._is_browsing:
            self.show_browse()

    def _say_counts(self, counts: StateCounts) -> None:
        self._counts = counts
        self.worked(Origin.LIST)
        if self._store is not None:
            self._window.status_strip.set_store(self._scope_words(self._store), counts)
            self._window.sidebar.show_store(self._store.facts.location.name, counts)

    def place(self) -> BrowsePlace:
        """Return where somebody reads in the list by time."""
        return self._window.browse_view.place()

    def show_place(self, place: BrowsePlace, heads: Sequence[MemoryHead]) -> None:
        """Select and scroll as in `place`; a ranked list on screen keeps the selection."""
        if not self._is_browsing:
            place = replace(place, selected=None)
        self._window.browse_view.go_back_to(place, heads)

    def put_heads(self, heads: Sequence[MemoryHead]) -> None:
        """Fill rows in."""
        if heads:
            self.worked(Origin.PAGE)
        self._window.browse_view.put_heads(heads)

    def show_browse_error(self, error: GenizahError) -> None:
        """Say that the list could not be read; one that is shown stays."""
        if self._counts is None and error.code is not ErrorCode.STORE_BUSY:
            self._show_failure(error)
        else:
            self.failed(Origin.LIST, error)

    def show_page_error(self, error: GenizahError) -> None:
        """Say that some rows of the list could not be read; the others stay."""
        self.failed(Origin.PAGE, error)

    def show_browse(self) -> None:
        """Show the list that nothing ranks, or that a store is empty; once that is known."""
        self._clear_lists()
        self._is_browsing = True
        if self._store is None or self._counts is None:
            return
        if self._counts.total == 0:
            self._window.show_state(empty_store(*self.counted_names(), more=self.scope.offer))
        else:
            self.put_browse()

    # Searching

    def show_outcome(self, outcome: SearchOutcome, *, refining: bool) -> None:
        """Show a ranked list; `refining` while the meaning search is still to come."""
        before, self._is_browsing = self.outcome, False
        self.own_outcome, self.is_refining = outcome, refining
        self._window.hit_view.set_labels(self.labels_of(outcome))
        self.outcome = self.put_list(outcome, refining)
        self.worked(Origin.SEARCH)
        self._window.browse_view.clear_selection()
        if before is None or asked(before) != asked(outcome):
            self._window.literal_list.clear()
        if outcome.hits or refining or self.scope.has_groups:
            self._window.show_results()
        else:
            self._window.show_state(no_match(*self.looked_through(outcome), self.scope.offer))
        strip = self._window.status_strip
        words = outcome.lexical
        strip.set_words(ArmStatus.RAN if words.ran else ArmStatus.OFF, words.reason or "")
        strip.set_meaning(*meaning_of(outcome, refining=refining))
        self._say_notices()

    def show_found(self, found: FederatedOutcome, *, refining: bool) -> None:
        """Show what was found in several stores, one group of them at a time."""
        self.put_found(found, refining)

    def _put_list(self, outcome: SearchOutcome, refining: bool) -> SearchOutcome:
        self._window.hit_view.show_outcome(outcome, self.limit, refining)
        self._window.sidebar.show_shown(Counter(hit.head.state for hit in outcome.hits))
        return outcome

    def show_literal(self, matches: LiteralMatches) -> None:
        """Show the rows that contain the text, as far as they are known."""
        if matches.matches and self.outcome is not None:
            self._window.show_results()
        needle = "" if self.outcome is None else self.outcome.query.text or ""
        self._window.literal_list.show_matches(matches, needle, self.scope.labels_of(matches))

    def show_searching(self) -> None:
        """Say that a search takes long."""
        self._window.status_strip.set_words(ArmStatus.SEARCHING)

    def show_looking(self) -> None:
        """Say that the rows are being looked through, if that takes long."""
        self._window.literal_list.start_looking()

    def show_looking_ended(self) -> None:
        """Say that looking was ended before all rows were seen."""
        self._window.literal_list.stop_looking()

    def show_search_error(self, error: GenizahError) -> None:
        """Say that the search in the box failed; a list that belongs to its text stays."""
        if self.outcome is not None and self._is_asked_for(self.outcome):
            self.show_outcome(self.own_outcome or self.outcome, refining=False)
            self.failed(Origin.SEARCH, error)
            return
        if error.code in (ErrorCode.STORE_BUSY, ErrorCode.STORE_CHANGED):
            self.failed(Origin.SEARCH, error)
        self.show_search_fault(error)

    def show_search_cancelled(self) -> bool:
        """Keep a list that belongs to the text in the box, else say that there is none."""
        shown = self.own_outcome
        if shown is not None and self.outcome is not None and self._is_asked_for(shown):
            refined = without_meaning(shown) if self.is_refining else shown
            self.show_outcome(refined, refining=False)
            return True
        self._clear_lists()
        self._window.show_state(cancelled_page(self._window.search_bar.text()))
        return False

    def show_search_fault(self, error: GenizahError) -> None:
        """Show why there is no list, in place of any that stood there."""
        self._clear_lists()
        self._show_failure(error)

    def _clear_lists(self) -> None:
        self.outcome, self._is_browsing = None, False
        self._window.results_page.group_bar.show_groups((), 0)
        self._say_notices()
        self._window.sidebar.show_shown(None)
        self._window.hit_view.clear()
        self._window.literal_list.clear()
        self._say_unsearched()

    def _is_asked_for(self, outcome: SearchOutcome) -> bool:
        if not self.is_of_scope():
            return False
        return asks_for(self.parsed(), self._window.search_bar.includes_retired(), outcome)

    # The selection

    def show_selected(self, selected: Selected) -> None:
        """Show one memory."""
        self.worked(Origin.DETAIL)
        self._window.detail_panel.show_detail(*selected.parts())
        self.selected_shown(selected.detail)

    def show_nothing_selected(self) -> None:
        """Empty the detail and the explanation."""
        self._window.detail_panel.clear()
        self.why.clear()

    def show_explanation(self, explanation: Explanation) -> None:
        """Show what became of the selected memory in the list."""
        self.why.show(explanation)

    def show_search(self, outcome: SearchOutcome, ladder: tuple[Rung, ...], limit: int) -> None:
        """Explain the search, for nothing is selected."""
        self.why.show_search(outcome, limit, ladder)

    def show_no_explanation(self) -> None:
        """Say that the selected row is not part of a ranked list."""
        self.why.show_outside()

    def show_detail_error(self, error: GenizahError) -> None:
        """Say that the memory could not be read; the lists stay."""
        self._window.detail_panel.clear()
        self.why.show_outside(error.message)
        self.failed(Origin.DETAIL, error)

    def note_store_changed(self) -> None:
        """Mark what follows: the store moved under this query, and it is searched again."""
        self.why.note_changed(None if self.outcome is None else self.outcome.query.text)
