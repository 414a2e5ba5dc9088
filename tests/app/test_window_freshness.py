"""The watch as it really runs: a foreign commit is everywhere on screen after the next look."""

from pathlib import Path

import pytest

from app.live_controller import LiveController
from app.open_store import OpenStore
from app.store_watcher import POLL_S
from core.store.watch import StoreNews
from tests.support.freshness import Retirement, retire, select_live
from tests.support.open_window import open_window
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services


@pytest.mark.parametrize("text", ["", "tide tables"])
async def test_a55_list_counts_and_panels_agree_after_the_next_look(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert POLL_S <= 0.25, "or a large store is not read anew within a second"
    looks: list[StoreNews] = []
    act = LiveController.on_news

    async def noted(live: LiveController, store: OpenStore, news: StoreNews) -> None:
        looks.append(news)
        await act(live, store, news)

    monkeypatch.setattr(LiveController, "on_news", noted)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type(text)
        await opened.settled()
        uuid = select_live(opened)
        await opened.settled()
        expected = Retirement.of_selected(opened)
        assert not expected.is_everywhere()
        looks.clear()
        retire(project, uuid)
        await until(expected.is_everywhere)
        # One look may have been under way when the commit came.
        assert StoreNews.COMMITTED in looks[:2]
