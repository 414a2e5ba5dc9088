"""What if: the list ranked again with other numbers while a slider moves, in memory.

Only a greater fusion depth (or a smaller one whose probes would differ) is searched for, after a
pause, newest wins. Nothing is ever written: neither a settings file nor the store.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.detail_controller import DetailController
from app.open_store import OpenStore
from app.patience import after_a_while
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
from core.explain.what_if import is_depth_certain, rerank
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.settings import RetrievalSettings
from widgets.main_window import MainWindow
from widgets.what_if_content import BANNER, KnobName, Knobs

DEBOUNCE_S = 0.15
_SEARCHING = "Searching at this depth…"
_SEVERAL = (
    "Over several stores the depth can only be lowered, in the list as it was found; a search at "
    "another depth takes one store."
)
_CANCELLED = "The search at depth {depth} was cancelled."


@dataclass(frozen=True, slots=True)
class _Probe:
    """A search at another depth, and the list it belongs to."""

    own: SearchOutcome
    found: SearchOutcome


class WhatIfController:
    """Put every list on screen, with the numbers of the panel where they are turned.

    `listed` is called after each list that is put, `relisted` after one that the panel asked for.
    """

    def __init__(self, window: MainWindow, view: WindowView, detail: DetailController) -> None:
        self._window = window
        self._panel = window.what_if_panel
        self._banner = window.results_page.what_if_banner
        self._view = view
        self._detail = detail
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._own = Knobs()
        self._changes: dict[KnobName, float] = {}
        self._probe: _Probe | None = None
        self._probing: asyncio.Task[None] | None = None
        self.listed: Callable[[], None] = lambda: None
        self.relisted: Callable[[], None] = lambda: None
        self.moved: Callable[[], None] = lambda: None
        """Called where the store is no longer the one that the list describes."""
        self.is_slow = False
        """Whether a search at another depth takes long."""
        self.slow_changed: Callable[[], None] = lambda: None
        view.put_list = self._put
        self._panel.turned.connect(self._turned)
        self._panel.reset_wanted.connect(self.reset)
        window.search_bar.query_changed.connect(lambda _text: self._end_probe())

    # What is in force

    @property
    def knobs(self) -> Knobs:
        """Return the numbers in force."""
        knobs = self._own
        for name, value in self._changes.items():
            knobs = knobs.turned(name, value)
        return knobs

    @property
    def is_on(self) -> bool:
        """Tell whether any number is another than the agent's."""
        return bool(self.knobs.changed(self._own))

    @property
    def words(self) -> str:
        """Say what is changed."""
        return self.knobs.words(self._own)

    @property
    def is_busy(self) -> bool:
        """Tell whether a search at another depth is coming."""
        return self._probing is not None and not self._probing.done()

    async def settled(self) -> None:
        """Wait until the list is ranked by the numbers in force."""
        while self._probing is not None and self.is_busy:
            await asyncio.wait({self._probing})

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Start from a store's own numbers."""
        self._store, self._tasks = store, tasks
        self._begin(store.settings.retrieval)

    def turn_to(self, store: OpenStore, tasks: TaskSet) -> None:
        """Go on with another store of the same list."""
        self._store, self._tasks = store, tasks

    def drop(self) -> None:
        """Forget the store and what was tried with it."""
        self._end_probe()
        self._store = self._tasks = None
        self._begin(RetrievalSettings())

    def _begin(self, settings: RetrievalSettings) -> None:
        self._changes.clear()
        self._probe = None
        self._own = Knobs.of(settings, self._view.limit)
        self._say()

    def reset(self) -> None:
        """Go back to the agent's own numbers."""
        self._turned(self._own)

    def turn(self, name: KnobName, value: float) -> None:
        """Turn one knob, as if in the panel."""
        self._turned(self.knobs.turned(name, value))

    # The list

    def _turned(self, knobs: Knobs) -> None:
        self._changes = {name: knobs.value(name) for name in knobs.changed(self._own)}
        self._say()
        self._relist()

    def _relist(self) -> None:
        own = self._view.own_outcome
        if own is not None and self._view.outcome is not None:
            self._view.outcome = self._put(own, self._view.is_refining)
            self.relisted()

    def _put(self, own: SearchOutcome, refining: bool) -> SearchOutcome:
        """Rank a search's list with the numbers in force and put it on screen."""
        self._own = Knobs.of(own.settings, self._view.limit)
        self._end_probe()
        knobs = self.knobs
        shown, is_certain = self._ranked(own, knobs) if self.is_on else (own, True)
        self._detail.set_limit(knobs.limit)
        self._say()
        hit_view = self._window.hit_view
        hit_view.set_what_if(self.is_on)
        hit_view.show_outcome(shown, knobs.limit, refining)
        self._window.sidebar.show_shown(Counter(hit.head.state for hit in shown.hits))
        if not is_certain and not refining:
            self._start_probe(own, knobs.settings(own.settings))
        self._view.outcome = shown
        self.listed()
        return shown

    def _ranked(self, own: SearchOutcome, knobs: Knobs) -> tuple[SearchOutcome, bool]:
        """Return the list, and whether it is surely what a search with these numbers finds."""
        depth = knobs.fusion_depth
        certain = [base for base in self._found(own) if is_depth_certain(base, depth)]
        base = certain[0] if certain else self._deepest(own)
        settings = knobs.settings(own.settings)
        if depth > base.settings.fusion_depth:
            settings = replace(settings, fusion_depth=base.settings.fusion_depth)
        hits = rerank(base.hits, settings)
        return replace(base, settings=settings, hits=hits), bool(certain)

    def _found(self, own: SearchOutcome) -> list[SearchOutcome]:
        """Return the list of a search, and the one that was found at another depth, if any."""
        is_of_own = self._probe is not None and self._probe.own is own
        return [own, self._probe.found] if self._probe is not None and is_of_own else [own]

    def _deepest(self, own: SearchOutcome) -> SearchOutcome:
        return max(self._found(own), key=lambda o: o.settings.fusion_depth)

    def _say(self) -> None:
        knobs = self.knobs
        self._panel.show_knobs(knobs, self._own)
        changed = len(knobs.changed(self._own))
        short = self.words if changed == 1 else f"{changed} numbers are changed"
        self._banner.say(f"{BANNER}. {short}" if changed else "", self.words)

    # Searching at another depth

    def _start_probe(self, own: SearchOutcome, settings: RetrievalSettings) -> None:
        if own.union is not None:
            self._panel.say(_SEVERAL)
        elif self._store is not None and self._tasks is not None and own.query.text is not None:
            listed = next(iter(self._detail.stores_of(own)), self._store)
            work = self._search(listed, own, own.query.text, settings)
            self._probing = self._tasks.spawn(work, name="what if")
            self._panel.say(_SEARCHING)

    def _end_probe(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            self._probing = None
        self._set_slow(False)

    def cancel_probe(self) -> None:
        """End a search at another depth and go back to the depth of the list on screen."""
        own, depth = self._view.own_outcome, self.knobs.fusion_depth
        if own is None or not self.is_busy:
            return  # it has ended since the button was seen
        self._end_probe()
        self.turn(KnobName.FUSION_DEPTH, self._deepest(own).settings.fusion_depth)
        self._panel.say(_CANCELLED.format(depth=depth))

    def _set_slow(self, is_slow: bool) -> None:
        if is_slow is not self.is_slow:
            self.is_slow = is_slow
            self.slow_changed()

    async def _search(
        self, store: OpenStore, own: SearchOutcome, text: str, settings: RetrievalSettings
    ) -> None:
        await asyncio.sleep(DEBOUNCE_S)
        side = MeaningSide(own.query.dense, own.query.dense_reason)
        try:
            with after_a_while(lambda: self._set_slow(True)):
                found = await store.searcher.search(
                    text,
                    side,
                    include_retired=own.scope.include_retired,
                    settings=settings,
                    narrowed=own.scope.narrowed,
                )
        except GenizahError as error:
            self._panel.say(error.message)
            return
        finally:
            if self._probing is asyncio.current_task():
                self._set_slow(False)
        self._probing = None
        if found.data_version != own.data_version:
            self.moved()
            return
        self._probe = _Probe(own, found)
        self._relist()
