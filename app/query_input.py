"""Reading queries from the command line: texts, base64 vectors, JSON lines."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from app.arguments import DEFAULT_LIMIT, MAX_LIMIT
from core.documents.vector_text import decode_vector
from core.errors import ErrorCode, GenizahError
from core.store.text import is_blank

_KEYS = {"query", "include_retired", "vector", "limit"}
_UUID = "uuid"


@dataclass(frozen=True, slots=True)
class QueryLine:
    """One search asked for; `vector` replaces the embedding where given.

    `uuid` names a memory to explain, None where the line has none.
    """

    text: str
    include_retired: bool
    vector: bytes | None
    limit: int
    uuid: str | None = None


def query_text(given: str) -> str:
    """Return the text of --query, read from standard input for `-`; refuse a blank one."""
    text = given
    if given == "-":
        if sys.stdin is None:
            raise GenizahError(
                ErrorCode.USAGE, "Standard input is closed; give the query after --query."
            )
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").removesuffix("\n")
    if is_blank(text):
        raise GenizahError(
            ErrorCode.USAGE, "The query is empty; give --query some text to search for."
        )
    return text


def _bad(number: int, what: str) -> GenizahError:
    return GenizahError(
        ErrorCode.USAGE,
        f"Line {number} of the query file is not usable: {what}.",
        fields={"line": number},
    )


def parse_line(
    line: str,
    number: int,
    limit_given: int = DEFAULT_LIMIT,
    *,
    retired_given: bool = False,
    takes_uuid: bool = False,
) -> QueryLine:
    """Parse one JSON line; what it leaves out is as given for the whole run.

    Only with `takes_uuid` may it name a memory. Raises GenizahError naming the line and the field.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _bad(number, f"it is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise _bad(number, "it is not an object")
    unknown = sorted(set(found) - (_KEYS | {_UUID} if takes_uuid else _KEYS))
    if unknown:
        raise _bad(number, f"there is no field {unknown[0]!r}")
    text, retired = found.get("query"), found.get("include_retired", retired_given)
    vector, limit = found.get("vector"), found.get("limit", limit_given)
    if not isinstance(text, str):
        raise _bad(number, "query must be a text")
    if not isinstance(retired, bool):
        raise _bad(number, "include_retired must be true or false")
    if vector is not None and not isinstance(vector, str):
        raise _bad(number, "vector must be a base64 text")
    uuid = found.get(_UUID)
    if uuid is not None and not isinstance(uuid, str):
        raise _bad(number, "uuid must be a text")
    if type(limit) is not int or not 1 <= limit <= MAX_LIMIT:
        raise _bad(number, f"limit must be a whole number from 1 to {MAX_LIMIT}")
    if vector is None and is_blank(text):
        raise _bad(number, "the query is empty and there is no vector")
    decoded = None if vector is None else decode_vector(vector)
    return QueryLine(text, retired, decoded, limit, uuid)


def read_lines(path: Path) -> list[str]:
    """Return the lines of a query file. Raises GenizahError(USAGE) where it cannot be read."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise GenizahError(
            ErrorCode.USAGE,
            f"The query file {path} cannot be read ({error.strerror}).",
            path=str(path),
        ) from error
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise GenizahError(
            ErrorCode.USAGE,
            f"The query file {path} is not UTF-8 (byte {error.start}).",
            path=str(path),
        ) from error
    return text.removesuffix("\n").split("\n") if text else []
