"""Backups of a store in the program's own folder: an online copy, checked, the last ten kept.

The store is only read. When a backup is made, and what is said of it, is the caller's.
"""

import os
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.datadir import PRIVATE_FILE, private_folder
from core.errors import ErrorCode, GenizahError
from core.progress import Report, unreported
from core.store import files
from core.store.connection import Connection, backup, vec0_path
from core.store.location import DATABASE_NAME, STORE_FOLDER
from core.store.opening import StoreFacts, connect_reader
from core.store.private_copy import remove_copy
from core.store.transactions import read_transaction

#: How many backups of one store are kept.
KEPT = 10
_FOLDER = "backups"
_ENDING = ".db"
_PART = ".part"
_STALE = timedelta(days=1)
_FULL = "database or disk is full"  # the driver gives the errors of a backup no code
_COUNTED = ("meta", "memory", "memory_chunk", "memory_vec_rowids", "read_receipt", "event")

type _Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup: a database of its own that has passed its check."""

    path: Path
    size_bytes: int
    memories: int


def backup_folder(data_dir: Path, store_id: str) -> Path:
    """Return where the backups of a store lie; nothing is created."""
    return data_dir / _FOLDER / str(uuid.UUID(store_id))  # one spelling of it, fit for a name


def kept_backups(folder: Path) -> tuple[Path, ...]:
    """Return the finished backups in a folder, oldest first."""
    return tuple(sorted(folder.glob(f"*{_ENDING}")))


async def back_up(
    facts: StoreFacts, data_dir: Path, now: datetime, report: Report = unreported
) -> Backup:
    """Copy an open store below `data_dir`, check the copy, then drop all but the last ten.

    Reports bytes; all of them are done while the copy is checked. Raises GenizahError and
    WorkCancelledError; then, as after a cancellation, nothing of the copy stays and no older
    backup is gone.
    """
    folder = backup_folder(data_dir, facts.meta.store_id)
    _refuse_inside_a_store(folder, facts)
    target = _target(folder, now)
    part = target.with_name(target.name + _PART)
    _begin(part, now)
    try:
        counts = await _copy(facts, part, report)
        await _check(part, counts)
        made = _finish(part, target, counts)
    except BaseException:
        remove_copy(part)
        raise
    _drop_old(folder, made.path)
    return made


def _refuse_inside_a_store(folder: Path, facts: StoreFacts) -> None:
    """Keep the agent's folders free of files it does not know."""
    own = facts.location.database.resolve().parent
    real = folder.resolve()
    for above in (real, *real.parents):
        is_store = above.name == STORE_FOLDER or (above / DATABASE_NAME).exists()
        if above == own or is_store:
            raise GenizahError(
                ErrorCode.NOT_WRITABLE,
                f"The backups would lie in the folder of a store ({above}); let GENIZAH_DATA_DIR "
                "name another folder.",
                path=str(folder),
                reason="inside_a_store",
            )


def _target(folder: Path, now: datetime) -> Path:
    """Return a path that is free, named by the time: names in order are backups in order."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    path, number = folder / f"memory-{stamp}{_ENDING}", 1
    while path.exists() or path.with_name(path.name + _PART).exists():
        number += 1
        path = folder / f"memory-{stamp}-{number}{_ENDING}"
    return path


def _begin(part: Path, now: datetime) -> None:
    """Make an empty private file. Raises GenizahError(NOT_WRITABLE)."""
    try:
        private_folder(part.parent)
        _drop_stale(part.parent, now)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except OSError as error:
        raise _not_made(part, error) from error


def _not_made(part: Path, error: OSError) -> GenizahError:
    return GenizahError(
        ErrorCode.NOT_WRITABLE,
        f"No backup can be made in {part.parent} ({error.strerror}); let GENIZAH_DATA_DIR name "
        "another folder.",
        path=str(part.parent),
        reason="backup_folder",
    )


def _drop_stale(folder: Path, now: datetime) -> None:
    """Remove what a killed program left half-made; another window's is younger than that."""
    for path in folder.glob(f"*{_ENDING}{_PART}"):
        with suppress(OSError):
            if now - datetime.fromtimestamp(path.stat().st_mtime, UTC) > _STALE:
                remove_copy(path)


async def _copy(facts: StoreFacts, part: Path, report: Report) -> _Counts:
    """Copy the store as it is now; return how many rows each table had then."""
    source, _ = await connect_reader(facts.location, facts.access)
    try:
        _check_same_file(facts)
        # One snapshot for all of it, longer than a read should be: without it every commit of the
        # agent would begin the copy anew. The agent's writes do not wait, its check-point does.
        async with read_transaction(source):
            counts = await _counts(source)
            page_bytes = await source.count("PRAGMA page_size")
            await backup(
                source, part, lambda done, total: report(done * page_bytes, total * page_bytes)
            )
            return counts
    except GenizahError as error:
        if error.fields.get("driver") == _FULL:
            raise _no_room(part) from error
        raise
    finally:
        await source.close()


def _no_room(part: Path) -> GenizahError:
    return GenizahError(
        ErrorCode.NOT_WRITABLE,
        f"There is no room for a backup in {part.parent}; free some space, or let "
        "GENIZAH_DATA_DIR name another folder.",
        path=str(part.parent),
        reason="no_room",
    )


def _check_same_file(facts: StoreFacts) -> None:
    path = facts.location.database
    if files.identity(path) != facts.identity:
        raise GenizahError(
            ErrorCode.STORE_CHANGED,
            f"The file {path} was replaced since it was opened; open it again.",
            path=str(path),
        )


async def _counts(connection: Connection) -> _Counts:
    """Count rows and broken references: a backup has those of its store, no more."""
    found = {name: await connection.count(f"SELECT count(*) FROM {name}") for name in _COUNTED}
    broken = "SELECT count(*) FROM pragma_foreign_key_check"
    return {**found, "foreign keys without a row": await connection.count(broken)}


async def _check(part: Path, counts: _Counts) -> None:
    """Read the copy through and compare. Raises GenizahError(DAMAGED)."""
    copy = await Connection.open(part, immutable=True, vec0=vec0_path())
    try:
        said = [str(row[0]) for row in await copy.rows("PRAGMA integrity_check(20)")]
        problems = [text for text in said if text != "ok"]
        for name, count in (await _counts(copy)).items():
            if count != counts[name]:
                problems.append(f"{name}: {count} instead of {counts[name]}")
    finally:
        await copy.close()
    if problems:
        raise _unsound(problems, part)


def _unsound(problems: Iterable[str], part: Path) -> GenizahError:
    first = next(iter(problems))
    return GenizahError(
        ErrorCode.DAMAGED,
        f"The backup did not pass its check ({first}), so it was not kept and the earlier ones "
        "were; the store itself may be damaged.",
        path=str(part),
        reason="backup_unsound",
    )


def _finish(part: Path, target: Path, counts: _Counts) -> Backup:
    try:
        part.rename(target)
        return Backup(target, target.stat().st_size, counts["memory"])
    except OSError as error:
        raise _not_made(part, error) from error


def _drop_old(folder: Path, made: Path) -> None:
    """Keep the new backup, whatever the clock said, and the newest of the others."""
    others = [path for path in kept_backups(folder) if path != made]
    for path in others[: max(0, len(others) - (KEPT - 1))]:
        with suppress(OSError):
            path.unlink()
