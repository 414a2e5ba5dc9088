"""The recorded oracle: where it lies, private copies of its stores, a skip where it is absent.

The oracle is read-only where tests run: a store is copied before it is opened.
"""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEMO_BUNDLE = ROOT / "resources" / "demo"
DEMO_RECORDED = ROOT / "tests" / "data" / "demo_expected.json"


def oracle_folder() -> Path:
    """Return the oracle's folder, from $GENIZAH_ORACLE or beside the project; skip without it."""
    given = os.environ.get("GENIZAH_ORACLE")
    folder = Path(given) if given else ROOT.parent / "shared" / "oracle"
    if not (folder / "single" / "expected.json").is_file():
        pytest.skip(f"the recorded oracle is not at {folder}; set GENIZAH_ORACLE to its folder")
    return folder


def copy_project(source: Path, target: Path) -> Path:
    """Copy the store of one project folder into another, private and writable; return `target`."""
    folder = target / ".zikaron"
    folder.mkdir(parents=True, mode=0o700)
    for file in sorted((source / ".zikaron").iterdir()):
        copy = folder / file.name
        shutil.copyfile(file, copy)
        copy.chmod(0o600)
    return target
