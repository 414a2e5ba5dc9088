"""A second start hands its wish to the window that is there, and never hangs."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from app.single_instance import SingleInstance, Wish
from app.worker import Worker
from tests.support.child import run_child


@pytest_asyncio.fixture
async def second() -> AsyncIterator[Worker]:
    """Give a thread for the start that blocks while it hands over."""
    worker = Worker("second start")
    yield worker
    worker.close()


@contextmanager
def instance(data_dir: Path, **environ: str) -> Iterator[SingleInstance]:
    """Claim to be the first on a data folder, in this test's surroundings."""
    claimed = SingleInstance({**os.environ, **environ}, data_dir)
    try:
        yield claimed
    finally:
        claimed.close()


def _later_start(data_dir: Path, *paths: str, limit_s: float = 20.0) -> str:
    ended = run_child("tests.support.later_start", str(data_dir), str(limit_s), *paths)
    assert (ended.code, ended.err) == (0, "")
    return ended.out.strip()


def _wish(*paths: str) -> Wish:
    return Wish(paths, "tide\n tables", "token-7")


async def test_the_first_is_told_what_the_second_wanted(tmp_path: Path, second: Worker) -> None:
    heard: list[Wish] = []
    with instance(tmp_path) as first:
        assert first.is_first
        first.listen(heard.append)
        odd = os.fsdecode(b"/with\xff/half")
        assert await second.run(_later_start, tmp_path, "/p/q", odd) == "taken later"
        assert await second.run(_later_start, tmp_path) == "taken later"
    assert heard == [_wish("/p/q", odd), _wish()]


async def test_a_first_that_is_still_starting_is_waited_for(
    tmp_path: Path, second: Worker
) -> None:
    heard: list[Wish] = []
    with instance(tmp_path) as first:
        later = asyncio.ensure_future(second.run(_later_start, tmp_path, "/p"))
        await asyncio.sleep(1)  # long enough for the later one to be at it
        first.listen(heard.append)
        assert await later == "taken later"
    assert heard == [_wish("/p")]


async def test_a_first_that_hangs_leaves_the_second_on_its_own(
    tmp_path: Path, second: Worker
) -> None:
    with instance(tmp_path) as first:
        hanging = partial(_later_start, limit_s=0.3)
        assert await second.run(hanging, tmp_path, "/p") == "not taken later"
        assert first.is_first


def test_the_second_follows_a_first_that_ends_meanwhile(tmp_path: Path) -> None:
    with instance(tmp_path) as first, instance(tmp_path) as later:
        assert not later.is_first
        first.close()
        assert not later.hand_over(Wish())
        assert later.is_first


def test_without_qts_sockets_every_start_is_on_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PySide6.QtNetwork", None)
    with instance(tmp_path) as first, instance(tmp_path) as later:
        first.listen(lambda _wish: None)
        assert not later.hand_over(Wish(("/p",)))


def test_another_data_folder_or_another_screen_is_another_instance(tmp_path: Path) -> None:
    with (
        instance(tmp_path / "a", DISPLAY=":1") as one,
        instance(tmp_path / "b", DISPLAY=":1") as other,
        instance(tmp_path / "a", DISPLAY=":2") as elsewhere,
        instance(tmp_path / "a", DISPLAY=":1") as again,
    ):
        assert [one.is_first, other.is_first, elsewhere.is_first] == [True, True, True]
        assert not again.is_first


async def test_noise_on_the_socket_is_ignored_and_the_next_start_is_heard(
    tmp_path: Path, private_home: Path, second: Worker
) -> None:
    heard: list[Wish] = []
    with instance(tmp_path) as first:
        first.listen(heard.append)
        (address,) = (private_home / "run" / "genizah").glob("*.socket")
        nested = b"[" * 99_999 + b"\n"
        for noise in (b"GET / HTTP/1.1\r\n\r\n", b'{"paths": 7}\n', b"\xff\n", nested):
            await second.run(_send, address, noise)
        with socket.socket(socket.AF_UNIX) as silent:
            silent.connect(str(address))
            assert await second.run(_later_start, tmp_path, "/p") == "taken later"
    assert heard == [_wish("/p")]


def _send(address: Path, noise: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as sender:
        sender.settimeout(5)
        sender.connect(str(address))
        sender.sendall(noise)
        assert sender.recv(9) == b""


def test_lock_and_socket_lie_where_nobody_else_comes(tmp_path: Path, private_home: Path) -> None:
    with instance(tmp_path) as first:
        first.listen(lambda _wish: None)
        folder = private_home / "run" / "genizah"
        assert folder.stat().st_mode & 0o777 == 0o700
        assert sorted(p.suffix for p in folder.iterdir()) == [".lock", ".socket"]
        (address,) = folder.glob("*.socket")
        assert address.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("mode", [0o755, 0o777])
def test_a_folder_that_others_reach_is_not_used(mode: int, tmp_path: Path) -> None:
    shared, temporary = tmp_path / "shared", tmp_path / "tmp"
    for folder in (shared, temporary):
        folder.mkdir()
    (temporary / f"genizah-{os.getuid()}").mkdir()
    (temporary / f"genizah-{os.getuid()}").chmod(mode)
    shared.chmod(mode)
    environ = {"XDG_RUNTIME_DIR": str(shared), "TMPDIR": str(temporary)}
    with instance(tmp_path, **environ) as first:
        first.listen(lambda _wish: None)
        assert first.is_first
        with instance(tmp_path, **environ) as other:
            assert other.is_first, "every start is on its own"
    assert [p for p in tmp_path.rglob("*") if p.is_file() or p.is_socket()] == []


def test_a_long_path_of_the_runtime_folder_is_gone_around(
    tmp_path: Path, private_home: Path
) -> None:
    long = tmp_path / ("x" * 90)
    long.mkdir(mode=0o700)
    environ = {"XDG_RUNTIME_DIR": str(long), "TMPDIR": str(private_home)}
    with instance(tmp_path, **environ) as first, instance(tmp_path, **environ) as later:
        assert (first.is_first, later.is_first) == (True, False)
    assert list(long.rglob("*.lock")) == []


async def test_what_a_killed_first_left_is_no_hindrance(tmp_path: Path, second: Worker) -> None:
    heard: list[Wish] = []
    with instance(tmp_path) as killed:
        killed.listen(lambda _wish: None)
        (address,) = Path(os.environ["XDG_RUNTIME_DIR"]).rglob("*.socket")
    address.touch()  # a file where the socket goes
    with instance(tmp_path) as first:
        first.listen(heard.append)
        assert await second.run(_later_start, tmp_path, "/p") == "taken later"
    assert heard == [_wish("/p")]
