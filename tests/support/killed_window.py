"""The program's own window in which somebody stages and writes until it is killed; a process.

usage: python -m tests.support.killed_window work|close|look|copies|look_at_copies PROJECT…
work: says "ready" once changes are staged and a text is begun, and writes on, a word at a time.
close: does the same once, and closes the window in the middle of a text.
look: prints what is staged and what drafts there are, as JSON, and closes.
copies: stages other changes in each of two copies of a store and writes on in the second.
look_at_copies: prints what is staged and drafted in each, as JSON, and closes.
"""

import asyncio
import itertools
import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from app.bootstrap import Services
from app.window import run_window
from app.window_controller import WindowController
from core.appdata.database import AppDatabase
from core.appdata.drafts import Drafts
from core.appdata.places import StorePlace
from tests.support.open_window import OpenWindow, WindowServices
from tests.support.stores import place_of, uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub
from tests.support.write_window import Writer
from widgets.editor_dialog import EditorDialog
from widgets.main_window import MainWindow
from widgets.texts import APP_NAME


def say(line: str) -> None:
    """Tell the parent process."""
    print(line, flush=True)  # noqa: T201


async def _begin(writer: Writer) -> EditorDialog:
    """Stage three changes and open an editor."""
    await writer.opened.search("tide tables")
    await writer.retire("ferry")
    await writer.supersede("bus", "tide")
    await writer.open_editor("new_memory")
    await writer.stage_text("a new fact", "staged whole")
    await writer.opened.select(uuid_of("tide"))
    dialog = await writer.open_editor("amend")
    await until(lambda: len(writer.entries()) == 3)
    return dialog


async def _work_in_copies(writer: Writer, services: Services, paths: list[Path]) -> None:
    await writer.opened.search("tide tables")
    await writer.retire("ferry")
    await writer.opened.add(paths[1])
    writer.trigger("search_this_store")
    await writer.opened.settled()
    await _work(writer, services, place_of(paths[1]))


async def _look_at_copies(writer: Writer, paths: list[Path]) -> None:
    found = []
    for path, number in zip(paths, (1, 3), strict=True):
        await writer.opened.add(path)
        await until(lambda number=number: len(writer.entries()) == number)  # type: ignore[misc]
        await writer.opened.settled()
        found.append([*writer.entries(), *_drafts(writer)])
    await until(lambda: _drafts(writer))
    found[-1] = [*writer.entries(), *_drafts(writer)]
    say(json.dumps(found))
    QTimer.singleShot(0, writer.window.close)


def _drafts(writer: Writer) -> list[str]:
    return [line for line in writer.said().splitlines() if "draft of this store" in line]


async def _close(writer: Writer) -> None:
    dialog = await _begin(writer)
    dialog.content.insertPlainText(" the last word")
    QTimer.singleShot(0, writer.window.close)


async def _work(writer: Writer, services: Services, place: StorePlace) -> None:
    dialog = await _begin(writer)
    said_ready = False
    for number in itertools.count():
        dialog.content.insertPlainText(f" word{number}")  # never a pause as long as a timer
        await asyncio.sleep(0.02)
        if not said_ready and number % 5 == 0 and await _is_kept(services, place):
            said_ready = True
            say("ready")


async def _is_kept(services: Services, place: StorePlace) -> bool:
    """Tell whether the file has it: a program that dies sooner than that was no use at all."""
    file = await AppDatabase.glance(services.data_dir)
    try:
        return bool(await Drafts(file, services.clock).all(place))
    finally:
        await file.close()


async def _look(writer: Writer) -> None:
    await until(lambda: len(writer.entries()) == 3)
    await until(lambda: "1 draft of this store is not staged yet" in writer.said())
    await writer.opened.settled()
    writer.writing.editors.open_drafts()
    (session,) = writer.writing.editors.open
    texts = session.dialog.texts()
    say(json.dumps({"staged": writer.entries(), "draft": texts}))
    QTimer.singleShot(0, writer.window.close)


def main() -> None:
    """Run as the program does, with somebody at it."""
    what, *projects = sys.argv[1:]
    paths = [Path(project) for project in projects]
    services = WindowServices(environ=dict(os.environ), load=lambda _model: stub())
    made = WindowController.__init__

    async def act(window: MainWindow, controller: WindowController) -> None:
        await until(lambda: window.windowTitle() != APP_NAME)
        await controller.settled()
        writer = Writer(OpenWindow(window, controller))
        match what:
            case "work":
                await _work(writer, services, place_of(paths[-1]))
            case "close":
                await _close(writer)
            case "copies":
                await _work_in_copies(writer, services, paths)
            case "look_at_copies":
                await _look_at_copies(writer, paths)
            case _:
                await _look(writer)

    def make(controller: WindowController, given: Services, window: MainWindow, *rest: Any) -> None:
        made(controller, given, window, *rest)
        controller._tasks.spawn(act(window, controller), name="somebody")

    name = "__init__"
    setattr(WindowController, name, make)
    run_window(services, Namespace(stores=[str(path) for path in paths]))


if __name__ == "__main__":
    main()
