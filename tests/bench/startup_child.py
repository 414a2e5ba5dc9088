"""The program started as a person starts it, with a stopwatch: `startup_child START_NS ARGS...`.

START_NS is the parent's time.monotonic_ns() at the start. Prints one JSON object a line: the
moments in ms since then, what was loaded at the first paint, resident memory at the end; then
closes the window. The program is not changed: plain functions stand around a few of its own.
"""

import json
import os
import sys
import time
from argparse import Namespace

_HEAVY = ("numpy", "onnxruntime", "fastembed", "tokenizers", "sqlite_vec", "huggingface_hub")
_SETTLE_S = 0.5


class Stopwatch:
    """Say what happened when, each moment once."""

    def __init__(self, start_ns: int) -> None:
        self._start_ns = start_ns
        self._said: set[str] = set()

    def say(self, moment: str, **facts: object) -> None:
        """Print a moment the first time it comes."""
        if moment not in self._said:
            self._said.add(moment)
            ms = (time.monotonic_ns() - self._start_ns) / 1e6
            print(json.dumps({"moment": moment, "ms": ms, **facts}), flush=True)


def heavy_modules() -> list[str]:
    """Return which of the modules that take long to import are loaded."""
    return [name for name in _HEAVY if name in sys.modules]


def resident() -> dict[str, float]:
    """Return resident memory now and at its peak, in MB."""
    import resource

    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no further imports
        pages = int(file.read().split()[1])
    return {"rss_mb": pages * os.sysconf("SC_PAGE_SIZE") / 1e6, "peak_mb": peak_kb * 1024 / 1e6}


def watch_window(watch: Stopwatch) -> None:
    """Stand around the window's first paint; call it when the program is about to make it."""
    from app import window as window_module

    wait = window_module._FirstPaint.wait

    async def wait_and_say(paint: "window_module._FirstPaint") -> None:
        await wait(paint)
        watch.say("first_paint", modules=heavy_modules())
        watch_store(watch)

    setattr(window_module._FirstPaint, "wait", wait_and_say)  # noqa: B010 - typed as a method


def watch_store(watch: Stopwatch) -> None:
    """Stand around what comes after the paint; imported no earlier than the program does."""
    import asyncio

    from app.open_store import OpenStore
    from app.window_view import WindowView
    from core.retrieval.outcome import SearchOutcome

    opening = OpenStore.open.__func__  # type: ignore[attr-defined]  # of a class method
    show = WindowView.show_outcome

    async def open_and_say(kind: type[OpenStore], *args: object) -> OpenStore:
        watch.say("opening")
        store: OpenStore = await opening(kind, *args)
        watch.say("open")
        return store

    def show_and_say(view: WindowView, outcome: SearchOutcome, *, refining: bool) -> None:
        show(view, outcome, refining=refining)
        if not outcome.dense.ran:
            watch.say("words", hits=len(outcome.hits))
            return
        watch.say("hybrid", hits=len(outcome.hits))
        asyncio.get_running_loop().call_later(_SETTLE_S, end, view)

    def end(view: WindowView) -> None:
        watch.say("settled", **resident())
        view._window.close()

    setattr(OpenStore, "open", classmethod(open_and_say))  # noqa: B010
    setattr(WindowView, "show_outcome", show_and_say)  # noqa: B010


def main() -> None:
    """Run the program's own entry point."""
    watch = Stopwatch(int(sys.argv[1]))
    watch.say("python")
    from app.__main__ import main as program

    sys.argv = ["genizah", *sys.argv[2:]]
    import app.cli as cli

    run_window = cli._window

    def run_watched(arguments: Namespace) -> int:
        watch_window(watch)
        return run_window(arguments)

    cli._window = run_watched
    sys.exit(program())


if __name__ == "__main__":
    main()
