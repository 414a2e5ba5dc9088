"""The hash-pinned locks: they say what pyproject.toml says, and every file is known by its hash."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.house.tree import ROOT

_RUNTIME = ROOT / "packaging" / "requirements.txt"
_DEVELOPMENT = ROOT / "packaging" / "requirements-dev.txt"
_INSTALLER = ROOT / "packaging" / "requirements-installer.txt"
_PIN = re.compile(r"([a-z0-9-]+)==([^ ]+)( ; .+)?((?: --hash=sha256:[0-9a-f]{64})+)")


def _entries(text: str) -> list[str]:
    joined = re.sub(r" \\\n +", " ", text)
    return [line for line in joined.splitlines() if not line.startswith("#")]


def _pins(text: str) -> dict[str, str]:
    found = (_PIN.fullmatch(entry) for entry in _entries(text))
    return {match[1]: match[2] for match in found if match}


def _asked(requirements: list[str]) -> dict[str, str]:
    """Return what is pinned exactly: normalised name and version."""
    pairs = (requirement.split("==") for requirement in requirements if "==" in requirement)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pairs}


@pytest.mark.parametrize("lock", [_RUNTIME, _DEVELOPMENT, _INSTALLER], ids=lambda p: p.stem)
def test_every_line_of_a_lock_is_one_version_with_its_hashes(lock: Path) -> None:
    entries = _entries(lock.read_text(encoding="utf-8"))
    assert len(entries) > 20
    assert [entry for entry in entries if not _PIN.fullmatch(entry)] == []


def test_the_locks_hold_the_versions_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = _asked(project["dependencies"])
    extras = project["optional-dependencies"]
    development = runtime | _asked(extras["dev"])
    installer = runtime | _asked([line.split(";")[0] for line in extras["installer"]])
    assert len(runtime) > 5
    assert runtime.items() <= _pins(_RUNTIME.read_text(encoding="utf-8")).items()
    assert development.items() <= _pins(_DEVELOPMENT.read_text(encoding="utf-8")).items()
    assert installer.items() <= _pins(_INSTALLER.read_text(encoding="utf-8")).items()


@pytest.mark.parametrize("lock", [_DEVELOPMENT, _INSTALLER], ids=lambda p: p.stem)
def test_what_is_tested_and_packed_are_exactly_the_libraries_of_the_program(lock: Path) -> None:
    shipped = _pins(_RUNTIME.read_text(encoding="utf-8"))
    assert shipped.items() <= _pins(lock.read_text(encoding="utf-8")).items()
