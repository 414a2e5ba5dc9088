"""The object genizah.write/1: what a change did, or with dry_run would do."""

from core.commands.outcome import Written
from core.errors import JsonValue

WRITE_SCHEMA = "genizah.write/1"


def write_document(written: Written, *, is_new: bool, dry_run: bool) -> dict[str, JsonValue]:
    """Build the object. A dry run knows no uuid of a row that is yet to be (`is_new`: it is the
    row the change is about)."""
    near: list[JsonValue] = [
        {"uuid": n.uuid, "gist": n.gist, "cosine": n.cosine} for n in written.near_duplicates
    ]
    document: dict[str, JsonValue] = {
        "schema": WRITE_SCHEMA,
        "ok": True,
        "uuid": None if is_new and dry_run else written.uuid,
        "version": written.version,
        "new_uuid": None if dry_run else written.new_uuid,
        "near_duplicates": near,
    }
    return {**document, "dry_run": True} if dry_run else document
