"""Start-up of the window on the demo store with a text typed: moments and memory against targets.

Each run is a process of its own on a warm file cache, its modules compiled. Prints median and worst
of the runs.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench import as_at_home

RUNS = 5
_ROOT = Path(__file__).resolve().parents[2]
_QUERY = "boarding pass base45"
_GUARD_S = 60


@dataclass(frozen=True, slots=True)
class Target:
    """One number that a run yields: where it stands, its unit, what it may be at most."""

    moment: str
    key: str
    name: str
    unit: str
    most: float | None = None


TARGETS = (
    Target("python", "ms", "interpreter is up", "ms"),
    Target("first_paint", "ms", "first paint", "ms", 500),
    Target("words", "ms", "first result by words", "ms"),
    Target("hybrid", "ms", "first hybrid result", "ms", 1500),
    Target("settled", "rss_mb", "resident after it", "MB", 400),
    Target("settled", "peak_mb", "resident at the peak", "MB", 450),
)


def start_once(surroundings: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """Start the program once and return its moments by name. Raises CalledProcessError."""
    command = [sys.executable, "-m", "tests.bench.startup_child", str(time.monotonic_ns())]
    ended = subprocess.run(
        [*command, "demo", "--query", _QUERY],
        cwd=_ROOT,
        env={"QT_QPA_PLATFORM": "offscreen", **surroundings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_GUARD_S,
        check=True,
    )
    moments: list[dict[str, object]] = [json.loads(ln) for ln in ended.stdout.splitlines()]
    return {str(moment["moment"]): moment for moment in moments}


def line_of(target: Target, runs: Sequence[Mapping[str, Mapping[str, object]]]) -> str:
    """Return one line of the table."""
    values = [float(str(run[target.moment][target.key])) for run in runs]
    median, worst = statistics.median(values), max(values)
    said = f"{target.name:24} {median:7.0f} {worst:7.0f} {target.unit}"
    if target.most is None:
        return said
    verdict = "ok" if median <= target.most else "MISSED"
    return f"{said}   at most {target.most:.0f}: {verdict}"


def run() -> None:
    """Start the program once to warm the caches, then five times, and print the table."""
    with tempfile.TemporaryDirectory(prefix="genizah-bench-") as folder:
        surroundings = as_at_home(Path(folder))
        start_once(surroundings)
        runs = [start_once(surroundings) for _ in range(RUNS)]
    print(f"start-up, {RUNS} runs            median   worst")
    for target in TARGETS:
        print(line_of(target, runs))


if __name__ == "__main__":
    run()
