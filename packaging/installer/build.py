"""Build what a person downloads: freeze the program, try it, pack it for this system.

usage: INSTALLER-VENV/bin/python packaging/installer/build.py. All of it lands in build/installer;
`make installer` prepares the environment and calls this.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from places import FROZEN, OUTPUT, PACKAGING, ROOT, PackingFailedError, icon_sizes

# Built with symbols for a debugger that nobody will attach; a wheel whose files were moved about
# after linking does not survive it, so only these.
_STRIPPED = (
    *("libpython3*.so*", "python3*/lib-dynload/*.so", "pysqlite3/*.so", "yaml/*.so"),
    *("tokenizers/*.so", "py_rust_stemmers/*.so", "sqlite_vec/*.so"),
)
_MB = 1_000_000


def version() -> str:
    """Return the version that the project file says."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def freeze() -> None:
    """Put the program with its interpreter and libraries into one folder."""
    _write_icons(OUTPUT / "icons")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean"]
    command += ["--distpath", str(FROZEN.parent), "--workpath", str(OUTPUT / "work")]
    command.append(str(PACKAGING / "genizah.spec"))
    _run(command, {**os.environ, "PYI_LOG_LEVEL": "ERROR"})
    if sys.platform == "linux":
        _strip(FROZEN / "_internal")


def _write_icons(folder: Path) -> None:
    """Write the icon in the two formats that start files need."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    pictures = [Image.open(picture) for _, picture in sorted(icon_sizes())]
    small = [picture for picture in pictures if picture.width <= 256]
    small[-1].save(folder / "genizah.ico", sizes=[p.size for p in small], append_images=small[:-1])
    pictures[-1].save(folder / "genizah.icns", append_images=pictures[:-1])


def _strip(folder: Path) -> None:
    found = [path for pattern in _STRIPPED for path in folder.glob(pattern)]
    _run(["strip", "--strip-unneeded", *(str(path) for path in found if not path.is_symlink())])


def try_out() -> None:
    """Let the frozen program check itself. Raises PackingFailedError."""
    _run([str(_start_file()), "--self-test"], _without_python())


def _start_file() -> Path:
    match sys.platform:
        case "win32":
            return FROZEN / "genizah-cli.exe"
        case "darwin":
            return FROZEN.parent / "Genizah.app" / "Contents" / "MacOS" / "genizah"
        case _:
            return FROZEN / "genizah"


def _without_python() -> dict[str, str]:
    """Return an environment in which nothing points to the Python that built it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def pack() -> list[Path]:
    """Pack the folder as this system wants it."""
    match sys.platform:
        case "win32":
            script = PACKAGING / "windows" / "genizah.nsi"
            tool = shutil.which("makensis") or r"C:\Program Files (x86)\NSIS\makensis.exe"
            _run([tool, "-V2", "-WX", f"-DVERSION={version()}", str(script)])
            return [OUTPUT / f"genizah-{version()}-setup.exe"]
        case "darwin":
            _run(["sh", str(PACKAGING / "macos" / "make_dmg.sh"), version()])
            return [OUTPUT / f"genizah-{version()}.dmg"]
        case _:
            from linux_packages import pack as pack_for_linux  # reads the files' own tables

            return pack_for_linux(FROZEN, version())


def _run(command: list[str], surroundings: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=ROOT, env=surroundings, check=False)
    if done.returncode != 0:
        raise PackingFailedError(f"{Path(command[0]).name} ended with code {done.returncode}.")


def _write_sums(made: list[Path]) -> None:
    """Write the digests beside the files, as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (OUTPUT / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def _timed[T](name: str, step: Callable[[], T]) -> T:
    started = time.monotonic()
    result = step()
    print(f"{name} in {time.monotonic() - started:.0f} s", flush=True)
    return result


def main() -> int:
    """Build from nothing; what an earlier run left is removed first."""
    for old in (FROZEN.parent, OUTPUT / "work"):
        shutil.rmtree(old, ignore_errors=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    try:
        _timed("frozen", freeze)
        _timed("tried", try_out)
        made = _timed("packed", pack)
    except PackingFailedError as error:
        print(f"No installer: {error}", file=sys.stderr)
        return 1
    _write_sums(made)
    for path in made:
        print(f"{path.stat().st_size / _MB:6.1f} MB  {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
