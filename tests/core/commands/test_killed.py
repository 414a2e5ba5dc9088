"""A commit that is killed leaves the old state or the new one, and the next one simply works."""

import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.child import ROOT
from tests.support.stores import Memory, build_store
from tests.support.writing import problems_of, rows_of


def _kill_while_committing(project: Path, label: str, after_s: float) -> list[str]:
    """Start a child, kill it that long after its first commit; return what it said it committed."""
    line = [sys.executable, "-m", "tests.support.committing_child", str(project), label]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline()]
        killing = threading.Timer(after_s, child.kill)
        killing.start()
        said += child.stdout.readlines()
        child.wait()
        killing.join()
    return [line.strip() for line in said if line.endswith("\n")]


def _kill_many_times(folder: Path, runs: int) -> None:
    project = build_store(folder / "project", [Memory("a", "zarquon")])
    dice = random.Random(runs)
    for run in range(runs):
        said = _kill_while_committing(project, f"run{run}", dice.uniform(0.0, 0.06))
        assert said[0] == f"run{run}-0"
        scratch = folder / "scratch"
        scratch.mkdir()
        assert problems_of(project, scratch) == []
        shutil.rmtree(scratch)
        gists = [str(row[3]) for row in rows_of(project)["memory"]]
        amended = {g.removesuffix(" amended") for g in gists if g.endswith(" amended")}
        beside = {g.removesuffix(" beside") for g in gists if g.endswith(" beside")}
        assert amended == beside, "the changes of a batch are there together or not at all"
        assert set(said) <= amended, "what was called committed is there"
        retired = sum(1 for row in rows_of(project)["memory"] if row[5] == 0)
        assert retired == len(amended)
        events = [row[5] for row in rows_of(project)["event"]]
        assert events.count("amend") == events.count("retire") == len(amended)
        assert events.count("remember") == len(gists) - 1


@pytest.mark.timeout(240)
def test_a_killed_commit_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    _kill_many_times(tmp_path, 5)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_two_hundred_killed_commits_leave_no_half_state(tmp_path: Path) -> None:
    _kill_many_times(tmp_path, 200)
