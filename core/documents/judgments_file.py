"""The file genizah.judgments/1: queries with grades by uuid, written and read. docs/json.md has it.

Reading is strict: a file with anything unforeseen is refused in one sentence naming the field.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.documents.vector_text import decode_vector, encode_vector
from core.errors import ErrorCode, GenizahError, JsonValue
from core.explain.metrics import HIGHEST_GRADE
from core.store.text import is_blank

JUDGMENTS_SCHEMA = "genizah.judgments/1"
_TOP = ("schema", "queries")
_QUERY = ("name", "text", "include_retired", "vector", "grades")


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """One query with its grades by uuid, 0 to 3. `vector` replaces the embedding where given."""

    text: str
    grades: Mapping[str, int]
    include_retired: bool = False
    name: str | None = None
    vector: bytes | None = None


def judgments_document(queries: Sequence[JudgedQuery]) -> dict[str, JsonValue]:
    """Build the file's object; every key present."""
    return {
        "schema": JUDGMENTS_SCHEMA,
        "queries": [
            {
                "name": q.name,
                "text": q.text,
                "include_retired": q.include_retired,
                "vector": None if q.vector is None else encode_vector(q.vector),
                "grades": dict(q.grades),
            }
            for q in queries
        ],
    }


def read_judgments(path: Path) -> tuple[JudgedQuery, ...]:
    """Read a file. Raises GenizahError(USAGE) that names the file and the field."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GenizahError(
            ErrorCode.USAGE,
            f"The judgments file {path} cannot be read ({error.strerror}).",
            path=str(path),
        ) from error
    except UnicodeDecodeError as error:
        raise GenizahError(
            ErrorCode.USAGE,
            f"The judgments file {path} is not UTF-8 (byte {error.start}).",
            path=str(path),
        ) from error
    return parse_judgments(text, str(path))


def parse_judgments(text: str, path: str) -> tuple[JudgedQuery, ...]:
    """Read the text of a file; `path` is for the sentence. Raises GenizahError(USAGE)."""
    return _File(path).queries(text)


@dataclass(frozen=True, slots=True)
class _File:
    """One file being read: what it may hold, and how a fault in it is said."""

    path: str

    def queries(self, text: str) -> tuple[JudgedQuery, ...]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._bad("", f"it is not JSON ({error})") from error
        top = self._object(found, "", _TOP)
        if top.get("schema") != JUDGMENTS_SCHEMA:
            raise self._bad("schema", f'schema must be "{JUDGMENTS_SCHEMA}"')
        queries = top.get("queries")
        if not isinstance(queries, list) or not queries:
            raise self._bad("queries", "queries must be a list with at least one query")
        return tuple(self._query(raw, f"queries[{at}]") for at, raw in enumerate(queries))

    def _query(self, raw: object, where: str) -> JudgedQuery:
        query = self._object(raw, where, _QUERY)
        text, retired = query.get("text"), query.get("include_retired", False)
        name, vector = query.get("name"), self._vector(query.get("vector"), f"{where}.vector")
        if not isinstance(text, str):
            raise self._bad(f"{where}.text", f"{where}.text must be a text")
        if vector is None and is_blank(text):
            raise self._bad(f"{where}.text", f"{where}.text is empty and there is no vector")
        if not isinstance(retired, bool):
            field_name = f"{where}.include_retired"
            raise self._bad(field_name, f"{field_name} must be true or false")
        if name is not None and (not isinstance(name, str) or is_blank(name)):
            raise self._bad(f"{where}.name", f"{where}.name must be a text that is not empty")
        return JudgedQuery(text, self._grades(query.get("grades"), where), retired, name, vector)

    def _grades(self, raw: object, where: str) -> dict[str, int]:
        if not isinstance(raw, dict):
            field_name = f"{where}.grades"
            raise self._bad(field_name, f"{field_name} must be an object of uuid: grade")
        for uuid, grade in raw.items():
            if type(grade) is not int or not 0 <= grade <= HIGHEST_GRADE:
                field_name = f"{where}.grades[{json.dumps(uuid)}]"
                expected = f"a whole number from 0 to {HIGHEST_GRADE}"
                raise self._bad(field_name, f"{field_name} must be {expected}")
        return raw

    def _vector(self, raw: object, where: str) -> bytes | None:
        if raw is None:
            return None
        if not isinstance(raw, str):
            raise self._bad(where, f"{where} must be a base64 text")
        try:
            return decode_vector(raw)
        except GenizahError as error:
            raise self._bad(where, f"{where}: {error.message.rstrip('.')}") from error

    def _object(self, raw: object, where: str, known: tuple[str, ...]) -> dict[str, object]:
        if not isinstance(raw, dict):
            raise self._bad(where, f"{where or 'it'} is not an object")
        unknown = next((key for key in raw if key not in known), None)
        if unknown is not None:
            place = f" in {where}" if where else ""
            raise self._bad(where, f"there is no field {json.dumps(unknown)}{place}")
        return raw

    def _bad(self, field_name: str, what: str) -> GenizahError:
        return GenizahError(
            ErrorCode.USAGE,
            f"The judgments file {self.path} is not usable: {what}.",
            path=self.path,
            fields={"field": field_name or None},
        )
