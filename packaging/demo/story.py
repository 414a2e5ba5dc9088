"""The demo's story as data: sessions of agents over six months, read from story/*.toml and checked.

What happens in a session is a list of steps; who writes them into a store is build_demo.py.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

_STORY_DIR = Path(__file__).resolve().parent / "story"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A person's message, for which the hook injects memories; the agent reads the first ones."""

    text: str
    reads: int


@dataclass(frozen=True, slots=True)
class Search:
    """A search the agent makes itself."""

    text: str
    include_retired: bool


@dataclass(frozen=True, slots=True)
class Remember:
    """A new memory, which may take the place of older ones."""

    key: str
    gist: str
    content: str
    supersedes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fetch:
    """Reading memories in full."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Amend:
    """A rewrite; a field left out keeps its text."""

    key: str
    gist: str | None
    content: str | None


@dataclass(frozen=True, slots=True)
class Retire:
    """Outright retirement of memories."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A write with a version that is no longer the current one: refused, and logged."""

    key: str


@dataclass(frozen=True, slots=True)
class Blind:
    """A write without having read the memory: refused, and logged."""

    key: str


type Step = Prompt | Search | Remember | Fetch | Amend | Retire | Conflict | Blind


@dataclass(frozen=True, slots=True)
class Lesson:
    """A long-term memory that a clean-up makes out of several."""

    key: str
    gist: str
    content: str
    absorbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """Memories a clean-up throws away, with the reason the event log keeps."""

    keys: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Session:
    """One agent session: when it began, what it did; a clean-up has decisions instead of steps."""

    start: datetime
    is_cleanup: bool
    steps: tuple[Step, ...]
    promote: tuple[str, ...]
    lessons: tuple[Lesson, ...]
    discards: tuple[Discard, ...]


def read_story() -> tuple[Session, ...]:
    """Read every file of the story and return its sessions in time order.

    Raises ValueError for a key that is used before it exists or made twice.
    """
    files = sorted(_STORY_DIR.glob("*.toml"))
    raw = [tomllib.loads(path.read_text("utf-8")) for path in files]
    sessions = [_session(one) for story in raw for one in story["session"]]
    ordered = tuple(sorted(sessions, key=lambda session: session.start))
    _check_keys(ordered)
    return ordered


def written(sessions: Sequence[Session]) -> Iterator[Remember | Lesson]:
    """Give everything that becomes a row, in order."""
    for session in sessions:
        yield from (step for step in session.steps if isinstance(step, Remember))
        yield from session.lessons


def _session(raw: Mapping[str, Any]) -> Session:
    return Session(
        start=raw["start"],
        is_cleanup=raw.get("kind") == "consolidator",
        steps=(*(_step(step) for step in raw.get("step", ())), *_later(raw)),
        promote=tuple(raw.get("promote", ())),
        lessons=tuple(_lesson(lesson) for lesson in raw.get("lesson", ())),
        discards=tuple(_discard(discard) for discard in raw.get("discard", ())),
    )


def _later(raw: Mapping[str, Any]) -> Iterator[Step]:
    """The rest of a session's day: more prompts, the first memory of each read, then searches."""
    yield from (Prompt(text, reads=1) for text in raw.get("prompts", ()))
    yield from (Search(text, include_retired=False) for text in raw.get("searches", ()))


def _lesson(raw: Mapping[str, Any]) -> Lesson:
    return Lesson(raw["key"], raw["gist"], raw["content"].strip(), tuple(raw["absorbs"]))


def _discard(raw: Mapping[str, Any]) -> Discard:
    return Discard(tuple(raw["keys"]), raw["reason"])


def _step(raw: Mapping[str, Any]) -> Step:
    match raw:
        case {"prompt": text}:
            return Prompt(text, int(raw.get("reads", 0)))
        case {"search": text}:
            return Search(text, bool(raw.get("include_retired", False)))
        case {"remember": key, "gist": gist, "content": content}:
            return Remember(key, gist, content.strip(), tuple(raw.get("supersedes", ())))
        case {"fetch": keys}:
            return Fetch(tuple(keys))
        case {"amend": key}:
            content = raw.get("content")
            return Amend(key, raw.get("gist"), None if content is None else content.strip())
        case {"retire": keys}:
            return Retire(tuple(keys))
        case {"conflict": key}:
            return Conflict(key)
        case {"blind": key}:
            return Blind(key)
    raise ValueError(f"no such step: {raw}")


def _check_keys(sessions: Sequence[Session]) -> None:
    known: set[str] = set()
    for session in sessions:
        for made, used in _keys(session):
            if missing := used - known:
                raise ValueError(f"{session.start}: {missing} used before it was written")
            if again := made & known:
                raise ValueError(f"{session.start}: {again} written twice")
            known |= made


def _keys(session: Session) -> Iterator[tuple[set[str], set[str]]]:
    for step in session.steps:
        match step:
            case Remember():
                yield {step.key}, set(step.supersedes)
            case Fetch() | Retire():
                yield set(), set(step.keys)
            case Amend() | Conflict() | Blind():
                yield set(), {step.key}
    for lesson in session.lessons:
        yield {lesson.key}, set(lesson.absorbs)
    yield set(), set(session.promote)
    for discard in session.discards:
        yield set(), set(discard.keys)
