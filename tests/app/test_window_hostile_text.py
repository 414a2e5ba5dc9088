"""Stored text in the real window: nothing is loaded, nothing opens by itself, nothing freezes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.link_dialog import LinkDialog
from widgets.stored_text import LONGEST_LINE
from widgets.stored_text_view import HEAD_CHARACTERS

LINKS = "[a](file:///home/u/notes.txt) [c](javascript:1) [d](https://example.org/a?b=1)"


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[int, list[str]]]:
    """Serve on a free port of this machine; yield it and the list of who came."""
    came: list[str] = []

    async def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append("someone")
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], came
    finally:
        server.close()
        await server.wait_closed()


async def show_everywhere(opened: OpenWindow, uuid: str) -> None:
    """Put a memory into every list, the detail, its facts and the explanation."""
    opened.window.browse_view.select(uuid)
    await opened.controller.settled()
    await opened.search("picture")
    await opened.select(uuid)
    opened.window.detail_panel.tabs.setCurrentIndex(1)
    opened.window.grab()
    opened.window.detail_panel.tabs.setCurrentIndex(0)
    opened.window.grab()


async def test_a47_looking_at_pictures_in_a_text_asks_nobody_for_them(tmp_path: Path) -> None:
    async with listening() as (port, came):
        web = f"http://127.0.0.1:{port}/p.png?u=1"
        text = f"picture ![x]({web}) <img src='{web}'> ![y](file:///home/u/local.png) ![z](//h/s/a)"
        project = build_store(tmp_path / "p", [Memory("a", text, text), *distractors(3)])
        async with open_window(stub_services(stub(), tmp_path), project) as opened:
            await show_everywhere(opened, uuid_of("a"))
            assert opened.window.detail_panel.text.toPlainText() == text
            assert opened.window.detail_panel.title.toPlainText() == text
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await reader.read()  # the server has dealt with everyone before us
        writer.close()
        assert came == ["someone"], "only the test itself came"


async def test_a48_an_address_opens_only_after_its_whole_target_was_confirmed(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", [Memory("a", "links", LINKS), *distractors(3)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        asked_for: list[QUrl] = []
        opened.controller.links.open_url = asked_for.append
        await opened.search("links")
        await opened.select(uuid_of("a"))
        cases: list[tuple[bool, list[str]]] = [(False, []), (True, ["https://example.org/a?b=1"])]
        for answer, expected in cases:
            opened.window.detail_panel.text.link_wanted.emit("https://example.org/a?b=1")
            await until(dialogs)
            (dialog,) = dialogs()
            assert dialog.target.toPlainText() == "https://example.org/a?b=1"
            assert "example.org" in dialog.where.text()
            assert asked_for == []
            if answer:
                dialog.open_button.click()
            else:
                dialog.reject()
            await until(partial(is_answered, asked_for, len(expected)))
            assert [url.toString() for url in asked_for] == expected


def is_answered(opened: list[QUrl], number: int) -> bool:
    return not dialogs() and len(opened) == number


@pytest.mark.parametrize("address", ["file:///home/u/notes.txt", "javascript:1", "smb://x/y"])
async def test_a48_other_addresses_are_inert(tmp_path: Path, address: str) -> None:
    project = build_store(tmp_path / "p", [Memory("a", "links", LINKS), *distractors(3)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        view = opened.window.detail_panel.text
        await opened.search("links")
        await opened.select(uuid_of("a"))
        for offset in range(len(LINKS)):
            cursor = view.textCursor()
            cursor.setPosition(offset)
            view.setTextCursor(cursor)
            found = view.link_near(None)
            assert found in (None, "https://example.org/a?b=1")
        view.link_wanted.emit(address)
        await opened.controller.settled()
        assert dialogs() == []


def dialogs() -> list[LinkDialog]:
    top = QApplication.topLevelWidgets()
    return [w for w in top if isinstance(w, LinkDialog) and w.isVisible()]


@pytest.mark.parametrize("piece", ["word ", "x"])
async def test_a_line_of_two_megabytes_opens_by_its_head_and_shows_all_on_request(
    tmp_path: Path, piece: str
) -> None:
    content = piece * (2_000_000 // len(piece))
    project = build_store(tmp_path / "p", [Memory("a", "long", content), *distractors(3)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("long")
        await opened.select(uuid_of("a"))
        panel = opened.window.detail_panel
        assert panel.text.rest == 2_000_000 - HEAD_CHARACTERS
        assert panel._show_all.isVisible()
        longest = max(len(line) for line in panel.text.toPlainText().split("\n"))
        assert longest <= LONGEST_LINE, "Qt lays out a line at a time"
        panel._show_all.click()
        assert panel.text.rest == 0 and not panel._show_all.isVisible()
        panel._copy_text.click()
        assert QApplication.clipboard().text() == content


async def test_a49_a50_every_place_shows_the_text_as_it_is_stored(tmp_path: Path) -> None:
    gist = "picture <b>List&lt;String&gt;</b> pay\u200bpal \u202eylno"
    shown = "picture <b>List&lt;String&gt;</b> pay⟨U+200B⟩pal ⟨U+202E⟩ylno"
    project = build_store(tmp_path / "p", [Memory("a", gist, gist), *distractors(3)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_everywhere(opened, uuid_of("a"))
        model = opened.window.hit_view.list.model()
        rows = [str(model.data(model.index(r, 0))) for r in range(model.rowCount())]
        assert shown in rows
        assert opened.window.detail_panel.title.toPlainText() == shown
        assert opened.window.detail_panel.text.toPlainText() == shown
        assert "hidden characters" in opened.window.detail_panel.badges.badges
        opened.window.detail_panel._copy_gist.click()
        assert QApplication.clipboard().text() == gist
