"""pytest fixtures that start the peer; registered as a plugin (`pytest_plugins`) by the test root.

Without a peer a test is skipped with the reason, but where CI=true it fails.
"""

import os
from collections.abc import Iterator

import pytest

from tests.peer.client import Peer
from tests.peer.environment import PeerEnvironment, PeerUnavailableError, is_cached, prepare

_FIRST_BUILD_TIMEOUT_S = 900


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests that may have to build the environment the time for it."""
    if is_cached():
        return
    for item in items:
        if "peer_environment" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(_FIRST_BUILD_TIMEOUT_S))


@pytest.fixture(scope="session")
def peer_environment() -> PeerEnvironment:
    """Give the peer's environment, built on first use; the first build may take minutes."""
    try:
        return prepare()
    except PeerUnavailableError as missing:
        reason = f"the reference peer is not available: {missing}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def peer(peer_environment: PeerEnvironment) -> Iterator[Peer]:
    """Give a fresh peer process with no store open yet."""
    with Peer(peer_environment) as started:
        yield started
