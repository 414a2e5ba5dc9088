"""The folder of the set-up scripts, made importable: it is no package."""

import pytest

from tests.house.tree import ROOT


@pytest.fixture(autouse=True)
def _setup_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging" / "setup")
