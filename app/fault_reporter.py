"""What nobody expected: logged with its traceback and said in the window, which goes on."""

import asyncio
import logging
import sys
import traceback
from types import TracebackType
from typing import Any

from app.message_controller import MessageController

_log = logging.getLogger(__name__)


class FaultReporter:
    """Catch what escaped from tasks, callbacks and slots, from `install` to `remove`."""

    def __init__(self, messages: MessageController) -> None:
        self._messages = messages
        self._hook_before = sys.excepthook

    def install(self) -> None:
        """Catch from now on; call it in the running loop."""
        asyncio.get_running_loop().set_exception_handler(self._of_loop)
        self._hook_before, sys.excepthook = sys.excepthook, self._of_slot

    def remove(self) -> None:
        """Leave what escapes to others again."""
        asyncio.get_running_loop().set_exception_handler(None)
        sys.excepthook = self._hook_before

    def _of_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)  # logs it
        error = context.get("exception")
        if isinstance(error, BaseException):
            self._say(error, str(context.get("message", "")))

    def _of_slot(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._hook_before(kind, error, trace)
            return
        _log.error("a slot failed", exc_info=(kind, error, trace))
        self._say(error, "a slot failed")

    def _say(self, error: BaseException, what: str) -> None:
        self._messages.show_fault(f"{what}\n" + "".join(traceback.format_exception(error)))
