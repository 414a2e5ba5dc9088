"""One model at a time, loaded in a worker: ready, missing, replaced; never on the event loop."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from app.model_controller import NO_MODEL_YET, ModelController, ModelState
from app.tasks import TaskSet
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.notices import Notice, NoticeCode
from core.retrieval.encoder import Encoder
from core.retrieval.searcher import MeaningSide
from tests.support.gated_encoder import GatedEncoder
from tests.support.stub_encoder import StubEncoder
from tests.support.wait import until
from tests.support.watch import Watch

_REFUSAL = Notice(NoticeCode.WIDTH_MISMATCH, "Meaning search off: the table has 8.")


class Loader:
    """Load stub encoders by the number in their name; note order and threads; hold some back."""

    def __init__(self) -> None:
        self.loaded: list[str] = []
        self.threads: set[str] = set()
        self.gates: dict[str, threading.Event] = {}

    def __call__(self, model: str) -> Encoder:
        self.threads.add(threading.current_thread().name)
        self.loaded.append(model)
        if model in self.gates:
            assert self.gates[model].wait(10)
        if model.startswith("bad"):
            code = ErrorCode(model.removeprefix("bad/"))
            raise GenizahError(code, f"{model} cannot be used.")
        return StubEncoder(int(model.removeprefix("wide/")))


@asynccontextmanager
async def controller(load: Callable[[str], Encoder]) -> AsyncIterator[ModelController]:
    tasks, worker = TaskSet(), Worker("model")
    try:
        yield ModelController(load, tasks, worker)
    finally:
        await tasks.close()
        worker.close()


async def test_a_model_is_loaded_in_the_worker_and_told_about() -> None:
    load = Loader()
    async with controller(load) as model:
        told: list[ModelState] = []
        model.changed = lambda: told.append(model.state)
        assert (await model.side("tide", "")).reason == "no store is open"
        model.use("wide/16", 16, None)
        assert (model.state, model.reason, model.may_come) == (
            ModelState.LOADING,
            NO_MODEL_YET,
            True,
        )
        await model.settled()
        side = await model.side("tide", "")
        assert side.dense is not None
        assert len(side.dense.vector) == 64
        assert told == [ModelState.LOADING, ModelState.READY]
        assert load.threads == {"model"}


async def test_the_same_text_is_embedded_once_and_off_the_loop() -> None:
    encoder = GatedEncoder(StubEncoder(16))
    async with controller(lambda _model: encoder) as model:
        model.use("any", 16, None)
        await model.settled()
        first = await model.side("tide", "as a question: ")
        assert model.embedder is not None
        assert model.embedder.cached("tide", "as a question: ") is first.dense
        assert model.embedder.cached("tide", "") is None
        await model.side("tide", "as a question: ")
        assert encoder.calls == ["as a question: tide"]
        assert encoder.threads == {"model"}


@pytest.mark.parametrize(
    ("code", "notice"),
    [
        ("no_artifact", NoticeCode.NO_ARTIFACT),
        ("artifact_damaged", NoticeCode.ENCODER_FAILED),
        ("encoder_failed", NoticeCode.ENCODER_FAILED),
    ],
)
async def test_a_model_that_cannot_be_had_is_a_reason_and_a_notice(
    code: str, notice: NoticeCode
) -> None:
    async with controller(Loader()) as model:
        model.use(f"bad/{code}", 16, None)
        await model.settled()
        assert (model.state, model.may_come) == (ModelState.MISSING, False)
        assert model.notice == Notice(notice, f"Meaning search off: bad/{code} cannot be used.")
        side = await model.side("tide", "")
        assert (side.dense, side.reason) == (None, f"bad/{code} cannot be used.")


async def test_a_model_of_another_width_is_not_used() -> None:
    async with controller(Loader()) as model:
        model.use("wide/8", 16, None)
        await model.settled()
        assert (await model.side("tide", "")).reason == (
            "the model is 8 wide, the store 16 (8 ≠ 16)."
        )
        assert model.notice is not None
        assert model.notice.code is NoticeCode.WIDTH_MISMATCH


async def test_a_store_that_rules_meaning_out_loads_no_model() -> None:
    load = Loader()
    async with controller(load) as model:
        model.use("wide/16", 16, _REFUSAL)
        await model.settled()
        assert (model.state, model.notice) == (ModelState.MISSING, _REFUSAL)
        assert model.reason == "the table has 8."
        model.use("wide/16", 16, None)
        await model.settled()
        assert (model.state, model.notice, load.loaded) == (ModelState.READY, None, ["wide/16"])


async def test_a_loaded_model_serves_the_next_store_of_the_same_kind() -> None:
    load = Loader()
    async with controller(load) as model:
        for width in (16, 16, 24, 16):
            model.use("wide/16", width, None)
            await model.settled()
            ready = ModelState.READY if width == 16 else ModelState.MISSING
            assert model.state is ready
        assert len(load.loaded) == 2  # once for each width asked for; what is loaded is kept


async def test_a_model_that_is_not_wanted_any_more_never_arrives() -> None:
    load = Loader()
    gate = load.gates["wide/8"] = threading.Event()
    async with controller(load) as model:
        told: list[tuple[ModelState, str]] = []
        model.changed = lambda: told.append((model.state, model.reason))
        model.use("wide/8", 8, None)
        await until(lambda: load.loaded)
        model.use("wide/16", 16, None)
        gate.set()
        await model.settled()
        assert model.embedder is not None
        assert model.embedder.facts.width == 16
        assert told == [(ModelState.LOADING, NO_MODEL_YET)] * 2 + [(ModelState.READY, "")]


async def test_a_text_whose_turn_has_not_come_is_dropped_when_it_is_cancelled() -> None:
    encoder = GatedEncoder(StubEncoder(16))
    gate = encoder.hold("slow")
    async with controller(lambda _model: encoder) as model:
        model.use("any", 16, None)
        await model.settled()
        slow = asyncio.ensure_future(model.side("slow", ""))
        await until(lambda: encoder.calls)
        dropped = [asyncio.ensure_future(model.side(f"old {n}", "")) for n in range(5)]
        await asyncio.sleep(0)
        for task in (slow, *dropped):
            task.cancel()
        newest = asyncio.ensure_future(model.side("new", ""))
        await asyncio.wait({slow, *dropped})
        gate.set()
        assert (await newest).dense is not None
        assert encoder.calls == ["slow", "new"]


async def test_a_model_that_fails_on_a_text_is_a_reason_for_that_text_alone() -> None:
    encoder = GatedEncoder(StubEncoder(16))
    encoder.fail("tide")
    async with controller(lambda _model: encoder) as model:
        model.use("any", 16, None)
        await model.settled()
        assert await model.side("tide", "") == MeaningSide(None, "The model failed on 'tide'.")
        assert (await model.side("bus", "")).dense is not None
        assert model.state is ModelState.READY


async def test_a_prefix_without_room_is_an_error_to_be_shown() -> None:
    async with controller(Loader()) as model:
        model.use("wide/16", 16, None)
        await model.settled()
        with pytest.raises(GenizahError, match="embed_prefix_query") as caught:
            await model.side("tide", "word " * 60)
        assert caught.value.code is ErrorCode.BAD_CONFIG


async def test_a_load_that_breaks_is_reported_and_nobody_waits_for_it(watch: Watch) -> None:
    def breaks(_model: str) -> Encoder:
        raise RuntimeError("a wheel came off")

    watch.expect_loop_error("'model load' failed.*a wheel came off")
    async with controller(breaks) as model:
        model.use("any", 16, None)
        await asyncio.wait_for(model.settled(), 10)
        assert (model.state, model.may_come) == (ModelState.MISSING, False)
        assert model.notice is not None
        assert model.notice.code is NoticeCode.ENCODER_FAILED
        assert "a wheel came off" in ((await model.side("tide", "")).reason or "")


async def test_a_load_that_breaks_too_late_does_not_settle_the_next_one() -> None:
    load = Loader()
    gate = load.gates["bad/not a code"] = threading.Event()
    async with controller(load) as model:
        model.use("bad/not a code", 8, None)
        await until(lambda: load.loaded)
        model.use("wide/16", 16, None)
        gate.set()
        await model.settled()
        assert model.state is ModelState.READY
