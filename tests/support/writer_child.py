"""Another program that writes a store while it is looked at; run as a process of its own.

usage: python -m tests.support.writer_child PROJECT COUNT
Never waits for a lock: the first one it meets ends it with the driver's words.
"""

import sys
import uuid
from pathlib import Path

import pysqlite3


def _write(connection: pysqlite3.Connection, number: int) -> None:
    name = str(uuid.uuid4())
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(
        "INSERT INTO memory (uuid, gist, content, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (name, f"written {number}", "by the other program", "t", "t"),
    )
    connection.execute(
        "INSERT INTO memory_fts(rowid, gist, content) "
        "SELECT rowid, gist, content FROM memory WHERE uuid = ?",
        (name,),
    )
    connection.execute("COMMIT")


def _main(project: Path, count: int) -> None:
    database = str(project / ".zikaron" / "memory.db")
    connection = pysqlite3.connect(database, timeout=0, isolation_level=None)
    for number in range(count):
        _write(connection, number)
    sys.stdout.write(f"{count} written\n")
    sys.stdout.flush()
    sys.stdin.readline()
    connection.close()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]))
