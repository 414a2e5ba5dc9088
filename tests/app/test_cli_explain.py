"""`genizah explain` by its contract: the object's keys for every outcome, streams, exit codes."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from core.explain.explanation import Verdict
from core.retrieval.ranking import OrderKey
from tests.support.child import ROOT
from tests.support.cli import Cli
from tests.support.oracle import DEMO_BUNDLE, DEMO_RECORDED, copy_project
from tests.support.stores import (
    STORE_ID,
    WIDTH,
    Memory,
    build_store,
    distractors,
    uuid_of,
    writing,
)
from tests.support.stub_encoder import axis

_TOP = (
    *("schema", "uuid", "store_id", "outcome", "sentence", "query", "eligibility", "dense"),
    *("lexical", "fusion", "penalty", "fused_score", "order", "repair", "cut", "margins"),
)
_INNER = {
    "query": ("text", "uuid", "tokens", "truncated", "terms", "dropped_terms", "expression"),
    "dense": ("rank", "distance", "stop_reason", "chunks"),
    "lexical": ("rank", "bm25", "terms"),
    "fusion": ("rrf_k", "terms", "rrf_score"),
    "penalty": ("state", "factor"),
    "order": ("position", "position_before_repair", "above", "below"),
    "repair": ("moved", "because_of"),
    "cut": ("limit", "inside"),
}
_ITEMS = {
    ("eligibility",): ("stage", "remaining"),
    ("dense", "chunks"): ("part_index", "distance", "start", "end"),
    ("lexical", "terms"): (
        *("term", "idf", "df", "rows", "tf_gist", "tf_content", "contribution"),
    ),
    ("fusion", "terms"): ("arm", "rank", "value"),
    ("margins",): ("kind", "from", "to", "position", "verified"),
}
_VECTOR = base64.b64encode(axis(WIDTH, 0)).decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store with a replaced and a retired row among 80 others."""
    rows = [
        Memory("old", "ssh port is 22", by="new", vectors=(axis(WIDTH, 0),)),
        Memory("new", "shell service moved", vectors=(axis(WIDTH, 0, 0.9),)),
        Memory("gone", "ssh port was 21", active=False),
    ]
    return build_store(tmp_path / "project", [*rows, *distractors(80)])


def _explain(cli: Cli, project: Path, uuid: str, *more: object) -> Any:
    asked = ("--query", "ssh port", "--vector", _VECTOR, "--uuid", uuid, *more)
    ran = cli("explain", project, *asked, "--json")
    return ran.code, ran.document


def _outside(cli: Cli, project: Path) -> str:
    found = cli("search", project, "--query", "ssh port", "--vector", _VECTOR, "--json").document
    pool = {h["uuid"] for h in found["hits"]}
    return next(m.uuid for m in distractors(80) if m.uuid not in pool)


def _assert_shape(told: dict[str, Any]) -> None:
    assert tuple(told) == _TOP
    for key, inner in _INNER.items():
        assert told[key] is None or tuple(told[key]) == inner, key
    for path, keys in _ITEMS.items():
        items = told
        for key in path:
            items = items[key]
        assert all(tuple(item) == keys for item in items), path
    for beside in ("above", "below"):
        if told["order"] is not None and told["order"][beside] is not None:
            assert tuple(told["order"][beside]) == ("uuid", "key")


def test_every_outcome_has_every_key(cli: Cli, project: Path) -> None:
    seen = []
    for uuid, limit, code in (
        (uuid_of("new"), 5, 0),
        (uuid_of("old"), 1, 0),
        (_outside(cli, project), 5, 0),
        (uuid_of("gone"), 5, 0),
        ("ffffffff", 5, 3),
    ):
        ran, told = _explain(cli, project, uuid, "--limit", limit)
        _assert_shape(told)
        assert ran == code
        assert (told["schema"], told["store_id"]) == ("genizah.explanation/1", STORE_ID)
        assert told["cut"] == {"limit": limit, "inside": told["outcome"] == "hit"}
        in_pool = told["outcome"] in ("hit", "below_cut")
        for key in ("fused_score", "order", "repair"):
            assert (told[key] is not None) == in_pool, key
        assert bool(told["fusion"]["terms"]) == in_pool
        assert (told["penalty"] is None) == (told["outcome"] == "no_such_memory")
        seen.append(told["outcome"])
    assert seen == ["hit", "below_cut", "outside_pool", "not_eligible", "no_such_memory"]


def test_the_replaced_row_says_who_stands_above_it_and_why(cli: Cli, project: Path) -> None:
    code, told = _explain(cli, project, uuid_of("old"))
    assert code == 0
    assert told["order"]["above"] == {"uuid": uuid_of("new"), "key": "repair"}
    assert told["repair"] == {"moved": -1, "because_of": uuid_of("new")}
    assert told["penalty"] == {"state": "superseded", "factor": 0.5}
    assert told["fused_score"] == (1 / 61 + 1 / 61) * 0.5
    assert told["sentence"].startswith("Second because both arms found it (words #1, meaning #1)")


def test_a_memory_is_named_by_the_beginning_of_its_uuid(cli: Cli, project: Path) -> None:
    code, told = _explain(cli, project, uuid_of("old")[:8])
    assert (code, told["uuid"]) == (0, uuid_of("old"))


def test_a_name_too_short_or_of_several_is_usage(cli: Cli, project: Path) -> None:
    same = ("aaaa0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000002")
    with writing(project) as raw:
        for n, uuid in enumerate(same):
            raw.execute(
                "INSERT INTO memory (uuid, tier, gist, content, active, version, created_at, "
                "updated_at, token_count) VALUES (?, 'journal', 'g', 'c', 1, 1, 't', 't', ?)",
                (uuid, n),
            )
    for named in ("aaaa", "aaa", ""):
        code, told = _explain(cli, project, named)
        assert (code, told["schema"], told["code"]) == (2, "genizah.error/1", "ambiguous")


@pytest.mark.parametrize(
    "flags",
    [
        ("--query", "x"),
        ("--uuid", "abcd"),
        ("--query", "", "--uuid", "abcd"),
        ("--query", "x", "--queries", "y", "--uuid", "abcd"),
        ("--query", "x", "--uuid", "abcd", "--limit", "0"),
        ("--query", "x", "--uuid", "abcd", "--limit", "51"),
        ("--query", "x", "--uuid", "abcd", "--strict"),
    ],
)
def test_a_bad_line_is_usage(flags: tuple[str, ...], cli: Cli, project: Path) -> None:
    ran = cli("explain", project, *flags, "--json")
    assert (ran.code, ran.document["code"]) == (2, "usage")


def test_in_words_the_sentence_comes_first_then_the_steps(cli: Cli, project: Path) -> None:
    ran = cli(
        "explain", project, "--query", "ssh port", "--vector", _VECTOR, "--uuid", uuid_of("old")
    )
    first, *rest = ran.text.splitlines()
    assert (ran.code, first.split(" because")[0]) == (0, "Second")
    titles = [line for line in rest if line and not line.startswith(" ")]
    assert titles == [
        *("Query", "Snapshot", "Eligibility", "Meaning arm", "Word arm", "Fusion", "Demotion"),
        *("Order", "Repair", "Cut", "What takes it out of the first 5", "Provenance"),
    ]
    both = "meaning #1 + words #1: 1/(60+1) + 1/(60+1) = "
    assert f"{both}{1 / 61!r} + {1 / 61!r} = {2 / 61!r}" in ran.text
    none = cli("explain", project, "--query", "ssh", "--lexical-only", "--uuid", "ffffffff")
    assert none.code == 3
    assert none.text.startswith("There is no memory ffffffff in this store.\n")


def test_hidden_characters_of_a_store_never_reach_the_terminal(cli: Cli, tmp_path: Path) -> None:
    session = "s\x1b[31m\u202e"
    row = Memory("a", "zarquon", "x", session_id=session)
    project = build_store(tmp_path / "p", [row, *distractors(3)])
    asked = ("--query", "zarquon \x1b]0;\u200b", "--lexical-only", "--uuid", row.uuid)
    text = cli("explain", project, *asked).text
    assert "⟨U+001B⟩" in text and "⟨U+202E⟩" in text
    assert not any(c in text for c in "\x1b\u200b\u202e")


def test_every_query_line_may_name_its_own_memory(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    file = tmp_path / "queries.jsonl"
    lines = [
        {"query": "ssh port", "vector": _VECTOR, "uuid": uuid_of("new"), "limit": 7},
        {"query": "ssh port", "vector": _VECTOR},
        {"query": "ssh port", "vector": _VECTOR, "uuid": "ffffffff"},
        {"query": "ssh port", "vector": _VECTOR, "uuid": uuid_of("gone"), "include_retired": True},
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ran = cli("explain", project, "--queries", file, "--uuid", uuid_of("old"), "--json")
    told = ran.documents
    assert ran.code == 3
    names = [uuid_of("new"), uuid_of("old"), "ffffffff", uuid_of("gone")]
    assert [t["uuid"] for t in told] == names
    assert [t["cut"]["limit"] for t in told] == [7, 5, 5, 5]
    assert told[2]["outcome"] == "no_such_memory"
    assert told[3]["penalty"]["state"] == "retired"
    ran = cli("explain", project, "--queries", file, "--json")
    assert ran.code == 2
    assert [t["schema"] for t in ran.documents][:2] == ["genizah.explanation/1", "genizah.error/1"]
    assert "Line 2" in ran.documents[1]["message"]
    searched = cli("search", project, "--queries", file, "--json")
    assert searched.documents[0]["code"] == "usage"


def test_spans_of_the_chunks_come_from_the_tokenizer(cli: Cli, tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    case = json.loads(DEMO_RECORDED.read_text(encoding="utf-8"))["external"][0]
    spans = 0
    for row in case["pool"][:8]:
        asked = ("--query", case["query"], "--vector", case["vector"], "--uuid", row["uuid"])
        scope = ("--include-retired",) if case["include_retired"] else ()
        told = cli("explain", project, *asked, *scope, "--json").document
        chunks = told["dense"]["chunks"]
        assert all(0 <= c["start"] < c["end"] for c in chunks)
        assert told["dense"]["distance"] == min(c["distance"] for c in chunks)
        spans += len(chunks)
    assert spans >= 8


def test_the_object_is_documented_with_every_value_of_outcome_and_key() -> None:
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    part = text.split("## genizah.explanation/1")[1].split("\n## ")[0]
    keys = {key for keys in (*_INNER.values(), *_ITEMS.values()) for key in keys}
    for name in (*_TOP[1:], *keys, *Verdict, *OrderKey):
        assert f"`{name}`" in part, name


def test_a_number_that_is_not_finite_is_null_and_said_beside_it(cli: Cli, tmp_path: Path) -> None:
    row = Memory("far", "zarquon", vectors=(axis(WIDTH, 0, 3e38),))
    project = build_store(tmp_path / "p", [row, *distractors(3)])
    asked = ("--query", "zarquon", "--vector", base64.b64encode(axis(WIDTH, 0, -3e38)).decode())
    ran = cli("explain", project, *asked, "--uuid", row.uuid, "--json")
    assert (ran.code, ran.document["dense"]["distance"]) == (0, None)
    assert "not_finite: A number was not finite" in ran.err


def test_the_snapshot_names_model_file_and_settings_with_their_source(
    cli: Cli, tmp_path: Path
) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    first = cli("search", project, "--query", "pier", "--json").document["hits"][0]["uuid"]
    told = cli("explain", project, "--query", "pier", "--uuid", first).text
    fingerprint = cli("check", project, "--json").document["model"]["fingerprint"]
    assert f"model genizah/all-minilm-l6-v2-int8, sha256 {fingerprint[:12]}…" in told
    assert "embedding.embed_prefix_query = '' (store file)" in told
