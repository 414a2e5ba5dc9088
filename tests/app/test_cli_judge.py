"""`genizah judge run`: values by hand, floors and exit codes, one sentence for a bad file."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from core.documents.judgments_file import JudgedQuery, judgments_document, read_judgments
from tests.support.cli import Cli
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis

_TOP = (
    *("schema", "file", "path", "store_id", "schema_version", "settings", "queries", "mean"),
    *("checks", "passed", "definitions", "notices"),
)
_QUERY = (
    *("name", "text", "include_retired", "relevant", "unknown", "searched", "reason", "values"),
)
_MEASURES = ["recall@5", "recall@10", "mrr@5", "mrr@10", "ndcg@5", "ndcg@10"]


def _store(folder: Path, *, penalty: float | None = None) -> Path:
    rows = [
        Memory("old", "ssh port", by="elsewhere"),
        Memory("new", "ssh port list and more words than the other"),
        Memory("gone", "ssh port", active=False),
    ]
    text = None
    if penalty is not None:
        text = f"[retrieval]\nsupersession_penalty = {penalty}\n"
    return build_store(folder / "project", [*rows, *distractors(20)], config=text)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store where a replaced row matches `ssh port` better than the live one."""
    return _store(tmp_path)


def _file(folder: Path, *queries: dict[str, Any]) -> Path:
    path = folder / "judgments.json"
    document = {"schema": "genizah.judgments/1", "queries": list(queries)}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _by_words(grades: dict[str, int]) -> dict[str, Any]:
    return {"text": "ssh port", "grades": grades}


def test_the_object_has_every_key_and_the_values_worked_out_by_hand(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    """The live row is first, the replaced one (1/62 halved or so) second: only `old` is graded."""
    file = _file(tmp_path, _by_words({uuid_of("old"): 2, "not-here": 0}))
    ran = cli("judge", "run", file, project, "--lexical-only", "--json")
    assert ran.code == 0
    found = ran.document
    assert tuple(found) == _TOP
    assert (found["schema"], found["file"]) == ("genizah.judge/1", str(file))
    (query,) = found["queries"]
    assert tuple(query) == _QUERY
    assert (query["text"], query["relevant"], query["unknown"]) == ("ssh port", 1, ["not-here"])
    assert (query["searched"], query["include_retired"], query["name"]) == ("lexical", False, None)
    assert list(query["values"]) == _MEASURES
    assert query["values"]["recall@5"] == 1
    assert query["values"]["mrr@5"] == 0.5
    assert query["values"]["ndcg@10"] == pytest.approx(0.6309297535714575)  # 1 / log2(3)
    assert found["mean"] == query["values"]
    assert (found["checks"], found["passed"]) == ([], True)
    assert set(found["definitions"]) == {"recall", "mrr", "ndcg"}
    assert found["settings"]["retrieval.rrf_k"] == {"value": 60, "source": "default"}
    assert "dense_arm_off" in [n["code"] for n in found["notices"]]


def test_a_mean_below_its_floor_ends_with_1(cli: Cli, project: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, _by_words({uuid_of("old"): 2}))
    base = ("judge", "run", file, project, "--lexical-only", "--fail-under", "mrr@5=0.5")
    assert cli(*base).code == 0
    ran = cli(*base, "--fail-under", "ndcg@3=0.9", "--json")
    assert ran.code == 1
    assert [(c["measure"], c["at_least"], c["passed"]) for c in ran.document["checks"]] == [
        ("mrr@5", 0.5, True),
        ("ndcg@3", 0.9, False),
    ]
    assert ran.document["passed"] is False
    text = cli(*base, "--fail-under", "ndcg@3=0.9")
    assert text.code == 1
    assert "ndcg@3 0.6309 is below 0.9" in text.text
    assert "mrr@5 0.5000 reaches 0.5" in text.text


def test_a_change_of_the_stores_settings_is_seen(cli: Cli, tmp_path: Path) -> None:
    """Without a penalty the better match comes first, although it was replaced."""
    project = _store(tmp_path, penalty=1.0)
    file = _file(tmp_path, _by_words({uuid_of("old"): 2}))
    found = cli("judge", "run", file, project, "--lexical-only", "--json").document
    assert found["mean"]["mrr@5"] == 1
    assert found["settings"]["retrieval.supersession_penalty"] == {
        "value": 1.0,
        "source": "store_file",
    }


def test_a_vector_replaces_the_embedding(cli: Cli, tmp_path: Path) -> None:
    rows = [Memory("near", "quay", vectors=(axis(WIDTH, 0),)), *distractors(20)]
    project = build_store(tmp_path / "project", rows)
    vector = base64.b64encode(axis(WIDTH, 0)).decode()
    query = {"text": "zarquon", "vector": vector, "grades": {uuid_of("near"): 3}}
    found = cli("judge", "run", _file(tmp_path, query), project, "--json").document
    assert found["queries"][0]["searched"] == "hybrid"
    assert found["mean"]["ndcg@5"] == 1


def test_retired_rows_are_found_where_the_query_includes_them(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    narrow = _by_words({uuid_of("gone"): 1})
    file = _file(tmp_path, narrow, {**narrow, "include_retired": True})
    found = cli("judge", "run", file, project, "--lexical-only", "--json").document
    assert [q["values"]["recall@5"] for q in found["queries"]] == [0, 1]
    assert found["mean"]["recall@5"] == 0.5


def test_with_nothing_to_find_there_is_no_value_and_no_floor_is_reached(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    file = _file(tmp_path, _by_words({uuid_of("old"): 0}))
    base = ("judge", "run", file, project, "--lexical-only")
    assert set(cli(*base, "--json").document["mean"].values()) == {None}
    ran = cli(*base, "--fail-under", "mrr@5=0")
    assert ran.code == 1
    assert "nothing to find" in ran.text


def test_the_words_tell_each_query_the_means_and_the_definitions(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    named = {**_by_words({uuid_of("new"): 1, "0123456789": 1}), "name": "Ports"}
    ran = cli("judge", "run", _file(tmp_path, named), project, "--lexical-only")
    lines = ran.text.splitlines()
    assert lines[:2] == ["1 of 1 queries have a memory to find", "  1. Ports"]
    assert "     graded, but not in this store: 01234567" in lines
    assert "mrr@5 1.0000" in lines[2]
    assert any(line.startswith("mean recall@5 0.5000") for line in lines)
    assert any("log2" in line for line in lines)
    assert "dense_arm_off" in ran.err


def test_the_nearest_store_above_is_judged_without_one_named(
    cli: Cli, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    file = _file(tmp_path, _by_words({uuid_of("new"): 1}))
    assert cli("judge", "run", file, "--lexical-only").code == 0


_GOOD = {"text": "tide", "grades": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("", None, "not JSON"),
        ("[" * 100_000, None, "not JSON"),
        ("[]", None, "it is not an object"),
        ('{"queries": []}', "schema", "genizah.judgments/1"),
        ('{"schema": "genizah.judgments/2", "queries": []}', "schema", "genizah.judgments/1"),
        ({"queries": []}, "queries", "at least one"),
        ({"queries": {}}, "queries", "list"),
        ({"queries": [_GOOD], "limit": 5}, None, 'no field "limit"'),
        ({"queries": [_GOOD, 7]}, "queries[1]", "queries[1] is not an object"),
        ({"queries": [{**_GOOD, "grade": 1}]}, "queries[0]", 'no field "grade" in queries[0]'),
        ({"queries": [{"grades": {}}]}, "queries[0].text", "must be a text"),
        ({"queries": [{**_GOOD, "text": " "}]}, "queries[0].text", "empty"),
        ({"queries": [{"text": "x"}]}, "queries[0].grades", "object of uuid: grade"),
        ({"queries": [{**_GOOD, "include_retired": 1}]}, "queries[0].include_retired", "true or"),
        ({"queries": [{**_GOOD, "name": ""}]}, "queries[0].name", "not empty"),
        ({"queries": [{**_GOOD, "vector": 7}]}, "queries[0].vector", "base64"),
        ({"queries": [{**_GOOD, "vector": "AAAA"}]}, "queries[0].vector", "3 bytes"),
        ({"queries": [{**_GOOD, "grades": {"u": 4}}]}, 'queries[0].grades["u"]', "0 to 3"),
        ({"queries": [{**_GOOD, "grades": {"u": 1.0}}]}, 'queries[0].grades["u"]', "0 to 3"),
        ({"queries": [{**_GOOD, "grades": {"u": True}}]}, 'queries[0].grades["u"]', "0 to 3"),
    ],
)
def test_a_bad_file_is_one_sentence_with_the_field(
    text: str | dict[str, Any], field: str | None, said: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    if isinstance(text, dict):
        text = json.dumps({"schema": "genizah.judgments/1", **text})
    path.write_text(text)
    ran = cli("judge", "run", path, tmp_path / "no-store", "--json")
    assert ran.code == 2
    assert ran.document["code"] == "usage"
    assert ran.document["fields"] == {"field": field}
    assert ran.err.count("\n") == 1
    assert said in ran.err
    assert str(path) in ran.err


def test_a_file_that_cannot_be_read_is_said(cli: Cli, project: Path, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"text": "\xe9"}')
    for path, said in ((tmp_path / "absent.json", "cannot be read"), (tmp_path, "cannot be read")):
        ran = cli("judge", "run", path, project)
        assert (ran.code, said in ran.err) == (2, True)
    assert "not UTF-8" in cli("judge", "run", tmp_path / "latin.json", project).err


@pytest.mark.parametrize(
    "argv",
    [
        ("run",),
        (),
        ("walk", "file"),
        ("run", "FILE", "STORE", "--fail-under", "ndcg@10"),
        ("run", "FILE", "STORE", "--fail-under", "ndcg@10=2"),
        ("run", "FILE", "STORE", "--fail-under", "f1@10=0.5"),
    ],
)
def test_a_bad_line_is_usage_with_one_sentence(argv: tuple[str, ...], cli: Cli) -> None:
    ran = cli("judge", *argv)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("genizah")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    queries = (
        JudgedQuery("tide \ud800", {"a": 3, "\udcff": 0}, True, "Tides", axis(WIDTH, 0)),
        JudgedQuery("ferry", {}),
    )
    path = tmp_path / "set.json"
    path.write_text(json.dumps(judgments_document(queries)))
    assert read_judgments(path) == queries
