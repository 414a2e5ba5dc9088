"""The guard of the tests fails each kind of bad test, and only those."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.child import Ended, run_child

_CASES = Path(__file__).with_name("bad_cases.py")
_SAYS = {
    "test_bad_task_error": "failed unnoticed: .*stray",
    "test_bad_task_error_in_a_cycle": "stray",
    "test_bad_async_slot": "stray",
    "test_bad_slot": "ZeroDivisionError",
    "test_bad_callback": "loop error: .*ZeroDivisionError",
    "test_bad_task_left": "task left running: .*left",
    "test_bad_task_left_that_fails_in_its_clean_up": "in clean-up",
    "test_bad_task_that_cannot_be_ended": "task cannot be ended: .*stubborn",
    "test_bad_nested_wait": "waitUntil timed out",
    "test_bad_coroutine_not_awaited": "never awaited",
    "test_bad_log": "log: WARNING core.store: store is damaged",
    "test_bad_qt_warning": "Qt message: QPainter is not active",
    "test_bad_qt_warning_in_the_end": "Qt message: QPainter is gone",
    "test_bad_thread_left": "thread left running: left behind",
    "test_bad_timer_left": "timer left running: .*left behind",
    "test_bad_timer_left_though_its_widget_was_closed": "timer left running",
    "test_bad_expectation": "expected in vain: never comes",
    "test_bad_warning": "old name",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run all the cases once: what is said of each failed one by its name, and good ones as ""."""
    path = tmp_path_factory.mktemp("report") / "report.xml"
    ended: Ended = run_child("pytest", str(_CASES), "-q", f"--junitxml={path}")
    assert ended.code == 1, ended
    said: dict[str, str] = {}
    for case in ElementTree.parse(path).iter("testcase"):
        texts = [(node.get("message") or "") + (node.text or "") for node in case]
        name = case.get("name") or ""
        said[name] = said.get(name, "") + "\n".join(texts)
    return said


@pytest.mark.parametrize("name", _SAYS)
def test_a_bad_test_fails_and_says_why(name: str, report: dict[str, str]) -> None:
    assert report[name], "passed"
    assert re.search(_SAYS[name], report[name])


def test_good_tests_pass(report: dict[str, str]) -> None:
    passed = {name for name, said in report.items() if not said}
    assert passed == {
        "test_good_async",
        "test_good_that_holds_a_key",
        "test_good_where_no_key_is_held",
        "test_good_after_all_of_them",
    }


def test_every_bad_case_is_asked_about(report: dict[str, str]) -> None:
    assert {name for name in report if name.startswith("test_bad")} == set(_SAYS)
