"""Making the virtual environment: what is made anew when, and what is never touched."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def make_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Give the script with a lock and a project of its own, and steps that only leave a note."""
    module = importlib.import_module("make_venv")
    for file in ("lock.txt", "pyproject.toml"):
        (tmp_path / file).write_text("one", encoding="utf-8")
    monkeypatch.setattr(module, "_PROJECT", tmp_path / "pyproject.toml")
    steps = tmp_path / "steps"

    def note(step: str) -> None:
        with steps.open("a", encoding="utf-8") as file:
            file.write(f"{step} ")

    def make(target: Path) -> None:
        target.mkdir(exist_ok=True)
        note("make")

    monkeypatch.setattr(module, "_make", make)
    monkeypatch.setattr(module, "_install_libraries", lambda *_: note("libraries"))
    monkeypatch.setattr(module, "_install_project", lambda *_: note("project"))
    return module


def _steps(module: ModuleType, folder: Path) -> str:
    (folder / "steps").write_text("", encoding="utf-8")
    module.prepare(folder / "venv", folder / "lock.txt")
    return (folder / "steps").read_text(encoding="utf-8").strip()


def test_an_environment_is_made_once_and_then_left_alone(
    make_venv: ModuleType, tmp_path: Path
) -> None:
    assert _steps(make_venv, tmp_path) == "make libraries project"
    assert _steps(make_venv, tmp_path) == ""


def test_a_new_lock_makes_it_anew_and_a_new_project_file_only_installs_the_project(
    make_venv: ModuleType, tmp_path: Path
) -> None:
    _steps(make_venv, tmp_path)
    (tmp_path / "pyproject.toml").write_text("two", encoding="utf-8")
    assert _steps(make_venv, tmp_path) == "project"
    (tmp_path / "lock.txt").write_text("two", encoding="utf-8")
    assert _steps(make_venv, tmp_path) == "make libraries project"


def test_another_interpreter_makes_it_anew(
    make_venv: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _steps(make_venv, tmp_path)
    monkeypatch.setattr(sys, "version", "3.99.0 (another one)")
    assert _steps(make_venv, tmp_path) == "make libraries project"


def test_an_environment_that_was_left_half_made_is_made_anew(
    make_venv: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Path) -> None:
        raise make_venv.SetupFailedError("no network")

    with monkeypatch.context() as without_network:
        without_network.setattr(make_venv, "_install_libraries", fail)
        with pytest.raises(make_venv.SetupFailedError):
            make_venv.prepare(tmp_path / "venv", tmp_path / "lock.txt")
    assert _steps(make_venv, tmp_path) == "make libraries project"


def test_a_folder_that_is_no_environment_is_never_emptied(tmp_path: Path) -> None:
    module = importlib.import_module("make_venv")
    (tmp_path / "letters.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(module.SetupFailedError, match="something else"):
        module.prepare(tmp_path, module.LOCK)
    assert (tmp_path / "letters.txt").read_text(encoding="utf-8") == "mine"
