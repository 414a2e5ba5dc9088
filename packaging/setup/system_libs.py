"""The system libraries that Qt's wheel expects: which are missing, and their Debian packages.

usage: python system_libs.py [offscreen] [network] [xcb] [wayland] [xvfb]. As root on Debian and
Ubuntu it installs what is missing, elsewhere it prints the command. Standard library only, no Qt.
"""

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Part(StrEnum):
    """What is to work: a Qt platform plugin, Qt's network module, or a display server for machines
    without one."""

    OFFSCREEN = "offscreen"
    NETWORK = "network"
    XCB = "xcb"
    WAYLAND = "wayland"
    XVFB = "xvfb"


class Kind(StrEnum):
    """What a need is, hence how to tell whether it is there."""

    LIBRARY = "library"
    PROGRAM = "program"
    FONT = "font"


@dataclass(frozen=True, slots=True)
class Need:
    """One thing a part needs, and the Debian package it comes in."""

    name: str
    package: str
    kind: Kind = Kind.LIBRARY


# Debian 13 and Ubuntu 24.04 renamed a few packages; the older name is asked for where apt does not
# know the newer one.
RENAMED = {"libglib2.0-0": "libglib2.0-0t64"}

NEEDS: dict[Part, tuple[Need, ...]] = {
    Part.OFFSCREEN: (
        Need("libGL.so.1", "libgl1"),
        Need("libEGL.so.1", "libegl1"),
        Need("libX11.so.6", "libx11-6"),
        Need("libxkbcommon.so.0", "libxkbcommon0"),
        Need("libfontconfig.so.1", "libfontconfig1"),
        Need("libfreetype.so.6", "libfreetype6"),
        Need("libglib-2.0.so.0", "libglib2.0-0"),
        Need("libgthread-2.0.so.0", "libglib2.0-0"),
        Need("libdbus-1.so.3", "libdbus-1-3"),
        Need("libz.so.1", "zlib1g"),
        Need("libzstd.so.1", "libzstd1"),
        # Without any font every letter is a box.
        Need("a TrueType font", "fonts-dejavu-core", Kind.FONT),
    ),
    Part.NETWORK: (
        Need("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
        Need("libbrotlidec.so.1", "libbrotli1"),
        Need("libbrotlicommon.so.1", "libbrotli1"),
    ),
    Part.XCB: (
        Need("libX11-xcb.so.1", "libx11-xcb1"),
        Need("libxcb.so.1", "libxcb1"),
        Need("libxcb-cursor.so.0", "libxcb-cursor0"),
        Need("libxcb-icccm.so.4", "libxcb-icccm4"),
        Need("libxcb-image.so.0", "libxcb-image0"),
        Need("libxcb-keysyms.so.1", "libxcb-keysyms1"),
        Need("libxcb-randr.so.0", "libxcb-randr0"),
        Need("libxcb-render.so.0", "libxcb-render0"),
        Need("libxcb-render-util.so.0", "libxcb-render-util0"),
        Need("libxcb-shape.so.0", "libxcb-shape0"),
        Need("libxcb-shm.so.0", "libxcb-shm0"),
        Need("libxcb-sync.so.1", "libxcb-sync1"),
        Need("libxcb-util.so.1", "libxcb-util1"),
        Need("libxcb-xfixes.so.0", "libxcb-xfixes0"),
        Need("libxcb-xkb.so.1", "libxcb-xkb1"),
        Need("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ),
    Part.WAYLAND: (
        Need("libwayland-client.so.0", "libwayland-client0"),
        Need("libwayland-cursor.so.0", "libwayland-cursor0"),
        Need("libwayland-egl.so.1", "libwayland-egl1"),
    ),
    Part.XVFB: (
        Need("Xvfb", "xvfb", Kind.PROGRAM),
        Need("xvfb-run", "xvfb", Kind.PROGRAM),
        Need("xauth", "xauth", Kind.PROGRAM),
    ),
}


def is_there(need: Need) -> bool:
    """Tell whether this machine has it; a library is loaded to find out."""
    match need.kind:
        case Kind.PROGRAM:
            return shutil.which(need.name) is not None
        case Kind.FONT:
            return _has_font()
        case Kind.LIBRARY:
            try:
                ctypes.CDLL(need.name)
            except OSError:
                return False
            return True


def _has_font() -> bool:
    home = Path(os.environ.get("HOME", "/nonexistent"))
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
    folders += [home / ".fonts", home / ".local" / "share" / "fonts"]
    suffixes = {".ttf", ".otf", ".ttc"}
    return any(file.suffix.lower() in suffixes for base in folders for file in base.rglob("*"))


def missing(parts: Iterable[Part], present: Callable[[Need], bool] = is_there) -> list[Need]:
    """Return what the parts need and this machine lacks, in the order of the table."""
    wanted = set(parts)
    needs = [need for part in Part if part in wanted for need in NEEDS[part]]
    return [need for need in needs if not present(need)]


def packages(needs: Iterable[Need], knows: Callable[[str], bool]) -> list[str]:
    """Return the Debian packages of `needs`, each once, by the name that `knows` accepts."""
    names = dict.fromkeys(need.package for need in needs)
    return [RENAMED[n] if n in RENAMED and knows(RENAMED[n]) else n for n in names]


def _apt_knows(package: str) -> bool:
    if shutil.which("apt-cache") is None:
        return False
    done = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return done.returncode == 0


def _install(needs: list[Need]) -> None:
    """Install the packages with apt-get; its complaints go to stderr, the caller looks again."""
    _apt_get("update")
    names = packages(needs, _apt_knows)  # only now: before the update apt may know nothing
    print("Installing", *names, "...", flush=True)
    _apt_get("install", "-y", "--no-install-recommends", *names)


def _apt_get(*arguments: str) -> None:
    subprocess.run(
        ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
    )


def _advice(needs: list[Need]) -> str:
    names = ", ".join(need.name for need in needs)
    if shutil.which("apt-get") is None:
        debian = " ".join(packages(needs, lambda name: False))
        return f"Qt misses {names}. Install what provides them (Debian's packages: {debian})."
    install = shlex.join(packages(needs, _apt_knows))
    return f"Qt misses {names}. Install: sudo apt-get install --no-install-recommends {install}"


def ensure(parts: list[Part]) -> list[Need]:
    """See to it that the parts can work, and return what is still missing after that."""
    if sys.platform != "linux":
        return []
    lacking = missing(parts)
    if lacking and os.geteuid() == 0 and shutil.which("apt-get") is not None:
        _install(lacking)
        lacking = missing(parts)
    if lacking:
        print(_advice(lacking), file=sys.stderr, flush=True)
    return lacking


def is_fatal(lacking: Iterable[Need]) -> bool:
    """Tell whether Qt cannot even draw into memory."""
    needed = [need for need in NEEDS[Part.OFFSCREEN] if need.kind is Kind.LIBRARY]
    return any(need in needed for need in lacking)


def main(arguments: list[str]) -> int:
    """Check the parts that are named; fail only when nothing of Qt could work."""
    return 1 if is_fatal(ensure([Part(name) for name in arguments] or [Part.OFFSCREEN])) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
