"""The surroundings of every test, and the guard that fails a test on what goes wrong unseen.

Each test has a home of its own. Async tests run on the product's Qt loop, those of core/ on
asyncio's own. A test that provokes an error on purpose says so: `watch.expect_log(...)`.
"""

import asyncio
import gc
import itertools
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path

# Both are read once, when Qt and onnxruntime start.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import pytest
import pytest_asyncio
from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.loop import QtLoop
from tests.support.watch import (
    LogWatch,
    QtWatch,
    Watch,
    active_timers,
    delete_what_is_due,
    failed_unnoticed,
    let_go_of_keys,
    threads_left,
)

pytest_plugins = ["tests.peer.fixtures"]

_CORE_TESTS = Path(__file__).parent / "core"
_LOGS = pytest.StashKey[LogWatch]()
_QT_MESSAGES = pytest.StashKey[QtWatch]()


def _qt_loop() -> QtLoop:
    app = QApplication.instance()
    assert isinstance(app, QApplication), "the guard makes it before the loop"
    return QtLoop(app)


def _is_core(item: pytest.Item) -> bool:
    return item.path.is_relative_to(_CORE_TESTS)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if _is_core(item):
        return {"asyncio": asyncio.new_event_loop}
    return {"qt": _qt_loop}


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # pytest-qt watches Qt's messages too, but not those of a test's end, and by patterns.
    plugin = config.pluginmanager.get_plugin("_qt_logging")
    if plugin is not None:
        config.pluginmanager.unregister(plugin)
    config.stash[_LOGS] = LogWatch()
    logging.getLogger().addHandler(config.stash[_LOGS])
    # Looked up at each call: pytest replaces the stream while a test runs.
    config.stash[_QT_MESSAGES] = QtWatch(lambda line: print(line, file=sys.stderr))  # noqa: T201
    qInstallMessageHandler(config.stash[_QT_MESSAGES])


def pytest_unconfigure(config: pytest.Config) -> None:
    qInstallMessageHandler(None)
    logging.getLogger().removeHandler(config.stash[_LOGS])


def pytest_collection_finish() -> None:
    # What is loaded by now stays: the collection after each test is about that test alone.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def private_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the process at an empty home and data folder; return the home."""
    folder = next(_homes)
    folder.mkdir()
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)  # Qt warns about one that others may read
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / ".local" / "share"))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / ".local" / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("GENIZAH_DATA_DIR", str(folder / "genizah"))
    return folder


@pytest.fixture(autouse=True)
def watch(request: pytest.FixtureRequest, private_home: Path) -> Iterator[Watch]:
    """Watch for unseen problems; tell it the ones a test provokes on purpose."""
    logs, qt_messages = request.config.stash[_LOGS], request.config.stash[_QT_MESSAGES]
    watch = logs.watch = qt_messages.watch = Watch()
    threads = set(threading.enumerate())
    is_async = pytest_asyncio.is_async_test(request.node)
    uses_qt = "qapp" in request.fixturenames or (is_async and not _is_core(request.node))
    if uses_qt:
        request.getfixturevalue("qapp").setQuitOnLastWindowClosed(False)
    timers = active_timers() if uses_qt else []
    yield watch
    if uses_qt:
        let_go_of_keys()
        delete_what_is_due()
        left = [timer for timer in active_timers() if timer not in timers]
        watch.notes += [f"timer left running: {timer}" for timer in left]
    watch.notes += [f"thread left running: {name}" for name in threads_left(threads)]
    logs.watch = qt_messages.watch = None
    if problems := watch.problems():
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.fixture(autouse=True)
def _loop_guard_of_async_tests(request: pytest.FixtureRequest, watch: Watch) -> None:
    if pytest_asyncio.is_async_test(request.node):
        request.getfixturevalue("_loop_guard")


@pytest_asyncio.fixture
async def _loop_guard(watch: Watch) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(watch.note_loop_error)
    yield
    left = asyncio.all_tasks() - {asyncio.current_task()}
    watch.notes += [f"task left running: {task}" for task in left]
    for task in left:
        task.cancel()
    stuck = (await asyncio.wait(left, timeout=1.0))[1] if left else set()
    for task in stuck:
        watch.notes.append(f"task cannot be ended: {task}")
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # said here already
    if stuck:
        loop.call_later(0.1, loop.stop)  # or closing the runner would wait for ever
    watch.notes += [f"failed unnoticed: {future}" for future in failed_unnoticed()]
