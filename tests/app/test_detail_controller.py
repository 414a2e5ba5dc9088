"""The selected memory: read whole, explained from the list's own state of the store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.detail_controller import DetailController, Selected
from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.explain.explanation import Explanation, Verdict
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.store.location import locate
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.stores import STUB_MODEL, WIDTH, Memory, insert, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store

_LIMIT = 5


@dataclass
class Panels:
    """A view that keeps what it was told, in order."""

    said: list[str] = field(default_factory=list)
    selected: list[Selected] = field(default_factory=list)
    whole: list[Explanation] = field(default_factory=list)
    explained: list[Explanation] = field(default_factory=list)
    searches: list[tuple[SearchOutcome, tuple[Rung, ...]]] = field(default_factory=list)

    def show_selected(self, selected: Selected) -> None:
        """Keep a memory."""
        self.said.append(f"memory {selected.detail.head.gist}")
        self.selected.append(selected)

    def show_nothing_selected(self) -> None:
        """Keep that nothing is selected."""
        self.said.append("nothing")

    def show_explanation(self, explanation: Explanation) -> None:
        """Keep an explanation, the first look and the whole one apart."""
        if explanation.is_whole:
            self.whole.append(explanation)
        elif explanation.standing is not None:
            self.said.append(f"#{explanation.standing.position}")
            self.explained.append(explanation)

    def show_search(self, outcome: SearchOutcome, ladder: tuple[Rung, ...], limit: int) -> None:
        """Keep the explanation of a search."""
        self.searches.append((outcome, ladder))

    def show_no_explanation(self) -> None:
        """Keep that there is none."""
        self.said.append("not ranked")

    def show_detail_error(self, error: GenizahError) -> None:
        """Keep an error."""
        self.said.append(f"error: {error.code.value}")


@dataclass
class Reading:
    """A detail controller on an open store; `moved` counts the lists it asked for anew."""

    controller: DetailController
    panels: Panels
    store: OpenStore
    moved: list[int]

    async def of(self, uuid: str, outcome: SearchOutcome | None) -> None:
        """Select and wait."""
        self.controller.select(uuid, outcome)
        await self.controller.settled()

    async def search(self, text: str) -> SearchOutcome:
        """Search by words."""
        return await self.store.searcher.search(text, MeaningSide(None, "words only"))


@asynccontextmanager
async def reading(project: Path) -> AsyncIterator[Reading]:
    tasks, panels = TaskSet(), Panels()
    moved: list[int] = []
    store = await OpenStore.open(locate(project), {})
    controller = DetailController(panels, _LIMIT, lambda: moved.append(1))
    controller.use(store, tasks)
    try:
        yield Reading(controller, panels, store, moved)
    finally:
        await tasks.close()
        await store.aclose()


async def test_a_ranked_memory_comes_with_its_explanation_and_counts(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        await read.of(uuid_of("old"), outcome)
        assert read.panels.said == ["memory tide tables are printed on paper", "#3"]
        explanation = read.panels.explained[0]
        ladder = explanation.ladder
        assert explanation.outcome is outcome
        assert explanation.uuid == uuid_of("old")
        assert [(r.stage, r.remaining, r.holds) for r in ladder] == [
            ("all rows", 26, True),
            ("after state", 25, True),
        ]
        (selected,) = read.panels.selected
        assert [step.uuid for step in selected.successors] == [uuid_of("tide")]
        assert selected.detail.content == "asked at the desk"


async def test_a_memory_outside_the_list_is_shown_without_an_explanation(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        await read.of(uuid_of("bus"), outcome)
        await read.of(uuid_of("gone"), None)
        assert read.panels.said == [
            "memory the bus stops at the pier",
            "not ranked",
            "memory the tide gauge is broken",
            "not ranked",
        ]


async def test_a_memory_that_is_not_there_shows_nothing(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        await read.of(uuid_of("nobody"), None)
        assert read.panels.said == ["nothing"]


async def test_events_of_the_memory_come_newest_first(tmp_path: Path) -> None:
    async with reading(copy_project(DEMO_BUNDLE, tmp_path)) as read:
        outcome = await read.search("boarding pass base45")
        for hit in outcome.hits:
            await read.of(hit.uuid, outcome)
        numbers = [[event.id for event in s.events] for s in read.panels.selected]
        assert any(len(ids) > 1 for ids in numbers)
        assert all(ids == sorted(ids, reverse=True) for ids in numbers)
        for selected in read.panels.selected:
            assert {e.memory_uuid for e in selected.events} <= {selected.detail.head.uuid}


async def test_another_state_of_the_store_is_never_explained(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with reading(project) as read:
        outcome = await read.search("tide tables")
        with writing(project) as raw:
            insert(raw, [Memory("new", "tide tables")], STUB_MODEL, WIDTH)
        await read.of(uuid_of("tide"), outcome)
        assert (read.panels.said, read.moved) == ([], [1])
        again = await read.search("tide tables")
        await read.of(uuid_of("tide"), again)
        assert read.panels.explained[0].outcome is again
        assert read.panels.explained[0].ladder[0].remaining == 27


async def test_the_newest_selection_wins(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        for name in ("tide", "old", "ferry"):
            read.controller.select(uuid_of(name), outcome)
            await asyncio.sleep(0)
        await read.controller.settled()
        assert read.panels.said == ["memory the ferry waits for the tide", "#2"]


async def test_nothing_selected_ends_a_reading_under_way(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        read.controller.select(uuid_of("tide"), outcome)
        await asyncio.sleep(0)
        read.controller.select(None, None)
        await read.controller.settled()
        assert read.panels.said == ["nothing"]


async def test_the_same_memory_of_the_same_list_is_read_once(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        for _ in range(3):
            await read.of(uuid_of("tide"), outcome)
        assert len(read.panels.selected) == 1
        await read.of(uuid_of("tide"), await read.search("tide tables"))
        assert len(read.panels.selected) == 2


async def test_a_dropped_store_is_read_no_more(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        read.controller.drop()
        await read.of(uuid_of("tide"), None)
        assert set(read.panels.said) == {"nothing"}


async def test_any_memory_is_explained_against_the_list(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        for name in ("tide", "bus", "gone"):
            await read.of(uuid_of(name), outcome)
        assert [(e.uuid, e.verdict) for e in read.panels.whole] == [
            (uuid_of("tide"), Verdict.HIT),
            (uuid_of("bus"), Verdict.OUTSIDE_POOL),
            (uuid_of("gone"), Verdict.NOT_ELIGIBLE),
        ]
        assert all(e.outcome is outcome for e in read.panels.whole)


async def test_a_memory_outside_a_list_of_another_state_is_explained_with_the_next_one(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with reading(project) as read:
        outcome = await read.search("tide tables")
        with writing(project) as raw:
            insert(raw, [Memory("new", "tide tables")], STUB_MODEL, WIDTH)
        await read.of(uuid_of("bus"), outcome)
        assert (read.panels.whole, read.moved) == ([], [1])
        read.controller.again()
        await read.controller.settled()
        assert (read.panels.whole, read.moved) == ([], [1])
        again = await read.search("tide tables")
        await read.of(uuid_of("bus"), again)
        assert [e.outcome for e in read.panels.whole] == [again]


async def test_an_explanation_gives_way_to_typing(tmp_path: Path) -> None:
    async with reading(ferry_store(tmp_path)) as read:
        outcome = await read.search("tide tables")
        read.controller.select(uuid_of("bus"), outcome)
        async with read.store.database.search.snapshot():  # a search has the connection
            await until(lambda: "not ranked" in read.panels.said)
            read.controller.give_way()
        await read.controller.settled()
        assert (read.panels.whole, len(read.panels.selected)) == ([], 1)
