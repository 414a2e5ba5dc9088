"""Pages that stand in place of the lists, in a window: opened, read and walked as a person does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.audit_controller import AuditController
from app.timeline_controller import TimelineController
from tests.support.event_logs import LogOf
from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.several import store_of
from tests.support.stores import Memory
from tests.support.window_stores import stub, stub_services
from widgets.audit_page import AuditPage
from widgets.found_list import FoundList
from widgets.row_content import RowContent
from widgets.row_model import ROW_ROLE
from widgets.timeline_page import TimelinePage

HARBOUR = [
    Memory("ferry", "the ferry waits for the tide", created_at="2026-03-01T08:10:00+00:00"),
    Memory("tide", "tide tables come by post", created_at="2026-03-01T08:50:00+00:00"),
    Memory("old", "tide tables are printed", by="tide", created_at="2026-03-02T09:00:00+00:00"),
    Memory("gone", "the gauge is broken", active=False, created_at="2026-03-09T09:00:00+00:00"),
    Memory("bus", "the bus stops at the pier", created_at="2026-03-20T23:59:59.9+00:00"),
]
GARDEN = [
    Memory("rose", "roses want sun", created_at="2026-03-02T10:00:00+00:00"),
    Memory("fern", "ferns want shade", created_at="2026-03-21T00:00:00+00:00"),
]


def harbour_log() -> LogOf:
    """Two sessions: one is shown the same thing thrice and changes another, one only looks.

    Event n is n seconds after noon of 2026-03-01.
    """
    log = LogOf()
    log.prompt("morning", "ferry", "old", "tide", superseded=("old",))  # 0 to 3
    log.did("morning", "fetch", "ferry")  # 4
    log.prompt("morning", "ferry", "gone", "bus")  # 5 to 8
    log.did("morning", "retire", "gone")  # 9
    log.did("morning", "search", None)  # 10
    log.prompt("evening", "bus", "nobody")  # 11 to 13
    log.prompt("evening", "bus")  # 14, 15
    return log


@asynccontextmanager
async def harbour(folder: Path, *, with_garden: bool = False) -> AsyncIterator[OpenWindow]:
    """Open a window on the harbour, and on the garden where wanted; the harbour is in front."""
    paths = [store_of(folder / "harbour", HARBOUR)]
    harbour_log().write(paths[0])
    if with_garden:
        paths.append(store_of(folder / "garden", GARDEN))
        log = LogOf()
        log.prompt("night", "rose")
        log.write(paths[1])
    async with open_window(stub_services(stub(), folder)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        yield opened


async def show_page(opened: OpenWindow, name: str) -> None:
    """Turn to a page and wait until it is read."""
    opened.window.actions_by_name[name].trigger()
    await opened.controller.settled()


def audit_page(opened: OpenWindow) -> AuditPage:
    """Return the page of what the agent was shown."""
    controller = opened.controller.pages.of("audit")
    assert isinstance(controller, AuditController)
    return controller.page


def timeline_page(opened: OpenWindow) -> TimelinePage:
    """Return the timeline."""
    controller = opened.controller.pages.of("timeline")
    assert isinstance(controller, TimelineController)
    return controller.page


def contents(found: FoundList) -> list[RowContent]:
    """Return the rows of a list as they are painted."""
    model = found.table.model()
    rows = [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]
    return [row for row in rows if isinstance(row, RowContent)]


def told(found: FoundList) -> list[tuple[str, str]]:
    """Return gist and second line of each row of a list."""
    return [(content.gist, content.detail) for content in contents(found)]


def spoken(found: FoundList) -> list[str]:
    """Return what a screen reader says of each row of a list."""
    return spoken_rows(found.table)
