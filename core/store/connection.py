"""The SQLite driver and the vector extension; the only module that imports the driver.

One SQLite for every platform (pysqlite3) through aiosqlite's connector. Driver exceptions end here.
"""

import asyncio
import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self, cast, override
from urllib.parse import quote

import aiosqlite
import pysqlite3

from core.errors import ErrorCode, GenizahError
from core.progress import Report, WorkCancelledError, unreported
from core.store.text import decode

type SqlValue = int | float | str | bytes | None
type Row = tuple[SqlValue, ...]
type Statement = tuple[str, Sequence[SqlValue]]

_BUSY_PRIMARY = frozenset({5, 6})  # SQLITE_BUSY, SQLITE_LOCKED
_DAMAGED_PRIMARY = frozenset({11, 26})  # SQLITE_CORRUPT, SQLITE_NOTADB
_IO_PRIMARY = frozenset({10, 14, 15})  # SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL
_INTERRUPT_PRIMARY = 9
_READ_ONLY_PRIMARY = 8
_FULL_PRIMARY = 13
_UNDECODABLE = "Could not decode to UTF-8"
_DRAIN_STEP_S = 0.002
_BACKUP_PAGES = 1024


def vec0_path() -> Path | None:
    """Return the path of the vec0 library, or None where it is not installed.

    The package is not imported for it: its import drags numpy in.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    found = sorted(p for p in folder.glob("vec0.*") if p.suffix in {".so", ".dylib", ".dll"})
    return found[0] if found else None


def sqlite_version() -> str:
    """Return the version of the SQLite library that the driver carries."""
    return str(pysqlite3.sqlite_version)


def file_uri(path: Path, *, mode: str, immutable: bool = False, leaves_shm: bool = False) -> str:
    """Return `path` as a proper SQLite file URI: `#`, `?`, `%`, spaces are ordinary."""
    text = path.absolute().as_posix()
    encoded = quote(os.fsencode(text), safe="/:")
    if not encoded.startswith("/"):
        encoded = "/" + encoded
    more = ("&immutable=1" if immutable else "") + ("&readonly_shm=1" if leaves_shm else "")
    return f"file://{encoded}?mode={mode}{more}"


def explain_driver_error(error: pysqlite3.Error, path: str) -> GenizahError:
    """Turn a driver exception into one of ours, naming the file."""
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    fields = {"driver": str(error), "sqlite_code": getattr(error, "sqlite_errorname", None)}
    said = str(error).rstrip(". ")  # some of the driver's words are sentences, most are not
    if primary in _BUSY_PRIMARY:
        code, text = ErrorCode.STORE_BUSY, f"The store {path} is busy; try again in a moment."
    elif primary in _DAMAGED_PRIMARY:
        code = ErrorCode.DAMAGED
        text = f"The database {path} is damaged ({said}); nothing was written. Work on a copy."
    elif primary in _IO_PRIMARY:
        code = ErrorCode.STORE_IO
        text = (
            f"The file {path} could not be read ({said}); if it lies on a network folder, "
            "open a local copy."
        )
    elif primary == _FULL_PRIMARY:
        code = ErrorCode.STORE_IO
        text = f"There is no room left for {path}; nothing was written. Free some space."
    elif primary == _READ_ONLY_PRIMARY:
        code, text = ErrorCode.NOT_WRITABLE, f"The file {path} can only be read ({said})."
    elif primary == _INTERRUPT_PRIMARY:
        code, text = ErrorCode.INTERRUPTED, "The query was interrupted."
    else:
        code, text = ErrorCode.STORE_FAILED, f"The store {path} could not be read: {said}."
    return GenizahError(code, text, path=path, fields=fields)


def _connector(uri: str, *, vec0: Path | None, prepare: Sequence[str]) -> Callable[[], object]:
    def connect() -> object:
        raw = pysqlite3.connect(uri, uri=True, isolation_level=None, timeout=0)
        try:
            if vec0 is not None:
                raw.enable_load_extension(True)
                raw.load_extension(str(vec0.with_suffix("")))
                raw.enable_load_extension(False)
            for statement in prepare:
                raw.execute(statement)
        except BaseException:
            raw.close()
            raise
        return raw

    return connect


class _Worker(aiosqlite.Connection):
    """aiosqlite's connection, which stops its thread unwatched where the connect fails; this one
    lets us wait for that, or the thread would report to a loop that is closed by then."""

    stopped: asyncio.Future[None] | None = None

    async def fetch_each(
        self, statements: Sequence[Statement], *, first: str | None
    ) -> list[list[Row]]:
        """Run statements in one visit to the thread, each to its end before the next.

        `first` goes before them where no transaction is open.
        """
        asked = self._execute(self._fetch_each, statements, first)  # type: ignore[no-untyped-call]
        return cast(list[list[Row]], await asked)

    def _fetch_each(self, statements: Sequence[Statement], first: str | None) -> list[list[Row]]:
        if first is not None and not self._conn.in_transaction:
            self._conn.execute(first)
        # The driver returns lists of tuples; the stub of the standard library's is wider.
        return [self._conn.execute(sql, parameters).fetchall() for sql, parameters in statements]

    @override
    def stop(self) -> asyncio.Future[None] | None:
        self.stopped = super().stop()
        return self.stopped


class Connection:
    """One SQLite connection on a thread of its own, with our errors and cancellable statements.

    A cancelled caller interrupts the statement it waited for, so that the next one starts at once.
    """

    def __init__(self, inner: _Worker, path: str) -> None:
        self._inner = inner
        self._path = path
        self._closed = False
        self.opening: str | None = None
        """What is run before a statement where no transaction is open."""

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        immutable: bool = False,
        leaves_shm: bool = False,
        vec0: Path | None = None,
        prepare: Sequence[str] = (),
        mode: str = "ro",
    ) -> Self:
        """Connect and run `prepare`; a failure leaves no thread and no handle behind.

        `mode` is "ro" for stores; "rw" is for private copies and the program's own file, "memory"
        for its stand-in. A file is never created. `leaves_shm` reads a write-ahead log without a
        byte written to the -shm file beside it, which must be there.
        """
        uri = file_uri(path, mode=mode, immutable=immutable, leaves_shm=leaves_shm)
        # aiosqlite's annotation names the standard library's class; any DB-API connection does.
        inner = _Worker(
            _connector(uri, vec0=vec0, prepare=prepare),  # type: ignore[arg-type]
            iter_chunk_size=256,
        )
        try:
            await inner
        except BaseException as error:
            if inner.stopped is not None:
                await inner.stopped
            if isinstance(error, pysqlite3.Error):
                raise explain_driver_error(error, str(path)) from error
            raise
        return cls(inner, str(path))

    @property
    def path(self) -> str:
        """The database file, as it was opened."""
        return self._path

    async def rows(self, sql: str, parameters: Sequence[SqlValue] = ()) -> list[Row]:
        """Run one statement and return all its rows.

        Raises GenizahError. On cancellation the statement is interrupted and has ended when the
        CancelledError leaves, so that an interrupt can never hit the next statement.
        """
        return (await self.rows_of_each([(sql, parameters)]))[0]

    async def rows_of_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run statements one after another and return the rows of each, as `rows` does of one.

        One visit to the connection's thread serves them all. The first that fails ends it.
        """
        try:
            return await self._fetch(statements)
        except pysqlite3.OperationalError as error:
            if not str(error).startswith(_UNDECODABLE):
                raise explain_driver_error(error, self._path) from error
        except pysqlite3.Error as error:
            raise explain_driver_error(error, self._path) from error
        # The driver's own decoding is strict and twice as fast; a store with damaged text is
        # read with ours from here on.
        self._inner.text_factory = decode
        return await self.rows_of_each(statements)

    async def _fetch(self, statements: Sequence[Statement]) -> list[list[Row]]:
        try:
            return await self._inner.fetch_each(statements, first=self.opening)
        except asyncio.CancelledError:
            await self._drain()
            raise

    async def row(self, sql: str, parameters: Sequence[SqlValue] = ()) -> Row | None:
        """Run one statement and return its first row, or None."""
        found = await self.rows(sql, parameters)
        return found[0] if found else None

    async def value(self, sql: str, parameters: Sequence[SqlValue] = ()) -> SqlValue:
        """Run one statement and return the first column of its first row, or None."""
        found = await self.row(sql, parameters)
        return found[0] if found else None

    async def count(self, sql: str, parameters: Sequence[SqlValue] = ()) -> int:
        """Run one counting statement and return its integer."""
        found = await self.value(sql, parameters)
        if not isinstance(found, int):
            raise TypeError(f"not a count: {found!r}")
        return found

    async def data_version(self) -> int:
        """Return SQLite's counter of foreign commits; comparable on this connection only."""
        return await self.count("PRAGMA data_version")

    async def backup(
        self, target: pysqlite3.Connection, pages: int, report: Report = unreported
    ) -> None:
        """Copy the database into `target`, `pages` at a time; reports pages, from another thread.

        What `report` raises ends the copy at its next step, and so does a cancellation, which
        leaves once it has ended. Raises GenizahError.
        """
        cancelled = threading.Event()

        def told(_status: int, left: int, total: int) -> None:
            if cancelled.is_set():
                raise WorkCancelledError
            report(total - left, total)

        # aiosqlite names the standard library's class here too.
        copying = asyncio.ensure_future(
            self._inner.backup(target, pages=pages, progress=told)  # type: ignore[arg-type]
        )
        try:
            await asyncio.shield(copying)
        except asyncio.CancelledError:
            cancelled.set()
            await _ended(copying)
            raise
        except pysqlite3.Error as error:
            raise explain_driver_error(error, self._path) from error

    @property
    def in_transaction(self) -> bool:
        """Tell whether a transaction is open; read it while no statement runs."""
        return not self._closed and self._inner.in_transaction

    async def interrupt(self) -> None:
        """Stop the running statement, if any; safe from any task."""
        await self._inner.interrupt()

    async def close(self) -> None:
        """Close the connection and end its thread; a running statement is interrupted.

        A cancellation waits until that is done, or the thread would be left.
        """
        if self._closed:
            return
        self._closed = True
        closing = asyncio.ensure_future(self._shut())
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            if not closing.done():
                await asyncio.wait({closing})
            raise

    async def _shut(self) -> None:
        try:
            await self._drain()
        finally:
            await self._inner.close()

    async def _drain(self) -> None:
        """Interrupt until all that was queued has ended, however often the caller is cancelled.

        One interrupt is not enough: it may come before the thread has taken the statement up.
        """
        again: asyncio.CancelledError | None = None
        probe = asyncio.create_task(self._probe())
        while not probe.done():
            await self._inner.interrupt()
            try:
                await asyncio.wait({probe}, timeout=_DRAIN_STEP_S)
            except asyncio.CancelledError as error:
                again = error
        if again is not None:
            raise again

    async def _probe(self) -> None:
        # Interrupted itself, or refused by a damaged file, it still proves that everything
        # before it has ended.
        with suppress(pysqlite3.DatabaseError):
            await self._inner.execute_fetchall("SELECT 1")


async def _ended(work: asyncio.Future[None]) -> None:
    """Wait until work has ended, whatever became of it and however often we are cancelled."""
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({work})
    if not work.cancelled():
        work.exception()  # seen: what it was does not matter any more


async def backup(source: Connection, target: Path, report: Report = unreported) -> None:
    """Copy one consistent state of `source` into the existing empty file `target`.

    The copy goes in steps of 1024 pages, each with a read lock of its own; `report` as in
    `Connection.backup`. Raises GenizahError.
    """
    raw = pysqlite3.connect(
        file_uri(target, mode="rw"), uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        await source.backup(raw, _BACKUP_PAGES, report)
    finally:
        raw.close()
