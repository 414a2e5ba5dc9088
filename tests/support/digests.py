"""Fingerprints of a store: every byte of memory.db and every row of every table."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import pysqlite3


@dataclass(frozen=True, slots=True)
class Digests:
    """What looking must not change: the file's bytes and mode, and each table's rows."""

    file: str
    mode: int
    tables: tuple[tuple[str, str], ...]


def all_digests(project: Path) -> Digests:
    """Return the digests of a project's store; the tables are read from a copy in memory."""
    database = project / ".zikaron" / "memory.db"
    raw = database.read_bytes()
    return Digests(
        hashlib.sha256(raw).hexdigest(), database.stat().st_mode & 0o777, _tables(database)
    )


def _tables(database: Path) -> tuple[tuple[str, str], ...]:
    connection = pysqlite3.connect(f"file://{database}?mode=ro", uri=True)
    try:
        connection.text_factory = bytes  # type: ignore[assignment]  # the raw bytes of every cell
        names = [
            bytes(row[0]).decode()
            for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' "
                "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
            ).fetchall()
        ]
        return tuple(
            (name, hashlib.sha256(repr(_rows(connection, name)).encode()).hexdigest())
            for name in names
        )
    finally:
        connection.close()


def _rows(connection: pysqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    return connection.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2').fetchall()
