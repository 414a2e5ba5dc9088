"""Whether Qt can open a window here, asked before it tries: it ends the process where it cannot.

On Linux the plugin for the screen is loaded a moment before Qt does it, so that the loader names
the library that is missing.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import ErrorCode, GenizahError

_MISSING = re.compile(r"(lib[\w.+-]+\.so[.\d]*): cannot open shared object file")
_LIBRARY = re.compile(r"lib(?P<name>.+)\.so(?:\.(?P<version>\d+))?")
# Debian's names that do not follow from the library's.
_PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libz.so.1": "zlib1g",
    "libbrotlidec.so.1": "libbrotli1",
    "libbrotlicommon.so.1": "libbrotli1",
}
_PLUGINS = {"xcb": "libqxcb.so", "wayland": "libqwayland.so"}


def refuse_unusable_display(environ: Mapping[str, str]) -> None:
    """Say in a sentence what keeps a window from opening.

    Raises GenizahError: MISSING_LIBRARY, or NO_DISPLAY where there is no screen or the X server
    does not answer.
    """
    if sys.platform != "linux":
        return
    _refuse_no_display(environ)
    wanted = platforms(environ)
    if wanted:
        _load_one(wanted)
    if wanted == ["xcb"] and not _x_server_answers():
        raise GenizahError(
            ErrorCode.NO_DISPLAY,
            f"The screen {environ.get('DISPLAY')} does not answer; `genizah search` and the other "
            "commands need none.",
        )


def _refuse_no_display(environ: Mapping[str, str]) -> None:
    """Say in a sentence what Qt would say with an abort."""
    if not any(environ.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise GenizahError(
            ErrorCode.NO_DISPLAY,
            "There is no screen for the window (neither DISPLAY nor WAYLAND_DISPLAY is set); "
            "`genizah search` and the other commands need none.",
        )


def platforms(environ: Mapping[str, str]) -> list[str]:
    """Return which plugins Qt will try in turn, where they need libraries of the system."""
    asked = environ.get("QT_QPA_PLATFORM")
    if asked:
        names = [name.partition(":")[0].partition("-")[0] for name in asked.split(";")]
        return names if all(name in _PLUGINS for name in names) else []
    screens = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return [name for name, variable in screens.items() if environ.get(variable)]


def plugin_folder() -> Path:
    """Return where Qt's plugins for screens lie."""
    from PySide6.QtCore import QLibraryInfo

    return Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"


def _load_one(names: Sequence[str]) -> None:
    """Load the first plugin that can be; raise what was missing for the last."""
    import ctypes  # 3 ms, and only where there is a screen

    missing: GenizahError | None = None
    for name in names:
        try:
            ctypes.CDLL(str(plugin_folder() / _PLUGINS[name]))
        except OSError as error:
            # Frozen, ctypes has words of its own for it; the loader's are the cause.
            missing = missing_library(f"{error} {error.__cause__}")
        else:
            return
    if missing is not None:
        raise missing


def missing_library(said: str) -> GenizahError | None:
    """Turn the loader's words for a missing library into one sentence; None for other words."""
    found = _MISSING.search(said)
    if found is None:
        return None
    library = found[1]
    package = debian_package(library)
    return GenizahError(
        ErrorCode.MISSING_LIBRARY,
        f"The window needs the system library {library}; install it (on Debian and Ubuntu: "
        f"sudo apt install {package}).",
        fields={"library": library, "package": package},
    )


def debian_package(library: str) -> str:
    """Return the package of a library by Debian's rule for their names."""
    if library in _PACKAGES:
        return _PACKAGES[library]
    parts = _LIBRARY.fullmatch(library)
    assert parts is not None, library
    name, version = parts["name"].lower().replace("_", "-"), parts["version"] or ""
    return f"lib{name}-{version}" if name[-1].isdigit() and version else f"lib{name}{version}"


def _x_server_answers() -> bool:
    """Connect, and stay connected: a server whose last client leaves starts anew, and would refuse
    Qt meanwhile. The connection ends with the process."""
    import ctypes

    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    return not xcb.xcb_connection_has_error(ctypes.c_void_p(xcb.xcb_connect(None, None)))
