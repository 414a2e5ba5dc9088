"""Open the window on the demo store with a search typed; without a display, take its picture.

usage: VENV/bin/python packaging/setup/demo.py TEXT. The picture is build/demo.png, drawn under Xvfb
where that is installed, else in memory; its path is printed.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from system_libs import Part, ensure, is_fatal

ROOT = Path(__file__).resolve().parents[2]
_PICTURE = ROOT / "build" / "demo.png"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SCREEN = "-screen 0 1280x1024x24"
_TIMEOUT_S = 180


def display() -> Part | None:
    """Return the plugin for this session's display, or None where there is no live one."""
    if os.environ.get("WAYLAND_DISPLAY"):
        return Part.WAYLAND
    return Part.XCB if os.environ.get("DISPLAY") and _answers() else None


def _answers() -> bool:
    """Tell whether the X server behind $DISPLAY takes connections; Qt aborts if it does not."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def open_window(command: list[str]) -> int:
    """Run the demo on the display until its window is closed."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def take_picture(command: list[str]) -> int:
    """Run the demo without a display; return 0 when the picture has been written."""
    _PICTURE.parent.mkdir(exist_ok=True)
    command = [*command, "--screenshot", str(_PICTURE.relative_to(ROOT))]
    if shutil.which("xvfb-run") is not None and not ensure([Part.XCB, Part.XVFB]):
        if _draw(["xvfb-run", "-a", "-s", _SCREEN, *command], "xcb"):
            return 0
        print("No picture under Xvfb; drawing in memory instead.", file=sys.stderr)
    return 0 if _draw(command, "offscreen") else 1


def _draw(command: list[str], platform: str) -> bool:
    _PICTURE.unlink(missing_ok=True)
    environment = os.environ | {"QT_QPA_PLATFORM": platform}
    with subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True) as process:
        try:
            code = process.wait(_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # Xvfb too, not only what started it
            return False
    return code == 0 and _PICTURE.is_file() and _PICTURE.read_bytes().startswith(_PNG_SIGNATURE)


def main(arguments: list[str]) -> int:
    """Show the demo with the search `arguments[0]` in whichever way this machine can."""
    command = [sys.executable, "-m", "app", "demo", "--query", arguments[0]]
    if is_fatal(ensure([Part.OFFSCREEN])):
        return 1
    if sys.platform != "linux":
        return open_window(command)
    plugin = display()
    if plugin is not None and not ensure([plugin]):
        return open_window(command)
    return take_picture(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
