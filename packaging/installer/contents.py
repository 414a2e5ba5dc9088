"""What the program's folder holds and what stays out of it; for packaging/genizah.spec."""

import importlib
import os
import re
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

#: Modules that libraries would use if they were there, and that this program never needs.
EXCLUDED = [
    *("tkinter", "setuptools", "pkg_resources", "pip", "_pytest", "pytest", "IPython"),
    *("torch", "onnx", "sympy", "scipy", "pandas", "matplotlib"),
    *("PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSvg", "PySide6.QtOpenGL", "PySide6.QtTest"),
    *("PySide6.QtDesigner", "PySide6.QtPrintSupport", "PySide6.QtUiTools", "PySide6.QtXml"),
    # Models are fetched by the program's own code; this is a second way, 11 MB large.
    "hf_xet",
    # Pictures are never looked at: the models here read text.
    *("PIL._avif", "PIL._webp", "PIL._imagingcms", "PIL._imagingft", "PIL._imagingtk"),
    *("lib2to3", "pydoc", "pydoc_data", "readline", "curses", "doctest", "pdb", "unittest.mock"),
]

_UNUSED = (
    # Another desktop's dialogs: this one would bring all of GTK.
    "*/platformthemes/*qgtk3*",
    "*/platforms/*qeglfs*",
    "*/platforms/*qlinuxfb*",
    "*/platforms/*qminimal*",
    "*/platforms/*qvkkhrdisplay*",
    "*/platforms/*qvnc*",
    "*/platforms/*qdirect2d*",
    "*/platforminputcontexts/*virtualkeyboard*",
    *(f"*/plugins/{name}/*" for name in ("egldeviceintegrations", "generic", "iconengines")),
    *(f"*/plugins/{name}/*" for name in ("networkinformation", "tls", "imageformats")),
    *("*libQt6EglF*", "*libQt6OpenGL*"),
    # The window is painted by the processor: no way to a graphics card is needed.
    *("*/plugins/xcbglintegrations/*", "*/plugins/wayland-graphics-integration-client/*"),
    "*opengl32sw.dll",
    "PySide6/translations/*",
    "PySide6/Qt/translations/*",
    # Where the checkout lay is nobody's business.
    "*.dist-info/direct_url.json",
    "*.dist-info/RECORD",
)

# Libraries of a Linux desktop by the beginnings of their names: from the system, never from here,
# as they belong to its graphics driver, fonts and sockets. The package declares those in use.
_OF_THE_DESKTOP = re.compile(
    r"lib(X11|Xau|Xdmcp|Xext|Xrender|xcb|xkbcommon|wayland|GL|EGL|OpenGL|fontconfig|freetype|"
    r"dbus|systemd|glib|gobject|gmodule|gthread|gio|gtk|gdk|cairo|pango|atk|harfbuzz|graphite2|"
    r"stdc\+\+|gcc_s|z\.so|zstd|expat|png16|brotli|pcre2|bsd|md\.|cap|lz4|gcrypt|gpg-error|"
    r"krb5|gssapi|k5crypto|com_err|keyutils|resolv|selinux|mount|blkid|pixman|thai|datrie|fribidi|"
    r"jpeg\.so)"
)

#: What PyInstaller found: the place in the folder, where it lies or leads to, its kind.
type Entry = tuple[str, str, str]

MACOS_IDENTIFIER = "io.github.genizah.Genizah"


def resources(root: Path) -> list[tuple[str, str]]:
    """Return the program's own data files, each with the folder it goes to."""
    found = sorted(path for path in (root / "resources").rglob("*") if path.is_file())
    return [
        (str(path), str(path.parent.relative_to(root)))
        for path in found
        if path.suffix not in {".py", ".pyc"} and not path.name.endswith(("-wal", "-shm"))
    ]


def wanted(found: Iterable[Entry]) -> list[Entry]:
    """Return what belongs into the folder; a link goes with the file it leads to."""
    kept = [entry for entry in found if _is_wanted(entry[0])]
    there = {entry[0] for entry in kept}
    return [
        (name, source, kind) for name, source, kind in kept if kind != "SYMLINK" or source in there
    ]


def _is_wanted(destination: str) -> bool:
    path = PurePosixPath(destination.replace("\\", "/"))
    if any(fnmatchcase(str(path), pattern) for pattern in _UNUSED):
        return False
    loose = len(path.parts) == 1  # found in the system: a wheel's own lie in its folder
    return not (sys.platform == "linux" and loose and _OF_THE_DESKTOP.match(path.name))


def windows_version(version: str, name: str) -> object:
    """Return the version resource of a Windows program."""
    info = importlib.import_module("PyInstaller.utils.win32.versioninfo")  # on Windows alone
    numbers = (*(int(part) for part in version.split(".")), 0)
    texts = {
        "FileDescription": "Genizah",
        "FileVersion": version,
        "InternalName": name,
        "OriginalFilename": f"{name}.exe",
        "ProductName": "Genizah",
        "ProductVersion": version,
        "LegalCopyright": "MIT License",
    }
    strings = [info.StringStruct(key, text) for key, text in texts.items()]
    return info.VSVersionInfo(
        ffi=info.FixedFileInfo(filevers=numbers, prodvers=numbers),
        kids=[
            info.StringFileInfo([info.StringTable("040904B0", strings)]),
            info.VarFileInfo([info.VarStruct("Translation", [0x409, 1200])]),
        ],
    )


def signing_identity() -> str | None:
    """Return whose signature macOS shall see; None leaves it at the one for this machine alone."""
    return os.environ.get("GENIZAH_SIGNING_IDENTITY") or None


def macos_properties() -> dict[str, object]:
    """Return the bundle's properties: SQLite files can be opened with it, by choice only."""
    types = ["public.database", "org.sqlite.sqlite3", "com.apple.sqlite3"]
    document = {
        "CFBundleTypeName": "SQLite database",
        "CFBundleTypeRole": "Viewer",
        "CFBundleTypeExtensions": ["db", "sqlite", "sqlite3"],
        "LSItemContentTypes": types,
        "LSHandlerRank": "Alternate",
    }
    return {
        "CFBundleDisplayName": "Genizah",
        "CFBundleDocumentTypes": [document],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": "14.0",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "MIT License",
    }
