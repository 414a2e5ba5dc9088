"""What the buttons of pages, messages and hints do: the moves that an error or a wait offers."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.error_presenter import Move
from app.live_controller import Origin
from core.errors import GenizahError
from core.store.location import StoreLocation
from widgets.state_content import SEARCH_ALL, WITHOUT_FILTERS

if TYPE_CHECKING:
    from app.window_controller import WindowController


class WindowMoves:
    """Make the moves of one window."""

    def __init__(self, controller: "WindowController") -> None:
        self._of = controller
        self._copied: str | None = None

    def make(self, name: str) -> None:
        """Make a move by its name; one that this window does not know is nobody's."""
        of = self._of
        steps: dict[str, Callable[[], object]] = {
            Move.OPEN_AGAIN: self._open_again,
            Move.OPEN_COPY: self._open_copy,
            Move.SAVE_ROWS: lambda: self._rescue(of.rescue.save_rows),
            Move.WITH_RETIRED: of.include_retired,
            SEARCH_ALL: of.stores.search_all,
            WITHOUT_FILTERS: of.filtering.text.clear,
            Move.CANCEL_OPENING: self._cancel_opening,
            Move.CANCEL_SEARCH: of.search.cancel,
            Move.CANCEL_DEPTH: of.panels.what_if.cancel_probe,
            Move.SEARCH_AGAIN: of.search.again,
            Move.CANCEL_MODEL: of.model.cancel_load,
            Move.LOAD_MODEL: self._load_model,
            Move.TRY_NOW: of.live.refresh,
            Move.STOP_TRYING: self._stop_trying,
        }
        if name in steps:
            steps[name]()

    def _named(self) -> Path | None:
        """Return the store that a move is about: the one that failed, else the last one named."""
        failing = self._of.live.failing
        return self._of.opening.named if failing is None else Path(failing)

    def _open_again(self) -> None:
        opening, path = self._of.opening, self._named()
        entry = None if path is None else opening.stores.find(ascii(str(path)))
        if path is not None and entry is not None and entry.store is not None:
            opening.reopen(path, self._of.selection.uuid)
        else:
            self._of.open_path(path)

    def _cancel_opening(self) -> None:
        self._of.live.forget()
        self._of.opening.cancel()

    def _stop_trying(self) -> None:
        if self._of.opening.store is not None:
            self._of.live.give_up()
        else:
            self._of.opening.stop_trying()

    def _load_model(self) -> None:
        self._of.model.load_again()
        self._of.search_anew()

    # A store that cannot be read where it lies

    def _open_copy(self) -> None:
        path = self._named()
        entry = None if path is None else self._of.opening.stores.find(ascii(str(path)))
        self._copied = None if entry is None else entry.key
        self._rescue(self._of.rescue.open_copy)

    def copied(self, path: Path) -> None:
        """Open a private copy in the place of the store that it was made of."""
        if self._copied is not None:
            self._of.opening.close_stores([self._copied])
            self._of.messages.end(Origin.STORE)
        self._copied = None
        self._of.open_path(path)

    def _rescue(self, act: Callable[[StoreLocation], None]) -> None:
        try:
            act(self._of.locate(self._named()))
        except GenizahError as error:
            self.file_failed(error)

    def file_failed(self, error: GenizahError) -> None:
        """Say what a copy or a file of rows failed for."""
        if self._of.opening.store is None:
            self._of.view.show_open_error(error)
        else:
            self._of.live.failed(Origin.FILE, error)
