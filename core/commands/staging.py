"""The Pending list: changes a person has decided on and not committed, with undo and redo. Pure.

What a change would do is asked in core/commands/preflight and blast_radius; core/commands/commit
writes it. The list survives a kill through core/appdata/pending.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.commands.changes import Change, Retire, Supersede, SupersedeWithText, claim_of
from core.readmodels import MemoryDetail

#: How many steps can be taken back; older ones are forgotten, their changes stay staged.
UNDO_STEPS = 200

type Entries = tuple["Staged", ...]


@dataclass(frozen=True, slots=True)
class Staged:
    """One staged change. `number` (from 1) names it in its list and is never given twice.

    `seen` is the memory as it was on the screen when the change was begun: its text and version
    stay those, whatever the store says later. For a new memory it is None, or the one it copies.
    """

    number: int
    change: Change
    seen: MemoryDetail | None = None

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("entries count from 1")
        claim = claim_of(self.change)
        if claim is None or self.seen is None:
            return
        if (self.seen.head.uuid, self.seen.head.version) != (claim.uuid, claim.version):
            raise ValueError("a change names the memory and the version that was seen")

    @property
    def subject(self) -> str | None:
        """Return the uuid of the stored memory that is changed; None for a new one."""
        return subject_of(self.change)


def subject_of(change: Change) -> str | None:
    """Return the uuid of the stored memory that a change is about; None for a new one."""
    claim = claim_of(change)
    return None if claim is None else claim.uuid


def makes_inactive(change: Change) -> bool:
    """Tell whether a change takes its memory out of the live ones for good."""
    return isinstance(change, Retire | Supersede | SupersedeWithText)


def into_one(rows: Iterable[MemoryDetail], survivor: str) -> tuple[Supersede, ...]:
    """Return the changes that replace every other live row by `survivor`, each row once.

    Rows that are replaced or retired already, or that can only be read, are left as they are.
    """
    distinct = {row.head.uuid: row.head for row in rows}
    return tuple(
        Supersede(head.uuid, head.version, survivor)
        for head in distinct.values()
        if head.active and head.version is not None and head.uuid != survivor
    )


class PendingList:
    """The staged changes of one store, one for each memory, in the order they will be committed.

    Every method that changes the list is one step of undo, unless it changes nothing.
    """

    def __init__(self, entries: Iterable[Staged] = ()) -> None:
        self._entries: Entries = tuple(entries)
        _check(self._entries)
        self._past: list[Entries] = []
        self._future: list[Entries] = []
        self._last = max((entry.number for entry in self._entries), default=0)

    @property
    def entries(self) -> Entries:
        """Return the entries in their order."""
        return self._entries

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return what a commit would write, in its order."""
        return tuple(entry.change for entry in self._entries)

    @property
    def can_undo(self) -> bool:
        """Tell whether a step can be taken back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Tell whether a step that was taken back can be made again."""
        return bool(self._future)

    def entry(self, number: int) -> Staged | None:
        """Return the entry of a number, None where it is not staged."""
        return next((e for e in self._entries if e.number == number), None)

    def entry_of(self, uuid: str) -> Staged | None:
        """Return the entry that changes a memory, None where none does."""
        return next((e for e in self._entries if e.subject == uuid), None)

    def stage(self, change: Change, seen: MemoryDetail | None = None) -> Staged:
        """Add a change and return its entry; an entry for the same memory is replaced in its place.

        Raises ValueError where `seen` is another memory or version than the change names.
        """
        return self.stage_all([(change, seen)])[0]

    def stage_all(self, changes: Sequence[tuple[Change, MemoryDetail | None]]) -> Entries:
        """Stage several changes in one step, and return their entries. Raises as `stage` does."""
        entries, staged = self._entries, []
        number = self._last
        for change, seen in changes:
            entries, entry = _with(entries, change, seen, number + 1)
            number = max(number, entry.number)
            staged.append(entry)
        self._last = number
        self._step(entries)
        return tuple(staged)

    def stage_into_one(self, rows: Sequence[MemoryDetail], survivor: str) -> Entries:
        """Replace all other live rows by `survivor` in one step, so that exactly it stays live.

        A staged change that would have made the survivor inactive is discarded in the same step.
        """
        seen = {row.head.uuid: row for row in rows}
        entries, staged = self._entries, []
        kept = self.entry_of(survivor)
        if kept is not None and makes_inactive(kept.change):
            entries = tuple(e for e in entries if e is not kept)
        for change in into_one(rows, survivor):
            entries, entry = _with(entries, change, seen[change.uuid], self._last + 1)
            self._last = max(self._last, entry.number)
            staged.append(entry)
        self._step(entries)
        return tuple(staged)

    def edit(self, number: int, change: Change) -> Staged:
        """Put another change into an entry; what was seen stays.

        Raises KeyError for a number that is not staged, ValueError where the change is about
        another memory or version.
        """
        entry = self._required(number)
        if subject_of(change) != entry.subject:
            raise ValueError("an entry goes on being about its memory; stage another one")
        edited = replace(entry, change=change)
        self._step(tuple(edited if e is entry else e for e in self._entries))
        return edited

    def discard(self, *numbers: int) -> None:
        """Take entries out in one step. Raises KeyError for a number that is not staged."""
        gone = {self._required(number).number for number in numbers}
        self._step(tuple(e for e in self._entries if e.number not in gone))

    def discard_all(self) -> None:
        """Take all entries out, in one step that can be undone."""
        self._step(())

    def undo(self) -> bool:
        """Take the last step back; False where there is none."""
        if not self._past:
            return False
        self._future.append(self._entries)
        self._entries = self._past.pop()
        return True

    def redo(self) -> bool:
        """Make the last step that was taken back again; False where there is none."""
        if not self._future:
            return False
        self._past.append(self._entries)
        self._entries = self._future.pop()
        return True

    def committed(self, written: Iterable[Staged]) -> None:
        """Take out what a commit has written, for good: undo and redo never bring it back.

        An entry that was staged or edited while the commit ran stays, and so do its steps.
        """
        done = set(written)
        gone = {e.number for e in done} - {e.number for e in self._entries if e not in done}
        now = _without(self._entries, done, gone)
        self._past = _distinct([*(_without(s, done, gone) for s in self._past), now])[:-1]
        future = [now, *(_without(s, done, gone) for s in reversed(self._future))]
        self._future = _distinct(future)[:0:-1]
        self._entries = now

    def _required(self, number: int) -> Staged:
        entry = self.entry(number)
        if entry is None:
            raise KeyError(number)
        return entry

    def _step(self, entries: Entries) -> None:
        if entries == self._entries:
            return
        self._past = [*self._past, self._entries][-UNDO_STEPS:]
        self._future.clear()
        self._entries = entries


def _check(entries: Entries) -> None:
    subjects = [e.subject for e in entries if e.subject is not None]
    if len({e.number for e in entries}) < len(entries) or len(set(subjects)) < len(subjects):
        raise ValueError("an entry has a number and a memory of its own")


def _with(
    entries: Entries, change: Change, seen: MemoryDetail | None, number: int
) -> tuple[Entries, Staged]:
    """Return the entries with a change, and its entry: in the place of one of the same memory."""
    subject = subject_of(change)
    old = next((e for e in entries if subject is not None and e.subject == subject), None)
    if old is None:
        entry = Staged(number, change, seen)
        return (*entries, entry), entry
    entry = Staged(old.number, change, seen)
    return tuple(entry if e is old else e for e in entries), entry


def _without(entries: Entries, done: set[Staged], gone: set[int]) -> Entries:
    return tuple(e for e in entries if e not in done and e.number not in gone)


def _distinct(states: list[Entries]) -> list[Entries]:
    """Return the states without repetitions of the one before."""
    return [s for at, s in enumerate(states) if at == 0 or s != states[at - 1]]
