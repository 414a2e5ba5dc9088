"""The peer's child process: JSON lines over its pipes, its errors raised, its death reported."""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from typing import Any

from tests.peer.environment import ROOT, PeerEnvironment

_SILENCE_LIMIT_S = 600.0
_STDERR_TAIL_CHARS = 2000


class PeerError(Exception):
    """A call the peer refused or failed at: its code, its sentence, its payload."""

    def __init__(self, code: str, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {message} {dict(fields)}")
        self.code = code
        self.message = message
        self.fields = fields


class PeerDiedError(Exception):
    """The child ended without answering; the message carries the end of its stderr."""


class PeerProcess:
    """One child, started on construction; `call` and `close` are its whole interface."""

    def __init__(self, environment: PeerEnvironment) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._child = subprocess.Popen(
            [str(environment.python), "-m", "tests.peer.child", str(environment.model_dir)],
            cwd=ROOT,
            env=_child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            text=True,
            encoding="utf-8",
        )

    def call(self, verb: str, **params: object) -> Any:
        """Make one call and return its answer's value.

        Raises PeerError for an error answer, PeerDiedError when no answer comes.
        """
        line = self._exchange(json.dumps({"verb": verb, "params": params}))
        if not line:
            raise PeerDiedError(f"no answer to {verb}: {self._stderr_tail()}")
        answer = json.loads(line)
        if "error" in answer:
            raise PeerError(**answer["error"])
        return answer["ok"]

    def close(self) -> None:
        """Let the child end by itself: it closes its store when its input ends."""
        if self._child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # already gone: what closing is for
                self._child.stdin.close()
        watchdog = threading.Timer(_SILENCE_LIMIT_S, self._child.kill)
        watchdog.start()
        self._child.wait()
        watchdog.cancel()
        watchdog.join()
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._stderr.close()

    def _exchange(self, request: str) -> str:
        if self._child.stdin is None or self._child.stdout is None:
            raise PeerDiedError("the child was started without pipes")
        watchdog = threading.Timer(_SILENCE_LIMIT_S, self._child.kill)
        watchdog.start()
        try:
            self._child.stdin.write(request + "\n")
            self._child.stdin.flush()
            return self._child.stdout.readline()
        except BrokenPipeError:
            return ""
        finally:
            watchdog.cancel()
            # No thread may outlive a call: tests count the threads that are left.
            watchdog.join()

    def _stderr_tail(self) -> str:
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")[-_STDERR_TAIL_CHARS:]


def _child_environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return {**kept, "ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1"}
