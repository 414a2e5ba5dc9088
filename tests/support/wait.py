"""Wait inside an async test for what the user would notice.

qtbot.waitUntil() and waitSignal() run a nested Qt loop: they are for synchronous tests.
The limits are guards against a hang, not claims about speed.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import SignalInstance

HANG_S = 20.0


async def until(fact: Callable[[], object], timeout_s: float = HANG_S) -> None:
    """Return as soon as `fact()` is true. Raise TimeoutError when it stays false."""
    async with asyncio.timeout(timeout_s):
        while not fact():  # noqa: ASYNC110 - any fact, most have no event
            await asyncio.sleep(0.005)


def signal(
    emitter: SignalInstance, timeout_s: float = HANG_S
) -> Coroutine[Any, Any, tuple[Any, ...]]:
    """Listen to a signal from now on; await the result for the arguments of its next emission."""
    emitted: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()

    def note(*args: Any) -> None:
        if not emitted.done():
            emitted.set_result(args)

    async def arguments() -> tuple[Any, ...]:
        try:
            async with asyncio.timeout(timeout_s):
                return await emitted
        finally:
            emitter.disconnect(note)

    emitter.connect(note)
    return arguments()
