"""The layers: the import contracts hold, and would be seen to be broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import PRODUCT, ROOT


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [tool, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_no_layer_imports_from_above_itself() -> None:
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/clock.py", "import widgets", "app -> widgets -> core, never back BROKEN"),
        ("core/clock.py", "import PySide6.QtCore", "core and resources know no Qt BROKEN"),
        (
            "app/__init__.py",
            "import pysqlite3",
            "only core.store talks to the SQLite driver BROKEN",
        ),
        ("widgets/__init__.py", "import core.store", "widgets run no SQL and no threads BROKEN"),
        (
            "core/windows/merge.py",
            "import core.retrieval.arms",
            "the window kernel knows no store and no search BROKEN",
        ),
    ],
)
def test_a_forbidden_import_breaks_its_contract(
    tmp_path: Path, module: str, line: str, contract: str
) -> None:
    for top in PRODUCT:
        shutil.copytree(ROOT / top, tmp_path / top, ignore=_all_but_python)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = _lint(tmp_path)
    assert done.returncode == 1
    assert contract in done.stdout


def _all_but_python(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if not n.endswith(".py") and not (Path(folder) / n).is_dir()]
