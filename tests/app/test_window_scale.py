"""Scale 1, 1.5 and 2 in processes of their own: usable at 1024x640 logical, painted sharply."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.oracle import ROOT
from tests.support.window_stores import ferry_store


def measured(folder: Path, scale: str, scheme: str) -> dict[str, object]:
    project = folder / "p"
    if not project.exists():
        ferry_store(project)
    picture = folder / f"{scheme}-{scale}.png"
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.scaled_child", scheme, str(project), str(picture)],
        cwd=ROOT,
        env={**os.environ, "QT_SCALE_FACTOR": scale},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 0
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scale", ["1.5", pytest.param("2", marks=pytest.mark.slow)])
def test_a63_the_window_is_usable_at_1024x640_logical(
    tmp_path: Path, scale: str, scheme: str
) -> None:
    found = measured(tmp_path, scale, scheme)
    factor = float(scale)
    assert found["ratio"] == factor
    assert found["size"] == [1024, 640], "no minimum size is in the way"
    assert found["pixels"] == [round(1024 * factor), round(640 * factor)]
    assert found["outside"] == []


def test_a63_rows_are_painted_with_the_pixels_of_the_screen(tmp_path: Path) -> None:
    edges = measured(tmp_path, "2", "light")["fine_edges"]
    assert isinstance(edges, int)
    assert edges > 100, "a picture blown up from scale 1 has no edge inside a pair of pixels"
