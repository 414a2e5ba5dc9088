"""What an installer is made of: icons, the desktop's files, what goes into the folder."""

import configparser
import importlib
import plistlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from app.display_check import debian_package
from tests.house.tree import ROOT

_LINUX = ROOT / "packaging" / "linux"
_ICONS = ROOT / "resources" / "icons"


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Give the list of what goes into the folder."""
    monkeypatch.syspath_prepend(ROOT / "packaging" / "installer")
    return importlib.import_module("contents")


def _version() -> str:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _desktop(name: str) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(_LINUX / name, encoding="utf-8")
    return parser["Desktop Entry"]


def _difference(one: QImage, other: QImage) -> float:
    """Return the mean difference of two pictures' bytes."""
    first, second = (
        bytes(image.convertToFormat(QImage.Format.Format_ARGB32).constBits())
        for image in (one, other)
    )
    assert len(first) == len(second)
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first)


@pytest.mark.parametrize("size", [16, 22, 24, 32, 48, 64, 128, 256, 512])
def test_every_picture_of_the_icon_is_the_drawing(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging" / "installer")
    drawn = importlib.import_module("render_icons").rendered(size)
    stored = QImage(str(_ICONS / f"genizah-{size}.png"))
    assert (stored.width(), stored.height()) == (size, size)
    assert _difference(stored, drawn) < 2  # of 255: another version of Qt may round otherwise


def test_the_icon_is_no_empty_picture() -> None:
    image = QImage(str(_ICONS / "genizah-16.png"))
    colours = {image.pixel(x, y) for x in range(16) for y in range(16)}
    assert len(colours) > 10


def test_opening_sqlite_files_is_offered_by_the_last_of_all_programs() -> None:
    menu, opening = _desktop("genizah.desktop"), _desktop("zz-genizah-open.desktop")
    assert "MimeType" not in menu
    assert "application/vnd.sqlite3" in opening["MimeType"].split(";")
    assert opening["NoDisplay"] == "true"
    assert opening["Exec"] == "genizah %F"
    # Where nothing is chosen, desktops take the first program by the names of these files.
    names = ["dbeaver-ce.desktop", "sqlitebrowser.desktop", "org.kde.kexi.desktop"]
    assert sorted([*names, "zz-genizah-open.desktop"])[-1] == "zz-genizah-open.desktop"


def test_the_windows_icon_is_found_by_the_name_that_the_program_gives_itself() -> None:
    menu = _desktop("genizah.desktop")
    assert (menu["Icon"], menu["StartupWMClass"]) == ("genizah", "genizah")
    assert menu.parser["Desktop Action demo"]["Exec"] == "genizah demo"


def test_the_software_centres_entry_leads_to_the_menus_and_says_the_version() -> None:
    root = ElementTree.parse(_LINUX / "genizah.metainfo.xml").getroot()
    assert root.findtext("launchable") == "genizah.desktop"
    assert next(r.get("version") for r in root.findall("releases/release")) == _version()


def test_a_missing_librarys_package_is_the_one_of_the_table() -> None:
    libs = importlib.import_module("system_libs")
    needs = [need for needs in libs.NEEDS.values() for need in needs]
    libraries = [need for need in needs if need.kind is libs.Kind.LIBRARY]
    assert len(libraries) > 20
    assert {n.name: debian_package(n.name) for n in libraries} == {
        n.name: n.package for n in libraries
    }


def _kept(contents: ModuleType, *names: str) -> list[str]:
    return [name for name, _, _ in contents.wanted([(name, "/x", "BINARY") for name in names])]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files on Linux")
def test_the_folder_holds_what_the_program_needs_and_no_other_desktops_libraries(
    contents: ModuleType,
) -> None:
    plugins = "PySide6/Qt/plugins"
    needed = [
        f"{plugins}/platforms/libqxcb.so",
        f"{plugins}/platforms/libqwayland.so",
        f"{plugins}/platforms/libqoffscreen.so",
        f"{plugins}/platformthemes/libqxdgdesktopportal.so",
        f"{plugins}/platforminputcontexts/libcomposeplatforminputcontextplugin.so",
        "PySide6/Qt/lib/libQt6Network.so.6",
        "sqlite_vec/vec0.so",
        "libpython3.13.so.1.0",
        "libssl.so.3",
    ]
    unwanted = [
        f"{plugins}/platformthemes/libqgtk3.so",
        "PySide6/Qt/translations/qt_de.qm",
        "libgtk-3.so.0",
        "libX11.so.6",
        "libstdc++.so.6",
        "genizah-0.1.0.dist-info/direct_url.json",
    ]
    assert _kept(contents, *needed, *unwanted) == needed


def test_a_link_goes_with_the_file_that_it_leads_to(contents: ModuleType) -> None:
    there = ("PySide6/Qt/lib/libQt6Core.so.6", "/x/libQt6Core.so.6", "BINARY")
    link = ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK")
    dangling = ("libQt6EglFSDeviceIntegration.so.6", "PySide6/Qt/lib/gone.so.6", "SYMLINK")
    assert contents.wanted([there, link, dangling]) == [there, link]


def test_the_demo_store_and_the_tokenizer_go_into_the_folder_without_a_log(
    contents: ModuleType,
) -> None:
    places = {Path(source).name: place for source, place in contents.resources(ROOT)}
    assert places["memory.db"] == str(Path("resources/demo/.zikaron"))
    assert places["tokenizer.json"] == str(Path("resources/models/minilm-l6-v2-int8"))
    assert places["genizah-48.png"] == str(Path("resources/icons"))
    assert not [name for name in places if name.endswith(("-wal", "-shm", ".py"))]


@pytest.mark.parametrize(
    ("environ", "left"),
    [
        ({"LD_LIBRARY_PATH": "/inside"}, "None"),
        ({"LD_LIBRARY_PATH": "/inside", "LD_LIBRARY_PATH_ORIG": "/mine"}, "'/mine'"),
        ({}, "None"),
    ],
)
def test_programs_started_from_the_frozen_one_see_the_persons_libraries(
    environ: dict[str, str], left: str
) -> None:
    hook = ROOT / "packaging" / "installer" / "runtime_hook.py"
    program = f"import runpy, os; runpy.run_path({str(hook)!r}); "
    program += "print([os.environ.get(n) for n in ('LD_LIBRARY_PATH', 'LD_LIBRARY_PATH_ORIG')])"
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    assert ended.stdout == f"[{left}, None]\n"


def test_macos_offers_the_program_for_sqlite_files_and_leaves_the_default(
    contents: ModuleType,
) -> None:
    (document,) = contents.macos_properties()["CFBundleDocumentTypes"]
    assert (document["CFBundleTypeRole"], document["LSHandlerRank"]) == ("Viewer", "Alternate")
    entitlements = (ROOT / "packaging" / "macos" / "entitlements.plist").read_bytes()
    assert all(value is True for value in plistlib.loads(entitlements).values())


def test_windows_offers_the_program_and_takes_no_file_type_over() -> None:
    script = (ROOT / "packaging" / "windows" / "genizah.nsi").read_text(encoding="utf-8")
    written = re.findall(r'WriteRegStr HKCU "([^"]+)" "([^"]*)"', script)
    classes = [key for key, _ in written if key.startswith("Software\\Classes\\.")]
    assert classes
    assert all("\\OpenWithList\\" in key for key in classes)
    assert "LOCALAPPDATA\\genizah" not in script.split('Section "Uninstall"')[1]
