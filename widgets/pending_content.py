"""What the Pending bar, its confirmation and its success say of staged changes, in words. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
    text_of,
)
from core.commands.staging import Staged, makes_inactive
from widgets.text_marks import one_line
from widgets.texts import counted, memories, stub

_SHORT = 80
_SHORTER = 36
CHECKING = "being checked…"
FITS = "can be committed"
OTHER_TEXT = "is stored with another text than the one that was read, under the same version"
TWICE = "can be committed, but a live memory has exactly this text already"


class VerdictKind(StrEnum):
    """How a staged change stands against the store as it is now."""

    CHECKING = "checking"
    FITS = "fits"
    REFUSED = "refused"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a preflight found: a sentence in plain words and, of a refusal, its code."""

    kind: VerdictKind = VerdictKind.CHECKING
    sentence: str = CHECKING
    code: str = ""

    @property
    def stands_in_the_way(self) -> bool:
        """Tell whether the store would refuse the change."""
        return self.kind in (VerdictKind.REFUSED, VerdictKind.CONFLICT)


@dataclass(frozen=True, slots=True)
class PendingRow:
    """One line of the Pending list. Its texts are marked already."""

    number: int
    what: str
    subject: str
    verdict: Verdict
    can_edit: bool
    can_show: bool
    sentence: str
    """The change as a sentence: 'Replace “a” by “b”'."""
    radius: str = ""
    """How many searches it would move, empty while that is not known."""

    @property
    def spoken(self) -> str:
        """Say the line for those who cannot see it."""
        code = f" ({self.verdict.code})" if self.verdict.code else ""
        radius = f", {self.radius}" if self.radius else ""
        return f"{self.what}: {self.subject}, {self.verdict.sentence}{code}{radius}"


def pending_row(
    entry: Staged, verdict: Verdict, gists: Mapping[str, str], radius: str = ""
) -> PendingRow:
    """Return the line of an entry; `gists` names the memories that replace others."""
    change = entry.change
    text = text_of(change)
    has_row = entry.subject is not None
    if entry.seen is not None and not isinstance(change, Remember):
        subject = one_line(entry.seen.head.gist, _SHORT)
    elif text is not None:
        subject = one_line(text[0], _SHORT)
    else:
        subject = stub(entry.subject or "")
    what, can_edit = _what(change, gists), not isinstance(change, Retire)
    sentence = _sentence(change, one_line(subject, _SHORTER), gists)
    return PendingRow(entry.number, what, subject, verdict, can_edit, has_row, sentence, radius)


def _what(change: Change, gists: Mapping[str, str]) -> str:
    match change:
        case Retire():
            return "Retire"
        case Supersede():
            name = gists.get(change.by)
            return f"Replace by “{one_line(name, _SHORT)}”" if name else (
                f"Replace by {stub(change.by)}"
            )
        case Amend():
            return "Amend"
        case Remember():
            return "New memory"
        case SupersedeWithText():
            return "Replace with a new text"


def _sentence(change: Change, name: str, gists: Mapping[str, str]) -> str:
    match change:
        case Supersede():
            by = one_line(gists.get(change.by) or stub(change.by), _SHORTER)
            return f"Replace “{name}” by “{by}”"
        case SupersedeWithText():
            return f"Replace “{name}” by the new “{one_line(change.gist, _SHORTER)}”"
        case Remember():
            return f"Write the new “{name}”"
        case _:
            return f"{_what(change, gists)} “{name}”"


def twice_words(rows: Sequence[PendingRow]) -> list[str]:
    """Warn of new memories that are stored already, word for word."""
    number = sum(1 for row in rows if row.verdict.sentence == TWICE)
    if not number:
        return []
    return [f"The text of {counted(number, 'new memory', 'new memories')} is stored already."]


_NOW = {
    Retire: "retire {memories}",
    Supersede: "replace {memories}",
    SupersedeWithText: "replace {memories} with a new text",
    Amend: "amend {memories}",
    Remember: "write {new}",
}
_DONE = {
    Retire: "retired {memories}",
    Supersede: "replaced {memories}",
    SupersedeWithText: "replaced {memories} with a new text",
    Amend: "amended {memories}",
    Remember: "wrote {new}",
}


def _phrases(changes: Iterable[Change], words: Mapping[type, str]) -> list[str]:
    counts = Counter(type(change) for change in changes)
    return [
        words[kind].format(
            memories=memories(number), new=counted(number, "new memory", "new memories")
        )
        for kind in words
        if (number := counts[kind])
    ]


def commit_words(changes: Sequence[Change]) -> str:
    """Return what a button that commits says: 'Retire 3 memories', 'Commit 4 changes'."""
    phrases = _phrases(changes, _NOW)
    if len(phrases) == 1:
        return phrases[0][:1].upper() + phrases[0][1:]
    return f"Commit {counted(len(changes), 'change')}"


def question_of(changes: Sequence[Change], where: str = "") -> str:
    """Ask whether to commit: 'Retire 3 memories and amend 1 memory?'.

    `where` names the store where there are others.
    """
    phrases = _phrases(changes, _NOW)
    line = _joined(phrases)
    return f"{line[:1].upper()}{line[1:]}{_in(where)}?"


def done_words(changes: Sequence[Change]) -> str:
    """Say what was committed: 'Retired 3 memories and amended 1 memory.'."""
    line = _joined(_phrases(changes, _DONE))
    return f"{line[:1].upper()}{line[1:]}."


def _joined(phrases: Sequence[str]) -> str:
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def staged_words(number: int, where: str = "") -> str:
    """Say how many changes wait: '3 changes staged in notes; nothing is written yet'."""
    return f"{counted(number, 'change')} staged{_in(where)}; nothing is written yet"


def waiting_words(number: int, name: str) -> str:
    """Say what becomes of the staged changes of a store that was closed."""
    waiting = f"{counted(number, 'staged change')} of {one_line(name)}"
    return f"{waiting} {'waits' if number == 1 else 'wait'} for it to be opened again."


def _in(where: str) -> str:
    return f" in {one_line(where)}" if where else ""


def warnings_of(changes: Sequence[Change]) -> list[str]:
    """Name the steps that cannot be taken back after the commit."""
    found = []
    gone = sum(1 for change in changes if makes_inactive(change))
    if gone:
        found.append(
            f"Final for {memories(gone)}: nothing makes a retired or replaced memory live again. "
            "Its text can only be written anew, as a copy."
        )
    amended = sum(1 for change in changes if isinstance(change, Amend))
    if amended:
        found.append(
            f"The stored text of {memories(amended)} is overwritten; the store keeps no old texts."
        )
    return found
