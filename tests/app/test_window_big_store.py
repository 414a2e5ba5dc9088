"""100,000 small memories and 200 large ones: the list loads heads near the viewport, no content."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from core.retrieval.searcher import MeaningSide, Searcher
from core.settings import RetrievalSettings
from core.store import memories
from core.store.connection import Connection
from core.store.database import Database
from core.store.location import locate
from tests.support.big_store import LARGE, SMALL, big_store
from tests.support.open_window import open_window
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.browse_model import PAGE

type Column = tuple[str, str]

# SQLite's own numbers; the driver does not export them.
_SQLITE_READ = 20
_SQLITE_OK = 0


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield big_store(tmp_path_factory.mktemp("big"))


async def note_reads(connection: Connection) -> set[Column]:
    """Return a set that fills with every (table, column) the connection reads from now on."""
    seen: set[Column] = set()

    def note(action: int, table: str | None, column: str | None, *_rest: object) -> int:
        if action == _SQLITE_READ and table and column:
            seen.add((table, column))
        return _SQLITE_OK

    inner = connection._inner
    # On the connection's own thread, as the driver demands.
    await inner._execute(inner._conn.set_authorizer, note)  # type: ignore[no-untyped-call]  # private
    return seen


@pytest.mark.timeout(180)
async def test_a56_no_list_reads_a_content(project: Path) -> None:
    database = await Database.open(locate(project))
    browse = await note_reads(database.browse.connection)
    search = await note_reads(database.search.connection)
    async with database.browse.snapshot() as connection:
        rowids = await memories.rowids_newest_first(connection)
        counts = await memories.counts(connection)
        heads = await memories.heads_by_rowid(connection, rowids[:PAGE])
        assert await memories.newest_heads(connection, PAGE + 1) == heads
    searcher = Searcher(database, RetrievalSettings())
    outcome = await searcher.search("harbour 77", MeaningSide(None, "words only"))
    await database.close()
    assert counts.total == len(rowids) == SMALL + LARGE
    assert len(heads) == PAGE
    assert outcome.hits
    for seen in (browse, search):
        assert ("memory", "gist") in seen, "the authorizer has seen the lists being read"
        assert ("memory", "content") not in seen


@pytest.mark.timeout(180)
async def test_a56_the_window_asks_for_the_rows_it_shows_and_makes_no_widget_for_them(
    project: Path, tmp_path: Path
) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        asked: list[int] = []
        opened.window.browse_view.page_wanted.connect(lambda rowids: asked.append(len(rowids)))
        widgets = len(opened.window.browse_view.findChildren(QLabel))
        await opened.open(project)
        view = opened.window.browse_view
        assert view.heading() == "100,200 memories, newest first"
        assert sum(asked) <= PAGE
        assert 0 < len(opened.browse_rows()) <= PAGE
        await until(lambda: view._model.is_complete)
        view.table.scrollToBottom()
        last = view._model.index(SMALL + LARGE - 1)
        await until(lambda: last.data() == "memory number 1 of the harbour")
        assert 0 < sum(asked) <= 3 * PAGE
        assert len(view.findChildren(QLabel)) == widgets


@pytest.mark.timeout(180)
async def test_the_first_page_is_shown_before_the_order_of_all_rows_is_read(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordering, may_order = asyncio.Event(), asyncio.Event()
    read_order = memories.rowids_newest_first

    async def held(connection: Connection) -> list[int]:
        ordering.set()
        await may_order.wait()
        return await read_order(connection)

    monkeypatch.setattr(memories, "rowids_newest_first", held)
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_path(project)
        await ordering.wait()
        await until(lambda: opened.page() == "browse")
        view, shown = opened.window.browse_view, opened.browse_rows()
        assert len(shown) == PAGE
        assert view.heading() == "100,200 memories, newest first"
        may_order.set()
        await until(lambda: view._model.is_complete)
        assert opened.browse_rows() == shown
