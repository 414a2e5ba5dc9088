"""Finding an interpreter, in a machine made of a few links: PATH, pyenv's folders, none at all."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

_SCRIPT = ROOT / "packaging" / "setup" / "find_python.sh"
_HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
_REAL = Path(sys.executable).resolve()


class Machine:
    """A PATH and a home of its own, with nothing on it but what the script itself calls."""

    def __init__(self, base: Path) -> None:
        self.bin, self.home = base / "bin", base / "home"
        self.bin.mkdir()
        self.home.mkdir()
        for tool in ("sed", "tail"):
            (self.bin / tool).symlink_to(shutil.which(tool) or "missing")

    def has(self, name: str, text: str) -> Path:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def find(self, *versions: str, python: str = "") -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "HOME": str(self.home), "PYTHON": python}
        return subprocess.run(
            ["/bin/sh", _SCRIPT, *versions],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def _is_the_one(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and Path(done.stdout.strip()).samefile(_REAL)


def test_it_is_found_on_the_path_under_the_plain_name(machine: Machine) -> None:
    (machine.bin / "python3").symlink_to(_REAL)
    assert _is_the_one(machine.find())


def test_a_shim_that_does_not_work_is_passed_over(machine: Machine) -> None:
    machine.has(f"python{_HERE}", "exit 127")
    (machine.bin / "python3").symlink_to(_REAL)
    assert _is_the_one(machine.find())


def test_it_is_found_in_pyenvs_folder_when_pyenv_is_not_on_the_path(machine: Machine) -> None:
    folder = machine.home / ".pyenv" / "versions" / f"{_HERE}.99" / "bin"
    folder.mkdir(parents=True)
    (folder / "python").symlink_to(_REAL)
    assert _is_the_one(machine.find())


def test_it_is_found_where_uv_says(machine: Machine) -> None:
    machine.has("uv", f'[ "$1 $2 $3" = "python find {_HERE}" ] && echo "{_REAL}"')
    assert _is_the_one(machine.find())


def test_of_a_virtual_environment_the_interpreter_below_is_taken(machine: Machine) -> None:
    done = machine.find(python=sys.executable)
    assert _is_the_one(done)
    assert not Path(done.stdout.strip()).is_relative_to(sys.prefix)


def test_where_there_is_none_one_sentence_says_what_to_install(machine: Machine) -> None:
    done = machine.find()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Genizah needs Python 3.13 or 3.12 and found none on PATH, in pyenv or in uv: install one "
        "with your system's packages, `pyenv install 3.13` or `uv python install 3.13`, or name "
        "it: PYTHON=/path/to/python make test.\n"
    )


def test_one_that_only_lacks_venv_is_named_with_the_package_to_install(machine: Machine) -> None:
    reason = f"it is Python {_HERE} without venv (Debian and Ubuntu: apt-get install x)"
    found = machine.has("python3", f"echo '{reason}' >&2; exit 1")
    assert machine.find().stderr == (
        f"Genizah needs Python 3.13 or 3.12, and {found} cannot be used: {reason}.\n"
    )


def test_a_named_one_of_another_version_is_refused_by_name(machine: Machine) -> None:
    done = machine.find("3.99", python=os.fspath(_REAL))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"PYTHON={_REAL} cannot be used: it is Python {_HERE}. Genizah needs Python 3.99.\n"
    )
