"""A store with a row for every filter, and what each row is, told apart from the program."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from core.filters.compiling import FilterContext, condition_of
from core.filters.parsing import parse
from core.store.conditions import Condition
from core.store.row_order import RowOrder, rowids_in_order
from tests.support.engine import Engine
from tests.support.stores import Memory, build_store, uuid_of, writing

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)
CONTEXT = FilterContext(NOW, frozenset({"harbour"}))

#: Where each row stands in its chain: chain -> middle -> end; gone -> dead; lost -> (missing);
#: round -> about -> round; into -> round.
MEMORIES = (
    Memory("plain", "the plain tide", created_at="2026-09-10T00:00:00+00:00", session_id="s 1"),
    Memory("chain", "the chain tide", by="middle", created_at="2026-08-31T23:59:59.5+00:00"),
    Memory("middle", "the middle tide", by="end", created_at="2026-08-01T00:00:00+00:00"),
    Memory("end", "the end tide", created_at="2026-08-15T10:00:00+00:00", tier="long_term"),
    Memory("gone", "the gone tide", by="dead", created_at="2026-07-31T23:59:59.999999+00:00"),
    Memory("dead", "the dead tide", active=False, created_at="2026-07-01T08:00:00+00:00"),
    Memory("alone", "the alone tide", active=False, created_at="2026-06-01T08:00:00+00:00"),
    Memory("lost", "the lost tide", by="missing", created_at="2026-05-01T08:00:00+00:00"),
    Memory("round", "the round tide", by="about", created_at="2026-04-01T08:00:00+00:00"),
    Memory("about", "the about tide", by="round", created_at="2026-04-02T08:00:00+00:00"),
    Memory("into", "the into tide", by="round", created_at="2026-04-03T08:00:00+00:00"),
    Memory("bare", "the bare tide", vectors=(), created_at="2026-03-01T08:00:00+00:00"),
)
NAMES = tuple(m.name for m in MEMORIES)
#: Tokens are 10 for the first row, 20 for the second and so on.
TOKENS = {name: 10 * number for number, name in enumerate(NAMES, 1)}
INJECTED = {"plain": 3, "end": 1, "alone": 2}
FETCHED = {"end": 2, "dead": 1}


def build(folder: Path) -> Path:
    """Make the store."""
    project = build_store(folder, MEMORIES)
    with writing(project) as raw:
        for name, tokens in TOKENS.items():
            raw.execute("UPDATE memory SET token_count = ? WHERE uuid = ?", (tokens, uuid_of(name)))
        raw.execute(
            "UPDATE memory SET version = 3, updated_at = '2026-09-09T12:00:00+00:00' "
            "WHERE uuid = ?",
            (uuid_of("end"),),
        )
        told = [("surface", uuid_of(n)) for n, times in INJECTED.items() for _ in range(times)]
        told += [("fetch", uuid_of(n)) for n, times in FETCHED.items() for _ in range(times)]
        raw.executemany(  # by this program before a change: no agent's
            "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES ('2026-09-09T12:00:00+00:00', 'genizah-run', 'cli', 'op', 'fetch', ?, '{}')",
            [(uuid_of("alone"),)] * 5,
        )
        raw.executemany(
            "INSERT INTO event (at, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES ('2026-09-09T12:00:00+00:00', 'hook', 'op', ?, ?, '{}')",
            [*told, ("surface", None), ("fetch", None)],  # the last of no memory at all
        )
    return project


async def listed(engine: Engine, text: str, order: RowOrder | None = None) -> list[str]:
    """Return the names of the rows that a search text without words lists, in order."""
    return await held(engine, condition_of(parse(text).filters, CONTEXT), order)


async def held(engine: Engine, where: Condition, order: RowOrder | None = None) -> list[str]:
    """Return the names of the rows that a condition holds for, in order."""
    async with engine.database.browse.snapshot() as connection:
        found = await rowids_in_order(connection, where, order or RowOrder())
    return [NAMES[rowid - 1] for rowid in found]


def names_of(uuids: Iterable[str]) -> list[str]:
    """Return the names of some rows, in order."""
    names = {uuid_of(name): name for name in NAMES}
    return [names[uuid] for uuid in uuids]
