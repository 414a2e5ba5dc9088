"""The frozen program's start against the source's: when a window is seen on an X server's screen.

Seen from outside, for the frozen program cannot be watched from within: the time from starting the
process until a point in the middle of the window is painted. Runs alternate; `make installer` comes
first, and Xvfb with Qt's libraries for it.
"""

import importlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench import as_at_home

RUNS = 5
_ROOT = Path(__file__).resolve().parents[2]
_FROZEN = _ROOT / "build" / "installer" / "dist" / "genizah" / "genizah"
_POINT = (500, 400)  # within the list: the window opens at the screen's corner
_LOOK_EVERY_S = 0.002
_GUARD_S = 60


def start_once(command: Sequence[str], screen: Any, folder: Path) -> float:
    """Start the program once on the demo store; return the ms until its window is painted."""
    before = screen.pixel(*_POINT)
    surroundings = as_at_home(folder) | {"DISPLAY": screen.name, "QT_QPA_PLATFORM": "xcb"}
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, "demo"], cwd=_ROOT, env=surroundings, stdin=subprocess.DEVNULL
    )
    try:
        while screen.pixel(*_POINT) == before:
            if time.monotonic() - started > _GUARD_S or not _runs(process):
                raise RuntimeError(f"{command[0]} painted no window")
        return (time.monotonic() - started) * 1000
    finally:
        process.kill()  # how it ends is not measured, and its data is a copy of the demo's
        process.wait()


def _runs(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_LOOK_EVERY_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def run() -> None:
    """Start each once to warm the caches, then both in turn; print medians and their ratio."""
    if not _FROZEN.exists():
        print(f"no {_FROZEN.relative_to(_ROOT)}: run `make installer` first")
        return
    if shutil.which("Xvfb") is None:
        print("no Xvfb: run packaging/setup/system_libs.py xcb xvfb first")
        return
    sys.path.insert(0, str(_ROOT / "packaging"))
    kind = importlib.import_module("smoke.screen").Screen
    programs = {"frozen": [str(_FROZEN)], "python -m app": [sys.executable, "-m", "app"]}
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory(prefix="genizah-bench-") as folder:
        for turn in range(RUNS + 1):
            for name, command in programs.items():
                with kind() as screen:  # a new one, or the window before might still be on it
                    ms = start_once(command, screen, Path(folder))
                if turn > 0:
                    times[name].append(ms)
    print(f"window seen, {RUNS} runs   median   worst")
    for name, found in times.items():
        print(f"{name:20} {statistics.median(found):8.0f} {max(found):7.0f} ms")
    frozen, source = (statistics.median(found) for found in times.values())
    print(f"frozen : source = {frozen / source:.2f}")


if __name__ == "__main__":
    run()
