"""The embedding model of the open store: loaded in a worker after the first paint, or the reason
why there is none. Query texts are embedded in the same worker, never on the event loop.
"""

import asyncio
from collections.abc import Callable
from enum import StrEnum

from app.model_shelf import ModelShelf
from app.patience import after_a_while
from app.tasks import TaskSet
from app.unforeseen import PutRight
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.notices import Notice, NoticeCode
from core.retrieval.embedder import QueryEmbedder
from core.retrieval.encoder import Encoder
from core.retrieval.searcher import MeaningSide

NO_MODEL_YET = "the model is loading"
SWITCHED_OFF = "it is switched off in the preferences."
CANCELLED = "you cancelled the loading of its model."
_OFF = "Meaning search off: "


class ModelState(StrEnum):
    """Where the model of the open store stands."""

    NONE = "none"
    LOADING = "loading"
    READY = "ready"
    MISSING = "missing"


class ModelController:
    """Load one model at a time; tell through `changed` whenever the state does."""

    def __init__(
        self, load: Callable[[str], Encoder], tasks: TaskSet, worker: Worker
    ) -> None:
        self._load = load
        self._tasks = tasks
        self._worker = worker
        self.shelf = ModelShelf(load, tasks, worker)
        """The models of all open stores."""
        self._loading: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._served: tuple[str, int] | None = None
        self._wanted: tuple[str, int, Notice | None] | None = None
        self._is_allowed = True
        self.state = ModelState.NONE
        self.embedder: QueryEmbedder | None = None
        self.reason = "no store is open"
        self.notice: Notice | None = None
        self.error: GenizahError | None = None
        """Why the last load failed, where it did."""
        self.changed: Callable[[], None] = lambda: None
        self.is_slow = False
        """Whether a load is waited for that takes long."""
        self.took_long: Callable[[], None] = lambda: None
        """Called when it does."""
        self.is_cancelled = False
        """Whether the person ended the load of this model; it is not loaded by itself."""
        self._abandoned: QueryEmbedder | None = None

    @property
    def may_come(self) -> bool:
        """Tell whether a query vector can be had now or soon."""
        return self.state in (ModelState.LOADING, ModelState.READY)

    def use(self, model: str, width: int, refusal: Notice | None) -> None:
        """Serve a store: load its model, unless the store itself rules the dense arm out."""
        self._wanted = (model, width, refusal)
        if refusal is None and not self._is_allowed:
            refusal = Notice(NoticeCode.MEANING_SWITCHED_OFF, _OFF + SWITCHED_OFF)
        wanted = (model, width)
        if self.is_cancelled and self._served == wanted and refusal is None:
            return
        if self.state is ModelState.READY and self._served == wanted and refusal is None:
            return
        if self._loading is not None:
            self._loading.cancel()
        kept = self.shelf.embedder(model, width) if refusal is None else None
        self._served, self.is_cancelled, self.is_slow = wanted, False, False
        self.embedder, self.notice, self._abandoned, self.error = None, None, None, None
        self._settled.clear()
        if refusal is not None:
            self._settle(ModelState.MISSING, refusal.text.removeprefix(_OFF), refusal)
            return
        if kept is not None:
            self._use_embedder(kept)
            return
        self.state, self.reason = ModelState.LOADING, NO_MODEL_YET
        self.changed()
        self._loading = self._tasks.spawn(self._run(model, width), name="model load")

    def allow(self, is_allowed: bool) -> bool:
        """Search by meaning or not, as the person prefers; tell whether that is a change.

        Without it no model is loaded.
        """
        if is_allowed is self._is_allowed:
            return False
        self._is_allowed = is_allowed
        if self._wanted is not None:
            self.use(*self._wanted)
        return True

    def cancel_load(self) -> None:
        """Go on with words alone, for the stores of this model, until `load_again`.

        The load itself cannot be stopped; what it still brings is kept for then.
        """
        if self.state is ModelState.LOADING:
            self.is_cancelled = True
            notice = Notice(NoticeCode.MEANING_SWITCHED_OFF, _OFF + CANCELLED)
            self._settle(ModelState.MISSING, CANCELLED, notice)

    def load_again(self) -> None:
        """Take a cancelled load up again."""
        if not self.is_cancelled or self._wanted is None:
            return
        self.is_cancelled = False
        if self._abandoned is not None:
            self._use_embedder(self._abandoned)
        elif self._loading is not None and not self._loading.done():
            self.state, self.reason, self.notice = ModelState.LOADING, NO_MODEL_YET, None
            self.is_slow = True
            self._settled.clear()
            self.changed()
        else:
            self.use(*self._wanted)

    @property
    def name(self) -> str:
        """Return the name of the model that is served, empty where there is none."""
        return "" if self._served is None else self._served[0]

    def retry(self) -> None:
        """Load the model once more that was missing."""
        if self.error is not None and self._wanted is not None:
            self.use(*self._wanted)

    def serves(self, model: str, width: int) -> bool:
        """Tell whether this is the model of the store in front."""
        return self._served == (model, width)

    @property
    def is_allowed(self) -> bool:
        """Tell whether the person wants searches by meaning."""
        return self._is_allowed

    async def settled(self) -> None:
        """Wait until the model is loaded or known to be missing."""
        await self._settled.wait()

    async def side(self, text: str, prefix: str) -> MeaningSide:
        """Embed a text in the worker; a model that fails is a reason to search by words alone.

        Raises GenizahError for a prefix that leaves no room.
        """
        if self.embedder is None:
            return MeaningSide(None, self.reason)
        try:
            return MeaningSide(await self._worker.run(self.embedder.query, text, prefix))
        except GenizahError as error:
            if error.code is not ErrorCode.ENCODER_FAILED:
                raise
            return MeaningSide(None, error.message)

    async def _run(self, model: str, width: int) -> None:
        with PutRight(self._give_up), after_a_while(self._say_slow):
            await self._load_model(model, width)

    def _say_slow(self) -> None:
        if self.state is ModelState.LOADING:
            self.is_slow = True
            self.took_long()

    def _give_up(self, error: GenizahError) -> None:
        """Let nobody wait for a model whose load ended in an error that nobody foresaw."""
        if self.state is ModelState.LOADING and self._loading is asyncio.current_task():
            notice = Notice(NoticeCode.ENCODER_FAILED, _OFF + error.message)
            self._settle(ModelState.MISSING, error.message, notice)

    async def _load_model(self, model: str, width: int) -> None:
        try:
            encoder = await self._worker.run(self._load, model)
        except GenizahError as error:
            missing = error.code is ErrorCode.NO_ARTIFACT
            code = NoticeCode.NO_ARTIFACT if missing else NoticeCode.ENCODER_FAILED
            notice = Notice(code, _OFF + error.message)
            self.error = error
            self._end(ModelState.MISSING, error.message, notice)
            return
        if encoder.facts.width != width:
            found = encoder.facts.width
            text = f"the model is {found} wide, the store {width} ({found} ≠ {width})."
            notice = Notice(NoticeCode.WIDTH_MISMATCH, _OFF + text)
            self._end(ModelState.MISSING, text, notice)
            return
        if self.is_cancelled:
            self._abandoned = QueryEmbedder(encoder)
        else:
            self._use_embedder(QueryEmbedder(encoder))

    def _use_embedder(self, embedder: QueryEmbedder) -> None:
        self.embedder, self._abandoned = embedder, None
        if self._served is not None:
            self.shelf.keep(self._served[0], embedder)
        self._settle(ModelState.READY, "", None)

    def _end(self, state: ModelState, reason: str, notice: Notice) -> None:
        """Settle for a load that failed, unless nobody waits for it: then it is tried anew."""
        if not self.is_cancelled:
            self._settle(state, reason, notice)

    def _settle(self, state: ModelState, reason: str, notice: Notice | None) -> None:
        self.state, self.reason, self.notice = state, reason, notice
        self.is_slow = False
        self._settled.set()
        self.changed()
