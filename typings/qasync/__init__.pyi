"""Types of the part of qasync 0.28 that is used here; the package itself carries none."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

from PySide6.QtWidgets import QApplication

class QEventLoop(asyncio.BaseEventLoop):
    def __init__(
        self,
        app: QApplication | None = None,
        set_running_loop: bool = False,
        already_running: bool = False,
    ) -> None: ...
    # Takes any executor, where asyncio's own loop insists on a ThreadPoolExecutor.
    def set_default_executor(self, executor: Executor) -> None: ...
    # Inherited from asyncio, which does not declare them.
    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle: ...
    def _asyncgen_firstiter_hook(self, agen: AsyncGenerator[Any, Any]) -> None: ...
    def _asyncgen_finalizer_hook(self, agen: AsyncGenerator[Any, Any]) -> None: ...
    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None: ...

def asyncSlot[**P, T](
    *types: type | str,
) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Callable[P, asyncio.Task[T]]]: ...
async def asyncWrap[**P, T](fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T: ...
