"""The window's part of the self-test: the program is started once more and draws the demo store.

A process of its own, as a person starts it: what it prints, how it ends and how long that takes
are part of what is checked.
"""

import asyncio
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Mapping
from pathlib import Path

_START_LIMIT_S = 60.0
_END_LIMIT_S = 2.0
_FEWEST_COLOURS = 30
_FIRST_SAID, _LAST_SAID = 300, 700
_STEP_X, _STEP_Y = 7, 3
# Qt's platform that draws into memory says what it cannot do at every window.
_HARMLESS = "This plugin does not support "


class SelfTestFailedError(Exception):
    """Say in one sentence which part of the program does not work here."""


async def check_window(environ: Mapping[str, str], query: str) -> str:
    """Draw the window with a search on the demo store; return what was seen.

    Raises SelfTestFailedError.
    """
    surroundings = _with_screen(environ)
    with tempfile.TemporaryDirectory(prefix="genizah-picture-") as folder:
        picture = Path(folder) / "window.png"
        command = [*_program(), "demo", "--query", query, "--screenshot", str(picture)]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=surroundings
        )
        try:
            ended_in_s = await _watch(process, picture)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        width, height, colours = _look_at(picture)
    if colours < _FEWEST_COLOURS:
        raise SelfTestFailedError(f"The window was drawn blank: {colours} colours.")
    platform = surroundings.get("QT_QPA_PLATFORM", "the screen")
    return f"{width} x {height} on {platform}, {colours} colours, ended in {ended_in_s:.1f} s"


def _program() -> list[str]:
    """Return how this very program is started."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable] if frozen else [sys.executable, "-m", "app"]


def _with_screen(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the window: without a screen it is drawn into memory."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform != "linux" or any(environ.get(name) for name in names):
        return dict(environ)
    return {**environ, "QT_QPA_PLATFORM": "offscreen"}


async def _watch(process: Process, picture: Path) -> float:
    """Wait for the picture and for the end; return how long the end took."""
    assert process.stdout is not None
    assert process.stderr is not None
    started = time.monotonic()
    complaints = asyncio.ensure_future(process.stderr.read())
    said = await _within(_START_LIMIT_S, process.stdout.readline(), "was not drawn")
    drawn = time.monotonic()
    # A machine too busy to start it in that time may take as long to end it.
    limit_s = max(_END_LIMIT_S, drawn - started)
    rest = await _within(limit_s, process.stdout.read(), "did not end")
    errors = await _within(limit_s, complaints, "did not end")
    code = await _within(limit_s, process.wait(), "did not end")
    ended_in_s = time.monotonic() - drawn
    lines = [*rest.decode(errors="replace").splitlines(), *_stray(errors)]
    first = said.decode(errors="replace").strip()
    if code != 0 or lines or first != str(picture):
        words = _shortened(" | ".join(line for line in (first, *lines) if line))
        raise SelfTestFailedError(f"The window ended with code {code} and said: {words}")
    return ended_in_s


async def _within[T](limit_s: float, awaited: Awaitable[T], failed: str) -> T:
    try:
        async with asyncio.timeout(limit_s):
            return await awaited
    except TimeoutError:
        raise SelfTestFailedError(f"The window {failed} within {limit_s:.0f} s.") from None


def _shortened(words: str) -> str:
    """Leave out the middle: Qt names the trouble first, Python last."""
    if len(words) <= _FIRST_SAID + _LAST_SAID:
        return words
    return f"{words[:_FIRST_SAID]} … {words[-_LAST_SAID:]}"


def _stray(errors: bytes) -> list[str]:
    lines = errors.decode(errors="replace").splitlines()
    return [line for line in lines if line and not line.startswith(_HARMLESS)]


def _look_at(picture: Path) -> tuple[int, int, int]:
    """Return width, height and the number of colours of a coarse sample."""
    from PySide6.QtGui import QImage  # the words and the model are checked without Qt

    image = QImage(str(picture))
    across, down = range(0, image.width(), _STEP_X), range(0, image.height(), _STEP_Y)
    colours = {image.pixel(x, y) for x in across for y in down}
    return image.width(), image.height(), len(colours)
