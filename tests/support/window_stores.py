"""Stores and encoders that the window's tests share."""

import functools
import os
from pathlib import Path

from app.bootstrap import Services
from core.retrieval.encoder import Encoder
from core.retrieval.fastembed_encoder import load_encoder
from tests.support.gated_encoder import GatedEncoder
from tests.support.open_window import services
from tests.support.oracle import DEMO_BUNDLE, DEMO_RECORDED, copy_project
from tests.support.recorded import Recorded, RecordedEncoder, read_recorded
from tests.support.stores import WIDTH, Memory, build_store, distractors
from tests.support.stub_encoder import StubEncoder

FERRY = (
    Memory("ferry", "the ferry waits for the tide", "it leaves an hour after high water"),
    Memory("tide", "tide tables come from the harbour office", "fetched at four", tier="long_term"),
    Memory("old", "tide tables are printed on paper", "asked at the desk", by="tide"),
    Memory("gone", "the tide gauge is broken", "since spring", active=False),
    Memory("glued", "xtidexylophone", "one word without a boundary"),
    Memory("bus", "the bus stops at the pier", "every hour"),
)


def ferry_store(folder: Path) -> Path:
    """Make a store of six told-apart memories and twenty others."""
    return build_store(folder, [*FERRY, *distractors(20)])


def stub() -> GatedEncoder:
    """Return an encoder for the stores that the tests make."""
    return GatedEncoder(StubEncoder(WIDTH))


def stub_services(encoder: Encoder, folder: Path) -> Services:
    """Return services whose every model is `encoder`, in the test's own home."""
    return services(lambda _model: encoder, os.environ, folder)


def demo_project(folder: Path) -> Path:
    """Return a private copy of the bundled demo store."""
    return copy_project(DEMO_BUNDLE, folder / "demo")


@functools.cache
def demo_recorded() -> Recorded:
    """Return what the peer retrieved from the demo store."""
    return read_recorded(DEMO_RECORDED)


def recorded_encoder() -> GatedEncoder:
    """Return an encoder that answers the recorded texts with their recorded vectors."""
    return GatedEncoder(RecordedEncoder.of(demo_recorded()))


@functools.cache
def real_encoder() -> Encoder:
    """Return the embedded model, loaded once for all tests."""
    home = Path(os.environ["GENIZAH_DATA_DIR"])
    return load_encoder("genizah/all-minilm-l6-v2-int8", dict(os.environ), home / "model-cache")
