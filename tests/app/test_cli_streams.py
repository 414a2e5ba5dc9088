"""The command line as a process: streams, locale, no Qt, private files, endings."""

import json
import os
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.arguments import mistyped
from app.bootstrap import Services
from app.demo import prepare_demo
from core.errors import ErrorCode, GenizahError
from tests.support.cli import Cli
from tests.support.oracle import DEMO_BUNDLE, ROOT
from tests.support.stores import Memory, build_store, distractors, uuid_of

_HANG_S = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store whose one row has letters of many scripts."""
    row = Memory("a", "zarquon café 设备 🦀", "ﬁn\r\nof it")
    return build_store(tmp_path / "project", [row, *distractors(5)])


def _process(
    *argv: object, code: str | None = None, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    start = ["-m", "app"] if code is None else ["-c", code]
    return subprocess.run(
        [sys.executable, "-W", "error", *start, *map(str, argv)],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_HANG_S,
        check=False,
    )


@pytest.mark.parametrize("flag", ["--help", "-h", "--version"])
def test_help_and_version_import_no_qt_and_no_model(flag: str) -> None:
    code = (
        "import sys; from app.cli import run\n"
        "try:\n    run(sys.argv[1:])\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "heavy = {'PySide6', 'qasync', 'numpy', 'fastembed', 'onnxruntime', 'huggingface_hub'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    ended = _process(flag, code=code)
    assert ended.stderr == b"[]\n"
    assert b"genizah" in ended.stdout


def test_a_search_by_words_imports_no_qt(project: Path) -> None:
    code = (
        "import sys; from app.cli import run\n"
        "assert run(sys.argv[1:]) == 0\n"
        "print(sorted({'PySide6', 'qasync', 'fastembed'} & set(sys.modules)), file=sys.stderr)"
    )
    ended = _process("search", project, "--query", "zarquon", "--lexical-only", code=code)
    assert ended.stderr.splitlines()[-1] == b"[]"


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_the_result_is_utf8_in_every_locale(locale: str, project: Path) -> None:
    variables = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = _process("show", project, uuid_of("a"), **variables)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("zarquon café 设备 🦀\n".encode())
    assert ended.stdout.endswith(b"\n")
    assert not ended.stdout.endswith(b"\n\n")
    found = _process("show", project, uuid_of("a"), "--json", **variables)
    assert found.stdout.isascii()
    assert json.loads(found.stdout)["memory"]["content"] == "ﬁn\r\nof it"


def test_the_result_alone_is_on_stdout_and_notices_are_beside_it(project: Path) -> None:
    ended = _process("search", project, "--query", "zarquon", "--lexical-only")
    assert ended.returncode == 0
    assert ended.stdout.startswith(b"1 of 1 found in 6 memories\n")
    assert b"dense_arm_off" in ended.stderr
    assert b"dense_arm_off" not in ended.stdout
    assert b"\x1b" not in ended.stdout + ended.stderr, "no colour off a terminal"


def test_both_ways_to_start_it_are_the_same_program() -> None:
    by_module = _process("--version")
    script = Path(sys.executable).with_name("genizah")
    if not script.exists():
        pytest.skip("the console script is not installed in this environment")
    by_name = subprocess.run([script, "--version"], capture_output=True, check=True)
    assert by_module.stdout == by_name.stdout


def test_an_unknown_flag_is_usage_without_a_window() -> None:
    for argv in (("--no-such-flag",), ("search", "--bogus"), ("similar",), ("show", "only-store")):
        ended = _process(*argv)
        assert (ended.returncode, ended.stdout) == (2, b""), argv
        assert ended.stderr.startswith(b"genizah: ")
        assert ended.stderr.count(b"genizah: ") == 1


@pytest.mark.parametrize(
    ("word", "meant"), [("serach", "search"), ("Lineage", "lineage"), ("exprot", "export")]
)
def test_a_mistyped_command_opens_no_window_and_says_the_right_one(
    word: str, meant: str, cli: Cli
) -> None:
    ran = cli(word, "project", "--query", "x")
    said = f"genizah: There is nothing at {word}; did you mean genizah {meant}?\n"
    assert (ran.code, ran.out, ran.err) == (2, b"", said)


def test_a_folder_that_is_called_almost_like_a_command_is_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mistyped("searches") == "search"
    (tmp_path / "searches").mkdir()
    assert [mistyped(name) for name in ("searches", "search", "my-project")] == [None, None, None]


def test_the_self_test_stands_alone(cli: Cli) -> None:
    ran = cli("--self-test", "--json")
    assert (ran.code, ran.err) == (2, "genizah: --self-test stands alone.\n")


def test_a_reader_that_goes_away_is_no_bug_of_ours(project: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-m", "app", "show", str(project), uuid_of("a")],
        cwd=ROOT,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=_HANG_S,
        check=False,
    )
    os.close(write)
    assert ended.returncode not in (0, 70)
    assert b"Traceback" not in ended.stderr


def test_ctrl_c_ends_a_command_with_130(project: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "queries"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "app", "search", str(project), "--queries", str(fifo)]
    with (
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process,
        fifo.open("wb"),  # opens when the command has opened it to read
    ):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=_HANG_S)
    assert process.returncode == 130
    assert b"Traceback" not in err


def _with_closed(closing: str, *argv: object) -> subprocess.CompletedProcess[bytes]:
    command = shlex.join([sys.executable, "-W", "error", "-m", "app", *map(str, argv)])
    return subprocess.run(
        ["bash", "-c", f"exec {command} {closing}"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_HANG_S,
        check=False,
    )


@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_stream_closed_before_the_start_is_written_to_in_vain(
    closing: str, project: Path
) -> None:
    for argv in (("check", project), ("search", project, "--query", "zarquon"), ("--version",)):
        ended = _with_closed(closing, *argv)
        assert (ended.returncode, ended.stderr.count(b"Traceback")) == (0, 0), argv
    absent = _with_closed(closing, "check", project / "nowhere", "--json")
    assert absent.returncode == 4, absent.stderr


def test_a_query_from_a_closed_standard_input_is_usage(project: Path) -> None:
    ended = _with_closed("<&-", "search", project, "--query", "-", "--lexical-only")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"genizah: Standard input is closed")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask() -> object:
    """Create files as most people's shells do."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_umask")
def test_files_of_ours_are_private_and_the_stores_mode_is_kept_a34(
    cli: Cli, project: Path, private_home: Path
) -> None:
    data = private_home / "genizah"
    database = project / ".zikaron" / "memory.db"
    database.chmod(0o640)
    folder_mode = _mode(project / ".zikaron")
    assert cli("check", project, "--deep").code == 0
    assert _mode(data) == 0o700
    assert _mode(data / "copies") == 0o700
    assert list((data / "copies").iterdir()) == [], "the private copy is gone"
    assert (_mode(database), _mode(project / ".zikaron")) == (0o640, folder_mode)
    for path in data.rglob("*"):
        assert _mode(path) == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.usefixtures("usual_umask")
def test_the_demo_is_a_private_copy_made_once_a34(private_home: Path) -> None:
    folder = prepare_demo(Services(), None)
    assert folder.is_relative_to(private_home / "genizah")
    for name in ("memory.db", "config.toml"):
        copy = folder / ".zikaron" / name
        assert copy.read_bytes() == (DEMO_BUNDLE / ".zikaron" / name).read_bytes()
        assert _mode(copy) == 0o600
    for path in (folder, folder / ".zikaron", private_home / "genizah"):
        assert _mode(path) == 0o700
    written = (folder / ".zikaron" / "memory.db").stat().st_mtime_ns
    assert prepare_demo(Services(), None) == folder
    assert (folder / ".zikaron" / "memory.db").stat().st_mtime_ns == written


def test_the_demo_goes_into_an_empty_or_new_folder_only(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new"):
        folder = prepare_demo(Services(), str(tmp_path / name))
        assert (folder / ".zikaron" / "memory.db").exists()
    (tmp_path / "file").touch()
    for name in ("empty", "file"):
        with pytest.raises(GenizahError) as refusal:
            prepare_demo(Services(), str(tmp_path / name))
        assert (refusal.value.code, refusal.value.exit_code) == (ErrorCode.FOLDER_NOT_EMPTY, 2)
        assert str(tmp_path / name) in refusal.value.message


def test_the_window_without_a_screen_is_refused_in_a_sentence(private_home: Path) -> None:
    environ = {
        k: v
        for k, v in os.environ.items()
        if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    ended = subprocess.run(
        [sys.executable, "-m", "app"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 4
    assert ended.stdout == ""
    assert ended.stderr.startswith("genizah: There is no screen for the window")
    assert ended.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full, on Linux alone")
@pytest.mark.parametrize("argv", [("export", "--json"), ("export", "--format", "csv"), ("check",)])
def test_a_result_that_finds_no_room_is_said_in_one_sentence(
    argv: tuple[str, ...], project: Path
) -> None:
    command, *flags = argv
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-W", "error", "-m", "app", command, str(project), *flags],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=_HANG_S,
            check=False,
        )
    assert ended.returncode == 4
    (said,) = [line for line in ended.stderr.decode().splitlines() if line.startswith("genizah:")]
    assert said.startswith("genizah: The result could not be written (No space left on device)")
    assert b"Traceback" not in ended.stderr and b"Exception" not in ended.stderr
