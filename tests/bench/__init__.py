"""Benchmarks: ratios against the peer in one run. Not tests; `make bench` runs them."""

import os
from pathlib import Path

# As the program's own entry point does, before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def as_at_home(folder: Path) -> dict[str, str]:
    """Return the surroundings of a program that a person starts, with its own data in a folder.

    Python keeps compiled modules, which test machines often forbid, and there: nothing is written
    beside the sources.
    """
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    compiled = {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    return surroundings | compiled | {"GENIZAH_DATA_DIR": str(folder / "data")}
