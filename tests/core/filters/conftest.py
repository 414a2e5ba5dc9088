"""One store for all tests of this folder; nothing here writes to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.core.filters.store import build
from tests.support.engine import Engine, open_engine


@pytest.fixture(scope="session")
def filtered_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the store once."""
    return build(tmp_path_factory.mktemp("filtered"))


@pytest_asyncio.fixture
async def engine(filtered_store: Path) -> AsyncIterator[Engine]:
    """Open the store for one test."""
    async with open_engine(filtered_store) as opened:
        yield opened
