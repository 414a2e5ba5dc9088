"""Event logs made by tests: one line an event, the payloads those of the store format."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.stores import uuid_of, writing

_START = datetime(2026, 3, 1, 12, tzinfo=UTC)
_INSERT = (
    "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
    "VALUES (?, ?, 'hook', ?, ?, ?, ?)"
)
_CALL = {"prompt_chars": 90, "limit": 5, "n_returned": 5, "n_demoted": 0}

type EventLine = tuple[str, str | None, str, str, str | None, str | None]


@dataclass
class LogOf:
    """One log on its way; each event is a second after the one before. Memories go by name."""

    lines: list[EventLine] = field(default_factory=list)
    ops: int = 0

    def prompt(self, session: str | None, *names: str, superseded: tuple[str, ...] = ()) -> None:
        """A prompt that was shown memories, by rank; some as superseded."""
        self.ops += 1
        op = f"op {self.ops}"
        self._add(session, op, "surface_call", None, json.dumps(_CALL))
        for rank, name in enumerate(names, 1):
            demotion = "superseded" if name in superseded else None
            told = {"rank": rank, "fused_score": 1 / (60 + rank), "demoted": demotion is not None}
            self._add(session, op, "surface", name, json.dumps({**told, "demotion": demotion}))

    def did(self, session: str | None, kind: str, name: str | None, **detail: object) -> None:
        """Something else that was done."""
        self.ops += 1
        self._add(session, f"op {self.ops}", kind, name, json.dumps(detail))

    def odd(self, session: str, op: str, kind: str, name: str | None, detail: str | None) -> None:
        """An event with a payload and an operation of the test's own."""
        self._add(session, op, kind, name, detail)

    def _add(
        self, session: str | None, op: str, kind: str, name: str | None, detail: str | None
    ) -> None:
        at = (_START + timedelta(seconds=len(self.lines))).isoformat()
        uuid = None if name is None else uuid_of(name)
        self.lines.append((at, session, op, kind, uuid, detail))

    def write(self, project: Path) -> None:
        """Append the log to a store."""
        with writing(project) as raw:
            raw.executemany(_INSERT, self.lines)


def second(number: int) -> str:
    """Return the time of the n-th event, from 0."""
    return (_START + timedelta(seconds=number)).isoformat()
