"""A window that shows the duplicates of small stores whose vectors lie at known angles."""

import math
import threading
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.duplicates_controller import DuplicatesController
from core.duplicates.corpus import Corpus
from core.duplicates.keys import KeyPair
from core.duplicates.scanning import PairScan, scan_pairs
from core.progress import Report
from tests.support.open_window import OpenWindow, open_window, spoken_rows, uuids_of
from tests.support.several import store_of
from tests.support.stores import WIDTH, Memory, uuid_of
from tests.support.stub_encoder import packed
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press_at_focus


def leaning(degrees: float, plane: int = 0) -> list[bytes]:
    """Return a first part's vector at an angle in one of the planes; planes are at right angles."""
    numbers = [0.0] * WIDTH
    numbers[2 * plane] = math.cos(math.radians(degrees))
    numbers[2 * plane + 1] = math.sin(math.radians(degrees))
    return [packed(numbers)]


PAIR = (
    Memory("ferry", "the ferry leaves at noon", vectors=leaning(0), created_at="2026-03-01"),
    Memory("boat", "the boat leaves at twelve", vectors=leaning(12), created_at="2026-03-02"),
)
"""As near as the cosine of 12 degrees, 0.978."""
LOOSE = (
    Memory("quay", "the quay is closed", vectors=leaning(0, 1), created_at="2026-03-03"),
    Memory("pier", "no way onto the pier", vectors=leaning(30, 1), created_at="2026-03-04"),
)
"""As near as the cosine of 30 degrees, 0.866."""
TWINS = (
    Memory("prod", "the tide table lies on db-1", "ask there first", vectors=leaning(0, 2)),
    Memory("test", "the tide table lies on db-2", "ask there first", vectors=leaning(2, 2)),
)
ALONE = (Memory("gull", "a gull on the mast", vectors=leaning(0, 3)),)
ROWS = (*PAIR, *LOOSE, *TWINS, *ALONE)


class HeldPass:
    """A pass that goes on until it is cancelled, unless the gate is open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate, self.started, self.ended = (threading.Event() for _ in range(3))
        monkeypatch.setattr("app.duplicates_controller.scan_pairs", self._scan)

    def _scan(
        self, corpus: Corpus, threshold: float, apart: frozenset[KeyPair], report: Report
    ) -> PairScan:
        self.started.set()
        try:
            while not self.gate.wait(0.01):
                report(1, 2)
        finally:
            self.ended.set()
        return scan_pairs(corpus, threshold, apart, report)


@asynccontextmanager
async def showing(
    action: str, folder: Path, stores: Mapping[str, Iterable[Memory]]
) -> AsyncIterator[OpenWindow]:
    """Open stores by name and show a page by its action."""
    paths = [store_of(folder / name, rows) for name, rows in stores.items()]
    async with open_window(stub_services(stub(), folder)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.window.actions_by_name[action].trigger()
        await opened.controller.settled()
        yield opened


def duplicates(
    folder: Path, stores: Mapping[str, Iterable[Memory]] | None = None
) -> AbstractAsyncContextManager[OpenWindow]:
    """Open stores by name and show their duplicates."""
    return showing("duplicates", folder, {"harbour": ROWS} if stores is None else stores)


def serving(opened: OpenWindow) -> DuplicatesController:
    """Return what serves the page."""
    controller = opened.controller.pages.of("duplicates")
    assert isinstance(controller, DuplicatesController)
    return controller


def groups(opened: OpenWindow) -> list[str]:
    """Return what a screen reader says of each group."""
    return spoken_rows(serving(opened).page.groups.list)


def members(opened: OpenWindow) -> set[str]:
    """Return the memories of the group that is open."""
    return set(uuids_of(serving(opened).page.members.list))


def named(*names: str) -> set[str]:
    """Return the uuids of memories by name."""
    return {uuid_of(name) for name in names}


def words(opened: OpenWindow) -> str:
    """Return the sentence above the groups."""
    return serving(opened).page.words.text()


async def open_group(opened: OpenWindow, name: str) -> None:
    """Choose the group that begins with a memory."""
    assert serving(opened).page.groups.select(uuid_of(name))
    await opened.controller.settled()


async def set_threshold(opened: OpenWindow, hundredths: int) -> None:
    """Move the slider."""
    serving(opened).page.slider.setValue(hundredths)
    await opened.controller.settled()


async def key(opened: OpenWindow, *keys: Qt.Key) -> None:
    """Press keys where the keyboard is and wait for the panes."""
    for one in keys:
        press_at_focus(opened.window, one)
        await opened.controller.settled()
