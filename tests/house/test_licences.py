"""The licences that are shown are those of exactly what is locked, each with a text in full."""

import re

import pytest

from core.licences import Licensed, load_licences
from tests.house.tree import ROOT


@pytest.fixture(scope="module")
def parts() -> tuple[Licensed, ...]:
    """Return what the dialog shows."""
    return load_licences()


def test_every_locked_package_is_there_in_its_version_and_no_other(
    parts: tuple[Licensed, ...],
) -> None:
    lock = (ROOT / "packaging" / "requirements.txt").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", lock, re.MULTILINE))
    assert {part.name: part.version for part in parts if part.version} == locked, (
        "run .venv/bin/python packaging/setup/collect_licences.py"
    )


def test_what_is_shipped_beside_packages_is_there(parts: tuple[Licensed, ...]) -> None:
    beside = [part.name for part in parts if not part.version]
    assert beside == ["Genizah", "Python", "Qt", "SQLite", "PyInstaller bootloader"]


def test_the_start_of_the_frozen_program_comes_with_the_exception_that_lets_it_be_shipped(
    parts: tuple[Licensed, ...],
) -> None:
    (bootloader,) = [part for part in parts if part.name == "PyInstaller bootloader"]
    assert "unlimited permission to link or embed compiled bootloader" in bootloader.whole
    assert re.search(r"GNU GENERAL PUBLIC LICENSE\s+Version 2, June 1991", bootloader.whole)
    assert re.search(r"Apache License\s+Version 2.0, January 2004", bootloader.whole)


def test_every_part_has_a_licence_and_a_text(parts: tuple[Licensed, ...]) -> None:
    for part in parts:
        assert part.licence not in ("", "see its text"), part.name
        assert part.texts, part.name
        assert all(len(text) > 30 for _name, text in part.texts), part.name


def test_libraries_under_the_lesser_licence_come_with_both_texts_it_needs(
    parts: tuple[Licensed, ...],
) -> None:
    (qt,) = [part for part in parts if part.name == "pyside6-essentials"]
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.whole
    assert "GNU GENERAL PUBLIC LICENSE\n                       Version 3" in qt.whole
