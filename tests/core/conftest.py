"""Fixtures of the core's tests: stores of the oracle and the demo, the real encoder, a folder."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.retrieval.artifacts import EMBEDDED_MODEL
from core.retrieval.fastembed_encoder import FastembedEncoder, load_encoder
from core.retrieval.token_counter import TokenCounter, load_token_counter
from tests.peer.fixtures import peer, peer_environment
from tests.support.oracle import DEMO_BUNDLE, DEMO_RECORDED, copy_project, oracle_folder
from tests.support.recorded import Recorded, read_recorded

__all__ = ["peer", "peer_environment"]


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a private copy of the oracle's single store; treat it as read-only."""
    return copy_project(oracle_folder() / "single", tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="session")
def oracle_recorded() -> Recorded:
    """Return what the peer retrieved from the oracle's single store."""
    return read_recorded(oracle_folder() / "single" / "expected.json")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a private copy of the bundled demo store; treat it as read-only."""
    return copy_project(DEMO_BUNDLE, tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def demo_recorded() -> Recorded:
    """Return what the peer retrieved from the demo store."""
    return read_recorded(DEMO_RECORDED)


@pytest.fixture(scope="session")
def token_counter() -> TokenCounter:
    """Return the embedded model's tokenizer."""
    counter = load_token_counter(EMBEDDED_MODEL)
    assert counter is not None
    return counter


@pytest.fixture(scope="session")
def real_encoder(tmp_path_factory: pytest.TempPathFactory) -> FastembedEncoder:
    """Return the embedded model, loaded."""
    return load_encoder(EMBEDDED_MODEL, dict(os.environ), tmp_path_factory.mktemp("model"))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user may enter; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="genizah-test-"))
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o700)
    shutil.rmtree(folder)
