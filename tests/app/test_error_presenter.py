"""The words of errors: every code has its own, and the details are enough for a report."""

import platform

import pytest
from PySide6.QtCore import qVersion

from app.error_presenter import Move, move_text, present
from core.errors import ErrorCode, GenizahError
from core.store.connection import sqlite_version


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_has_a_title_its_code_and_a_report_to_copy(code: ErrorCode) -> None:
    error = GenizahError(
        code, "What happened.", path="/a/memory.db", reason="why", fields={"driver": "said"}
    )
    shown = present(error, "1.2.3")
    assert shown.title
    assert shown.sentence == "What happened."
    assert shown.code == code.value
    for part in (
        "genizah 1.2.3",
        f"SQLite {sqlite_version()}",
        f"Qt {qVersion()}",
        platform.platform(),
        f"code: {code.value}",
        "message: What happened.",
        "path: /a/memory.db",
        "reason: why",
        "driver: said",
    ):
        assert part in shown.details


def test_no_two_codes_share_a_title() -> None:
    titles = [present(GenizahError(code, "x"), "1").title for code in ErrorCode]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("move", list(Move))
def test_every_move_has_a_text_on_its_button(move: Move) -> None:
    assert move_text(move)
