"""The first steps in the demo store: which are done, and whether the strip of them is shown.

Each is ticked by what the person does, however it is done. Shown only where it can be remembered
that it is to be shown no more.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.own_data import OwnData
from app.preferences_controller import PreferencesController
from app.window_controller import WindowController
from core.appdata.database import AppDatabase
from core.commands.changes import Supersede, SupersedeWithText
from widgets.first_steps import FirstStep
from widgets.main_window import MainWindow

_EXAMPLE = "boarding pass base45"
_ACTIONS = {FirstStep.EXPLAIN: "explain", FirstStep.SUPERSEDE: "supersede"}


class FirstSteps:
    """Serve the strip of one window; `demo` is the folder of the demo's private copy."""

    def __init__(
        self,
        window: MainWindow,
        controller: WindowController,
        preferences: PreferencesController,
        demo: Path,
    ) -> None:
        self._strip = window.first_steps
        self._window, self._controller = window, controller
        self._preferences = preferences
        self._demo = demo
        self._is_remembered = False
        self._is_finished = False
        self._done: frozenset[FirstStep] = frozenset()
        self._connect()

    def _connect(self) -> None:
        window, actions = self._window, self._window.actions_by_name
        self._strip.dismissed.connect(self._dismiss)
        self._strip.step_wanted.connect(lambda name: self._help(FirstStep(name)))
        window.windowTitleChanged.connect(lambda _title: self.refresh())
        self._tick_when(window.hit_view.list.model().modelReset, FirstStep.FIND, self._has_hits)
        actions["explain"].triggered.connect(lambda _on: self._tick(FirstStep.EXPLAIN))
        staged = window.pending_bar.entries.model().rowsInserted
        self._tick_when(staged, FirstStep.SUPERSEDE, self._has_supersession)
        self._strip.set_keys(
            {step: actions[name].shortcut().toString() for step, name in _ACTIONS.items()}
        )

    def start(self, own: OwnData) -> None:
        """Find out whether anything is remembered; call it once the own file is being opened."""

        async def work(_database: AppDatabase) -> None:
            self._is_remembered = own.remembers
            self.refresh()

        own.do(work, name="first steps")

    def refresh(self) -> None:
        """Show the strip where the demo is in front and it is wanted."""
        store = self._controller.opening.store
        is_demo = store is not None and store.facts.location.database.is_relative_to(self._demo)
        is_wanted = self._preferences.chosen.first_steps or self._is_finished
        self._strip.setVisible(is_demo and is_wanted and self._is_remembered)

    def _tick_when(self, told: object, step: FirstStep, is_done: Callable[[], bool]) -> None:
        told.connect(lambda *_what: self._tick(step) if is_done() else None)  # type: ignore[attr-defined]

    def _has_hits(self) -> bool:
        return self._window.hit_view.list.model().rowCount() > 0

    def _has_supersession(self) -> bool:
        entries = self._controller.writing.pending.list.entries
        return any(isinstance(entry.change, Supersede | SupersedeWithText) for entry in entries)

    def _tick(self, step: FirstStep) -> None:
        if self._strip.isHidden() or step in self._done:
            return
        self._done |= {step}
        self._strip.show_done(self._done)
        if len(self._done) == len(FirstStep):
            self._is_finished = True  # stays until it is put away, or this window closed
            self._forget()

    def _dismiss(self) -> None:
        self._is_finished = False
        self._forget()
        self.refresh()
        self._window.search_bar.focus_box()

    def _forget(self) -> None:
        self._preferences.choose(replace(self._preferences.chosen, first_steps=False))

    def _help(self, step: FirstStep) -> None:
        """Bring the person to where a step is done; staging itself is left to them."""
        window = self._window
        if step is FirstStep.FIND:
            if not window.search_bar.text():
                window.search_bar.set_text(_EXAMPLE)
            window.search_bar.focus_box()
            return
        if window.detail_panel.shown is None:
            for view in (window.hit_view, window.browse_view):
                if view.isVisible():
                    view.select_first()
        window.actions_by_name[_ACTIONS[step]].trigger()
