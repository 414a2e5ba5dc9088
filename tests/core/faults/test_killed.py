"""A commit killed at a statement, or in the middle of one, leaves the old rows or the new ones."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.child import ROOT
from tests.support.killed_child import commit
from tests.support.stores import Memory, build_store
from tests.support.writing import problems_of, rows_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each commit dies in a fork")

type Rows = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True, slots=True)
class Ended:
    """How one commit ended; statements and microseconds of one that lived."""

    how: str
    statements: int
    micros: int


class Killer:
    """Commit the same changes to copies of one store, dying on the way."""

    def __init__(self, child: subprocess.Popen[str], folder: Path) -> None:
        self._child = child
        self._folder = folder
        names = ("a", "b", "c", "d", "e")
        rows = [Memory(name, f"zarquon {name}", f"the text of {name}") for name in names]
        self._template = build_store(folder / "template", rows)
        self._number = 0
        self.old: Rows = rows_of(self._template)

    def copy(self) -> Path:
        """Return a fresh copy of the store."""
        self._number += 1
        return shutil.copytree(self._template, self._folder / f"copy {self._number}")

    def commit(self, project: Path, kind: str = "none", at: int = 0) -> Ended:
        """Commit in a process that dies as it is told to."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(f"{project} {kind} {at}\n")
        self._child.stdin.flush()
        how, statements, micros = self._child.stdout.readline().split()
        return Ended(how, int(statements), int(micros))

    def is_sound(self, project: Path) -> bool:
        """Tell whether file, references, word index and vectors are in order."""
        scratch = self._folder / f"scratch {self._number}"
        scratch.mkdir()
        return problems_of(project, scratch) == []


@pytest.fixture
def killer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Killer]:
    # One thread in the process that forks, or a lock could be held for ever in the fork.
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.support.killed_child"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        yield Killer(child, tmp_path)
        assert child.stdin is not None
        child.stdin.close()


async def _kill(killer: Killer, kind: str, points: list[int], new: Rows) -> list[str]:
    """Kill one commit at each point; return what each left, 'old' or 'new'."""
    left = []
    for at in points:
        project = killer.copy()
        ended = killer.commit(project, kind, at)
        assert ended.how == "killed" or (kind == "moment" and ended.how == "lived"), (at, ended)
        rows = rows_of(project)
        assert rows in (killer.old, new), f"neither the old rows nor the new: {kind} {at}"
        left.append("new" if rows == new else "old")
        assert killer.is_sound(project)
        if left[-1] == "old":
            await commit(project)  # the same again simply works, and is the same
            assert rows_of(project) == new
        shutil.rmtree(project)
    return left


def _new_rows(killer: Killer) -> tuple[Rows, Ended]:
    project = killer.copy()
    ended = killer.commit(project)
    assert ended.how == "lived"
    new = rows_of(project)
    assert new != killer.old
    return new, ended


async def test_a25_a_commit_killed_between_a_chunk_and_its_vector_can_be_made_again(
    killer: Killer,
) -> None:
    new, _ = _new_rows(killer)
    assert await _kill(killer, "vector", [1, 2, 5], new) == ["old"] * 3


async def test_a_commit_killed_at_a_statement_leaves_the_old_rows_or_the_new(
    killer: Killer,
) -> None:
    new, ended = _new_rows(killer)
    assert ended.statements > 60, "every verb, with its indexes and its events"
    dice = random.Random(25)
    points = [1, 2, *sorted(dice.sample(range(3, ended.statements), 4)), ended.statements]
    left = await _kill(killer, "statement", points, new)
    assert left[:2] == ["old", "old"]
    assert left == sorted(left, reverse=True), "old up to the commit, new from there on"


async def test_a_commit_killed_in_the_middle_of_anything_leaves_old_or_new_rows(
    killer: Killer,
) -> None:
    new, ended = _new_rows(killer)
    dice = random.Random(7)
    points = [dice.randrange(ended.micros) for _ in range(10)]
    await _kill(killer, "moment", points, new)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_commit_killed_at_every_statement_and_two_hundred_moments(
    killer: Killer,
) -> None:
    new, ended = _new_rows(killer)
    left = await _kill(killer, "statement", list(range(1, ended.statements + 1)), new)
    assert "old" in left
    assert left == sorted(left, reverse=True), "old up to the commit, new from there on"
    dice = random.Random(200)
    points = [dice.randrange(ended.micros) for _ in range(200)]
    assert {"old", "new"} == set(await _kill(killer, "moment", points, new))
