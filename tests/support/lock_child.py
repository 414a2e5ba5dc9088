"""Another program that holds a store's write lock until it is killed.

usage: python -m tests.support.lock_child PROJECT
"""

import sys
import threading
from pathlib import Path

import pysqlite3


def _main(project: Path) -> None:
    raw = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("UPDATE memory SET gist = 'half done'")
    sys.stdout.write("locked\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
