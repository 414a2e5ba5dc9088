"""Closing the window in any state ends the process soon, in order and without a word on stderr.

What blocks in the child would go on for five minutes; the hang guard of ten seconds is the proof
that nobody waited for it.
"""

import os
import signal
from pathlib import Path

import pytest

from tests.support.child import Ended, child, end_of, run_child
from tests.support.window_stores import ferry_store

_APP = "tests.support.closing_window"
_STATES = [
    "idle",
    "at_once",
    "model_load",
    "embedding",
    "slow_search",
    "literal_scan",
    "opening",
    "dialog",
    "about",
    "preferences",
    "history",
    "own_file_locked",
    "searched",
    "many_stores",
    "copying",
    "saving",
    "copy_hangs",
    "deep_check",
    "comparing",
    "exporting",
]
# A signal takes the window's own way out: a few states tell in the short run, all in the long one.
_SHORT = ("idle", "slow_search", "own_file_locked", "copy_hangs")
_SIGNALLED = [
    pytest.param(state, marks=[] if state in _SHORT else pytest.mark.slow) for state in _STATES
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that the children only read."""
    return ferry_store(tmp_path_factory.mktemp("closing") / "p")


def is_orderly(ended: Ended, out: str = "ready\n") -> bool:
    return (ended.code, ended.out, ended.err) == (0, out, "")


@pytest.mark.parametrize("state", _STATES)
def test_closing_the_window_ends_the_process_in_order(state: str, project: Path) -> None:
    ended = run_child(_APP, state, "window", str(project))
    assert is_orderly(ended), ended


def signalled(state: str, number: signal.Signals, project: Path) -> Ended:
    with child(_APP, state, "signal", str(project)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        return end_of(process)


@pytest.mark.parametrize("state", ["copying", "saving", "deep_check", "exporting"])
def test_closing_the_window_leaves_nothing_half_made(state: str, project: Path) -> None:
    assert is_orderly(run_child(_APP, state, "window", str(project)))
    own = Path(os.environ["GENIZAH_DATA_DIR"])
    made = [p for name in ("copies", "salvaged") for p in (own / name).rglob("*") if p.is_file()]
    assert [*made, *own.glob("*list.json*")] == []


@pytest.mark.parametrize("state", _SIGNALLED)
def test_sigterm_ends_the_process_in_order(state: str, project: Path) -> None:
    ended = signalled(state, signal.SIGTERM, project)
    assert is_orderly(ended, ""), ended


def test_sigterm_on_a_machine_too_busy_to_build_the_window_begins_nothing(project: Path) -> None:
    ended = signalled("held_up", signal.SIGTERM, project)
    assert is_orderly(ended, ""), ended
    own = Path(os.environ["GENIZAH_DATA_DIR"])
    assert not (own / "genizah.db").exists()
    assert "open:" not in (own / "genizah.log").read_text("utf-8")


def test_ctrl_c_ends_the_process_in_order(project: Path) -> None:
    ended = signalled("searched", signal.SIGINT, project)
    assert is_orderly(ended, ""), ended
