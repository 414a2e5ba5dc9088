"""Going back and forward: where a person has been, as query, page and selection.

`History` is pure. A place that was only passed through (a half-typed word, a row on the way to
another) is no stop; one that was stood on for a moment, or left by a link, is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.clock import Clock

DWELL_S = 1.0
_KEPT = 200


@dataclass(frozen=True, slots=True)
class Place:
    """What was asked for and which memory was selected, None for no memory.

    `store` is the key of the memory's store, empty where only one is open; `page` the name of the
    page that stands in place of the list, empty for the list.
    """

    text: str = ""
    include_retired: bool = False
    uuid: str | None = None
    store: str = ""
    page: str = ""

    def asks_like(self, other: "Place") -> bool:
        """Tell whether both are places in the list of one search, or on one page beside it."""
        return replace(self, uuid=None, store="") == replace(other, uuid=None, store="")


class History:
    """The places one has been, and which of them one is at."""

    def __init__(self, start: Place = Place()) -> None:
        self._places = [start]
        self._at = 0
        self._since_s = float("-inf")

    @property
    def place(self) -> Place:
        """Return where one is."""
        return self._places[self._at]

    @property
    def can_go_back(self) -> bool:
        """Tell whether there is an earlier place."""
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        """Tell whether one has gone back and there is a later place."""
        return self._at < len(self._places) - 1

    def visit(self, place: Place, now_s: float, *, by_link: bool = False) -> None:
        """Note where one is now; what lay ahead is forgotten.

        The place before is kept if it was stood on for DWELL_S or left `by_link`; one that only
        lacks the memory that is selected now is completed instead.
        """
        here = self.place
        if place == here:
            return
        completes = here.uuid is None and place.asks_like(here) and not by_link
        passed = now_s - self._since_s < DWELL_S and not by_link
        kept = self._places[: self._at + 1]
        if completes or passed:
            kept.pop()
        self._places = [*kept, place][-_KEPT:]
        self._at = len(self._places) - 1
        self._since_s = now_s

    def lose_memory(self) -> None:
        """Note that nothing is selected any more where one is."""
        self._places[self._at] = replace(self.place, uuid=None, store="")

    def step(self, by: int, now_s: float) -> Place | None:
        """Go back (-1) or forward (1); return the place, or None where there is none."""
        if not 0 <= self._at + by < len(self._places):
            return None
        self._at += by
        self._since_s = now_s - DWELL_S  # returned to on purpose: it stays a stop
        return self.place


class Navigation:
    """Keep the history of one open store and lead back through it.

    `show` is called to bring a place back; what it changes on the way is not noted.
    """

    def __init__(self, clock: Clock, show: Callable[[Place], None]) -> None:
        self._clock = clock
        self._show = show
        self._history = History()
        self._is_leading = False
        self.changed: Callable[[], None] = lambda: None
        """Called whenever it may have become possible or impossible to go somewhere."""

    @property
    def can_go_back(self) -> bool:
        """Tell whether there is an earlier place."""
        return self._history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        """Tell whether there is a later place."""
        return self._history.can_go_forward

    def begin(self, place: Place) -> None:
        """Forget everything: another store is open."""
        self._history = History(place)
        self.changed()

    def asked(self, text: str, include_retired: bool) -> None:
        """Note another search; the selected memory may stay selected in it."""
        self._visit(replace(self._history.place, text=text, include_retired=include_retired))

    def selected(self, uuid: str, store: str = "") -> None:
        """Note that a row was selected."""
        self._visit(replace(self._history.place, uuid=uuid, store=store))

    def turned(self, page: str) -> None:
        """Note that a page stands in place of the list, or the list again where it is empty.

        Nobody turns to a page on the way to something else: it is a stop.
        """
        self._visit(replace(self._history.place, page=page), by_link=True)

    def followed(self, uuid: str, store: str = "") -> None:
        """Note that a memory was gone to by a link."""
        self._visit(replace(self._history.place, uuid=uuid, store=store), by_link=True)

    def lost(self) -> None:
        """Note that the selected memory has left the list."""
        self._history.lose_memory()

    def back(self) -> None:
        """Go to the place before."""
        self._step(-1)

    def forward(self) -> None:
        """Go to the place after."""
        self._step(1)

    def _visit(self, place: Place, *, by_link: bool = False) -> None:
        if not self._is_leading:
            self._history.visit(place, self._now_s(), by_link=by_link)
            self.changed()

    def _step(self, by: int) -> None:
        place = self._history.step(by, self._now_s())
        if place is None:
            return
        self._is_leading = True
        try:
            self._show(place)
        finally:
            self._is_leading = False
        self.changed()

    def _now_s(self) -> float:
        return self._clock.now().timestamp()
