"""A uuid that another tool stored as a blob or as broken text: found, ranked and named."""

from pathlib import Path

from core.store import health
from tests.peer.stub_vectors import stub_vector
from tests.support.engine import open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import packed


async def test_a_memory_with_an_odd_uuid_is_found_by_both_arms_and_named_by_the_check(
    tmp_path: Path,
) -> None:
    near = packed(stub_vector("zarquon", WIDTH))
    memories = [
        Memory("blob", "zarquon one", "first text", vectors=(near,)),
        Memory("broken", "zarquon two", "second text", vectors=(near,)),
        *distractors(200),
    ]
    project = build_store(tmp_path / "p", memories)
    with writing(project) as raw:
        for table, column in (("memory", "uuid"), ("memory_chunk", "memory_uuid")):
            raw.execute(
                f"UPDATE {table} SET {column} = ? WHERE {column} = ?",
                (b"\xff\x00odd", uuid_of("blob")),
            )
            raw.execute(
                f"UPDATE {table} SET {column} = CAST(x'6869ff' AS TEXT) WHERE {column} = ?",
                (uuid_of("broken"),),
            )
    async with open_engine(project) as engine:
        outcome = await engine.by_vector("zarquon", near)
        first_two = {h.head.gist for h in outcome.hits[:2]}
        problems = await health.check(engine.database, 32)
    assert first_two == {"zarquon one", "zarquon two"}
    assert all(h.dense is not None and h.lexical is not None for h in outcome.hits[:2])
    damaged = [p for p in problems if p.code is health.ProblemCode.DAMAGED_TEXT]
    assert len(damaged) == 2
    assert all("uuid" in p.text for p in damaged)
