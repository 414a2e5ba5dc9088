"""A small store to change, and a hand that changes it with a set clock and set uuids."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.stores import Memory, build_store
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a store of four live rows, one replaced by `new` and one retired outright."""
    rows = [
        Memory("a", "zarquon lamp", "the lamp is lit"),
        Memory("b", "zarquon lamp", "the lamp is lit now"),
        Memory("new", "quay", "the quay is open"),
        Memory("other", "pier", "the pier is shut"),
        Memory("old", "quay once", "the quay is shut", by="new", version=3),
        Memory("gone", "wharf", "there was a wharf", active=False, version=2),
    ]
    return build_store(tmp_path / "project", rows)


@pytest_asyncio.fixture
async def hand(project: Path) -> AsyncIterator[Hand]:
    """Give the store open for writing."""
    opened = await Hand.open(project, StubEncoder())
    yield opened
    await opened.close()
