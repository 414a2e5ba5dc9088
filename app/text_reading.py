"""What the text in the search box asks for: read once for all who ask, a long one in a thread."""

import asyncio

from app.worker import Worker
from core.filters.parsing import ParsedSearch, parse

AT_ONCE = 20_000
"""Characters that are read without a thread: some hundredths of a second at the worst."""


class TextReading:
    """Read the text of one window; of long ones the newest alone is wanted."""

    def __init__(self) -> None:
        self._worker = Worker("search text")
        self._last = parse("")
        self._wanted = ""
        self._coming: asyncio.Future[ParsedSearch] | None = None

    def known(self, text: str) -> ParsedSearch | None:
        """Return what a text asks for; None for a long one that is not read yet."""
        if text != self._last.text:
            if len(text) > AT_ONCE:
                return None
            self._last = parse(text)
        return self._last

    async def read(self, text: str) -> ParsedSearch:
        """Return what a text asks for; who waits for an older long one is cancelled."""
        known = self.known(text)
        if known is not None:
            return known
        coming = self._coming
        if coming is None or text != self._wanted:
            if coming is not None:
                coming.cancel()
            loop = asyncio.get_running_loop()
            coming = self._coming = loop.run_in_executor(self._worker, parse, text)
            self._wanted = text
        self._last = await asyncio.shield(coming)
        if coming is self._coming:
            self._coming = None
        return self._last

    def close(self) -> None:
        """End the thread."""
        self._worker.close()
