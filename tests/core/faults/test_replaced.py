"""A32: the file is replaced while changes are pending; they reach neither the old nor the new."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from core.commands.changes import Change, Remember, Retire
from core.commands.commit import Committed, commit_batch
from core.errors import ErrorCode, GenizahError
from tests.support.stores import uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, open_raw, rows_of

_CHANGES: list[Change] = [Retire(uuid_of("0"), 1), Remember("one", "more")]


@pytest.mark.parametrize("kept", [True, False])
async def test_a32_pending_changes_are_refused_and_nothing_is_written_anywhere(
    project: Path, tmp_path: Path, kept: bool
) -> None:
    folder = project / ".zikaron"
    restored = shutil.copytree(project, tmp_path / "restored")
    hand = await Hand.open(project, StubEncoder())
    if kept:  # renamed away, as a restore that is careful does
        aside = tmp_path / "aside" / ".zikaron"
        aside.mkdir(parents=True)
        (folder / "memory.db").rename(aside / "memory.db")
    (restored / ".zikaron" / "memory.db").replace(folder / "memory.db")
    before = rows_of(project)
    with pytest.raises(GenizahError) as refused:
        await commit_batch(hand.gate, _CHANGES)
    assert refused.value.code is ErrorCode.STORE_CHANGED
    assert "was replaced" in refused.value.message
    await hand.close()
    assert rows_of(project) == before
    if kept:
        assert rows_of(tmp_path / "aside") == before
    again = await Hand.open(project, StubEncoder())
    assert isinstance(await commit_batch(again.gate, _CHANGES), Committed)
    await again.close()


async def test_a32_a_store_that_is_gone_is_not_made_anew(project: Path) -> None:
    hand = await Hand.open(project, StubEncoder())
    (project / ".zikaron" / "memory.db").unlink()
    with pytest.raises(GenizahError) as refused:
        await commit_batch(hand.gate, _CHANGES)
    assert refused.value.code is ErrorCode.STORE_CHANGED
    await hand.close()
    assert not (project / ".zikaron" / "memory.db").exists()


async def test_a32_closing_the_old_file_leaves_the_log_of_the_new_one_alone(
    project: Path, tmp_path: Path
) -> None:
    """The agent writes the restored file while we still hold the one it took the place of."""
    folder = project / ".zikaron"
    restored = shutil.copytree(project, tmp_path / "restored")
    hand = await Hand.open(project, StubEncoder())
    assert isinstance(await commit_batch(hand.gate, _CHANGES), Committed)
    for path in folder.glob("memory.db*"):
        path.unlink()
    (restored / ".zikaron" / "memory.db").rename(folder / "memory.db")
    with closing(open_raw(folder / "memory.db", "rw")) as agent:
        agent.execute("UPDATE memory SET gist = 'by the agent'")
        await hand.close()
        assert {row[3] for row in rows_of(project)["memory"]} == {"by the agent"}
    assert {row[3] for row in rows_of(project)["memory"]} == {"by the agent"}
