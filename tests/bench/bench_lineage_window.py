"""The lineage in the window at 10,000 memories, beside its targets: first picture, paints, gaps."""

import asyncio
import os
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.loop import QtLoop
from tests.bench.bench_window import Gaps, line, paint
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.lineage_page import Form
from widgets.theme import Scheme, ThemeFollower

_NODES = 10_000
_NEWEST = datetime(2026, 3, 1, tzinfo=UTC)
_PAINTS = 60
_GUARD_S = 60.0
_FIRST_MS, _PAINT_MS, _GAP_MS = 1000.0, 33.0, 100.0


def rows(count: int, seed: int = 1) -> list[Memory]:
    """Make trees of two to forty memories, a chain of 200 and a hub of 500."""
    rng = random.Random(seed)
    made: list[Memory] = []
    while len(made) < count:
        size = 500 if not made else 200 if len(made) == 500 else rng.randint(2, 40)
        first = len(made)
        for n in range(first, min(first + size, count)):
            reach = {500: first, 200: n - 1}.get(size, rng.randint(first, max(first, n - 1)))
            by = None if n == first else f"m{reach}"
            at = (_NEWEST - timedelta(minutes=n)).isoformat()  # older than what replaced it
            made.append(Memory(f"m{n}", f"memory {n} of the harbour", by=by, created_at=at))
    return made


async def _first_picture(opened: OpenWindow) -> tuple[float, float]:
    page, gaps = opened.window.lineage_page, Gaps()
    start = time.perf_counter()
    opened.window.actions_by_name["lineage"].trigger()
    await until(lambda: page.drawing is not None, _GUARD_S)
    paint(page.canvas.viewport())
    taken = time.perf_counter() - start
    await opened.controller.settled()
    return taken, await gaps.stop()


def _paints(opened: OpenWindow, scale: float) -> list[float]:
    """Time repaints at a scale while moving across the picture; 0 fits it."""
    canvas = opened.window.lineage_page.canvas
    canvas.fit()
    if scale:
        canvas.zoom(scale / canvas.scale_now)
    taken: list[float] = []
    for n in range(_PAINTS):
        if scale and canvas.sketch is not None:
            boxes = canvas.sketch.boxes
            canvas.centerOn(boxes[len(boxes) * n // _PAINTS].center())
        start = time.perf_counter()
        paint(canvas.viewport())
        taken.append(time.perf_counter() - start)
    return taken


def _p95(times_s: list[float]) -> float:
    return statistics.quantiles(times_s, n=20)[-1]


async def _measure(opened: OpenWindow) -> None:
    page = opened.window.lineage_page
    opened.window.resize(1400, 900)
    page.show_form(Form.OVERVIEW)
    first, gap = await _first_picture(opened)
    print(line("first picture", [first], _FIRST_MS))
    print(line("longest gap of the loop meanwhile", [gap], _GAP_MS))
    await _unfold(opened)
    for scale in (0.0, 0.2, 0.3, 0.56, 0.8, 1.0):
        name = f"paint at {scale:.0%}" if scale else "paint of the whole"
        print(line(f"{name}, 95th percentile", [_p95(_paints(opened, scale))], _PAINT_MS))
    gaps = Gaps()
    page.dim.setText("memory 77")
    await opened.controller.settled()
    page.as_of.setValue(page.as_of.maximum() // 2)
    await opened.controller.settled()
    paint(page.canvas.viewport())
    print(line("longest gap while dimming and dating", [await gaps.stop()], _GAP_MS))


async def _unfold(opened: OpenWindow) -> None:
    """Unfold everything there is, so that all memories are drawn."""
    page, gaps = opened.window.lineage_page, Gaps()
    while page.drawing is not None:
        keys = [s.fold.key for s in page.drawing.picture.spots if s.fold is not None]
        if not keys:
            break
        for key in keys:
            page.folds_wanted.emit(key)
        await opened.controller.settled()
    drawn = 0 if page.drawing is None else len(page.drawing.picture.spots)
    print(line(f"longest gap while unfolding to {drawn:,}", [await gaps.stop()], _GAP_MS))


async def _main(folder: Path) -> None:
    store = build_store(folder / "p", rows(_NODES))
    async with open_window(stub_services(stub(), folder), store) as opened:
        await _measure(opened)
        target = os.environ.get("GENIZAH_BENCH_SHOT")
        if target:
            opened.window.lineage_page.canvas.fit()
            await asyncio.sleep(0.1)  # scroll bars go a moment later
            opened.window.grab().save(target)


def main() -> None:
    """Print the table."""
    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    ThemeFollower(app, Scheme.LIGHT)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, GENIZAH_DATA_DIR=folder)
        with asyncio.Runner(loop_factory=lambda: QtLoop(app)) as runner:
            runner.run(_main(Path(folder)))


if __name__ == "__main__":
    main()
