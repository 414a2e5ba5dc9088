"""The deep check of a store: on a private copy, which is made and removed here."""

import uuid
from pathlib import Path

from core.errors import ErrorCode, GenizahError
from core.progress import Report, unreported
from core.store import health, private_copy
from core.store.database import Database


async def deep_problems(
    database: Database, folder: Path, report: Report = unreported
) -> list[health.Problem]:
    """Check a private copy in `folder`; nothing of it stays. `report` is told pages copied, from
    another thread. Raises GenizahError."""
    facts, copy = database.facts, folder / f"check-{uuid.uuid4()}.db"
    try:
        await private_copy.snapshot_copy(facts.location, facts.access, copy, report)
        connection = await private_copy.open_copy(copy)
        try:
            return await health.deep_check(connection)
        finally:
            await connection.close()
    except OSError as error:
        raise GenizahError(
            ErrorCode.STORE_IO,
            f"A private copy could not be made at {copy} ({error.strerror}); set GENIZAH_DATA_DIR "
            "to a folder that can be written.",
            path=str(copy),
        ) from error
    finally:
        private_copy.remove_copy(copy)
