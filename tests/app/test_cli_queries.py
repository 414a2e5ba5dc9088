"""`genizah search --queries`: one answer a line, in order; a bad line does not end the run."""

import base64
import json
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis, packed

_VECTOR = base64.b64encode(axis(WIDTH, 0)).decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a small store."""
    return build_store(tmp_path / "project", [Memory("a", "zarquon"), *distractors(60)])


def _file(tmp_path: Path, *lines: object, end: str = "\n") -> Path:
    path = tmp_path / "queries.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + end, encoding="utf-8")
    return path


_BAD = [
    "not json",
    "",
    "[1, 2]",
    '"text"',
    "null",
    {"text": "x"},
    {"query": 5},
    {"query": None},
    {"query": "x", "include_retired": "yes"},
    {"query": "x", "include_retired": 1},
    {"query": "x", "vector": 5},
    {"query": "x", "vector": "not base64"},
    {"query": "x", "vector": "AAAA"},
    {"query": "x", "vector": base64.b64encode(axis(3, 0)).decode()},
    {"query": "x", "vector": base64.b64encode(packed([float("nan")] * WIDTH)).decode()},
    {"query": "x", "limit": 0},
    {"query": "x", "limit": 51},
    {"query": "x", "limit": True},
    {"query": "x", "limit": "5"},
    {"query": "x", "colour": "red"},
    {"query": ""},
    {"query": " \u200b"},
    '{"query": NaN}',
    '{"query": "x", "limit": Infinity}',
    "[" * 100_000,
]


@pytest.mark.parametrize("bad", _BAD, ids=lambda b: str(b)[:40])
def test_a_bad_line_gives_an_error_in_its_place_and_the_run_goes_on(
    bad: object, cli: Cli, project: Path, tmp_path: Path
) -> None:
    good = {"query": "zarquon", "vector": _VECTOR}
    queries = _file(tmp_path, good, bad, good)
    ran = cli("search", project, "--queries", queries, "--json")
    assert ran.code == 2
    first, error, last = ran.documents
    assert first["schema"] == last["schema"] == "genizah.search/1"
    assert first["hits"] == last["hits"]
    assert error["schema"] == "genizah.error/1"
    assert error["code"] in ("usage", "bad_vector")
    assert error["message"] in ran.err


def test_every_line_has_its_own_limit_and_scope(cli: Cli, project: Path, tmp_path: Path) -> None:
    queries = _file(
        tmp_path,
        {"query": "zarquon", "vector": _VECTOR, "limit": 3, "include_retired": True},
        {"query": "zarquon", "vector": _VECTOR},
    )
    first, second = cli("search", project, "--queries", queries, "--json").documents
    assert (first["limit"], second["limit"]) == (3, 5)
    assert len(first["hits"]) == len(second["hits"]) == 50 or first["hits"]


def test_a_line_with_a_vector_is_replayed_whatever_its_text(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    queries = _file(tmp_path, *({"query": t, "vector": _VECTOR} for t in ("", " ", "\u200b", "*")))
    ran = cli("search", project, "--queries", queries, "--json")
    assert ran.code == 0
    for found in ran.documents:
        assert not found["arms"]["lexical"]["ran"]
        assert found["arms"]["dense"]["depth_reached"] == 51


def test_answers_come_in_the_order_of_the_lines(cli: Cli, project: Path, tmp_path: Path) -> None:
    texts = [f"remark {n}" for n in range(30)]
    queries = _file(tmp_path, *({"query": t} for t in texts))
    ran = cli("search", project, "--queries", queries, "--lexical-only", "--json")
    assert [d["query"]["text"] for d in ran.documents] == texts


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_last_newline_is_no_line(
    end: str, cli: Cli, project: Path, tmp_path: Path
) -> None:
    queries = _file(tmp_path, {"query": "zarquon"}, end=end)
    ran = cli("search", project, "--queries", queries, "--lexical-only", "--json")
    assert (ran.code, len(ran.documents)) == (0, 1)


def test_an_empty_file_has_no_answer(cli: Cli, project: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    ran = cli("search", project, "--queries", tmp_path / "empty", "--json")
    assert (ran.code, ran.out) == (0, b"")


def test_a_file_that_is_not_utf8_is_usage(cli: Cli, project: Path, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'{"query": "caf\xe9"}\n')
    ran = cli("search", project, "--queries", tmp_path / "latin", "--json")
    assert (ran.code, ran.document["code"]) == (2, "usage")


def test_line_separators_inside_a_text_end_no_line(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    line = json.dumps({"query": "zarquon \u2028 \x85"}, ensure_ascii=False)
    queries = _file(tmp_path, line)
    (found,) = cli("search", project, "--queries", queries, "--lexical-only", "--json").documents
    assert [h["uuid"] for h in found["hits"]] == [uuid_of("a")]


def test_in_words_each_answer_follows_the_other(cli: Cli, project: Path, tmp_path: Path) -> None:
    queries = _file(tmp_path, {"query": "zarquon"}, "bad", {"query": "zarquon"})
    ran = cli("search", project, "--queries", queries, "--lexical-only")
    assert ran.code == 2
    assert ran.text.count("1 of 1 found") == 2
    assert "Line 2 of the query file" in ran.err


def test_what_a_line_leaves_out_is_as_the_command_says(cli: Cli, tmp_path: Path) -> None:
    retired = Memory("gone", "zarquon too", active=False)
    project = build_store(tmp_path / "with retired", [Memory("a", "zarquon"), retired])
    own = {"query": "zarquon", "limit": 2, "include_retired": False}
    queries = _file(tmp_path, {"query": "zarquon"}, own)
    base = ("search", project, "--queries", queries, "--lexical-only", "--json")
    first, second = cli(*base, "--limit", "7", "--include-retired").documents
    assert (first["limit"], second["limit"]) == (7, 2)
    assert {h["uuid"] for h in first["hits"]} == {uuid_of("a"), uuid_of("gone")}
    assert {h["uuid"] for h in second["hits"]} == {uuid_of("a")}
