"""Staging in a real window: retire, replace, undo before the commit, all or nothing, said truly."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.writing import problems_of, rows_of
from tests.widgets.keys import press_at_focus

_Ctrl, _Shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def trigger(opened: OpenWindow, name: str) -> None:
    action = opened.window.actions_by_name[name]
    assert action.isEnabled(), name
    action.trigger()


def entries(opened: OpenWindow) -> list[str]:
    return [row.spoken for row in opened.window.pending_bar.rows]


async def stage_retire(opened: OpenWindow, name: str) -> None:
    await opened.select(uuid_of(name))
    before = len(entries(opened))
    trigger(opened, "retire")
    await until(lambda: len(entries(opened)) == before + 1)
    await opened.settled()


async def commit(opened: OpenWindow) -> str:
    """Commit what is staged and return what was asked."""
    controller = opened.controller.writing.commit
    trigger(opened, "commit")
    await until(lambda: controller.dialog is not None and controller.dialog.isVisible())
    assert controller.dialog is not None
    asked = controller.dialog.text()
    controller.dialog.commit.click()
    await until(lambda: controller.dialog is None)
    await until(lambda: not controller.is_busy)
    await opened.settled()
    return asked


def said(opened: OpenWindow) -> str:
    return "\n".join(m.text for m in opened.window.message_bar.messages())


def states(project: Path) -> dict[str, tuple[object, object, object]]:
    return {str(r[0]): (r[4], r[5], r[6]) for r in _memory(project)}


def _memory(project: Path) -> list[tuple[object, ...]]:
    from tests.support.writing import open_raw

    raw = open_raw(project / ".zikaron" / "memory.db")
    try:
        return raw.execute(
            "SELECT uuid, tier, gist, content, active, superseded_by, version FROM memory"
        ).fetchall()
    finally:
        raw.close()


async def test_staging_writes_nothing_and_the_commit_writes_it_and_says_so_afterwards(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        bar = opened.window.pending_bar
        assert not bar.isVisible()
        await opened.search("tide tables")
        await stage_retire(opened, "tide")
        assert bar.isVisible()
        assert entries(opened) == [
            "Retire: tide tables come from the harbour office, can be committed"
        ]
        assert "nothing is written yet" in opened.window.status_strip.words()
        assert all_digests(project) == before
        asked = await commit(opened)
        assert asked.startswith("Retire 1 memory?")
        assert "Final for 1 memory" in asked
        assert "Retired 1 memory." in said(opened)
        assert not bar.isVisible()
        assert "looking changes nothing" in opened.window.status_strip.words()
    assert states(project)[uuid_of("tide")] == (0, None, 2)
    kinds = [row[5] for row in rows_of(project)["event"]]
    assert kinds == ["fetch", "retire"]
    assert problems_of(project, tmp_path / "scratch") == []
