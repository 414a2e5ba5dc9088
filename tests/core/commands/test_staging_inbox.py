"""The inbox: what others wrote since the last look, with the texts from before."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.appdata.database import AppDatabase
from core.appdata.text_history import TextHistory
from core.commands import inbox as inbox_module
from core.commands.changes import Amend, Change, Remember, Retire, Supersede
from core.commands.commit import Committed, commit_batch
from core.commands.inbox import Inbox, before_and_now, inbox
from core.store import memories
from tests.support.stores import STORE_ID, uuid_of, writing
from tests.support.writing import Hand, SetClock

A, B, NEW, OTHER = (uuid_of(n) for n in ("a", "b", "new", "other"))


async def commit(hand: Hand, session: str, *changes: Change) -> tuple[str, ...]:
    gate = replace(hand.gate, session_id=session)
    done = await commit_batch(gate, changes)
    assert isinstance(done, Committed)
    return tuple(w.uuid for w in done.written)


async def read(hand: Hand, since: int | None) -> Inbox:
    async with hand.gate.writer.transaction() as connection:
        return await inbox(connection, since)


async def test_a_store_that_was_never_looked_at_has_nothing_new(hand: Hand) -> None:
    await commit(hand, "agent", Retire(A, 1))
    first = await read(hand, None)
    assert first.items == ()
    assert (await read(hand, first.last_event_id)).items == ()


async def test_the_agents_writes_are_told_newest_first_and_ours_are_not(hand: Hand) -> None:
    since = (await read(hand, None)).last_event_id
    (made,) = await commit(hand, "agent", Remember("ferry", "the ferry sails"))
    await commit(hand, "genizah-1", Retire(A, 1))
    await commit(hand, "agent", Amend(B, 1, "lamp", "it is out"), Supersede(OTHER, 1, NEW))
    found = await read(hand, since)
    assert [
        (i.event.kind, i.uuid, i.from_version, i.to_version, i.replaced_by) for i in found.items
    ] == [
        ("retire", OTHER, 1, 2, NEW),
        ("amend", B, 1, 2, None),
        ("remember", made, None, 1, None),
    ]
    assert found.total == 3
    assert [i.head.gist for i in found.items if i.head] == ["pier", "lamp", "ferry"]
    assert (await read(hand, found.last_event_id)).items == ()


async def test_what_the_agents_clean_up_wrote_is_told_too(hand: Hand, project: Path) -> None:
    since = (await read(hand, None)).last_event_id
    detail = '{"group_id": 1, "run_id": 2, "role": "head", "from_version": 1, "to_version": 2}'
    with writing(project) as raw:
        for kind in ("merge", "promote", "discard", "surface", "fetch"):
            raw.execute(
                "INSERT INTO event(at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
                "VALUES ('2026', NULL, 'consolidator', 'op', ?, ?, ?)",
                (kind, A, detail),
            )
        raw.execute(
            "INSERT INTO event(at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES ('2026', NULL, 'consolidator', 'op', 'merge', 'missing', 'no json')"
        )
    found = await read(hand, since)
    assert [(i.event.kind, i.from_version) for i in found.items] == [
        ("merge", None),
        ("discard", 1),
        ("promote", 1),
        ("merge", 1),
    ]
    assert found.items[0].head is None


async def test_a_long_absence_shows_the_newest_and_counts_all(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "SHOWN", 2)
    since = (await read(hand, None)).last_event_id
    await commit(hand, "agent", *(Remember(f"m{n}", "c") for n in range(3)))
    found = await read(hand, since)
    assert [i.head.gist for i in found.items if i.head] == ["m2", "m1"]
    assert found.total == 3


async def test_the_text_before_comes_from_the_history_and_the_text_now_from_the_store(
    hand: Hand,
) -> None:
    database = await AppDatabase.in_memory()
    try:
        history = TextHistory(database, SetClock())
        async with hand.gate.writer.transaction() as connection:
            seen = await memories.detail(connection, A)
        assert seen is not None
        await history.note(STORE_ID, seen)
        since = (await read(hand, None)).last_event_id
        await commit(hand, "agent", Amend(A, 1, "lamp", "second"), Amend(B, 1, "lamp", "other"))
        await commit(hand, "agent", Amend(A, 2, "lamp", "third"))
        newest, of_b, of_a = (await read(hand, since)).items
        async with hand.gate.writer.transaction() as connection:
            texts = [
                await before_and_now(connection, history, STORE_ID, i)
                for i in (newest, of_b, of_a)
            ]
    finally:
        await database.close()
    befores = [None if t.before is None else t.before.content for t in texts]
    assert befores == [None, None, "the lamp is lit"]
    assert [t.now.content for t in texts if t.now] == ["third", "other", "third"]
    assert [t.is_after for t in texts] == [True, True, False]
