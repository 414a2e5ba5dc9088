"""The driver's own errors on demand: a connector whose connections fail while a fault is set."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pysqlite3
import pytest

from core.store import connection


@dataclass(frozen=True, slots=True)
class Fault:
    """What SQLite says: words, result code, its name."""

    words: str
    code: int
    name: str

    def error(self) -> pysqlite3.OperationalError:
        """Return the driver's exception."""
        error = pysqlite3.OperationalError(self.words)
        error.sqlite_errorcode = self.code
        error.sqlite_errorname = self.name
        return error


LOCKED = Fault("database is locked", 5, "SQLITE_BUSY")
PROTOCOL = Fault("locking protocol", 15, "SQLITE_PROTOCOL")
NO_SHARED_MEMORY = Fault("disk I/O error", 5386, "SQLITE_IOERR_SHMMAP")
DAMAGED = Fault("database disk image is malformed", 11, "SQLITE_CORRUPT")
READ_FAILED = Fault("disk I/O error", 266, "SQLITE_IOERR_READ")


@dataclass
class Driver:
    """`fault` is raised by statements that contain `within`, on stores below `folder`."""

    fault: Fault | None = None
    within: str = ""
    folder: Path | None = None
    raised: list[str] = field(default_factory=list)

    def check(self, sql: str, uri: str) -> None:
        """Raise the fault where it applies."""
        here = self.folder is None or str(self.folder) in uri
        if self.fault is not None and here and self.within in sql:
            self.raised.append(sql)
            raise self.fault.error()


class _Faulty:
    """A connection that asks the driver before each statement."""

    def __init__(self, raw: pysqlite3.Connection, driver: Driver, uri: str) -> None:
        self.__dict__.update(raw=raw, driver=driver, uri=uri)

    def execute(self, sql: str, *parameters: Any) -> Any:
        self.driver.check(sql, self.uri)
        return self.raw.execute(sql, *parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["raw"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["raw"], name, value)


def install(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Let every connection opened from now on ask the returned driver."""
    driver = Driver()
    plain = connection._connector

    def connector(uri: str, *, vec0: Path | None, prepare: Sequence[str]) -> Callable[[], object]:
        connect = plain(uri, vec0=vec0, prepare=prepare)

        def faulty() -> object:
            driver.check("", uri)
            return _Faulty(connect(), driver, uri)  # type: ignore[arg-type]

        return faulty

    monkeypatch.setattr(connection, "_connector", connector)
    return driver
