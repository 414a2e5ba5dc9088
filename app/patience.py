"""How long a person waits without wondering. What is said after that is said elsewhere."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 0.3


@contextmanager
def after_a_while(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` where the body takes longer than a person waits without wondering."""
    patience = asyncio.get_running_loop().call_later(PATIENCE_S, say)
    try:
        yield
    finally:
        patience.cancel()
