"""Make a virtual environment of this checkout from a hash-pinned lock, or leave it as it is.

usage: PYTHON make_venv.py [VENV [LOCK]]. Standard library only: it runs before anything else is
installed. A stamp inside says what the environment was made of; it is made anew when one of that
changed.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "packaging" / "requirements-dev.txt"
_PROJECT = ROOT / "pyproject.toml"
_STAMP = "genizah-made-of.txt"
# What another environment left in ours would end up in this one.
_STRAY = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIRE_HASHES")


class SetupFailedError(Exception):
    """Say what went wrong and what to do, in words fit for the terminal."""


def libraries_stamp(target: Path, lock: Path) -> str:
    """Return what the installed libraries depend on: interpreter, place and lock."""
    python = f"python {sys.version.split()[0]} {Path(sys.executable).resolve()}"
    return f"{python}\nplace {target.resolve()}\nlock {_sha256(lock)}\n"


def project_stamp() -> str:
    """Return what the project's own installation depends on: its description and place."""
    return f"project {_sha256(_PROJECT)} {ROOT}\n"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def prepare(target: Path, lock: Path) -> None:
    """Bring `target` up to date with `lock`; does nothing, in a few milliseconds, when it is.

    Raises SetupFailedError; a half-made environment has no stamp and is made anew next time.
    """
    stamp = target / _STAMP
    found = stamp.read_text(encoding="utf-8") if stamp.is_file() else ""
    libraries, project = libraries_stamp(target, lock), project_stamp()
    if found == libraries + project:
        return
    started = time.monotonic()
    if not found.startswith(libraries):
        _make(target)
        _install_libraries(target, lock)
    stamp.write_text(libraries, encoding="utf-8")
    _install_project(target, lock)
    stamp.write_text(libraries + project, encoding="utf-8")
    print(f"{_shown(target)} is ready ({time.monotonic() - started:.0f} s).", flush=True)


def _shown(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def _make(target: Path) -> None:
    if target.exists() and not (target / "pyvenv.cfg").exists() and any(target.iterdir()):
        raise SetupFailedError(f"{target} holds something else than a virtual environment.")
    print(f"Making {_shown(target)} with Python {sys.version.split()[0]} ...", flush=True)
    venv.EnvBuilder(clear=True, with_pip=True, symlinks=True).create(target)


def _install_libraries(target: Path, lock: Path) -> None:
    _pip(target, "install", "--require-hashes", "--only-binary", ":all:", "-r", str(lock))


def _install_project(target: Path, lock: Path) -> None:
    _pip(target, "install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    try:
        _pip(target, "check")
    except SetupFailedError as error:
        text = f"{error}\n{_shown(lock)} does not agree with pyproject.toml: run `make lock`."
        raise SetupFailedError(text) from error


def _pip(target: Path, command: str, *arguments: str) -> None:
    python = target.absolute() / "bin" / "python"
    environment = {key: value for key, value in os.environ.items() if key not in _STRAY}
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    done = subprocess.run(
        [python, "-m", "pip", command, "--quiet", "--no-input", *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()
        raise SetupFailedError(f"{said}\n`pip {command}` failed in {_shown(target)}.")


def main(arguments: list[str]) -> int:
    """Prepare the environment of the first argument by the lock of the second, one at a time."""
    target = ROOT / (arguments[0] if arguments else ".venv")
    lock = ROOT / arguments[1] if arguments[1:] else LOCK
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / ".setup-lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        try:
            prepare(target, lock)
        except SetupFailedError as error:
            print(f"Set-up failed: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
