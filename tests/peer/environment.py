"""The peer's own virtual environment: from the cache, or built once from the hash-pinned locks.

Knows where it lies and how it is made, nothing of the peer's verbs.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_HERE = Path(__file__).resolve().parent
_LIBRARIES = _HERE / "requirements.txt"
_PEER = _HERE / "requirements-peer.txt"
_MODEL_DIR = ROOT / "resources" / "models" / "minilm-l6-v2-int8"
_INSTALL_TIMEOUT_S = 900


class PeerUnavailableError(Exception):
    """Say why no peer can be run here, in words fit for a skip reason."""


@dataclass(frozen=True, slots=True)
class PeerEnvironment:
    """What starting the peer needs: its interpreter and the folder of the model's tokenizer."""

    python: Path
    model_dir: Path


def prepare(root: Path = ROOT) -> PeerEnvironment:
    """Return the peer's environment, building it under `build/` when the cache has none.

    Raises PeerUnavailableError where it cannot be built (no Linux wheels, registry out of reach).
    """
    if sys.platform != "linux":
        raise PeerUnavailableError("the peer's sqlite module has wheels for Linux only")
    if not is_cached(root):
        _build(_cache(root))
    return PeerEnvironment(python=_interpreter(_cache(root)), model_dir=_MODEL_DIR)


def is_cached(root: Path = ROOT) -> bool:
    """Tell whether `prepare` would find an environment that is built already."""
    return _interpreter(_cache(root)).exists()


def _cache(root: Path) -> Path:
    locks = hashlib.sha256(_LIBRARIES.read_bytes() + _PEER.read_bytes()).hexdigest()
    minor = f"{sys.version_info.major}.{sys.version_info.minor}"
    return root / "build" / f"peer-venv-{minor}-{locks[:12]}"


def _interpreter(venv: Path) -> Path:
    return venv / "bin" / "python"


def _build(venv: Path) -> None:
    """Build under a name of our own, then rename: a half-made environment is never found.

    Of two processes that build at once, the second to finish throws its own away.
    """
    venv.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{venv.name}-", dir=venv.parent))
    try:
        _run([sys.executable, "-m", "venv", str(partial)])
        pip = [str(_interpreter(partial)), "-m", "pip", "install", "--quiet", "--no-input"]
        pip += ["--disable-pip-version-check", "--retries", "1", "--only-binary", ":all:"]
        _run([*pip, "--require-hashes", "-r", str(_LIBRARIES)])
        _run([*pip, "--require-hashes", "--no-deps", "-r", str(_PEER)])
        _publish(partial, venv)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _publish(partial: Path, venv: Path) -> None:
    try:
        partial.rename(venv)
    except OSError:
        if not _interpreter(venv).exists():
            raise


def _run(command: list[str]) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_INSTALL_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise PeerUnavailableError(f"{' '.join(command[1:4])} took too long") from late
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise PeerUnavailableError(f"{' '.join(command[1:4])} failed: {lines[-1]}")


if __name__ == "__main__":
    # For a set-up step, so that the first test need not wait for the installation.
    prepare()
