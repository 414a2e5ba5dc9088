"""A store of forty rows to change while things go wrong."""

from pathlib import Path

import pytest

from tests.support.stores import Memory, build_store


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a store of forty live rows named "0" to "39"."""
    rows = [Memory(str(n), f"zarquon {n}", f"the text of {n}") for n in range(40)]
    return build_store(tmp_path / "project", rows)
