"""Comparing: two memories of one search, two queries, the numbers tried against the agent's own."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QDialog

from app.ask import ask
from app.filter_asked import asked, asked_text
from app.open_store import OpenStore
from app.panel_context import PanelContext, gists_of
from app.what_if_controller import WhatIfController
from core.errors import GenizahError
from core.explain.explanation import Explanation
from core.explain.parting import parting
from core.federation.explaining import explain_searched
from core.filters.parsing import parse
from core.progress import WorkCancelledError
from core.retrieval.outcome import SearchOutcome
from core.store.text import is_blank
from widgets.comparison_content import RankingSide, compared_rankings, parted_memories
from widgets.plain_box import plain_box
from widgets.query_dialog import QueryDialog
from widgets.table_content import TableContent
from widgets.text_marks import one_line

_SHORT = 60
_MEMORIES = "Comparing the two memories"
_QUERIES = "Comparing the two queries"
_NO_LIST = "There is no ranked list to compare; type a query first."
_SEVERAL = "Two queries are compared over one store; search one alone, then compare."
_NO_WORDS = "Filters alone rank nothing; type some words beside them."
_NOT_ON = "The numbers are the agent's own; turn one in the What-if panel first."


class CompareController:
    """Mark one memory, then compare it with a second; compare lists. `show` opens a page."""

    def __init__(
        self,
        context: PanelContext,
        what_if: WhatIfController,
        show: Callable[[TableContent], None],
    ) -> None:
        self._context = context
        self._what_if = what_if
        self._show = show
        self._banner = context.window.results_page.mark_banner
        self._banner.pressed.connect(lambda _name: self.unmark())
        self._marked: tuple[str, SearchOutcome] | None = None

    @property
    def marked(self) -> str | None:
        """Return the memory that waits for a second one, or None."""
        return None if self._marked is None else self._marked[0]

    def unmark(self) -> None:
        """Compare nothing."""
        self._marked = None
        self._banner.say("")

    def listed(self) -> None:
        """Forget a marked memory once another search is on screen."""
        outcome = self._context.view.outcome
        if self._marked is None:
            return
        before = self._marked[1]
        if outcome is None or asked(outcome) != asked(before):
            self.unmark()

    # Two memories

    def compare_selected(self, uuid: str | None) -> None:
        """Mark a memory, or compare it with the one marked before."""
        outcome = self._context.outcome
        if outcome is None or uuid is None:
            return
        if self._marked is None:
            self._mark(uuid, outcome)
        elif self._marked[0] == uuid:
            self.unmark()
        else:
            first = self._marked[0]
            self.unmark()
            work = self._compare_memories(first, uuid, outcome)
            self._context.spawn(work, name="compare memories")

    def _mark(self, uuid: str, outcome: SearchOutcome) -> None:
        self._marked = (uuid, outcome)
        hit = outcome.hit(uuid)
        name = uuid[:8] if hit is None else one_line(hit.head.gist, _SHORT)
        key = self._context.window.actions_by_name["compare"].shortcut().toString()
        self._banner.say(f"Compare “{name}” with: select another memory and press {key}.")

    async def _compare_memories(self, one: str, other: str, outcome: SearchOutcome) -> None:
        store, limit = self._context.store, self._what_if.knobs.limit
        if store is None:
            return
        work = self._explained(store, (one, other), outcome, limit)
        try:
            explained = await self._context.patiently(_MEMORIES, work)
        except WorkCancelledError:
            return
        except GenizahError as error:
            self._context.failed(error)
            return
        if explained is None:
            self._context.moved()
            return
        first, second = explained
        gists = tuple("" if e.head is None else e.head.gist for e in (first, second))
        self._show(parted_memories(parting(first, second), (gists[0], gists[1])))

    async def _explained(
        self, store: OpenStore, uuids: tuple[str, str], outcome: SearchOutcome, limit: int
    ) -> tuple[Explanation, Explanation] | None:
        """Explain two memories in one list; None where the store has moved on from it."""
        stores = self._context.stores_of(outcome) or (store,)
        one = await explain_searched(stores, outcome, uuids[0], limit)
        other = await explain_searched(stores, outcome, uuids[1], limit)
        return None if one is None or other is None else (one, other)

    # Two lists

    def compare_settings(self) -> None:
        """Compare the list by the numbers tried with the agent's own."""
        own, shown = self._context.view.own_outcome, self._context.outcome
        if own is None or shown is None or not self._what_if.is_on:
            words = _NOT_ON if shown is not None else _NO_LIST
            self._say("Compare settings", words)
            return
        before = RankingSide("own", [hit.uuid for hit in own.hits])
        now = RankingSide("what if", [hit.uuid for hit in shown.hits])
        page = compared_rankings("What if against own", before, now, gists_of(own, shown))
        self._show(replace(page, headline=f"{self._what_if.words}. {page.headline}"))

    def ask_query(self) -> None:
        """Ask for another query and compare its list with the one on screen."""
        self._context.spawn(self._ask_query(), name="compare queries")

    async def _ask_query(self) -> None:
        window, outcome = self._context.window, self._context.outcome
        text = None if outcome is None else asked_text(outcome)
        if outcome is None or text is None:
            await ask(plain_box(window, "Compare queries", _NO_LIST))
            return
        store = self._context.alone(outcome)
        if store is None:
            await ask(plain_box(window, "Compare queries", _SEVERAL))
            return
        dialog = QueryDialog(window, "Compare queries", "Compare with the query", text)
        if await ask(dialog) != QDialog.DialogCode.Accepted or is_blank(dialog.query()):
            return
        other = dialog.query()
        if not parse(other).has_words:
            await ask(plain_box(window, "Compare queries", _NO_WORDS))
            return
        retired, settings = outcome.scope.include_retired, outcome.settings
        work = self._context.search_asked(store, other, retired, settings)
        try:
            found = await self._context.patiently(_QUERIES, work)
        except WorkCancelledError:
            return
        except GenizahError as error:
            self._context.failed(error)
            return
        self._show(_two_queries(outcome, found, text, other))

    def _say(self, title: str, words: str) -> None:
        box = plain_box(self._context.window, title, words)
        self._context.tasks.spawn(ask(box), name="compare")


def _two_queries(
    first: SearchOutcome, second: SearchOutcome, text: str, other: str
) -> TableContent:
    sides = (
        RankingSide("first query", [hit.uuid for hit in first.hits]),
        RankingSide("second query", [hit.uuid for hit in second.hits]),
    )
    page = compared_rankings("Compare queries", *sides, gists_of(first, second))
    words = f"“{one_line(text, _SHORT)}” against “{one_line(other, _SHORT)}”"
    return replace(page, headline=f"{words}{_arms_words(second)}. {page.headline}")


def _arms_words(outcome: SearchOutcome) -> str:
    if outcome.dense.ran:
        return ""
    return f" (by words only: {outcome.dense.reason or 'the meaning search did not run'})"
