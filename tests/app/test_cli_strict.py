"""`--strict` and `incomplete`: a result that lacks what was asked for is told from a whole one."""

import base64
import json
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis

_VECTOR = base64.b64encode(axis(WIDTH, 0)).decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store whose model is not on this machine."""
    return build_store(tmp_path / "project", [Memory("a", "zarquon"), *distractors(5)])


def _capped(folder: Path) -> Path:
    """Build a store that spends four doublings on the 17 chunks of one memory."""
    config = f'[embedding]\nembed_model = "stub/words"\nembed_dim = {WIDTH}\n'
    config += "[retrieval]\nfusion_depth = 1\nchunk_overfetch = 1\n"
    return build_store(folder, [Memory("a", "x", vectors=[axis(WIDTH, 0)] * 17)], config=config)


def test_without_strict_a_missing_meaning_search_is_done_and_said(
    cli: Cli, project: Path
) -> None:
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert (ran.code, ran.document["incomplete"]) == (0, True)


def test_with_strict_a_missing_meaning_search_is_refused_in_one_sentence(
    cli: Cli, project: Path
) -> None:
    ran = cli("search", project, "--query", "zarquon", "--strict")
    assert (ran.code, ran.out) == (3, b"")
    assert ran.err.startswith("genizah: The result is incomplete: the meaning search did not run (")
    assert "stub/words" in ran.err
    assert ran.err.count("\n") == 1
    found = cli("search", project, "--query", "zarquon", "--strict", "--json")
    assert found.code == 3
    assert found.document["schema"] == "genizah.error/1"
    assert (found.document["code"], found.document["reason"]) == ("incomplete", "dense_arm_off")


@pytest.mark.parametrize("asked", [("--lexical-only",), ("--vector", _VECTOR)])
def test_what_was_asked_for_and_given_is_complete(
    asked: tuple[str, ...], cli: Cli, project: Path
) -> None:
    ran = cli("search", project, "--query", "zarquon", *asked, "--strict", "--json")
    assert (ran.code, ran.document["incomplete"]) == (0, False)


def test_a_meaning_search_that_hit_its_probe_cap_is_incomplete(cli: Cli, tmp_path: Path) -> None:
    argv = ("search", _capped(tmp_path), "--query", "zarquon", "--vector", _VECTOR, "--json")
    ran = cli(*argv)
    assert (ran.code, ran.document["incomplete"]) == (0, True)
    strict = cli(*argv, "--strict")
    assert (strict.code, strict.document["reason"]) == (3, "probe_cap_hit")


def test_in_a_file_each_incomplete_line_is_an_error_in_its_place(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    queries = tmp_path / "queries.jsonl"
    lines = [json.dumps({"query": "zarquon", "vector": v}) for v in (_VECTOR, None, _VECTOR)]
    queries.write_text("\n".join(lines) + "\n")
    base = ("search", project, "--queries", queries, "--strict", "--json")
    ran = cli(*base)
    assert ran.code == 3
    assert [d.get("code") for d in ran.documents] == [None, "incomplete", None]
    queries.write_text("\n".join([*lines, "bad", lines[1]]) + "\n")
    assert cli(*base).code == 2, "a bad line is the worse fault"


def test_a_search_by_a_memory_is_complete(cli: Cli, project: Path) -> None:
    assert cli("similar", project, uuid_of("a"), "--json").document["incomplete"] is False
