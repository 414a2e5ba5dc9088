"""Several stores opened as the program opens them, closed at the end."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from core.store.database import Database
from core.store.location import locate


@asynccontextmanager
async def open_databases(*projects: Path) -> AsyncIterator[list[Database]]:
    """Open the stores of some project folders."""
    async with AsyncExitStack() as stack:
        found = []
        for project in projects:
            database = await Database.open(locate(project))
            stack.push_async_callback(database.close)
            found.append(database)
        yield found
