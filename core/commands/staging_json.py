"""Staged changes as JSON text and back, for what has to survive a kill. Pure.

The text is ASCII, so that any stored text, half surrogates too, comes back as it was.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields

from core.commands.changes import Amend, Change, Remember, Retire, Supersede, SupersedeWithText
from core.commands.staging import Staged
from core.readmodels import MemoryDetail, MemoryHead

_KINDS: Mapping[str, Callable[..., Change]] = {
    "retire": Retire,
    "supersede": Supersede,
    "amend": Amend,
    "remember": Remember,
    "supersede_with_text": SupersedeWithText,
}
_NAMES = {made: name for name, made in _KINDS.items()}
_FIELDS: Mapping[str, type] = {
    "uuid": str,
    "version": int,
    "by": str,
    "gist": str,
    "content": str,
}
_OPTIONAL = frozenset({"superseded_by", "version", "session_id", "token_count"})
_NUMBERS = frozenset({"rowid", "version", "token_count"})


def to_text(change: Change, seen: MemoryDetail | None) -> str:
    """Return a change and what was seen of its memory as JSON."""
    named = {"kind": _NAMES[type(change)], **asdict(change)}
    return json.dumps({"change": named, "seen": None if seen is None else asdict(seen)})


def from_text(text: str) -> tuple[Change, MemoryDetail | None]:
    """Read what `to_text` wrote. Raises ValueError for anything else."""
    try:
        raw = _mapping(json.loads(text))
        seen = raw["seen"]
        return _change(_mapping(raw["change"])), None if seen is None else _seen(_mapping(seen))
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a staged change") from error


def staged_from_text(number: int, text: str) -> Staged:
    """Read an entry of the Pending list. Raises ValueError."""
    return Staged(number, *from_text(text))


def _mapping(raw: object) -> Mapping[str, object]:
    if not isinstance(raw, dict):
        raise TypeError("not an object")
    return raw


def _change(raw: Mapping[str, object]) -> Change:
    values = {name: value for name, value in raw.items() if name != "kind"}
    if any(type(value) is not _FIELDS[name] for name, value in values.items()):
        raise ValueError("a field has another type")
    return _KINDS[str(raw["kind"])](**values)


def _seen(raw: Mapping[str, object]) -> MemoryDetail:
    head, content, damaged = _mapping(raw["head"]), raw["content"], raw["is_damaged"]
    if not isinstance(content, str) or not isinstance(damaged, bool):
        raise TypeError("a memory has a content")
    values = {f.name: head[f.name] for f in fields(MemoryHead)}
    if not all(_fits(name, value) for name, value in values.items()):
        raise ValueError("a field has another type")
    return MemoryDetail(
        MemoryHead(**values),  # type: ignore[arg-type]  # each type was compared above
        content,
        damaged,
    )


def _fits(name: str, value: object) -> bool:
    if value is None:
        return name in _OPTIONAL
    if name == "active":
        return type(value) is bool
    return type(value) is (int if name in _NUMBERS else str)
