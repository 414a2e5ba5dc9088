"""Hands and eyes for changing memories in a window: staging, committing, what is stored then."""

from contextlib import closing
from pathlib import Path

from tests.support.open_window import OpenWindow
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.writing import open_raw
from widgets.editor_dialog import EditorDialog


class Writer:
    """One window in which memories are changed."""

    def __init__(self, opened: OpenWindow) -> None:
        self.opened = opened
        self.window = opened.window
        self.writing = opened.controller.writing

    # Hands

    def trigger(self, name: str) -> None:
        """Choose an action that can be used."""
        action = self.window.actions_by_name[name]
        assert action.isEnabled(), f"{name}: {action.toolTip()}"
        action.trigger()

    async def retire(self, name: str) -> None:
        """Select a memory of the ranked list and stage that it is retired."""
        await self.opened.select(uuid_of(name))
        before = self.entries()
        self.trigger("retire")
        await until(lambda: self.entries() != before)
        await self.opened.settled()

    async def supersede(self, name: str, by: str) -> None:
        """Select a memory and pick another one that replaces it."""
        await self.opened.select(uuid_of(name))
        before = self.entries()
        self.trigger("supersede")
        picker = self.writing.staging.picker
        await until(picker.dialog.isVisible)
        picker.dialog.box.setText(uuid_of(by))
        await until(lambda: picker.dialog.uuids() == [uuid_of(by)])
        picker.dialog.choose(picker.dialog.view.model().index(0, 0))
        await until(lambda: self.entries() != before)
        await self.opened.settled()

    async def open_editor(self, action: str) -> EditorDialog:
        """Open an editor by an action and wait for it."""
        before = len(self.writing.editors.open)
        self.trigger(action)
        await until(lambda: len(self.writing.editors.open) == before + 1)
        return self.writing.editors.open[-1].dialog

    async def stage_text(self, gist: str, content: str) -> None:
        """Write a text into the editor opened last and stage it."""
        dialog = self.writing.editors.open[-1].dialog
        dialog.put(gist, content)
        assert dialog.stage.isEnabled(), dialog.problem.text()
        dialog.stage.click()
        await until(lambda: dialog not in [s.dialog for s in self.writing.editors.open])
        await self.opened.settled()

    async def commit(self) -> str:
        """Commit what is staged and return what was asked before."""
        controller = self.writing.commit
        self.trigger("commit")
        await until(lambda: controller.dialog is not None and controller.dialog.isVisible())
        assert controller.dialog is not None
        asked = controller.dialog.text()
        controller.dialog.commit.click()
        await until(lambda: controller.dialog is None)
        await until(lambda: not controller.is_busy)
        await self.opened.settled()
        return asked

    # Eyes

    def entries(self) -> list[str]:
        """Return what a screen reader says of each staged change."""
        return [row.spoken for row in self.window.pending_bar.rows]

    def said(self) -> str:
        """Return what the message bar says, oldest first."""
        return "\n".join(m.text for m in self.window.message_bar.messages())

    def codes(self) -> list[str]:
        """Return the codes of the messages on screen."""
        return [m.code for m in self.window.message_bar.messages()]


type Stored = tuple[int, str | None, int, str, str]


def stored(project: Path) -> dict[str, Stored]:
    """Return active, superseded_by, version, gist and content of every memory."""
    with closing(open_raw(project / ".zikaron" / "memory.db")) as raw:
        rows = raw.execute(
            "SELECT uuid, active, superseded_by, version, gist, content FROM memory"
        ).fetchall()
    return {str(uuid): (active, by, n, g, c) for uuid, active, by, n, g, c in rows}


def matches(project: Path, word: str) -> list[str]:
    """Return the memories in which the word index has a word."""
    with closing(open_raw(project / ".zikaron" / "memory.db")) as raw:
        rows = raw.execute(
            "SELECT m.uuid FROM memory_fts f JOIN memory m ON m.rowid = f.rowid "
            "WHERE memory_fts MATCH ? ORDER BY m.uuid",
            (f'"{word}"',),
        ).fetchall()
    return [str(uuid) for (uuid,) in rows]
