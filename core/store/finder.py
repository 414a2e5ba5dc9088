"""Finding stores below a folder: a walk over folders that opens no database.

What is left out is counted, so that nobody takes an unsearched corner for an empty one.
"""

import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.progress import Report, unreported
from core.store.files import FileIdentity
from core.store.location import DATABASE_NAME, STORE_FOLDER

_MOST_WAITING = 20_000
_REPORT_ENTRIES = 1_000
# What tools keep for themselves: large, made anew at any time, and never a project of its own.
_TOOL_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox"}
    | {"__pycache__", "node_modules", "site-packages"}
)
_SYSTEM_FOLDERS = frozenset({"/dev", "/proc", "/sys"})


@dataclass(frozen=True, slots=True)
class FoundStore:
    """A file that is a store by its name and place; `modified_s` counts from 1970."""

    database: Path
    identity: FileIdentity
    size_bytes: int
    modified_s: float


class StoreFinder:
    """One walk below `root`; its counts may be read by any thread while it goes on."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self.looked_at = 0
        """Folders looked into."""
        self.skipped = 0
        """Folders of tools and of the system, left out."""
        self.linked = 0
        """Links to folders that were not followed."""
        self.unreadable = 0
        """Folders and files that could not be looked at."""
        self._waiting: deque[str] = deque()
        self._seen: set[FileIdentity] = set()

    def find(self, report: Report = unreported) -> Iterator[FoundStore]:
        """Yield the stores, those of near folders first and each file once.

        `report` is told the number of folders looked into, of 0: how many there are is unknown.
        What it raises ends the walk.
        """
        self._waiting.append(str(self.root))
        while self._waiting:
            report(self.looked_at, 0)
            # Breadth first needs room for a whole level; where that is too much, depth first.
            is_wide = len(self._waiting) > _MOST_WAITING
            folder = self._waiting.pop() if is_wide else self._waiting.popleft()
            yield from self._look_into(folder, report)
        report(self.looked_at, 0)

    def _look_into(self, folder: str, report: Report) -> Iterator[FoundStore]:
        try:
            with os.scandir(folder) as entries:
                self.looked_at += 1
                for number, entry in enumerate(entries, start=1):
                    if number % _REPORT_ENTRIES == 0:
                        report(self.looked_at, 0)
                    yield from self._entry(entry)
        except OSError:
            self.unreadable += 1

    def _entry(self, entry: "os.DirEntry[str]") -> Iterator[FoundStore]:
        """Yield a store, or remember a folder to be looked into.

        Links are not followed, or a walk might go in circles; of a linked store its file is taken.
        """
        try:
            if entry.name == DATABASE_NAME:
                yield from self._file(Path(entry.path))
            elif not (entry.is_symlink() or entry.is_junction()):
                self._remember(entry)
            elif entry.name == STORE_FOLDER:
                yield from self._file(Path(entry.path, DATABASE_NAME))
            elif entry.is_dir():
                self.linked += 1
        except OSError:
            self.unreadable += 1

    def _remember(self, entry: "os.DirEntry[str]") -> None:
        if not entry.is_dir(follow_symlinks=False):
            return
        if entry.name in _TOOL_FOLDERS or entry.path in _SYSTEM_FOLDERS:
            self.skipped += 1
        else:
            self._waiting.append(entry.path)

    def _file(self, path: Path) -> Iterator[FoundStore]:
        try:
            found = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return
        identity = FileIdentity(found.st_dev, found.st_ino)
        if stat.S_ISREG(found.st_mode) and identity not in self._seen:
            self._seen.add(identity)
            yield FoundStore(path, identity, found.st_size, found.st_mtime)
