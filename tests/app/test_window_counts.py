"""Counts are totals, wherever they stand, however many rows a page or a list has room for."""

from pathlib import Path

from core.retrieval.literal import LITERAL_LIMIT
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store
from tests.support.window_stores import stub, stub_services

_LIVE, _REPLACED, _RETIRED = 560, 30, 20
_CUT = 23


def many(folder: Path) -> Path:
    """Make 610 memories of three states; the word `lighthouse` is in 23 of them."""
    rows = [
        Memory(f"live {n}", f"remark {n}", "lighthouse" if n < _CUT else "harbour")
        for n in range(_LIVE)
    ]
    rows += [Memory(f"replaced {n}", f"old remark {n}", by="live 0") for n in range(_REPLACED)]
    rows += [Memory(f"retired {n}", f"gone remark {n}", active=False) for n in range(_RETIRED)]
    return build_store(folder, rows)


def strip(opened: OpenWindow) -> str:
    return opened.window.status_strip.words()


async def test_a54_the_total_is_610_everywhere_and_split_by_state(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), many(tmp_path / "p")) as opened:
        said = "610 memories: 560 live · 30 replaced · 20 retired"
        assert said in strip(opened)
        assert opened.window.browse_view.heading() == "610 memories, newest first"
        assert opened.window.browse_view._model.rowCount() == 610
        assert 0 < len(opened.browse_rows()) < 610, "only the rows near the view are loaded"
        await opened.search("lighthouse")
        assert said in strip(opened)


async def test_a54_a_filtered_view_says_how_many_of_610(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), many(tmp_path / "p")) as opened:
        opened.controller.model.embedder = None
        outcome = await opened.search("lighthouse")
        heading = opened.window.hit_view._count.text()
        assert heading.startswith(f"{len(outcome.hits)} ranked of 610 memories")


async def test_a54_a_literal_list_longer_than_its_room_says_of_how_many(tmp_path: Path) -> None:
    project = many(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("remark")
        found = 610 - len({hit.uuid for hit in outcome.hits})
        assert found > LITERAL_LIMIT
        assert len(opened.literal_rows()) == LITERAL_LIMIT
        assert opened.window.literal_list._count.text() == f"{LITERAL_LIMIT} of {found} shown"
