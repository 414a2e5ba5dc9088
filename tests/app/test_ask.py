"""Awaiting a dialog."""

import asyncio

import pytest
from PySide6.QtWidgets import QDialog, QInputDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from app.ask import ask
from tests.support.wait import until

_OK = QMessageBox.StandardButton.Ok
_CANCEL = QMessageBox.StandardButton.Cancel


async def test_the_answer_is_the_button_that_was_clicked() -> None:
    box = QMessageBox(
        QMessageBox.Icon.Question, "Retire", "Retire it?", _OK | _CANCEL
    )
    answer = asyncio.create_task(ask(box))
    await until(box.isVisible)
    box.button(_OK).click()
    assert await answer == _OK


async def test_fields_can_be_read_right_after_the_answer(qtbot: QtBot) -> None:
    dialog = QInputDialog()

    async def name() -> str | None:
        code = await ask(dialog)
        return dialog.textValue() if code == QDialog.DialogCode.Accepted else None

    answer = asyncio.create_task(name())
    await until(dialog.isVisible)
    dialog.setTextValue("lineage")
    dialog.accept()
    assert await answer == "lineage"


async def test_closing_the_dialog_rejects() -> None:
    dialog = QDialog()
    answer = asyncio.create_task(ask(dialog))
    await until(dialog.isVisible)
    dialog.close()
    assert await answer == QDialog.DialogCode.Rejected


async def test_other_tasks_run_while_the_dialog_is_open() -> None:
    dialog = QDialog()
    answer = asyncio.create_task(ask(dialog))
    await until(dialog.isVisible)
    assert await asyncio.create_task(asyncio.sleep(0.001, "ran")) == "ran"
    assert dialog.isVisible()
    dialog.accept()
    assert await answer == QDialog.DialogCode.Accepted


async def test_the_dialog_is_gone_after_the_answer() -> None:
    dialog = QDialog()
    answer = asyncio.create_task(ask(dialog))
    await until(dialog.isVisible)
    dialog.accept()
    await answer
    await until(lambda: not Shiboken.isValid(dialog))


async def test_cancelling_closes_and_deletes_the_dialog() -> None:
    dialog = QDialog()
    answer = asyncio.create_task(ask(dialog))
    await until(dialog.isVisible)
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    await until(lambda: not Shiboken.isValid(dialog))


async def test_a_dialog_that_goes_down_with_its_window_rejects() -> None:
    window = QWidget()
    dialog = QDialog(window)
    answer = asyncio.create_task(ask(dialog))
    await until(dialog.isVisible)
    Shiboken.delete(window)
    assert await answer == QDialog.DialogCode.Rejected
