"""About this program: version, licence, what it does not do, and the licences of its parts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from PySide6.QtWidgets import QMessageBox, QPushButton

from app.arguments import program_version
from tests.support.accessibility import nameless
from tests.support.open_window import OpenWindow, open_window
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.licences_dialog import LicencesDialog


@pytest_asyncio.fixture
async def licences(tmp_path: Path) -> AsyncIterator[LicencesDialog]:
    """Open the licences the way a person does."""
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        box = await _about(opened)
        (button,) = [b for b in box.findChildren(QPushButton) if "icences" in b.text()]
        button.click()
        await until(lambda: opened.window.findChildren(LicencesDialog))
        (dialog,) = opened.window.findChildren(LicencesDialog)
        yield dialog
        dialog.reject()
        await until(lambda: not dialog.isVisible())


async def _about(opened: OpenWindow) -> QMessageBox:
    opened.window.about_wanted.emit()
    await until(lambda: opened.window.findChildren(QMessageBox))
    (box,) = opened.window.findChildren(QMessageBox)
    return box


def _titles(dialog: LicencesDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


async def test_about_says_version_licence_and_that_it_looks_for_no_updates(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        box = await _about(opened)
        assert f"Genizah {program_version()}" in box.text()
        assert "MIT licence" in box.text()
        assert "never looks for a newer version by itself" in box.text()
        box.reject()
        await until(lambda: not box.isVisible())


async def test_the_licences_list_every_part_and_show_whole_texts(
    licences: LicencesDialog,
) -> None:
    titles = _titles(licences)
    assert titles[0] == "Genizah · MIT"
    assert any(t.startswith("Qt ") and "LGPL-3.0-only" in t for t in titles)
    assert licences.count.text() == f"{len(titles)} parts"
    assert "WITHOUT WARRANTY OF ANY KIND" in licences.text.toPlainText()
    row = next(n for n, t in enumerate(titles) if t.startswith("pyside6-essentials"))
    licences.list.setCurrentRow(row)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in licences.text.toPlainText()
    assert nameless(licences) == []


async def test_the_search_narrows_by_text_and_goes_to_what_was_found(
    licences: LicencesDialog,
) -> None:
    total = len(_titles(licences))
    licences.box.setText("public domain")
    titles = _titles(licences)
    assert "SQLite · Public domain" in titles
    assert len(titles) < total
    assert licences.count.text() == f"{len(titles)} of {total} parts"
    assert licences.text.textCursor().selectedText().casefold() == "public domain"
    licences.box.setText("zzz-nothing-says-this")
    assert _titles(licences) == []
    assert licences.text.toPlainText() == ""
    licences.box.clear()
    assert len(_titles(licences)) == total
