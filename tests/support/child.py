"""Run a module of the tests as a process of its own and see how it ends."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.watch import HARMLESS_QT_LINES

ROOT = Path(__file__).parents[2]
HANG_S = 40.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: `code` as in subprocess, `err` without Qt's harmless lines."""

    code: int
    out: str
    err: str


@contextmanager
def child(module: str, *args: str) -> Iterator[subprocess.Popen[str]]:
    """Start `python -m module args` with warnings as errors; kill it at the end if need be."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", module, *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def end_of(process: subprocess.Popen[str]) -> Ended:
    """Wait for the end of a process. Raise subprocess.TimeoutExpired when it hangs."""
    out, err = process.communicate(timeout=HANG_S)
    told = [line for line in err.splitlines() if line not in HARMLESS_QT_LINES]
    return Ended(process.returncode, out, "\n".join(told))


def run_child(module: str, *args: str) -> Ended:
    """Run `python -m module args` to its end."""
    with child(module, *args) as process:
        return end_of(process)
