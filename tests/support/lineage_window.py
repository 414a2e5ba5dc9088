"""A window that shows the lineage of a small store: chain, merge, dead head, missing record."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.lineage.forest import Forest
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.window_stores import stub, stub_services
from widgets.lineage_page import Drawing, LineagePage

NOBODY_THERE = "deadbeef-0000-4000-8000-000000000000"
CHAIN = [
    Memory(
        f"c{n}",
        f"the ferry leaves at {n}",
        by=f"c{n + 1}" if n < 6 else None,
        created_at=f"2026-03-{n:02}T12:00:00+00:00",
    )
    for n in range(1, 7)
]
MERGE = [
    Memory("m", "twelve notes in one", created_at="2026-03-20T12:00:00+00:00"),
    *(
        Memory(f"m{n}", f"note {n}", by="m", created_at=f"2026-03-{n:02}T13:00:00+00:00")
        for n in range(1, 13)
    ),
]
DEAD = [
    Memory("d1", "the gauge was read by hand", by="d2"),
    Memory("d2", "the gauge is broken", active=False, created_at="2026-03-02T12:00:00+00:00"),
]
OTHERS = [Memory("x1", "replaced by nobody"), Memory("alone", "a pier"), *distractors(7)]
ROWS = [*CHAIN, *MERGE, *DEAD, *OTHERS]


@asynccontextmanager
async def lineage(folder: Path, rows: list[Memory] | None = None) -> AsyncIterator[OpenWindow]:
    """Open a store and show its lineage; one replacement is missing."""
    project = build_store(folder / "p", ROWS if rows is None else rows)
    with writing(project) as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        raw.execute(
            "UPDATE memory SET superseded_by = ?, active = 0 WHERE uuid = ?",
            (NOBODY_THERE, uuid_of("x1")),
        )
    async with open_window(stub_services(stub(), folder), project) as opened:
        opened.window.actions_by_name["lineage"].trigger()
        await opened.controller.settled()
        yield opened


def page_of(opened: OpenWindow) -> LineagePage:
    """Return the page of the lineage."""
    return opened.window.lineage_page


def drawing(opened: OpenWindow) -> Drawing:
    """Return what the page shows."""
    found = page_of(opened).drawing
    assert found is not None
    return found


def forest(opened: OpenWindow) -> Forest:
    """Return the forest that is shown."""
    return drawing(opened).content.forest


def node(opened: OpenWindow, name: str) -> int:
    """Return the node of a memory by name."""
    found = forest(opened).find(uuid_of(name))
    assert found is not None
    return found


def spoken_list(opened: OpenWindow) -> list[str]:
    """Return what a screen reader says of each row of the list."""
    model = page_of(opened).list.lanes
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.data(model.index(row), role)) for row in range(model.rowCount())]


async def show_memory(opened: OpenWindow, name: str) -> None:
    """Go to a memory by name, as another pane would."""
    opened.controller.selection.walk_to(uuid_of(name))
    await opened.controller.settled()


async def press(opened: OpenWindow, key: Qt.Key) -> None:
    """Press a key in the form on screen and wait for the panes."""
    QTest.keyClick(page_of(opened).focus_target(), key)
    await opened.controller.settled()
