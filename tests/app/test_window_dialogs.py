"""Dialogs beside running work: nothing waits for them, nothing breaks."""

import ast
import threading
from pathlib import Path

from PySide6.QtWidgets import QApplication, QDialog

from tests.house.tree import ROOT
from tests.support.open_window import open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services


def open_dialogs() -> list[QDialog]:
    widgets = QApplication.topLevelWidgets()
    return [w for w in widgets if isinstance(w, QDialog) and w.isVisible()]


async def test_a61_a_search_goes_on_while_a_dialog_is_open_and_after_it(tmp_path: Path) -> None:
    encoder = stub()
    gate: threading.Event = encoder.hold("tide tables")
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        opened.type("tide tables")
        await until(lambda: "tide tables" in encoder.calls)
        opened.window.actions_by_name["about"].trigger()
        await until(open_dialogs)
        gate.set()
        await until(lambda: opened.outcome is not None and opened.outcome.dense.ran)
        assert open_dialogs(), "the search has not waited for the dialog"
        opened.type("ferry")
        await until(lambda: bool(opened.rows()) and opened.rows()[0] == uuid_of("ferry"))
        for dialog in open_dialogs():
            dialog.reject()
        outcome = await opened.search("tide tables")
        assert outcome.dense.ran


def test_a61_nothing_runs_a_loop_of_its_own() -> None:
    blocking = {"exec", "exec_", "processEvents"}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("app", "widgets")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in blocking
        # Qt starts a drag in no other way; its lists do the same, from a mouse event, in no task.
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id == "drag")
    ]
    assert found == []
