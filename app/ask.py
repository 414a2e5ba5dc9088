"""Await a dialog.

exec() and the static dialog functions run a nested Qt loop that holds up every other task;
open() and a future do not. The dialogs themselves live in widgets/.
"""

import asyncio

from PySide6.QtWidgets import QDialog
from shiboken6 import Shiboken


async def ask(dialog: QDialog) -> int:
    """Open `dialog` and return its result code once the user has finished it.

    Cancelling closes it. It is deleted in any case when Qt next handles events: read its
    fields right after awaiting. A dialog that goes down with its parent counts as rejected.
    """
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def settle(code: int) -> None:
        if not answer.done():
            answer.set_result(code)

    def reject() -> None:
        settle(QDialog.DialogCode.Rejected)

    dialog.finished.connect(settle)
    dialog.destroyed.connect(reject)
    dialog.open()
    try:
        return await answer
    finally:
        if Shiboken.isValid(dialog):
            dialog.finished.disconnect(settle)
            dialog.destroyed.disconnect(reject)
            dialog.close()
            dialog.deleteLater()
