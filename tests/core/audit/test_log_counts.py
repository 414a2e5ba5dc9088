"""What the facts of a memory say of the log: the counts of the replay, over every session."""

import random
from pathlib import Path

from core.audit.reading import uses
from core.readmodels import LogCounts
from core.store.log_counts import log_counts
from core.store.our_sessions import OUR_SESSIONS
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf
from tests.support.open_databases import open_databases
from tests.support.stores import Memory, build_store, uuid_of

_NAMES = ("quay", "pier", "lock")


async def test_an_amendment_counts_where_its_session_was_shown_the_memory_before(
    tmp_path: Path,
) -> None:
    project = build_store(tmp_path / "p", [Memory(n, n) for n in _NAMES])
    log = LogOf()
    log.did("s", "amend", "quay")  # before it was shown
    log.prompt("s", "quay", "pier")
    log.did("other", "amend", "quay")  # was not shown it
    log.did(None, "amend", "quay")
    log.prompt(None, "quay")
    log.did(None, "amend", "quay")  # of no session: nobody knows whose
    log.did("s", "fetch", "quay", version=2, found=True)
    log.did("other", "fetch", "quay", version=2, found=True)
    log.did(f"{OUR_SESSIONS}run", "fetch", "quay", version=2, found=True)  # a person's
    log.did("s", "amend", "quay")
    log.did("s", "amend", "quay")
    log.write(project)
    before = all_digests(project)
    async with open_databases(project) as (database,), database.browse.snapshot() as connection:
        assert await log_counts(connection, uuid_of("quay")) == LogCounts(11, 2, 2, 2)
        assert await log_counts(connection, uuid_of("pier")) == LogCounts(1, 1, 0, 0)
        assert await log_counts(connection, uuid_of("lock")) == LogCounts()
    assert all_digests(project) == before


async def test_the_counts_are_those_of_the_replay(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", [Memory(n, n) for n in _NAMES])
    chance, log = random.Random(9), LogOf()
    for _ in range(300):
        session = chance.choice(("a", "b", "c", f"{OUR_SESSIONS}run", None))
        name = chance.choice(_NAMES)
        kind = chance.choice(("prompt", "fetch", "amend", "retire"))
        if kind == "prompt":
            log.prompt(session, name)
        else:
            log.did(session, kind, name)
    log.write(project)
    async with open_databases(project) as (database,):
        told = await uses(database.browse, [uuid_of(n) for n in _NAMES])
        for use in told:
            async with database.browse.snapshot() as connection:
                counts = await log_counts(connection, use.uuid)
            assert (counts.injected, counts.fetched, counts.amended_after) == (
                *(use.injected, use.fetched, use.amended_after),
            )
