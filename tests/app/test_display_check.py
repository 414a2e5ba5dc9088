"""What keeps a window from opening is said before Qt ends the process: library, package, screen."""

import ctypes
import sys
from pathlib import Path

import PySide6
import pytest

from app import display_check
from app.display_check import missing_library, platforms, refuse_unusable_display
from core.errors import ErrorCode, GenizahError
from tests.app.test_demo import run_genizah

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux leaves Qt's libraries to the system"
)

_PLUGIN = "libqoffscreen.so"


def _loader_says(name: str) -> str:
    with pytest.raises(OSError, match="lib") as caught:
        ctypes.CDLL(name)
    return str(caught.value)


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder for plugins beside which Qt's own libraries are found; xcb's is there."""
    qt = Path(PySide6.__path__[0]) / "Qt"
    folder = tmp_path / "plugins" / "platforms"
    folder.mkdir(parents=True)
    (tmp_path / "lib").symlink_to(qt / "lib")
    # A real plugin whose libraries every machine with tests has.
    (folder / "libqxcb.so").write_bytes((qt / "plugins" / "platforms" / _PLUGIN).read_bytes())
    monkeypatch.setattr(display_check, "plugin_folder", lambda: folder)
    return folder


def _spoil(plugin: Path) -> None:
    """Have it need a library that no system has."""
    content = plugin.read_bytes()
    assert b"libX11.so.6" in content
    plugin.write_bytes(content.replace(b"libX11.so.6", b"libX99.so.6"))


def test_the_loaders_words_become_a_sentence_with_the_package() -> None:
    error = missing_library(_loader_says("libgenizah-none2.so.7"))
    assert error is not None
    assert error.code is ErrorCode.MISSING_LIBRARY
    assert error.message == (
        "The window needs the system library libgenizah-none2.so.7; install it (on Debian and "
        "Ubuntu: sudo apt install libgenizah-none2-7)."
    )


def test_other_words_of_the_loader_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "lib.so").write_text("no library")
    assert missing_library(_loader_says(str(tmp_path / "lib.so"))) is None


def test_a64_a_missing_library_of_the_screens_plugin_is_named(plugins: Path) -> None:
    _spoil(plugins / "libqxcb.so")
    with pytest.raises(GenizahError) as caught:
        refuse_unusable_display({"DISPLAY": ":0"})
    assert caught.value.fields == {"library": "libX99.so.6", "package": "libx99-6"}


def _both(plugins: Path) -> dict[str, str]:
    """Have a session with both screens, Wayland's plugin spoilt."""
    (plugins / "libqwayland.so").write_bytes((plugins / "libqxcb.so").read_bytes())
    _spoil(plugins / "libqwayland.so")
    return {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}


def test_one_of_two_screens_is_enough(plugins: Path) -> None:
    refuse_unusable_display(_both(plugins))


def test_where_neither_screen_can_be_used_a_library_is_named(plugins: Path) -> None:
    environ = _both(plugins)
    _spoil(plugins / "libqxcb.so")
    with pytest.raises(GenizahError, match="libX99"):
        refuse_unusable_display(environ)


def test_drawing_into_memory_needs_no_library_of_a_screen(plugins: Path) -> None:
    _spoil(plugins / "libqxcb.so")
    refuse_unusable_display({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"})
    refuse_unusable_display({"QT_QPA_PLATFORM": "offscreen:size=800x600"})


@pytest.mark.parametrize(
    ("environ", "tried"),
    [
        ({}, []),
        ({"DISPLAY": ":0"}, ["xcb"]),
        ({"WAYLAND_DISPLAY": "wayland-0"}, ["wayland"]),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, ["wayland", "xcb"]),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "wayland-egl;xcb"}, ["wayland", "xcb"]),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "vnc"}, []),
    ],
)
def test_the_plugins_are_those_that_qt_will_try(environ: dict[str, str], tried: list[str]) -> None:
    assert platforms(environ) == tried


def test_a_screen_that_does_not_answer_is_said(
    plugins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":9876")
    with pytest.raises(GenizahError, match=":9876 does not answer") as caught:
        refuse_unusable_display({"DISPLAY": ":9876"})
    assert caught.value.code is ErrorCode.NO_DISPLAY


def test_the_program_ends_with_the_sentence_and_no_abort(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":9876")
    ended = run_genizah("demo")
    assert (ended.returncode, ended.stdout) == (4, "")
    (line,) = ended.stderr.splitlines()
    # One or the other, by what this machine has installed.
    assert "does not answer" in line or "sudo apt install" in line
