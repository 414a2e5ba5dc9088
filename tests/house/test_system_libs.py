"""Qt's system libraries: the table against the wheel, and what is said and done about a lack."""

import importlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import PySide6
import pytest

_NO_LIBRARY = "libgenizah-has-none.so.9"
# Part of any Linux that runs Python.
_ALWAYS_THERE = (
    *("libc.", "libm.", "libdl.", "libpthread.", "libresolv.", "ld-linux"),
    *("libgcc_s.", "libstdc++."),
)
# Files of the wheel below PySide6/Qt that each part of the table is about.
_FILES = {
    "offscreen": [
        "lib/libQt6Core.so.6",
        "lib/libQt6Gui.so.6",
        "lib/libQt6DBus.so.6",
        "lib/libQt6Widgets.so.6",
        "plugins/platforms/libqoffscreen.so",
    ],
    "network": ["lib/libQt6Network.so.6"],
    "xcb": ["lib/libQt6XcbQpa.so.6", "plugins/platforms/libqxcb.so"],
    "wayland": [
        "lib/libQt6WaylandClient.so.6",
        "plugins/platforms/libqwayland.so",
        "plugins/wayland-graphics-integration-client/libqt-plugin-wayland-egl.so",
    ],
}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux leaves Qt's libraries to the system"
)


@pytest.fixture
def libs() -> ModuleType:
    return importlib.import_module("system_libs")


@pytest.mark.parametrize("part", _FILES)
def test_the_table_names_every_library_that_qts_plugins_load(libs: ModuleType, part: str) -> None:
    qt = Path(PySide6.__path__[0]) / "Qt"
    asked = {name for file in _FILES[part] for name in _needed(qt / file)}
    assert "libQt6Core.so.6" in asked
    named = {need.name for needed in (part, "offscreen") for need in libs.NEEDS[libs.Part(needed)]}
    bundled = {file.name for file in (qt / "lib").iterdir()}
    assert {n for n in asked - bundled - named if not n.startswith(_ALWAYS_THERE)} == set()


def _needed(library: Path) -> Iterator[str]:
    """Yield the libraries that a 64-bit ELF file names for the loader."""
    data = library.read_bytes()
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    headers = [struct.unpack_from("<IIQQQQI", data, table + i * size) for i in range(count)]
    for _, kind, _, _, start, length, link in headers:
        if kind == 6:  # the dynamic section
            for at in range(start, start + length, 16):
                tag, value = struct.unpack_from("<QQ", data, at)
                if tag == 1:  # needed
                    begin = headers[link][4] + value
                    yield data[begin : data.index(b"\0", begin)].decode()


def test_only_what_is_missing_is_asked_for_each_package_once(libs: ModuleType) -> None:
    lacking = libs.missing(list(libs.Part), lambda need: "glib" not in need.package)
    assert [need.name for need in lacking] == ["libglib-2.0.so.0", "libgthread-2.0.so.0"]
    assert libs.packages(lacking, lambda name: False) == ["libglib2.0-0"]


def test_a_renamed_package_is_asked_for_by_the_name_that_apt_knows(libs: ModuleType) -> None:
    lacking = libs.missing([libs.Part.OFFSCREEN], lambda need: "glib" not in need.package)
    assert libs.packages(lacking, lambda name: name.endswith("t64")) == ["libglib2.0-0t64"]


@pytest.fixture
def without_library(libs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Qt need a library that no machine has; return the notes of the apt-get on this one."""
    need = libs.Need(_NO_LIBRARY, "libgenizah-has-none9")
    monkeypatch.setitem(libs.NEEDS, libs.Part.OFFSCREEN, (need,))
    notes, apt_get = tmp_path / "notes", tmp_path / "apt-get"
    notes.touch()
    apt_get.write_text(f'#!/bin/sh\necho "$@" >> {notes}\n', encoding="utf-8")
    apt_get.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return notes


def test_a_user_is_told_the_exact_command(
    libs: ModuleType,
    without_library: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert libs.main(["offscreen"]) == 1
    assert capsys.readouterr().err == (
        f"Qt misses {_NO_LIBRARY}. Install: sudo apt-get install --no-install-recommends "
        "libgenizah-has-none9\n"
    )
    assert without_library.read_text(encoding="utf-8") == ""


def test_for_root_it_is_installed_after_one_update(
    libs: ModuleType,
    without_library: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert libs.main(["offscreen"]) == 1  # this apt-get installs nothing
    update, install = without_library.read_text(encoding="utf-8").splitlines()
    assert update.endswith("update")
    assert install.endswith("install -y --no-install-recommends libgenizah-has-none9")


def test_only_a_library_of_the_offscreen_plugin_is_fatal(libs: ModuleType) -> None:
    def fatal(name: str) -> bool:
        return bool(libs.is_fatal(libs.missing(list(libs.Part), lambda need: need.name != name)))

    assert fatal("libEGL.so.1")
    assert not fatal("a TrueType font")
    assert not fatal("libxcb-icccm.so.4")
