"""What an editor of a memory says of its text: counters, problems, what is near. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from core.commands.outcome import NearDuplicate
from core.commands.preparation import GIST_UNITS, utf16_units
from core.readmodels import MemoryDetail
from widgets.text_marks import one_line
from widgets.texts import counted, grouped, state_words

#: A line longer than this makes an editor wait for its layout.
LONGEST_LINE = 20_000
MOST_CHARACTERS = 300_000


class Purpose(StrEnum):
    """What an editor is for."""

    NEW = "new"
    AMEND = "amend"
    REPLACE = "replace"
    RESTORE = "restore"


_TITLES = {
    Purpose.NEW: "New memory",
    Purpose.AMEND: "Amend",
    Purpose.REPLACE: "Replace with a new text",
    Purpose.RESTORE: "Restore as a copy",
}
_NOTES = {
    Purpose.NEW: "A new memory in the journal, as the agent itself would write one.",
    Purpose.AMEND: "The text is put in the place of the stored one; the memory keeps its uuid.",
    Purpose.REPLACE: "A new memory is written, and it replaces this one: the fact has changed.",
    Purpose.RESTORE: "A new memory with this text; the retired or replaced one stays as it is.",
}


def title_of(purpose: Purpose, gist: str | None) -> str:
    """Return the title of an editor's window."""
    name = "" if gist is None else f" “{one_line(gist, 60)}”"
    return f"{_TITLES[purpose]}{name}"


def note_of(purpose: Purpose) -> str:
    """Say what staging the text comes to."""
    return _NOTES[purpose]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts of gist and content, and how many tokens the gist may have."""

    gist: int
    content: int
    gist_limit: int


def gist_line(gist: str, tokens: Tokens | None) -> str:
    """Count a gist: '23 of 1,024 characters · 5 of 64 tokens'."""
    units = utf16_units(gist)
    line = f"{grouped(units)} of {grouped(GIST_UNITS)} characters"
    line = f"⚠ {line}: too long" if units > GIST_UNITS else line
    if tokens is None:
        return line
    part = f"{grouped(tokens.gist)} of {counted(tokens.gist_limit, 'token')}"
    return f"{line} · " + (f"⚠ {part}: too long" if tokens.gist > tokens.gist_limit else part)


def content_line(content: str, tokens: Tokens | None) -> str:
    """Count a content: '1,204 characters · 310 tokens'."""
    line = counted(utf16_units(content), "character")
    return line if tokens is None else f"{line} · {counted(tokens.content, 'token')}"


def near_rows(found: tuple[NearDuplicate, ...]) -> list[tuple[str, str]]:
    """Return uuid and line of each near-duplicate: '0.93  the gist'."""
    return [(near.uuid, f"{near.cosine:.2f}  {one_line(near.gist, 120)}") for near in found]


def near_heading(number: int | None, note: str) -> str:
    """Say what stands below: near-duplicates, none, or why they are not known."""
    if note:
        return note
    if number is None:
        return "Looking for live memories near this text…"
    if not number:
        return "No live memory is near this text."
    return f"{counted(number, 'live memory', 'live memories')} near this text; is it one of them?"


def changed_words(seen: MemoryDetail, now: MemoryDetail | None) -> str:
    """Say that a memory was changed since its text was read, empty where it was not."""
    if now is None:
        return "This memory is not in the store any more."
    before, version = seen.head.version, now.head.version
    if before == version:
        return ""
    return (
        f"This memory was changed meanwhile: you started from version {before}, the store has "
        f"version {version} now, {state_words(now.head)}."
    )


def why_not_edited_here(gist: str, content: str) -> str:
    """Say why a text is too large for an editor, empty where it is not."""
    longest = max(map(len, (*gist.split("\n"), *content.split("\n"))))
    if len(content) <= MOST_CHARACTERS and longest <= LONGEST_LINE:
        return ""
    return (
        f"This text has {grouped(len(content))} characters and a line of {grouped(longest)}: too "
        "much for an editor that is to answer every key. Change it with genizah amend "
        "--content -."
    )
