"""Writing JSON as the contract wants it: ASCII, no NaN or Infinity, repr floats, one line."""

import json
import math

from core.errors import GenizahError, JsonValue
from core.notices import NoticeCode

ERROR_SCHEMA = "genizah.error/1"
NOT_FINITE = "A number was not finite; it shows as null."


def finite(value: JsonValue) -> tuple[JsonValue, bool]:
    """Return the value with every NaN and Infinity as null, and whether there was any."""
    match value:
        case float():
            return (value, False) if math.isfinite(value) else (None, True)
        case list():
            pairs = [finite(v) for v in value]
            return [v for v, _ in pairs], any(found for _, found in pairs)
        case dict():
            items = {k: finite(v) for k, v in value.items()}
            return {k: v for k, (v, _) in items.items()}, any(f for _, f in items.values())
        case _:
            return value, False


def dump(document: dict[str, JsonValue]) -> str:
    """Return one line of ASCII JSON; numbers that are not finite become null with a notice."""
    clean, found = finite(document)
    if found and isinstance(clean, dict) and isinstance(clean.get("notices"), list):
        notices = clean["notices"]
        assert isinstance(notices, list)
        notices.append({"code": NoticeCode.NOT_FINITE.value, "text": NOT_FINITE})
    return json.dumps(clean, ensure_ascii=True, allow_nan=False)


def error_document(error: GenizahError) -> dict[str, JsonValue]:
    """Return the error object of the contract."""
    return {
        "schema": ERROR_SCHEMA,
        "ok": False,
        "code": error.code.value,
        "reason": error.reason,
        "message": error.message,
        "path": error.path,
        "fields": error.fields,
    }
