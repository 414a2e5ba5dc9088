"""The demo without a display: when it has failed, and what counts as a display."""

import importlib
import sys
from pathlib import Path

import pytest

_PNG = "b'\\x89PNG\\r\\n\\x1a\\n'"


@pytest.mark.parametrize(
    ("program", "code"),
    [
        (f"import sys, pathlib; pathlib.Path(sys.argv[-1]).write_bytes({_PNG})", 0),
        (f"import sys, pathlib; pathlib.Path(sys.argv[-1]).write_bytes({_PNG}); sys.exit(3)", 1),
        ("import sys, pathlib; pathlib.Path(sys.argv[-1]).write_text('no picture')", 1),
        ("pass", 1),
    ],
    ids=["written", "failed after writing", "not a picture", "nothing written"],
)
def test_a_demo_without_a_display_succeeds_only_with_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, code: int
) -> None:
    demo = importlib.import_module("demo")
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    monkeypatch.setattr(demo, "_PICTURE", tmp_path / "build" / "demo.png")
    monkeypatch.setenv("PATH", str(tmp_path))  # no xvfb-run
    assert demo.take_picture([sys.executable, "-c", program]) == code


def test_a_display_that_does_not_answer_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = importlib.import_module("demo")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":9876")
    assert demo.display() is None
