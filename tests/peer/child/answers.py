"""The peer's values as plain JSON values, and its refusals as error objects."""

import base64
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from tests.peer.child.worlds import peer_module


class RefusedError(Exception):
    """A refusal that the peer returns instead of raising, given back as an error all the same."""

    def __init__(self, code: str, payload: object) -> None:
        super().__init__(code)
        self.code = code
        self.payload = payload


def plain(value: object) -> object:
    """Turn a value of the peer into JSON: dataclasses by field, enums by value, bytes in base64."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    return str(value)


def unless_conflict(outcome: object) -> object:
    """Return a write's outcome, raising RefusedError where the peer answers with a conflict."""
    if isinstance(outcome, peer_module("core.write.tools").Conflict):
        raise RefusedError("version_conflict", plain(outcome))
    if isinstance(outcome, peer_module("core.consolidation.payload").GroupConflict):
        raise RefusedError("version_conflict", plain(outcome))
    return outcome


def error_object(error: BaseException) -> dict[str, object]:
    """Describe a failed call: the peer's own code and payload, or the exception's type and text."""
    if isinstance(error, RefusedError):
        return {"code": error.code, "message": str(error), "fields": error.payload}
    if isinstance(error, peer_module("core.errors").ZikaronError):
        code = getattr(error, "code").wire_name  # noqa: B009 - the class is the peer's, unseen here
        return {"code": code, "message": str(error), "fields": plain(vars(error)["data"])}
    return {"code": type(error).__name__, "message": str(error), "fields": {}}
