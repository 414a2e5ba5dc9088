"""Marks come after the list, for the rows on screen first, and end with the next key."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from app.marks_controller import MarksController, TextMarks
from app.open_store import OpenStore
from app.tasks import TaskSet
from app.worker import Worker
from core.readmodels import ChainEnd
from core.retrieval.highlight import Spans
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.store.location import locate
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.wait import until


class Seen:
    """A view that notes what it is given."""

    def __init__(self) -> None:
        self.spans: list[Mapping[str, Spans]] = []
        self.equal: list[set[tuple[int, int]]] = []
        self.dead: list[frozenset[str]] = []
        self.texts: list[tuple[str, TextMarks]] = []
        self.in_view = (1, 10)

    def show_spans(self, spans: Mapping[str, Spans]) -> None:
        self.spans.append(spans)

    def fold_equal(self, equal: set[tuple[int, int]]) -> None:
        self.equal.append(equal)

    def show_ends(self, ends: Mapping[str, ChainEnd]) -> None:
        """Keep where the chains of the list end."""
        self.ends = dict(ends)

    def show_dead(self, dead: frozenset[str]) -> None:
        self.dead.append(dead)

    def show_text_marks(self, uuid: str, marks: TextMarks) -> None:
        self.texts.append((uuid, marks))

    def hits_in_view(self) -> tuple[int, int]:
        return self.in_view


@asynccontextmanager
async def marking(project: Path) -> AsyncIterator[tuple[MarksController, Seen, OpenStore]]:
    seen, worker, tasks = Seen(), Worker("marks"), TaskSet()
    store = await OpenStore.open(locate(project), {})
    controller = MarksController(seen, worker)
    controller.use(store, tasks)
    try:
        yield controller, seen, store
    finally:
        controller.drop()
        await tasks.close()
        worker.close()
        await store.aclose()


def piers(folder: Path, count: int = 45) -> Path:
    rows = [Memory(f"pier {n}", f"pier number {n}", f"text {n}", vectors=()) for n in range(count)]
    return build_store(folder / "p", rows)


async def searched(store: OpenStore, text: str) -> SearchOutcome:
    return await store.searcher.search(text, MeaningSide(None, "words only"))


async def test_the_rows_on_screen_are_marked_first(tmp_path: Path) -> None:
    async with marking(piers(tmp_path)) as (controller, seen, store):
        outcome = await searched(store, "pier")
        assert len(outcome.hits) == 45
        seen.in_view = (21, 30)
        controller.outcome_shown(outcome)
        await controller.settled()
        first = set(seen.spans[1])
        assert {h.uuid for h in outcome.hits[20:30]} <= first
        assert len(first) == 20
        assert set(seen.spans[-1]) == {h.uuid for h in outcome.hits}
        assert set(seen.spans[-1].values()) == {((0, 4),)}


async def test_the_next_key_ends_the_marking_and_frees_the_connection(tmp_path: Path) -> None:
    async with marking(piers(tmp_path)) as (controller, seen, store):
        controller.outcome_shown(await searched(store, "pier"))
        await until(lambda: len(seen.spans) >= 2)
        controller.stop_list()
        shown = len(seen.spans)
        outcome = await searched(store, "number")
        assert len(seen.spans) == shown, "the old list is not marked any further"
        controller.outcome_shown(outcome)
        await controller.settled()
        assert set(seen.spans[-1].values()) == {((5, 11),)}


async def test_the_same_list_is_marked_once_and_a_later_one_from_memory(tmp_path: Path) -> None:
    async with marking(piers(tmp_path)) as (controller, seen, store):
        outcome = await searched(store, "pier")
        controller.outcome_shown(outcome)
        await controller.settled()
        shown = len(seen.spans)
        controller.outcome_shown(outcome)
        await controller.settled()
        assert len(seen.spans) == shown
        controller.outcome_shown(await searched(store, "pier"))
        await controller.settled()
        assert len(seen.spans) == shown + 1, "all is known from before"
        assert len(seen.spans[-1]) == 45


async def test_a_list_of_a_store_that_has_moved_is_not_marked(tmp_path: Path) -> None:
    project = piers(tmp_path)
    async with marking(project) as (controller, seen, store):
        outcome = await searched(store, "pier")
        await controller.settled()
        with writing(project) as raw:
            raw.execute("UPDATE memory SET gist = 'another gist' WHERE rowid = 1")
        controller.outcome_shown(outcome)
        await controller.settled()
        assert seen.spans == [] and seen.equal == []


async def test_dead_ends_are_looked_up_once_for_each_state_of_the_store(tmp_path: Path) -> None:
    rows = [Memory("head", "head", active=False), Memory("old", "old", by="head")]
    project = build_store(tmp_path / "p", rows)
    async with marking(project) as (controller, seen, _store):
        for _ in range(3):
            controller.rows_shown()
            await controller.settled()
        assert seen.dead == [{uuid_of("head"), uuid_of("old")}]
        with writing(project) as raw:
            raw.execute("UPDATE memory SET active = 1 WHERE uuid = ?", (uuid_of("head"),))
        controller.rows_shown()
        await controller.settled()
        assert seen.dead[1:] == [frozenset()]
