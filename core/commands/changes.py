"""The changes a person can stage, as data. Each names the version whose text was on the screen."""

from dataclasses import dataclass

from core.commands.ladder import Claim


@dataclass(frozen=True, slots=True)
class Retire:
    """Make a memory count no more."""

    uuid: str
    version: int


@dataclass(frozen=True, slots=True)
class Supersede:
    """Replace a memory by another one of the store."""

    uuid: str
    version: int
    by: str


@dataclass(frozen=True, slots=True)
class Amend:
    """Put a new text into a memory."""

    uuid: str
    version: int
    gist: str
    content: str


@dataclass(frozen=True, slots=True)
class Remember:
    """Write a new memory."""

    gist: str
    content: str


@dataclass(frozen=True, slots=True)
class SupersedeWithText:
    """Write a new memory and replace an old one by it, in one step."""

    uuid: str
    version: int
    gist: str
    content: str


type Change = Retire | Supersede | Amend | Remember | SupersedeWithText


def text_of(change: Change) -> tuple[str, str] | None:
    """Return the gist and content that a change writes, None where it writes none."""
    match change:
        case Amend() | Remember() | SupersedeWithText():
            return change.gist, change.content
        case _:
            return None


def claim_of(change: Change) -> Claim | None:
    """Return what a change claims of a stored row; the new row of a new text is not named yet."""
    match change:
        case Remember():
            return None
        case Supersede():
            return Claim(change.uuid, change.version, change.by)
        case _:
            return Claim(change.uuid, change.version)
