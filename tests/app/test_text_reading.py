"""Reading the search text: once for each text, a long one in a thread, the newest alone."""

import threading
from pathlib import Path

import pytest

from app import search_controller, text_reading, window_view
from core.filters.parsing import ParsedSearch, parse
from tests.support.filtering import chips, said
from tests.support.open_window import open_window
from tests.support.window_stores import ferry_store, stub, stub_services

_LONG = "is:live " * 50_000


class _Parser:
    """Parses as the program does and notes what, and in which thread; it can be held."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.threads: list[threading.Thread] = []
        self.goes_on = threading.Event()
        self.goes_on.set()

    def __call__(self, text: str) -> ParsedSearch:
        self.texts.append(text)
        self.threads.append(threading.current_thread())
        self.goes_on.wait(20)
        return parse(text)


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> _Parser:
    parser = _Parser()
    for module in (search_controller, text_reading, window_view):
        monkeypatch.setattr(module, "parse", parser)
    return parser


async def test_a_text_is_read_once_for_chips_search_and_list(
    tmp_path: Path, parser: _Parser
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("is:live tide")
        parser.texts.clear()
        await opened.search("is:live ferry")
        opened.controller.search.again()
        await opened.controller.settled()
        assert parser.texts == ["is:live ferry"]


async def test_a_long_text_is_read_once_and_not_by_the_window(
    tmp_path: Path, parser: _Parser
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("tide")
        parser.texts.clear()
        parser.threads.clear()
        parser.goes_on.clear()
        opened.type(_LONG)
        assert said(opened) == "The text is being read for filters…"
        parser.goes_on.set()
        await opened.controller.settled()
        assert parser.texts == [_LONG]
        assert parser.threads != [threading.main_thread()]
        assert "this one has more than 10,000; take some out." in opened.page_text()
        assert said(opened) == "More than 10,000 filter values in the text."
        assert chips(opened) == ["is:live"] * 40


async def test_a_long_text_that_is_replaced_meanwhile_is_forgotten(
    tmp_path: Path, parser: _Parser
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        parser.goes_on.clear()
        opened.type(_LONG)
        opened.type(_LONG + "tide")
        opened.type(_LONG + "tides")
        parser.goes_on.set()
        await opened.controller.settled()
        assert _LONG + "tide" not in parser.texts, "it was not begun"
        opened.type(_LONG)
        await opened.search("is:live tide")
        assert chips(opened) == ["is:live"]
        assert said(opened) == ""
