"""Closing ends the process soon, in any state: its jobs and queries would go on for minutes."""

import signal
import subprocess

import pytest

from tests.support.child import Ended, child, end_of, run_child

_APP = "tests.support.closing_app"
_STATES = [
    "idle",
    "blocking_job",
    "default_executor_job",
    "long_query",
    "open_dialog",
    "open_menu",
    "all_at_once",
]


def is_orderly(ended: Ended) -> bool:
    return (ended.code, ended.err, ended.out.splitlines()[-1:]) == (0, "", ["stopped"])


def await_line(process: subprocess.Popen[str], expected: str) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == f"{expected}\n"


def signalled(state: str, number: signal.Signals) -> Ended:
    with child(_APP, state, "signal") as process:
        await_line(process, "ready")
        process.send_signal(number)
        return end_of(process)


@pytest.mark.parametrize("state", _STATES)
def test_closing_the_window_ends_the_process(state: str) -> None:
    ended = run_child(_APP, state, "window")
    assert is_orderly(ended), ended


@pytest.mark.parametrize("state", _STATES)
def test_sigterm_ends_the_process_in_order(state: str) -> None:
    ended = signalled(state, signal.SIGTERM)
    assert is_orderly(ended), ended


def test_ctrl_c_ends_an_idle_process_in_order() -> None:
    ended = signalled("idle", signal.SIGINT)
    assert is_orderly(ended), ended


def test_a_loop_that_is_held_up_when_the_signal_comes_has_its_time_to_end_in_order() -> None:
    ended = signalled("held_up_loop", signal.SIGTERM)
    assert is_orderly(ended), ended


@pytest.mark.parametrize("state", ["idle", "long_query"])
def test_telling_qt_to_quit_ends_the_process_with_its_database_open(state: str) -> None:
    ended = run_child(_APP, state, "quit")
    assert is_orderly(ended), ended


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_a_process_that_is_stuck(number: signal.Signals) -> None:
    with child(_APP, "stubborn_query", "signal") as process:
        await_line(process, "ready")
        process.send_signal(number)
        await_line(process, "stopping")
        process.send_signal(number)
        ended = end_of(process)
    assert (ended.code, ended.out, ended.err) == (-number, "", "")


def test_a_query_that_ignores_everything_is_named_and_abandoned() -> None:
    ended = run_child(_APP, "stubborn_query", "window")
    assert (ended.code, ended.out) == (1, "stopping\nstopped\n")
    assert "did not stop within 1500 ms: main" in ended.err
    assert "Traceback" not in ended.err
    assert "destroyed" not in ended.err


def test_a_dialog_executed_in_a_task_does_not_outlive_a_signal() -> None:
    ended = signalled("nested_loop_in_a_task", signal.SIGTERM)
    assert ended.code == 1
    assert ended.out.endswith("stopping\nstopped\n")
    assert ended.err.endswith("did not stop within 1500 ms: main")
