"""The search in flight: what is asked when, what is dropped, what is interrupted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.model_controller import ModelController
from app.open_store import OpenStore
from app.search_controller import Request, SearchController
from app.tasks import TaskSet
from app.worker import Worker
from core.errors import GenizahError
from core.federation.outcome import FederatedOutcome
from core.retrieval.eligibility import Narrowing
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide, Searcher
from core.store.location import locate
from tests.support.gated_encoder import GatedEncoder
from tests.support.stores import STUB_MODEL, WIDTH, Memory, insert, uuid_of, writing
from tests.support.wait import until
from tests.support.watch import Watch
from tests.support.window_stores import ferry_store, stub

_LONG_SQL = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"


@dataclass
class Shown:
    """A view that keeps what it was told, in order."""

    said: list[str] = field(default_factory=list)
    outcomes: list[SearchOutcome] = field(default_factory=list)
    literal: list[LiteralMatches] = field(default_factory=list)
    errors: list[GenizahError] = field(default_factory=list)

    def show_outcome(self, outcome: SearchOutcome, *, refining: bool) -> None:
        """Keep an outcome."""
        kind = "words" if refining else "whole" if outcome.dense.ran else "words only"
        self.said.append(f"{outcome.query.text}: {kind}")
        self.outcomes.append(outcome)

    def show_found(self, found: FederatedOutcome, *, refining: bool) -> None:
        """Refuse what this view is not for: one store is searched."""
        raise NotImplementedError(found)

    def show_literal(self, matches: LiteralMatches) -> None:
        """Keep matches."""
        self.literal.append(matches)

    def show_searching(self) -> None:
        """Keep that a search takes long."""
        self.said.append("searching")

    def show_search_cancelled(self) -> bool:
        """Keep that the search was cancelled; the list on screen stays."""
        self.said.append("cancelled")
        return True

    def show_looking(self) -> None:
        """Say nothing: the matches are what is kept."""

    def show_looking_ended(self) -> None:
        """Keep that looking was ended."""
        self.said.append("looking ended")

    def show_browse(self) -> None:
        """Keep that all memories were to be shown."""
        self.said.append("browse")

    def show_search_error(self, error: GenizahError) -> None:
        """Keep an error."""
        self.said.append(f"error: {error.code.value}")
        self.errors.append(error)

    def show_search_fault(self, error: GenizahError) -> None:
        """Keep an error that leaves no list."""
        self.said.append(f"no list: {error.message}")


@dataclass
class Search:
    """A search controller with all that it needs."""

    controller: SearchController
    model: ModelController
    view: Shown
    store: OpenStore
    tasks: TaskSet

    async def of(self, text: str, *, include_retired: bool = False) -> None:
        """Ask and wait for everything that comes."""
        self.controller.ask(Request(text, include_retired))
        await self.controller.settled()


@asynccontextmanager
async def searching(
    project: Path, encoder: GatedEncoder, *, model: bool = True
) -> AsyncIterator[Search]:
    """Open a store and search it; with the model loaded unless told otherwise."""
    tasks, worker, view = TaskSet(), Worker("model"), Shown()
    store = await OpenStore.open(locate(project), {})
    models = ModelController(lambda _model: encoder, tasks, worker)
    controller = SearchController(view, models)
    try:
        if model:
            models.use(STUB_MODEL, WIDTH, None)
            await models.settled()
        controller.use(store, tasks)
        await controller.settled()
        view.said.clear()
        yield Search(controller, models, view, store, tasks)
    finally:
        await tasks.close()
        worker.close()
        await store.aclose()


async def test_only_the_last_of_a_burst_is_searched(tmp_path: Path) -> None:
    encoder = stub()
    async with searching(ferry_store(tmp_path), encoder) as search:
        for text in ("t", "ti", "tid", "tide", "tid", "ti"):
            search.controller.ask(Request(text))
        await search.controller.settled()
        assert search.view.said == ["ti: words", "ti: whole"]
        assert encoder.calls == ["ti"]


async def test_a_text_typed_over_within_the_pause_is_never_embedded(tmp_path: Path) -> None:
    encoder = stub()
    async with searching(ferry_store(tmp_path), encoder) as search:
        search.controller.ask(Request("tide"))
        await until(lambda: search.view.said)
        await search.of("ferry")
        assert search.view.said == ["tide: words", "ferry: words", "ferry: whole"]
        assert encoder.calls == ["ferry"]


async def test_words_do_not_wait_for_a_model_that_is_loading(tmp_path: Path) -> None:
    async with searching(ferry_store(tmp_path), stub(), model=False) as search:
        await search.of("tide")
        assert search.view.said == ["tide: words only"]
        search.view.said.clear()
        search.model.use(STUB_MODEL, WIDTH, None)
        await search.of("ferry")
        assert search.view.said == ["ferry: words", "ferry: whole"]


async def test_the_scope_goes_into_the_search(tmp_path: Path) -> None:
    async with searching(ferry_store(tmp_path), stub()) as search:
        await search.of("gauge")
        await search.of("gauge", include_retired=True)
        found = [{h.uuid for h in o.hits} for o in search.view.outcomes]
        assert uuid_of("gone") not in found[1]
        assert uuid_of("gone") in found[-1]
        assert search.view.said[2:] == ["gauge: whole"]


async def test_a_slow_statement_is_interrupted_by_the_next_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()
    plain = Searcher.search

    async def slow(
        searcher: Searcher,
        text: str,
        side: MeaningSide,
        *,
        include_retired: bool = False,
        narrowed: Narrowing | None = None,
    ) -> SearchOutcome:
        if text == "slow":
            async with searcher._database.search.snapshot() as connection:
                started.set()
                await connection.rows(_LONG_SQL)  # would go on for ever
        return await plain(
            searcher, text, side, include_retired=include_retired, narrowed=narrowed
        )

    monkeypatch.setattr(Searcher, "search", slow)
    async with searching(ferry_store(tmp_path), stub()) as search:
        search.controller.ask(Request("slow"))
        await started.wait()
        await search.of("tide")
        assert search.view.said == ["tide: words", "tide: whole"]
        assert search.view.errors == []


async def test_nothing_is_shown_of_a_store_that_was_dropped(tmp_path: Path) -> None:
    encoder = stub()
    gate = encoder.hold("tide")
    async with searching(ferry_store(tmp_path), encoder) as search:
        search.controller.ask(Request("tide"))
        await until(lambda: encoder.calls)
        search.controller.drop()
        gate.set()
        await search.controller.settled()
        await search.of("ferry")
        assert search.view.said == ["tide: words"]


async def test_what_was_typed_before_the_store_was_open_is_searched_then(tmp_path: Path) -> None:
    async with searching(ferry_store(tmp_path), stub()) as search:
        search.controller.drop()
        await search.of("tide")
        assert search.view.said == []
        search.controller.use(search.store, search.tasks)
        await search.controller.settled()
        assert search.view.said == ["tide: words", "tide: whole"]


async def test_again_sees_what_the_agent_has_written_since(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with searching(project, stub()) as search:
        await search.of("tide")
        with writing(project) as raw:
            insert(raw, [Memory("new", "tide tide")], STUB_MODEL, WIDTH)
        search.controller.again()
        await search.controller.settled()
        assert search.view.outcomes[-1].hit(uuid_of("new")) is not None
        assert search.view.outcomes[-1].data_version != search.view.outcomes[0].data_version


async def test_the_literal_list_comes_after_the_ranked_one_and_never_repeats_it(
    tmp_path: Path,
) -> None:
    encoder = stub()
    encoder.fail("tide")
    async with searching(ferry_store(tmp_path), encoder) as search:
        await search.of("tide")
        ranked = {h.uuid for h in search.view.outcomes[-1].hits}
        last = search.view.literal[-1]
        assert last.complete
        assert {m.head.uuid for m in last.matches} == {uuid_of("gone"), uuid_of("glued")}
        assert not ranked & {m.head.uuid for m in last.matches}


async def test_everyone_is_told_after_each_change_of_the_lists(tmp_path: Path) -> None:
    async with searching(ferry_store(tmp_path), stub()) as search:
        seen: list[int] = []
        search.controller.shown = lambda: seen.append(len(search.view.said))
        await search.of("tide")
        await search.of("  ")
        (tmp_path / ".zikaron" / "memory.db").rename(tmp_path / "aside.db")
        await search.of("bus")
        assert search.view.said == ["tide: words", "tide: whole", "browse", "error: store_changed"]
        assert sorted(set(seen)) == [1, 2, 3, 4]


async def test_a_search_that_breaks_leaves_no_list_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    plain = Searcher.search

    async def breaks(
        searcher: Searcher,
        text: str,
        side: MeaningSide,
        *,
        include_retired: bool = False,
        narrowed: Narrowing | None = None,
    ) -> SearchOutcome:
        if text == "bus":
            raise RuntimeError("a wheel came off")
        return await plain(
            searcher, text, side, include_retired=include_retired, narrowed=narrowed
        )

    monkeypatch.setattr(Searcher, "search", breaks)
    watch.expect_loop_error("'search' failed.*a wheel came off")
    async with searching(ferry_store(tmp_path), stub()) as search:
        await search.of("tide")
        await search.of("bus")
        (said,) = search.view.said[2:]
        assert said.startswith("no list: ") and "RuntimeError: a wheel came off" in said
        await search.of("ferry")
        assert search.view.said[3:] == ["ferry: words", "ferry: whole"]


async def test_a_dropped_search_that_breaks_does_not_touch_the_newer_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    plain, started = Searcher.search, asyncio.Event()

    async def breaks(
        searcher: Searcher,
        text: str,
        side: MeaningSide,
        *,
        include_retired: bool = False,
        narrowed: Narrowing | None = None,
    ) -> SearchOutcome:
        if text != "slow":
            return await plain(
                searcher, text, side, include_retired=include_retired, narrowed=narrowed
            )
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError("while it was dropped")

    monkeypatch.setattr(Searcher, "search", breaks)
    watch.expect_loop_error("while it was dropped")
    async with searching(ferry_store(tmp_path), stub()) as search:
        search.controller.ask(Request("slow"))
        await started.wait()
        await search.of("tide")
        assert search.view.said == ["tide: words", "tide: whole"]
