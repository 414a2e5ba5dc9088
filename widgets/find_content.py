"""What the search for stores says, as data: a line for each store, how far it is, what it left out.
No Qt.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from widgets.text_marks import one_line
from widgets.texts import counted, grouped, memories, minute

_KILOBYTE = 1_000
_MEGABYTE = 1_000_000
_LONGEST_PATH = 1_000


@dataclass(frozen=True, slots=True)
class FindLine:
    """One store that was found: `key` names it, `path` is as the system has it.

    `memories` is None while they are not counted; `reason` says in short why they cannot be, and
    `details` in a sentence. `modified_s` counts from 1970.
    """

    key: str
    name: str
    path: str
    size_bytes: int
    modified_s: float
    memories: int | None = None
    reason: str = ""
    details: str = ""
    is_open: bool = False
    is_store: bool = True

    @property
    def can_be_chosen(self) -> bool:
        """Tell whether it could be opened."""
        return self.is_store and not self.is_open

    @property
    def lines(self) -> str:
        """Write it: name and memories, then path, size and time."""
        place = one_line(self.path, _LONGEST_PATH)
        return f"{one_line(self.name)} · {self._content}\n{place} · {self._file}"

    @property
    def spoken(self) -> str:
        """Say the same in words, for who cannot see whether it can be checked."""
        words = one_line(self.name), self._content, self._file, one_line(self.path, _LONGEST_PATH)
        return ", ".join(words)

    @property
    def tip(self) -> str:
        """Return the whole truth of it, its path first."""
        return "\n".join(part for part in (self.path, self.details) if part)

    @property
    def _content(self) -> str:
        if self.is_open:
            return "already open"
        if self.memories is not None:
            return memories(self.memories)
        return one_line(self.reason) if self.reason else "counting…"

    @property
    def _file(self) -> str:
        return f"{_size_words(self.size_bytes)}, changed {_moment(self.modified_s)}"


@dataclass(frozen=True, slots=True)
class FindTally:
    """How much was looked at, and how much was not."""

    looked_at: int
    found: int
    skipped: int
    linked: int
    unreadable: int


def progress_words(tally: FindTally) -> str:
    """Say how far the search is."""
    return f"Looking… {_looked_at(tally)} looked at, {_found(tally)}"


def end_words(tally: FindTally, *, is_stopped: bool) -> str:
    """Say what was looked through and what was not."""
    how = "Stopped after" if is_stopped else "Looked through"
    first = f"{how} {_looked_at(tally)}: {_found(tally)}."
    parts = (
        (tally.skipped, "folder of a tool or of the system", "folders of tools and of the system"),
        (tally.linked, "link to a folder", "links to folders"),
        (tally.unreadable, "that could not be read", "that could not be read"),
    )
    left_out = [counted(number, one, many) for number, one, many in parts if number]
    return f"{first}\nLeft out: {', '.join(left_out)}." if left_out else first


def _looked_at(tally: FindTally) -> str:
    return counted(tally.looked_at, "folder")


def _found(tally: FindTally) -> str:
    return f"{counted(tally.found, 'store')} found" if tally.found else "no store found"


def _size_words(size_bytes: int) -> str:
    if size_bytes < _KILOBYTE:
        return counted(size_bytes, "byte")
    if size_bytes < _MEGABYTE:
        return f"{grouped(size_bytes // _KILOBYTE)} kB"
    return f"{size_bytes / _MEGABYTE:,.1f} MB"


def _moment(modified_s: float) -> str:
    """Write a file's time, which may be one that no calendar has."""
    try:
        return minute(datetime.fromtimestamp(modified_s, UTC).isoformat())
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"
