"""A65: the vector extension is missing or broken; the words and the browsing still work."""

from pathlib import Path

import pytest

from core.notices import NoticeCode
from core.store import health, opening, private_copy
from tests.support.engine import open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis
from tests.support.tour import browse


@pytest.fixture(params=["missing", "no library"])
def vec0(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path | None:
    """Take the extension away in each way there is."""
    found: Path | None = None
    if request.param == "no library":
        found = tmp_path / "vec0.so"
        found.write_text("nothing to load")
    for module in (opening, private_copy):
        monkeypatch.setattr(module, "vec0_path", lambda: found)
    return found


async def test_words_and_browsing_work_and_a_note_says_why_a65(
    vec0: Path | None, tmp_path: Path
) -> None:
    build_store(tmp_path / "p", [Memory("a", "zarquon lamp"), *distractors(60)])
    async with open_engine(tmp_path / "p") as engine:
        facts = engine.database.facts
        assert await browse(engine) == 61
        outcome = await engine.by_vector("zarquon", axis(WIDTH, 0))
        literal = await engine.literal("zarq", outcome)
        similar = await engine.searcher.similar(uuid_of("distractor 3"))
        problems = await health.check(engine.database, 32)
    assert [n.code for n in facts.notices] == [NoticeCode.NO_VECTOR_EXTENSION]
    assert "vec0" in facts.notices[0].text
    assert "Meaning search off" in facts.notices[0].text
    assert not facts.has_vec0
    assert not outcome.dense.ran
    assert "vec0" in (outcome.dense.reason or "")
    assert [h.uuid for h in outcome.hits] == [uuid_of("a")]
    assert literal.total == 0
    assert problems == []
    assert not similar.dense.ran
    assert len(similar.hits) == 50
    assert all(h.lexical is not None for h in similar.hits)


async def test_the_deep_check_of_the_words_works_without_it_a65(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (opening, private_copy):
        monkeypatch.setattr(module, "vec0_path", lambda: None)
    build_store(tmp_path / "p", [Memory("a", "zarquon lamp"), *distractors(20)])
    async with open_engine(tmp_path / "p") as engine:
        facts = engine.database.facts
        await private_copy.snapshot_copy(facts.location, facts.access, tmp_path / "copy.db")
    copy = await private_copy.open_copy(tmp_path / "copy.db")
    assert await health.deep_check(copy) == []
    await copy.close()
