"""Baselines: a list pinned under a name, kept with what produced it, and compared with today's.

Also puts the movement arrows on the rows: against the pinned baseline, or against the agent's own
list while other numbers are tried.
"""

from collections.abc import Callable
from dataclasses import asdict, replace

from PySide6.QtWidgets import QDialog

from app.ask import ask
from app.filter_asked import asked_text
from app.panel_context import PanelContext, gists_of
from app.what_if_controller import WhatIfController
from core.appdata.baselines import Baseline, Baselines, baseline_of
from core.appdata.database import AppDatabase
from core.errors import GenizahError
from core.progress import WorkCancelledError
from core.retrieval.outcome import SearchOutcome
from core.store.text import is_blank, well_formed
from widgets.baseline_dialog import BaselineDialog, BaselineEntry
from widgets.comparison_content import RankingSide, compared_rankings, row_moves
from widgets.name_dialog import NameDialog
from widgets.plain_box import plain_box
from widgets.table_content import TableContent
from widgets.text_marks import one_line
from widgets.texts import counted, minute

_SUGGESTED = 60
_COMPARING = "Comparing with the baseline"
_NO_LIST = "There is no ranked list to pin; type a query first."
_SEVERAL = "A baseline is of one store's list; search one store alone, then pin its list."
_NOT_OPEN = "The store of this baseline is not in front; bring it there first."
_NONE_SAVED = "No baseline is kept for this store. Pin a ranked list first."


class BaselineController:
    """Keep baselines of the open store. `show` opens a page with a comparison."""

    def __init__(
        self,
        context: PanelContext,
        what_if: WhatIfController,
        show: Callable[[TableContent], None],
    ) -> None:
        self._context = context
        self._what_if = what_if
        self._show = show
        self._banner = context.window.results_page.baseline_banner
        self._banner.pressed.connect(self._pressed)
        self._saved: tuple[Baseline, ...] = ()
        self.pinned: Baseline | None = None

    @property
    def saved(self) -> tuple[Baseline, ...]:
        """Return the baselines of the open store, the one kept last first."""
        return tuple(b for b in self._saved if b.store_id == self._context.store_id)

    def begin(self) -> None:
        """Start with another store, or with none."""
        self.pinned = None
        self.listed()
        self.reload()

    def reload(self) -> None:
        """Read the kept baselines: another window may have changed some."""

        async def work(database: AppDatabase) -> None:
            self._saved = await self._baselines(database).all()

        self._context.keep(work, name="baselines")

    def _baselines(self, database: AppDatabase) -> Baselines:
        assert self._context.own is not None
        return Baselines(database, self._context.own.clock)

    # Arrows

    def listed(self) -> None:
        """Bring arrows and banner in step with the list on screen."""
        outcome = self._context.view.outcome
        before = None if outcome is None else self._before(outcome)
        now = [] if outcome is None else [hit.uuid for hit in outcome.hits]
        moves = {} if before is None else row_moves(before.ranking, now)
        self._context.window.hit_view.set_moves(moves)
        self._banner.say("" if self.pinned is None else self._pinned_words(self.pinned, outcome))

    def _before(self, outcome: SearchOutcome) -> RankingSide | None:
        """Return the list that rows are compared with, or None."""
        if self._fits(self.pinned, outcome) and self.pinned is not None:
            if self._context.view.is_refining:
                return None  # half a list would move everywhere
            return RankingSide(f"“{one_line(self.pinned.name)}”", self.pinned.ranking)
        own = self._context.view.own_outcome
        if self._what_if.is_on and own is not None:
            return RankingSide("the agent's own", [hit.uuid for hit in own.hits])
        return None

    def _fits(self, baseline: Baseline | None, outcome: SearchOutcome) -> bool:
        store = self._context.alone(outcome)
        return (
            baseline is not None
            and store is not None
            and (baseline.store_id, baseline.text, baseline.include_retired)
            == (
                store.facts.meta.store_id,
                well_formed(asked_text(outcome) or ""),
                outcome.scope.include_retired,
            )
        )

    def _pinned_words(self, pinned: Baseline, outcome: SearchOutcome | None) -> str:
        name = f"Baseline “{one_line(pinned.name)}”"
        if outcome is not None and outcome.union is not None:
            return f"{name} is of one store; this list is of several"
        if outcome is None or not self._fits(pinned, outcome):
            return f"{name} is of another search: “{one_line(pinned.text, _SUGGESTED)}”"
        gone = len(set(pinned.ranking) - {hit.uuid for hit in outcome.hits})
        words = f"{name}: arrows show how far each memory has moved since"
        return f"{words}; {gone} gone" if gone and not self._context.view.is_refining else words

    # Pinning

    def ask_pin(self) -> None:
        """Ask for a name and pin the list on screen under it."""
        self._context.tasks.spawn(self._ask_pin(), name="pin baseline")

    async def _ask_pin(self) -> None:
        window, outcome = self._context.window, self._context.outcome
        if outcome is None or outcome.query.text is None:
            await ask(plain_box(window, "Pin baseline", _NO_LIST))
            return
        store, text = self._context.alone(outcome), asked_text(outcome) or ""
        if store is None:
            await ask(plain_box(window, "Pin baseline", _SEVERAL))
            return
        taken = [baseline.name for baseline in self._saved]
        name = one_line(text, _SUGGESTED)
        dialog = NameDialog(window, "Pin baseline", text, name, taken, "baseline")
        accepted = await ask(dialog) == QDialog.DialogCode.Accepted
        if accepted and not is_blank(dialog.name()) and self._context.alone(outcome) is store:
            pinned = baseline_of(dialog.name(), outcome, store.facts.meta.store_id)
            self.pin(replace(pinned, text=text))

    def pin(self, baseline: Baseline) -> None:
        """Keep a baseline and show how rows move against it."""
        baseline = _well_formed(baseline)
        others = tuple(b for b in self._saved if b.name != baseline.name)
        self._saved, self.pinned = (baseline, *others), baseline
        self.listed()

        async def work(database: AppDatabase) -> None:
            baselines = self._baselines(database)
            await baselines.save(baseline)
            self._saved = await baselines.all()

        self._context.keep(work, name="keep baseline")

    def unpin(self) -> None:
        """Show no more arrows against a baseline; it stays kept."""
        self.pinned = None
        self.listed()

    def forget(self, name: str) -> None:
        """Drop a kept baseline."""
        self._saved = tuple(b for b in self._saved if b.name != name)
        if self.pinned is not None and self.pinned.name == name:
            self.unpin()

        async def work(database: AppDatabase) -> None:
            await self._baselines(database).drop(name)

        self._context.keep(work, name="drop baseline")

    # Comparing

    def _pressed(self, name: str) -> None:
        if name == "drop":
            self.unpin()
        elif self.pinned is not None:
            self.compare(self.pinned)

    def compare(self, baseline: Baseline) -> None:
        """Search for what a baseline searched for, with today's store, and compare the lists."""
        self._context.spawn(self._compare(baseline), name="compare baseline")

    async def _compare(self, baseline: Baseline) -> None:
        store = self._context.with_id(baseline.store_id)
        if store is None:
            await ask(plain_box(self._context.window, "Baselines", _NOT_OPEN))
            return
        work = self._context.search_asked(store, baseline.text, baseline.include_retired)
        try:
            today = await self._context.patiently(_COMPARING, work)
            known = gists_of(today)
            gists = await self._context.gists(store, set(baseline.ranking), known)
        except WorkCancelledError:
            return
        except GenizahError as error:
            self._context.failed(error)
            return
        when = f" of {minute(baseline.at)}" if baseline.at else ""
        before = RankingSide(f"“{one_line(baseline.name, _SUGGESTED)}”", baseline.ranking)
        now = RankingSide("today", [hit.uuid for hit in today.hits])
        title = f"Baseline “{one_line(baseline.name, _SUGGESTED)}”{when} against today"
        content = compared_rankings(title, before, now, gists)
        self._show(_with_settings(content, baseline, today))

    def ask_saved(self) -> None:
        """Show the kept baselines to choose from."""
        self._context.spawn(self._ask_saved(), name="baselines")

    async def _ask_saved(self) -> None:
        window = self._context.window
        if not self.saved:
            await ask(plain_box(window, "Baselines", _NONE_SAVED))
            return
        dialog = BaselineDialog(window, self._entries())
        dialog.forget_wanted.connect(self.forget)
        code = await ask(dialog)
        baseline = next((b for b in self.saved if b.name == dialog.chosen()), None)
        if code != QDialog.DialogCode.Accepted or baseline is None:
            return
        if dialog.wants_comparison:
            self.compare(baseline)
        else:
            self._use(baseline)

    def _entries(self) -> list[BaselineEntry]:
        return [
            BaselineEntry(
                b.name, b.text, f"{minute(b.at)} · {counted(len(b.pool), 'memory', 'memories')}"
            )
            for b in self.saved
        ]

    def _use(self, baseline: Baseline) -> None:
        """Pin a kept baseline and search for its query."""
        self.pinned = baseline
        bar = self._context.window.search_bar
        bar.include_retired.setChecked(baseline.include_retired)
        bar.set_text(baseline.text)
        self.listed()


def _well_formed(baseline: Baseline) -> Baseline:
    """Return the baseline as it comes back once it was kept."""
    return replace(baseline, name=well_formed(baseline.name), text=well_formed(baseline.text))


def _with_settings(content: TableContent, baseline: Baseline, today: SearchOutcome) -> TableContent:
    """Say which settings have changed since, for a list may move because of them."""
    then, now = asdict(baseline.settings), asdict(today.settings)
    changed = [f"{key} was {then[key]!r}, is {now[key]!r}" for key in now if then[key] != now[key]]
    words = "; ".join(changed) if changed else "the settings are the same"
    return replace(content, headline=f"{content.headline} Since then: {words}.")
