"""Write the hash-pinned locks: the program's libraries alone, for development, for an installer.

usage: PYTHON write_lock.py [--upgrade]. Pins that still fit stay unless --upgrade is given. The
locks hold for Python 3.12 and 3.13 on every platform, and name no index: pip's settings do.
"""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_RUNTIME = "packaging/requirements.txt"
_DEVELOPMENT = "packaging/requirements-dev.txt"
_INSTALLER = "packaging/requirements-installer.txt"
# Its resolver can solve for every platform at once; pip's and pip-tools' know only this one.
_RESOLVER = "uv==0.13.9"
_HEADER = "# Written by `make lock` from pyproject.toml: {what}, each file by its hash.\n"


def _resolver() -> str:
    """Return the resolver's path, installed in an environment of its own."""
    tools = ROOT / "build" / "lock-tools"
    if not (tools / "bin" / "uv").exists():
        venv.EnvBuilder(clear=True, with_pip=True).create(tools)
        pip = [str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, _RESOLVER], check=True)
    return str(tools / "bin" / "uv")


def _compile(output: str, what: str, *arguments: str, more: str = "") -> None:
    command = [_resolver(), "pip", "compile", "--universal", "--python-version", "3.12"]
    command += ["--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate"]
    command += ["--quiet", "--output-file", output, "pyproject.toml", *arguments]
    environment = os.environ | {"UV_CACHE_DIR": str(ROOT / "build" / "lock-cache")}
    subprocess.run(command, cwd=ROOT, env=environment, input=more, text=True, check=True)
    lock = ROOT / output
    lock.write_text(_HEADER.format(what=what) + lock.read_text(encoding="utf-8"), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the locks; the others take their pins from the first."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        build = tomllib.load(file)["build-system"]["requires"]
    _compile(_RUNTIME, "what the program needs", *arguments)
    more = ["--constraint", _RUNTIME, "-", *arguments]
    tools = "\n".join(build)
    _compile(_DEVELOPMENT, "with test, check and build tools", "--extra", "dev", *more, more=tools)
    _compile(_INSTALLER, "with what makes an installer", "--extra", "installer", *more, more=tools)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
