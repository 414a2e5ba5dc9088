"""The window's actions before anything can serve them: menus and keys are there at the first paint,
what they do comes right after it.
"""

from collections.abc import Callable

from app.actions import ACTIONS
from widgets.main_window import MainWindow
from widgets.window_menus import Handlers


class LateActions:
    """Install the action table; an action used before it is served does nothing."""

    def __init__(self, window: MainWindow) -> None:
        self._handlers: dict[str, Callable[[], object]] = {}
        names = [spec.name for spec in ACTIONS]
        self.actions = window.install_actions(ACTIONS, {name: self._late(name) for name in names})

    def serve(self, handlers: Handlers) -> None:
        """Say what each action does. Raises KeyError where one is left without a handler."""
        self._handlers = {spec.name: handlers[spec.name] for spec in ACTIONS}

    def _late(self, name: str) -> Callable[[], object]:
        def call() -> object:
            handler = self._handlers.get(name)
            return None if handler is None else handler()

        return call
