"""`genizah --self-test`: every part is tried for real; a part that fails is said in a sentence."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from app import self_test_window
from app.self_test_window import SelfTestFailedError, check_window
from core.retrieval import artifacts
from core.store import opening
from tests.app.test_demo import run_genizah, said
from tests.support.cli import Cli

_PARTS = ["ok store", "ok words", "ok model", "ok meaning", "ok window"]
# A picture as the program saves it, of one colour or of many.
_DRAW = """
import sys
from PySide6.QtGui import QImage
image = QImage(100, 100, QImage.Format.Format_RGB32)
image.fill(0)
for x in range(100 if {many} else 0):
    for y in range(100):
        image.setPixel(x, y, x * 256 + y)
image.save(sys.argv[-1])
print(sys.argv[-1], flush=True)
{then}
"""


def _parts(text: str) -> list[str]:
    return [line.partition(":")[0] for line in text.splitlines()]


def _window(monkeypatch: pytest.MonkeyPatch, *, many: bool = True, then: str = "") -> str:
    """Check a program that stands for ours and draws something else."""
    program = [sys.executable, "-c", _DRAW.format(many=many, then=then)]
    monkeypatch.setattr(self_test_window, "_program", lambda: program)
    return asyncio.run(check_window(os.environ, "tide"))


def test_every_part_is_tried_and_said_in_a_line(tmp_path: Path) -> None:
    ended = run_genizah("--self-test")
    assert (ended.returncode, said(ended)) == (0, "")
    assert _parts(ended.stdout) == _PARTS
    # The demo store's own numbers, and the width of its model.
    assert "12 of 150 memories" in ended.stdout
    assert "384 numbers" in ended.stdout
    assert "offscreen" in ended.stdout
    assert not Path(os.environ["GENIZAH_DATA_DIR"]).exists()


def test_a65_without_vec0_the_words_are_searched_and_the_meaning_has_failed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "vec0_path", lambda: None)
    ran = cli("--self-test")
    assert ran.code == 1
    assert _parts(ran.text) == ["ok store", "ok words", "ok model", "failed meaning", "ok window"]
    assert "vec0" in ran.text
    assert ran.err == ""


def test_a66_a_model_cut_short_is_said_and_the_rest_is_tried(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = artifacts.embedded_artifact()
    cut = tmp_path / "model.onnx"
    cut.write_bytes(real.model_file.read_bytes()[:1000])
    digests = dict(artifacts.EMBEDDED_DIGESTS)
    damaged = artifacts.Artifact(real.name, cut, real.tokenizer_folder, digests)
    monkeypatch.setattr("core.retrieval.fastembed_encoder.embedded_artifact", lambda: damaged)
    ran = cli("--self-test")
    assert ran.code == 1
    assert _parts(ran.text) == ["ok store", "ok words", "failed meaning", "ok window"]
    assert f"The model file {cut} is not the one" in ran.text


def test_a_window_with_a_picture_in_it_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _window(monkeypatch).startswith("100 x 100 on offscreen")


def test_a_blank_window_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SelfTestFailedError, match="drawn blank: 1 colours"):
        _window(monkeypatch, many=False)


@pytest.mark.parametrize(
    ("then", "says"),
    [
        ("print('a stray line')", "ended with code 0 and said: .*a stray line"),
        ("print('a warning', file=sys.stderr)", "ended with code 0 and said: .*a warning"),
        ("sys.exit(3)", "ended with code 3"),
        ("import time; time.sleep(60)", r"did not end within \d+ s"),
    ],
    ids=["output", "complaint", "exit code", "does not end"],
)
def test_a_window_that_does_not_end_well_fails(
    monkeypatch: pytest.MonkeyPatch, then: str, says: str
) -> None:
    with pytest.raises(SelfTestFailedError, match=says):
        _window(monkeypatch, then=then)


def test_a_program_that_draws_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    program = [sys.executable, "-c", "import sys; sys.exit('no window today')"]
    monkeypatch.setattr(self_test_window, "_program", lambda: program)
    with pytest.raises(SelfTestFailedError, match="code 1 and said: no window today"):
        asyncio.run(check_window(os.environ, "tide"))
