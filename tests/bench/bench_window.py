"""The window at 10,000 and 100,000 memories, beside the targets of the interface's rules.

Times run from the key (or click) to the pixels. $GENIZAH_BENCH_STORES names a folder in which the
generated stores are kept for the next run.
"""

import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtWidgets import QApplication, QWidget

from app.bootstrap import Services
from app.loop import QtLoop
from core.retrieval.outcome import SearchOutcome
from tests.bench.generated_store import generate
from tests.support.freshness import Retirement, retire, select_live
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import real_encoder, stub, stub_services
from widgets.row_model import ROW_ROLE
from widgets.theme import Scheme, ThemeFollower

_SIZES = ((10_000, 100.0), (100_000, 250.0))
_QUERIES = 15
_GUARD_S = 60.0
_COMMITS = 7
_BIG_LINE = 2_000_000


def line(name: str, times_s: Sequence[float], most_ms: float | None = None) -> str:
    """Return one row of the table: median and worst in ms beside the target for the median."""
    median, worst = statistics.median(times_s) * 1e3, max(times_s) * 1e3
    said = f"{name:46} {median:8.1f} {worst:8.1f} ms"
    if most_ms is None:
        return said
    return f"{said}   at most {most_ms:.0f}: {'ok' if median <= most_ms else 'MISSED'}"


def paint(widget: QWidget) -> None:
    """Paint a widget now."""
    widget.repaint()


class Stopwatch:
    """Note when a list is on screen: by words (refining) and by both arms."""

    def __init__(self, opened: OpenWindow) -> None:
        self._opened = opened
        self._start = 0.0
        self.words: float | None = None
        self.both: float | None = None
        view = opened.controller.view
        self._show = view.show_outcome
        view.show_outcome = self._noted  # type: ignore[method-assign]  # a plain function around it

    def start(self) -> None:
        """Start anew."""
        self.words = self.both = None
        self._start = time.perf_counter()

    def _noted(self, outcome: SearchOutcome, *, refining: bool) -> None:
        self._show(outcome, refining=refining)
        paint(self._opened.window.hit_view.list.viewport())
        taken = time.perf_counter() - self._start
        if self.words is None:
            self.words = taken
        if not refining:
            self.both = taken


class Gaps:
    """Watch the event loop: the longest time in which nothing else could run."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._task = asyncio.ensure_future(self._watch())

    async def _watch(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.longest_s = max(self.longest_s, now - last)
            last = now

    async def stop(self) -> float:
        """Return the longest gap in seconds."""
        self._task.cancel()
        await asyncio.wait({self._task})
        return self.longest_s


async def timed(work: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Return how long some work took and the longest gap in the event loop meanwhile."""
    gaps = Gaps()
    start = time.perf_counter()
    await work()
    taken = time.perf_counter() - start
    return taken, await gaps.stop()


async def first_page(opened: OpenWindow, store: Path) -> None:
    """Open a store and wait until rows of it are painted."""
    opened.controller.open_path(store)
    model = opened.window.browse_view.table.model()
    await until(lambda: model.data(model.index(0, 0), ROW_ROLE) is not None, _GUARD_S)
    paint(opened.window.browse_view.table.viewport())


async def keystrokes(opened: OpenWindow, queries: Sequence[str], most_ms: float) -> None:
    """Type texts one after another and print how long their lists took."""
    watch = Stopwatch(opened)
    words: list[float] = []
    both: list[float] = []
    gaps = Gaps()
    for text in queries:
        watch.start()
        opened.type(text)
        await until(lambda: watch.both is not None, _GUARD_S)
        await opened.controller.settled()
        words.append(watch.words or 0.0)
        both.append(watch.both or 0.0)
    print(line("  key to the list by words", words, most_ms))
    print(line("  key to the list by words and meaning", both))
    print(line("  longest gap in the event loop", [await gaps.stop()]))


def stores_folder(work: Path) -> Path:
    """Return where generated stores lie."""
    given = os.environ.get("GENIZAH_BENCH_STORES")
    return Path(given) if given else work


def store_of(folder: Path, count: int) -> tuple[Path, list[str]]:
    """Return a store of so many memories and texts to type; make it where it is not there."""
    store, texts = folder / str(count), folder / f"{count}.txt"
    if not texts.exists():
        texts.write_text("\n".join(generate(store, count)), encoding="utf-8")
    return store, texts.read_text(encoding="utf-8").splitlines()[:_QUERIES]


async def size(services: Services, folder: Path, count: int, most_ms: float) -> None:
    """Measure one size in a fresh window."""
    store, queries = store_of(folder, count)
    print(f"{count:,} memories {'median':>38} {'worst':>8}", flush=True)
    async with open_window(services) as opened:
        opened.window.resize(1180, 760)
        taken, gap = await timed(lambda: first_page(opened, store))
        print(line("  opening to the first page painted", [taken], 500))
        print(line("  longest gap meanwhile", [gap]))
        await opened.controller.settled()
        await opened.search("warm up")
        await keystrokes(opened, queries, most_ms)
        resident = psutil.Process().memory_info().rss / 1e6
        print(f"  resident memory {resident:38.0f} MB", flush=True)


async def until_retired(opened: OpenWindow, store: Path, text: str) -> float:
    """Retire a selected memory from outside; return the seconds until all on screen agrees."""
    opened.type(text)
    await opened.settled()
    uuid = select_live(opened)
    await opened.settled()
    expected = Retirement.of_selected(opened)
    await asyncio.to_thread(retire, store, uuid)
    start = time.perf_counter()
    await until(expected.is_everywhere, _GUARD_S)
    taken = time.perf_counter() - start
    await opened.settled()
    return taken


async def freshness(services: Services, work: Path, folder: Path, count: int) -> None:
    """Print how soon list, counts and panels agree with a foreign commit, in a copy of a store."""
    source, texts = store_of(folder, count)
    store = work / f"written-{count}"
    shutil.copytree(source, store)
    async with open_window(services, store) as opened:
        for name, text in (("by time", ""), ("ranked", texts[0])):
            taken = [await until_retired(opened, store, text) for _ in range(_COMMITS)]
            print(line(f"  commit to all panels, list {name}", taken, 1000), flush=True)


async def two_megabytes(work: Path) -> None:
    """Measure the selection of a memory whose text is one line of 2 MB."""
    print("one line of 2 MB", flush=True)
    text = "word " * (_BIG_LINE // 5)
    store = build_store(work / "line", [Memory("a", "the long line", text), *distractors(30)])
    async with open_window(stub_services(stub(), work), store) as opened:
        await opened.search("long line")

        async def select() -> None:
            opened.window.hit_view.select(uuid_of("a"))
            await opened.controller.detail.settled()
            paint(opened.window.detail_panel.text.viewport())

        taken, gap = await timed(select)
        print(line("  selection to the text painted", [taken]))
        _, marks = await timed(opened.controller.settled)
        print(line("  longest gap while it is shown and marked", [max(gap, marks)]))
        start = time.perf_counter()
        opened.window.detail_panel._show_all.click()
        paint(opened.window.detail_panel.text.viewport())
        print(line("  show all", [time.perf_counter() - start]))


async def run() -> None:
    """Run every part."""
    work = Path(tempfile.mkdtemp(prefix="genizah-bench-"))
    os.environ["GENIZAH_DATA_DIR"] = str(work / "data")
    services = stub_services(real_encoder(), work)
    try:
        for count, most_ms in _SIZES:
            await size(services, stores_folder(work), count, most_ms)
            await freshness(services, work, stores_folder(work), count)
        await two_megabytes(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    application = QApplication(["bench"])
    follower = ThemeFollower(application, Scheme.LIGHT)
    QtLoop(application).run_until_complete(run())
    sys.stdout.flush()
    os._exit(0)
