"""Getting the model of the open store: nothing is fetched before a person has said so.

How files are fetched and kept is core/models'. What is said of it stands in the message bar, with
its progress and a way to cancel it, while words are searched as ever.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from urllib.parse import urlsplit

from app.ask import ask
from app.bootstrap import Services
from app.error_presenter import Move, move_text
from app.long_work import LongWork, WorkWords, in_worker
from app.model_controller import ModelController, ModelState
from app.rescue_controller import megabytes
from app.tasks import TaskSet
from app.window_dialogs import ask_for_folder
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.models.catalogue import HUB_URL, NamedModel, model_of
from core.models.library import ModelLibrary, Source
from core.models.picked_folder import PickedFolder
from core.progress import Progress, WorkCancelledError
from widgets.main_window import MainWindow
from widgets.model_dialog import ModelChoice, ModelDialog
from widgets.model_offer import offer
from widgets.state_content import StateAction

ANSWER_LIMIT_S = 15.0  # a look-up of a name has no limit of its own
_FAILED = "model_failed"
_DOWNLOADING = WorkWords("model", "Downloading the model", megabytes)
_REPAIRING = WorkWords("model", "A file of the model is damaged; downloading it again", megabytes)
_COPYING = WorkWords("model", "Taking the model over", megabytes)
_GET = StateAction(Move.GET_MODEL, move_text(Move.GET_MODEL))
_NOT_KEPT = "Getting the model was cancelled; nothing of it was kept."


def can_be_got(error: GenizahError | None) -> bool:
    """Tell whether a load that failed so may work once the model's files are here."""
    if error is None:
        return False
    if error.code is ErrorCode.NO_ARTIFACT:
        return error.reason == "not_cached"
    return error.code is ErrorCode.ARTIFACT_DAMAGED and error.reason != "embedded"


class ModelDownload:
    """Offer and get the model that `model` misses; `arrived` is called once it is loaded anew."""

    def __init__(
        self,
        services: Services,
        window: MainWindow,
        model: ModelController,
        work: LongWork,
        tasks: TaskSet,
    ) -> None:
        self._services = services
        self._window = window
        self._model = model
        self._work = work
        self._messages = work.messages
        self._tasks = tasks
        self._library = ModelLibrary(services.models_folder)
        self._repaired: set[str] = set()
        self.is_busy = False
        """Whether a model is being asked for or got."""
        self.answer_limit_s = ANSWER_LIMIT_S
        self.arrived: Callable[[], None] = lambda: None
        self._messages.served[_FAILED] = lambda _name: self.ask()
        window.notice_bar.action_wanted.connect(lambda _name: self.ask())

    def ask(self) -> None:
        """Say what getting the missing model means, and do what is chosen."""
        if not self.is_busy and can_be_got(self._model.error):
            self._messages.end(_FAILED)
            self._start(self._ask(self._model.name))

    def model_changed(self) -> None:
        """Offer to get a model that is missing; one that came from here is repaired, once."""
        self._show_offer()
        error = self._model.error
        if error is None or error.reason != "kept_here" or self.is_busy:
            return
        if self._model.state is ModelState.MISSING and self._model.name not in self._repaired:
            self._repaired.add(self._model.name)
            self._start(self._repair(self._model.name))

    def _show_offer(self) -> None:
        is_offered = can_be_got(self._model.error) and not self.is_busy
        notice = self._model.notice if is_offered else None
        self._window.notice_bar.set_offers({} if notice is None else {notice.code: _GET})

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self.is_busy = True
        self._show_offer()
        self._tasks.spawn(self._in_words(work), name="get model")

    async def _in_words(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except WorkCancelledError:
            self._messages.confirm(_NOT_KEPT)
        except GenizahError as error:
            self._messages.show_error(_FAILED, error)
        finally:
            self.is_busy = False
            self._show_offer()

    async def _ask(self, name: str) -> None:
        model = await self._missing(name)
        if model is None:
            self._use(name)
            return
        host = urlsplit(self._hub_url()).netloc
        dialog = ModelDialog(
            self._window, offer(model, host, str(self._services.models_folder))
        )
        await ask(dialog)
        if dialog.choice is ModelChoice.DOWNLOAD:
            self._library.agree(model)
            await self._fetch(model, _DOWNLOADING)
        elif dialog.choice is ModelChoice.FOLDER:
            await self._take_over(model)

    async def _repair(self, name: str) -> None:
        model = await self._missing(name)
        if model is not None and model.is_pinned and self._library.is_agreed(model):
            await self._fetch(model, _REPAIRING)

    async def _fetch(self, model: NamedModel, words: WorkWords) -> None:
        def hub() -> Source:
            from core.models.hub import Hub  # TLS and HTTP: not before they are wanted

            return Hub(self._hub_url())

        await self._install(model, hub, words)

    async def _take_over(self, model: NamedModel) -> None:
        chosen: list[Path] = []
        title = "The folder with the model's files"
        await ask_for_folder(self._window, title, self._services.working_folder, chosen.append)
        if chosen:
            await self._install(model, lambda: PickedFolder(chosen[0]), _COPYING)

    async def _install(
        self, model: NamedModel, source: Callable[[], Source], words: WorkWords
    ) -> None:
        async def take(progress: Progress) -> None:
            worker = Worker("download")  # its own: one that hangs in the network is left behind
            try:
                await _answered(
                    in_worker(
                        worker,
                        progress,
                        lambda: self._library.install(model, source(), progress.report),
                    ),
                    progress,
                    self.answer_limit_s,
                )
            finally:
                worker.close()

        await self._work.run(words, take)
        self._use(model.name)

    def _use(self, name: str) -> None:
        self._messages.confirm(f"The model {name} is here; it needs no network from now on.")
        if self._model.name == name:
            self._model.retry()
            self.arrived()

    async def _missing(self, name: str) -> NamedModel | None:
        """Return what is to be got, or None where the files have come meanwhile."""
        worker = Worker("model search")
        try:
            return await worker.run(self._look, name)
        finally:
            worker.close()

    def _look(self, name: str) -> NamedModel | None:
        from core.retrieval.fastembed_encoder import find_whole, import_libraries, standard_model

        import_libraries()
        standard, _width = standard_model(name)
        try:
            find_whole(standard, self._services.environ, self._services.models_folder)
        except GenizahError:
            known = self._services.pinned_models.get(name.casefold())
            return known or model_of(standard)
        return None

    def _hub_url(self) -> str:
        return self._services.hub_url or HUB_URL


async def _answered[T](
    work: Coroutine[None, None, T], progress: Progress, limit_s: float
) -> T:
    """Await work, but not for long while nothing has come at all. Raises GenizahError."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as limit:

            def look() -> None:
                if progress.amount == (0, 0):
                    limit.reschedule(loop.time())

            timer = loop.call_later(limit_s, look)
            try:
                return await work
            finally:
                timer.cancel()
    except (TimeoutError, WorkCancelledError):
        if not limit.expired():
            raise
    raise GenizahError(
        ErrorCode.DOWNLOAD_FAILED,
        f"Nothing answered within {limit_s:.0f} s: the network or its name service hangs. Try "
        "again later, or use a folder that holds the model's files.",
        reason="timed_out",
    )
