"""Stores made by chance, and what each row is, read row by row in plain Python."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.stores import Memory, build_store, uuid_of, writing

_MONTHS = ("2026-07-01", "2026-08-15", "2026-08-31", "2026-09-02")
_SESSIONS = (None, "", "s 1", "s 2")
_KINDS = ("surface", "fetch", "amend", "surface_call")
_EVENT = (
    "INSERT INTO event (at, client_kind, op_id, kind, memory_uuid, detail) "
    "VALUES ('2026-09-09T12:00:00+00:00', 'hook', 'op', ?, ?, '{}')"
)


@dataclass
class GeneratedRows:
    """Rows by number, from 1: row n is called n. `events` are kinds and names."""

    memories: list[Memory]
    tokens: dict[int, int]
    events: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def numbers(self) -> range:
        """Return the numbers of all rows."""
        return range(1, len(self.memories) + 1)

    def row(self, number: int) -> Memory:
        """Return a row."""
        return self.memories[number - 1]

    def times(self, number: int, kind: str) -> int:
        """Count the events of a kind filed under a row."""
        return self.events.count((kind, str(number)))

    def is_dangling(self, number: int) -> bool:
        """Tell whether the row's replacement is not there."""
        return self.row(number).by == "missing"

    def end(self, number: int) -> int | None:
        """Return the row at which the chain ends, None where it never does or its end is gone."""
        seen: set[int] = set()
        while (by := self.row(number).by) is not None:
            if by == "missing" or number in seen:
                return None
            seen.add(number)
            number = int(by)
        return number

    def leads_to_dead_head(self, number: int) -> bool:
        """Tell whether the chain ends in a retired row that replaced another."""
        end = self.end(number)
        has_replaced = any(memory.by == str(end) for memory in self.memories)
        return end is not None and not self.row(end).active and has_replaced

    def circles(self, number: int) -> bool:
        """Tell whether the chain comes back to a row that it left."""
        seen: set[int] = set()
        while (by := self.row(number).by) is not None and by != "missing":
            if number in seen:
                return True
            seen.add(number)
            number = int(by)
        return False


def generated(rng: random.Random) -> GeneratedRows:
    """Make rows of every state, chains of any shape, and events of rows and of none."""
    count = rng.randint(1, 40)
    names = [str(number) for number in range(1, count + 1)]
    memories = [
        Memory(
            name,
            f"note {name}",
            tier=rng.choice(("journal", "long_term")),
            active=rng.random() < 0.6,
            by=_replacement(rng, name, names),
            created_at=f"{rng.choice(_MONTHS)}T08:00:00+00:00",
            session_id=rng.choice(_SESSIONS),
            vectors=() if rng.random() < 0.2 else None,
        )
        for name in names
    ]
    events = [
        (rng.choice(_KINDS), rng.choice([*names[: count // 2 + 1], "gone", None]))
        for _ in range(rng.randint(0, 80))
    ]
    return GeneratedRows(memories, {n: rng.randint(0, 600) for n in range(1, count + 1)}, events)


def _replacement(rng: random.Random, name: str, names: list[str]) -> str | None:
    if rng.random() < 0.5:
        return None
    by = rng.choice([*names, "missing"])
    return None if by == name else by


def build_generated(folder: Path, rows: GeneratedRows) -> Path:
    """Make the store."""
    project = build_store(folder, rows.memories)
    told = [(kind, None if name is None else uuid_of(name)) for kind, name in rows.events]
    with writing(project) as raw:
        raw.executemany(
            "UPDATE memory SET token_count = ? WHERE rowid = ?",
            [(tokens, number) for number, tokens in rows.tokens.items()],
        )
        raw.executemany(_EVENT, told)
    return project
