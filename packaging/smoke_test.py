"""Install the .deb into an empty Debian with only what it declares, start it, remove it again.

usage: INSTALLER-VENV/bin/python packaging/smoke_test.py, as root on Debian or Ubuntu, after
`make installer`. A picture of the window is left in build/smoke/window.png.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from smoke import checks
from smoke.clean_root import CleanRoot, SmokeFailedError, done, make_base
from smoke.screen import Screen

ROOT = Path(__file__).resolve().parents[1]
_BUILT = ROOT / "build" / "installer"
_FOLDER = ROOT / "build" / "smoke"
_BASE, _TRY, _PICTURE = _FOLDER / "base", _FOLDER / "try", _FOLDER / "window.png"
_TOOLS = {
    "debootstrap": "debootstrap",
    "Xvfb": "xvfb",
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "makensis": "nsis",
}
_INSIDE = "--inside"


def check_definitions() -> None:
    """Check the desktop's files, and that the Windows installer's script compiles."""
    for file in (ROOT / "packaging" / "linux").glob("*.desktop"):
        said = done("desktop-file-validate", file)
        if said:
            raise SmokeFailedError(said)
    for file in (ROOT / "packaging" / "linux").glob("*.xml"):
        done("appstreamcli", "validate", "--no-net", file)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "genizah.exe").write_bytes(b"stands for the program")
        script = ROOT / "packaging" / "windows" / "genizah.nsi"
        target = f"-XOutFile {folder}/genizah-setup.exe"
        done("makensis", "-V2", "-WX", "-DVERSION=0.0.0", f"-DFOLDER={folder}", script, target)


def run_inside(package: Path) -> None:
    """Do all steps with the packed program. Raises SmokeFailedError."""
    root = CleanRoot(_TRY)
    root.set_up()
    root.install(package)
    installed = root.files()
    _tell("installed")
    checks.check_self_test(root, {})
    with Screen() as screen:
        root.share_screen()
        checks.check_self_test(root, {"DISPLAY": screen.name})
        checks.check_window(root, screen, _PICTURE)
        _tell(f"window drawn, {_PICTURE.relative_to(ROOT)}")
        checks.check_commands(root)
        checks.check_damage(root, screen)
        _tell("commands and damaged parts")
    checks.check_removal(root, installed)
    _tell("removed")


def _tell(what: str) -> None:
    print(f"-- {what} ({time.strftime('%H:%M:%S', time.gmtime())})", flush=True)


def prepare() -> None:
    """Get the tools, check the definitions, lay out the empty system."""
    missing = [package for tool, package in _TOOLS.items() if shutil.which(tool) is None]
    if missing:
        done("apt-get", "-qq", "update")
        done("apt-get", "-qq", "-y", "install", "--no-install-recommends", *missing)
    check_definitions()
    _FOLDER.mkdir(parents=True, exist_ok=True)
    if not _BASE.exists():
        make_base(_BASE)
    _clear()
    done("cp", "-a", _BASE, _TRY)
    _tell("empty system")


def _clear() -> None:
    if (_TRY / "dev").is_mount() or (_TRY / "proc").is_mount():
        raise SmokeFailedError(f"Something is mounted below {_TRY}; unmount it first.")
    shutil.rmtree(_TRY, ignore_errors=True)


def main(arguments: list[str]) -> int:
    """Prepare, then do the rest in a process whose mounts and children end with it."""
    (package,) = _BUILT.glob("*.deb")
    try:
        if arguments == [_INSIDE]:
            run_inside(package)
            return 0
        prepare()
        alone = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork"]
        again = [sys.executable, __file__, _INSIDE]
        return subprocess.run([*alone, "--kill-child", *again], check=False).returncode
    except SmokeFailedError as error:
        print(f"Smoke test failed: {error}", file=sys.stderr)
        return 1
    finally:
        if arguments != [_INSIDE]:
            _clear()  # here nothing of it is mounted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
