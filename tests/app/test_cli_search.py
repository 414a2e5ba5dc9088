"""`genizah search` by its contract: the object's keys, the uncut pool, streams and exit codes."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Cli
from tests.support.oracle import DEMO_BUNDLE, DEMO_RECORDED, copy_project, oracle_folder
from tests.support.stores import (
    STORE_ID,
    STUB_MODEL,
    WIDTH,
    Memory,
    build_store,
    distractors,
    uuid_of,
)
from tests.support.stub_encoder import axis

_TOP = (
    *("schema", "query", "settings", "stores", "groups", "arms", "limit", "hits", "literal"),
    *("literal_total", "notices", "incomplete"),
)
_HIT = (
    *("position", "uuid", "store", "store_id", "group", "state", "tier", "gist", "superseded_by"),
    *("rrf_score", "penalty", "fused_score", "dense", "lexical", "moved_by_repair"),
)
_SETTINGS = {
    *("embedding.embed_model", "embedding.embed_dim", "embedding.embed_prefix_query"),
    *("indexing.chunk_max_tokens", "indexing.gist_max_tokens", "retrieval.fusion_depth"),
    *("retrieval.chunk_overfetch", "retrieval.rrf_k", "retrieval.supersession_penalty"),
    *("retrieval.retired_penalty", "retrieval.supersession_max_depth"),
    *("retrieval.fts_query_max_terms", "dedup.dedup_threshold", "dedup.dedup_max"),
}
_ERROR = {"schema", "ok", "code", "reason", "message", "path", "fields"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store with a replaced, a retired and a literal-only row among 60 others."""
    rows = [
        Memory("old", "ssh port is 22", by="new", vectors=(axis(WIDTH, 0),)),
        Memory("new", "shell service moved", vectors=(axis(WIDTH, 0, 0.9),)),
        Memory("gone", "ssh port was 21", active=False),
        Memory("glued", "openssh ports list"),
    ]
    return build_store(tmp_path / "project", [*rows, *distractors(60)])


def _vector(at: int = 0) -> str:
    return base64.b64encode(axis(WIDTH, at)).decode()


def test_the_object_has_every_key_of_the_contract(cli: Cli, project: Path) -> None:
    ran = cli("search", project, "--query", "ssh port", "--vector", _vector(), "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.document
    assert tuple(found) == _TOP
    assert found["schema"] == "genizah.search/1"
    assert found["query"] == {
        "text": "ssh port",
        "uuid": None,
        "tokens": None,
        "truncated": None,
        "terms": ["port", "ssh"],
        "dropped_terms": [],
        "expression": '"port" OR "ssh"',
    }
    assert set(found["settings"]) == _SETTINGS
    assert found["settings"]["retrieval.rrf_k"] == {"value": 60, "source": "default"}
    assert found["settings"]["embedding.embed_dim"] == {"value": WIDTH, "source": "store_file"}
    (store,) = found["stores"]
    assert store == {
        "path": str(project / ".zikaron" / "memory.db"),
        "store_id": STORE_ID,
        "schema_version": 4,
        "memories": 64,
        "chunks": 64,
        "embed_model": STUB_MODEL,
        "searched": "hybrid",
        "reason": None,
    }
    dense = {"ran": True, "depth_reached": 51, "stop_reason": "depth_reached", "reason": None}
    lexical = {"ran": True, "depth_reached": 1, "stop_reason": "index_exhausted", "reason": None}
    assert found["arms"] == {"dense": dense, "lexical": lexical}
    assert found["groups"] == [{"id": 0, "stores": [0], "reason": None, "arms": found["arms"]}]
    assert (found["limit"], found["incomplete"]) == (5, False)


def test_a_hit_has_every_key_and_the_numbers_of_the_ranking(cli: Cli, project: Path) -> None:
    found = cli("search", project, "--query", "ssh port", "--vector", _vector(), "--json").document
    assert [tuple(h) for h in found["hits"]] == [_HIT] * 50
    assert [h["position"] for h in found["hits"]] == list(range(1, 51))
    (old,) = [h for h in found["hits"] if h["uuid"] == uuid_of("old")]
    assert (found["hits"][0]["uuid"], found["hits"][0]["moved_by_repair"]) == (uuid_of("new"), 1)
    assert old == {
        **old,
        "position": 2,
        "moved_by_repair": -1,
        "store": 0,
        "store_id": STORE_ID,
        "group": 0,
        "state": "superseded",
        "tier": "journal",
        "gist": "ssh port is 22",
        "superseded_by": uuid_of("new"),
        "rrf_score": 2 / 61,
        "penalty": 0.5,
        "fused_score": 1 / 61,
        "dense": {"rank": 1, "distance": 0.0},
    }
    assert (old["lexical"]["rank"], old["lexical"]["bm25"] < 0) == (1, True)
    for hit in found["hits"]:
        assert hit["fused_score"] == hit["rrf_score"] * hit["penalty"]
    assert sum(h["moved_by_repair"] for h in found["hits"]) == 0


def test_rows_that_only_contain_the_text_are_listed_apart(cli: Cli, project: Path) -> None:
    """The retired row and the glued word: neither is the word arm's, both hold the text."""
    found = cli("search", project, "--query", "ssh port", "--lexical-only", "--json").document
    assert [h["uuid"] for h in found["hits"]] == [uuid_of("old")]
    assert found["literal_total"] == 2
    assert found["literal"] == [
        {
            "uuid": uuid_of(name),
            "store": 0,
            "store_id": STORE_ID,
            "gist": gist,
            "where": "gist",
        }
        for name, gist in sorted(
            (("gone", "ssh port was 21"), ("glued", "openssh ports list")),
            key=lambda pair: uuid_of(pair[0]),
        )
    ]


@pytest.mark.parametrize("store", ["oracle", "demo"])
@pytest.mark.timeout(120)
def test_recorded_queries_in_one_run_give_the_recorded_pools(
    store: str, cli: Cli, tmp_path: Path
) -> None:
    if store == "oracle":
        source, expected = oracle_folder() / "single", oracle_folder() / "single" / "expected.json"
    else:
        source, expected = DEMO_BUNDLE, DEMO_RECORDED
    project = copy_project(source, tmp_path / "project")
    cases: list[dict[str, Any]] = json.loads(expected.read_text("utf-8"))["external"]
    queries = tmp_path / "queries.jsonl"
    names = ("query", "include_retired", "vector")
    queries.write_text("".join(json.dumps({n: c[n] for n in names}) + "\n" for c in cases))
    ran = cli("search", project, "--queries", queries, "--json")
    assert ran.code == 0
    assert len(ran.documents) == len(cases)
    for found, case in zip(ran.documents, cases, strict=True):
        assert _pool(found) == _recorded_pool(case), case["query"]
        query = found["query"]
        assert (query["tokens"], query["truncated"]) == (
            case["query_tokens"],
            case["query_truncated"],
        )
        assert (query["terms"], query["expression"]) == (case["terms"], case["expression"])
        for arm in ("dense", "lexical"):
            assert {n: found["arms"][arm][n] for n in case[arm]} == case[arm]


def _pool(found: dict[str, Any]) -> list[tuple[object, ...]]:
    return [
        (
            *(h["uuid"], h["fused_score"], h["state"]),
            *(None if h[arm] is None else h[arm]["rank"] for arm in ("dense", "lexical")),
            None if h["dense"] is None else pytest.approx(h["dense"]["distance"], abs=1e-6),
        )
        for h in found["hits"]
    ]


def _recorded_pool(case: dict[str, Any]) -> list[tuple[object, ...]]:
    names = ("uuid", "fused_score", "state", "dense_rank", "lexical_rank", "best_distance")
    return [tuple(row[n] for n in names) for row in case["pool"]]


def test_include_retired_widens_the_search(cli: Cli, project: Path) -> None:
    base = ("search", project, "--query", "ssh port", "--lexical-only", "--json")
    assert [h["uuid"] for h in cli(*base).document["hits"]] == [uuid_of("old")]
    wide = cli(*base, "--include-retired").document["hits"]
    assert {h["uuid"]: (h["state"], h["penalty"]) for h in wide} == {
        uuid_of("old"): ("superseded", 0.5),
        uuid_of("gone"): ("retired", 0.5),
    }


def test_words_only_says_that_the_meaning_arm_did_not_run(cli: Cli, project: Path) -> None:
    found = cli("search", project, "--query", "ssh", "--lexical-only", "--json").document
    dense = found["arms"]["dense"]
    assert (dense["ran"], dense["depth_reached"], dense["stop_reason"]) == (False, None, None)
    assert dense["reason"]
    assert found["stores"][0]["searched"] == "lexical"
    assert found["stores"][0]["reason"] == dense["reason"]
    assert "dense_arm_off" in [n["code"] for n in found["notices"]]
    assert [h["dense"] for h in found["hits"]] == [None]


def test_a_text_without_words_skips_the_word_arm(cli: Cli, project: Path) -> None:
    found = cli("search", project, "--query", "*", "--vector", _vector(), "--json").document
    lexical = found["arms"]["lexical"]
    assert (lexical["ran"], lexical["depth_reached"], lexical["stop_reason"]) == (
        False,
        None,
        None,
    )
    assert found["query"]["expression"] is None
    assert "lexical_arm_skipped" in [n["code"] for n in found["notices"]]


def test_the_limit_cuts_words_and_never_the_object(cli: Cli, project: Path) -> None:
    base = ("search", project, "--query", "ssh port", "--vector", _vector(), "--limit", "2")
    found = cli(*base, "--json").document
    assert (found["limit"], len(found["hits"])) == (2, 50)
    text = cli(*base).text
    assert text.startswith("2 of 50 found in 64 memories\n")
    assert text.count("words ") == 2
    assert "\n\n" not in text


def test_a_store_without_a_hit_is_done_all_the_same(cli: Cli, project: Path) -> None:
    ran = cli("search", project, "--query", "zarquon", "--lexical-only", "--json")
    assert (ran.code, ran.document["hits"], ran.document["literal_total"]) == (0, [], 0)


@pytest.mark.parametrize("limit", ["0", "51", "-1", "five", "2.5", ""])
def test_a_limit_out_of_range_is_usage(limit: str, cli: Cli, project: Path) -> None:
    ran = cli("search", project, "--query", "x", "--limit", limit)
    assert (ran.code, ran.out) == (2, b"")
    assert "1 to 50" in ran.err


@pytest.mark.parametrize("text", ["", "   ", "\t\n", "\u3000", "\u200b"])
def test_a_blank_query_is_refused_and_no_model_is_asked_a10(
    text: str, cli: Cli, project: Path
) -> None:
    ran = cli("search", project, "--query", text, "--json")
    assert ran.code == 2
    assert set(ran.document) == _ERROR
    assert ran.document["code"] == "usage"
    assert "empty" in ran.err
    assert cli("search", project, "--query", "-", stdin=text.encode()).code == 2


@pytest.mark.parametrize(
    "argv",
    [
        ("--query", "x", "--queries", "file"),
        (),
        ("--query", "x", "--no-such-flag"),
        ("--query",),
        ("--queries", "absent.jsonl"),
        ("--queries", "."),
        ("--queries", "x.jsonl", "--vector", "AAAAAA=="),
        ("--query", "x", "--vector", "not base64"),
        ("--query", "x", "--vector", "AAAA"),
        ("--query", "x", "--vector", ""),
        ("--query", "x", "--vector", "AADAfw=="),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_bad_line_is_usage_with_one_sentence(
    argv: tuple[str, ...], as_json: bool, cli: Cli, project: Path
) -> None:
    ran = cli("search", project, *argv, *(["--json"] if as_json else []))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("genizah")
    if as_json:
        assert set(ran.document) == _ERROR
        assert (ran.document["ok"], ran.document["schema"]) == (False, "genizah.error/1")
    else:
        assert ran.out == b""


def test_a_vector_of_another_width_is_refused_in_numbers(cli: Cli, project: Path) -> None:
    wide = base64.b64encode(axis(WIDTH + 1, 0)).decode()
    ran = cli("search", project, "--query", "x", "--vector", wide, "--json")
    assert ran.code == 2
    assert ran.document["fields"] == {"found": WIDTH + 1, "expected": WIDTH}


def test_a_query_comes_from_standard_input(cli: Cli, project: Path) -> None:
    base = ("search", project, "--query", "-", "--lexical-only", "--json")
    ran = cli(*base, stdin=b"ssh \xc3\xbc\n")
    assert ran.document["query"]["text"] == "ssh ü"


def test_half_surrogates_and_odd_bytes_survive(cli: Cli, project: Path, tmp_path: Path) -> None:
    base = ("search", project, "--lexical-only", "--json")
    assert cli(*base, "--query", "ssh \ud83d").document["query"]["text"] == "ssh \ud83d"
    odd = cli(*base, "--query", "-", stdin=b"ssh \xff").document["query"]["text"]
    assert odd == "ssh \udcff"
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"query": "ssh \\ud83d"}\n')
    (found,) = cli(*base, "--queries", queries).documents
    assert found["query"]["text"] == "ssh \ud83d"
    assert b"\\ud83d" in cli(*base, "--queries", queries).out


def test_the_nearest_store_above_the_working_folder_is_searched(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = project / "src" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    found = cli("search", "--query", "ssh", "--lexical-only", "--json").document
    assert found["stores"][0]["path"] == str(project / ".zikaron" / "memory.db")


def test_without_a_store_anywhere_the_sentence_says_what_to_do(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("search", "--query", "x", "--json")
    assert (ran.code, ran.document["code"]) == (4, "no_store")
    assert "genizah demo" in ran.err


def test_a_store_named_like_a_command_needs_a_dot(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_store(tmp_path / "check", [Memory("a", "zarquon")])
    monkeypatch.chdir(tmp_path)
    found = cli("search", "./check", "--query", "zarquon", "--lexical-only", "--json").document
    assert [h["uuid"] for h in found["hits"]] == [uuid_of("a")]
