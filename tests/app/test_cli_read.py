"""`genizah similar`, `show` and `check`: their objects, uuid prefixes, and what is found wrong."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.oracle import DEMO_BUNDLE, DEMO_RECORDED, copy_project
from tests.support.recorded import read_recorded
from tests.support.stores import (
    STORE_ID,
    WIDTH,
    Memory,
    build_store,
    distractors,
    uuid_of,
    writing,
)
from tests.support.stub_encoder import axis, packed

_CHECK = (
    *("schema", "path", "store_id", "schema_version", "counts", "settings", "model", "deep"),
    *("problems", "notices"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store with a chain of three, near and far rows."""
    near = packed([0.9, 0.1, *[0.0] * (WIDTH - 2)])
    rows = [
        Memory("first", "quay opens at six", by="second", vectors=(axis(WIDTH, 0),)),
        Memory("second", "quay opens at seven", by="third", vectors=(axis(WIDTH, 0),)),
        Memory("third", "quay opens at eight", vectors=(axis(WIDTH, 0),)),
        Memory("near", "pier opens at eight", vectors=(near,)),
        Memory("gone", "quay is shut", active=False, vectors=(axis(WIDTH, 0),)),
    ]
    return build_store(tmp_path / "project", [*rows, *distractors(60)])


def test_similar_searches_live_rows_by_a_memory_and_leaves_itself_out(
    cli: Cli, project: Path
) -> None:
    ran = cli("similar", project, uuid_of("third"), "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.document
    assert found["schema"] == "genizah.search/1"
    assert (found["query"]["uuid"], found["query"]["text"]) == (uuid_of("third"), None)
    assert found["query"]["tokens"] is None
    assert found["hits"][0]["uuid"] == uuid_of("near")
    assert {h["state"] for h in found["hits"]} == {"live"}
    assert uuid_of("third") not in {h["uuid"] for h in found["hits"]}
    assert (found["literal"], found["literal_total"]) == ([], 0)


def test_similar_to_a_replaced_or_retired_memory_works_too(cli: Cli, project: Path) -> None:
    for name in ("first", "gone"):
        found = cli("similar", project, uuid_of(name), "--json").document
        assert found["hits"][0]["uuid"] == uuid_of("third")


def test_recorded_searches_by_a_memory_give_the_recorded_pools(cli: Cli, tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    for case in read_recorded(DEMO_RECORDED).internal:
        found = cli("similar", project, case.uuid, "--json").document
        assert found["query"]["expression"] == case.answer.expression
        rank = {
            arm: {h["uuid"]: h[arm]["rank"] for h in found["hits"] if h[arm] is not None}
            for arm in ("dense", "lexical")
        }
        assert [
            (h["uuid"], h["fused_score"], *(rank[a].get(h["uuid"]) for a in ("dense", "lexical")))
            for h in found["hits"]
        ] == [row[:4] for row in case.answer.pool]


@pytest.mark.parametrize("command", ["similar", "show"])
def test_a_unique_beginning_of_four_characters_names_a_memory(
    command: str, cli: Cli, project: Path
) -> None:
    whole = cli(command, project, uuid_of("third"), "--json")
    assert cli(command, project, uuid_of("third")[:8], "--json").out == whole.out
    ran = cli(command, project, uuid_of("third")[:3], "--json")
    assert (ran.code, ran.document["code"]) == (2, "ambiguous")


@pytest.mark.parametrize("command", ["similar", "show"])
@pytest.mark.parametrize("uuid", ["ffffffff", "%%%%", "____", "\udcff" * 4, "\x00" * 5, "x" * 500])
def test_an_unknown_memory_is_refused_by_name(
    command: str, uuid: str, cli: Cli, project: Path
) -> None:
    ran = cli(command, project, uuid, "--json")
    assert (ran.code, ran.document["code"]) == (3, "not_found")
    assert ran.document["fields"] == {"uuid": uuid}


def test_an_ambiguous_beginning_lists_what_it_could_be(cli: Cli, tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "one"), Memory("b", "two")])
    with writing(tmp_path) as raw:
        for name, tail in (("a", "1"), ("b", "2")):
            raw.execute("UPDATE memory SET uuid = ? WHERE uuid = ?", (f"abcd{tail}", uuid_of(name)))
    ran = cli("show", tmp_path, "abcd", "--json")
    assert (ran.code, ran.document["code"]) == (2, "ambiguous")
    assert ran.document["fields"]["matches"] == ["abcd1", "abcd2"]


def test_a_memory_without_a_chunk_has_no_neighbours(cli: Cli, tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("bare", "no vector", vectors=()), *distractors(3)])
    ran = cli("similar", tmp_path, uuid_of("bare"), "--json")
    assert (ran.code, ran.document["code"]) == (3, "not_found")


def test_show_gives_the_whole_memory_its_lineage_and_its_events(cli: Cli, project: Path) -> None:
    with writing(project) as raw:
        raw.executemany(
            "INSERT INTO event (at, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES (?, 'mcp', 'op', ?, ?, ?)",
            [
                ("2026-03-01T12:00:00+00:00", "remember", uuid_of("second"), '{"version": 1}'),
                ("2026-03-02T12:00:00+00:00", "fetch", uuid_of("second"), '{"found": true}'),
            ],
        )
    found = cli("show", project, uuid_of("second"), "--json").document
    memory: dict[str, Any] = found["memory"]
    assert (found["schema"], found["store_id"]) == ("genizah.show/1", STORE_ID)
    assert (memory["uuid"], memory["state"]) == (uuid_of("second"), "superseded")
    assert (memory["gist"], memory["content"]) == ("quay opens at seven", "nothing else")
    assert (memory["superseded_by"], memory["damaged_text"]) == (uuid_of("third"), False)
    assert [(r["uuid"], r["state"]) for r in found["lineage"]["replaced_by"]] == [
        (uuid_of("third"), "live")
    ]
    assert [r["uuid"] for r in found["lineage"]["replaces"]] == [uuid_of("first")]
    assert [e["kind"] for e in found["events"]] == ["fetch", "remember"]
    assert found["events"][0]["detail"] == '{"found": true}'
    text = cli("show", project, uuid_of("second")).text
    assert "nothing else" in text
    assert f"replaced by {uuid_of('third')}" in text


def test_a_replacement_that_is_missing_is_said_so(cli: Cli, project: Path) -> None:
    with writing(project) as raw:
        nobody = "UPDATE memory SET superseded_by = 'nobody' WHERE uuid = ?"
        raw.execute(nobody, (uuid_of("first"),))
    found = cli("show", project, uuid_of("first"), "--json").document
    assert found["lineage"]["replaced_by"] == [
        {"uuid": "nobody", "missing": True, "state": None, "gist": None}
    ]
    assert "replaced by nobody, which is missing" in cli("show", project, uuid_of("first")).text


def test_check_of_a_sound_store_counts_and_finds_nothing(cli: Cli, tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    before = all_digests(project)
    ran = cli("check", project, "--deep", "--json")
    found = ran.document
    assert tuple(found) == _CHECK
    assert (found["schema"], found["deep"]) == ("genizah.check/1", True)
    rows = sqlite3.connect(f"file:{project}/.zikaron/memory.db?mode=ro", uri=True)
    total, live, replaced, chunks = rows.execute(
        "SELECT count(*), sum(active), count(superseded_by), "
        "(SELECT count(*) FROM memory_chunk) FROM memory"
    ).fetchone()
    rows.close()
    assert found["counts"] == {
        "memories": total,
        "live": live,
        "superseded": replaced,
        "retired": total - live - replaced,
        "chunks": chunks,
        "vectors": chunks,
    }
    assert found["model"] == {
        "name": "genizah/all-minilm-l6-v2-int8",
        "width": 384,
        "available": True,
        "reason": None,
        "fingerprint": found["model"]["fingerprint"],
    }
    assert re.fullmatch("[0-9a-f]{64}", found["model"]["fingerprint"])
    assert {p["code"] for p in found["problems"]} <= {"dead_head"}
    assert ran.code == (1 if found["problems"] else 0)
    assert all_digests(project) == before


def _spoil(project: Path) -> None:
    nan = packed([float("nan")] * WIDTH)
    with writing(project) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        for sql, *values in (
            ("UPDATE memory SET superseded_by = 'nobody', active = 0 WHERE uuid = ?", "d0"),
            ("UPDATE memory SET superseded_by = ?, active = 0 WHERE uuid = ?", "c2", "c1"),
            ("UPDATE memory SET superseded_by = ?, active = 0 WHERE uuid = ?", "c1", "c2"),
            ("UPDATE memory SET superseded_by = ?, active = 0 WHERE uuid = ?", "r2", "r1"),
            ("UPDATE memory SET active = 0 WHERE uuid = ?", "r2"),
            ("UPDATE memory SET gist = char(10) || char(9) WHERE uuid = ?", "b1"),
            ("UPDATE memory SET content = char(8203) WHERE uuid = ?", "b2"),
            ("UPDATE memory SET version = 'abc' WHERE uuid = ?", "v1"),
            ("UPDATE memory SET gist = CAST(x'6869eda0bd' AS TEXT) WHERE uuid = ?", "x1"),
            ("DELETE FROM memory_chunk WHERE memory_uuid = ?", "n1"),
            ("UPDATE memory_chunk SET embed_model = 'other' WHERE memory_uuid = ?", "m1"),
        ):
            raw.execute(sql, [uuid_of(v) for v in values])
        raw.execute(
            "DELETE FROM memory_vec WHERE rowid = "
            "(SELECT chunk_id FROM memory_chunk WHERE memory_uuid = ?)",
            (uuid_of("n2"),),
        )
        raw.execute(
            "UPDATE memory_vec SET embedding = ? WHERE rowid = "
            "(SELECT chunk_id FROM memory_chunk WHERE memory_uuid = ?)",
            (nan, uuid_of("n3")),
        )


def test_check_names_every_kind_of_problem_and_exits_1(cli: Cli, tmp_path: Path) -> None:
    names = ["d0", "c1", "c2", "r1", "r2", "b1", "b2", "v1", "x1", "n1", "n2", "n3", "m1"]
    rows = [Memory(n, f"row {n}") for n in names]
    project = build_store(tmp_path / "p", [*rows, *distractors(5)])
    _spoil(project)
    before = all_digests(project)
    ran = cli("check", project, "--json")
    assert ran.code == 1
    found = {(p["code"], p["uuid"]) for p in ran.document["problems"]}
    expected = {
        "dangling": ["d0"],
        "cycle": ["c1", "c2"],
        "dead_head": ["r1"],
        "blank_text": ["b1", "b2"],
        "odd_version": ["v1"],
        "damaged_text": ["x1"],
        "no_chunk": ["n1"],
        "no_vector": ["n2"],
        "vector_not_finite": ["n3"],
        "other_model": ["m1"],
    }
    assert found == {
        *((code, uuid_of(n)) for code, rows in expected.items() for n in rows),
        ("stray_vector", None),
    }
    assert ran.document["deep"] is False
    deep = cli("check", project, "--deep", "--json")
    assert {p["code"] for p in deep.document["problems"]} - {c for c, _ in found} == {
        "index_out_of_date"
    }
    assert cli("check", project).text.endswith(f"{len(found)} problem(s) found\n")
    assert all_digests(project) == before


def test_an_index_behind_its_texts_is_called_out_of_date_a20(cli: Cli, project: Path) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET content = 'new' WHERE uuid = ?", (uuid_of("near"),))
    assert cli("check", project).code == 0
    ran = cli("check", project, "--deep", "--json")
    assert ran.code == 1
    (problem,) = ran.document["problems"]
    assert (problem["code"], problem["uuid"]) == ("index_out_of_date", None)
    assert "out of date" in problem["text"]


def test_a_chain_longer_than_the_agents_limit_is_a_problem(cli: Cli, tmp_path: Path) -> None:
    chain = [
        Memory(f"c{n}", f"link {n}", by=f"c{n + 1}" if n < 33 else None) for n in range(34)
    ]
    build_store(tmp_path, chain)
    ran = cli("check", tmp_path, "--json")
    assert [(p["code"], p["uuid"]) for p in ran.document["problems"]] == [
        ("depth_cap", uuid_of("c0"))
    ]


def test_check_finds_the_store_above_and_says_where_settings_come_from(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    found = cli("check", "--json").document
    assert found["path"] == str(project / ".zikaron" / "memory.db")
    assert found["settings"]["embedding.embed_dim"] == {"value": WIDTH, "source": "store_file"}
    assert found["settings"]["retrieval.rrf_k"]["source"] == "default"
    assert found["model"]["available"] is False
    assert "stub/words" in found["model"]["reason"]


def test_notices_stand_beside_the_words_of_similar_and_check(cli: Cli, tmp_path: Path) -> None:
    """The defaults name another model than the store's."""
    project = build_store(tmp_path, [Memory("a", "one"), Memory("b", "two")], config="")
    for argv in (("similar", project, uuid_of("a")), ("check", project)):
        ran = cli(*argv)
        assert ran.code == 0
        assert "settings_differ_from_meta: " in ran.err
        assert "settings_differ_from_meta" not in ran.text


def test_problems_stay_in_the_result_of_check(cli: Cli, project: Path) -> None:
    with writing(project) as raw:
        nobody = "UPDATE memory SET superseded_by = 'nobody', active = 0 WHERE uuid = ?"
        raw.execute(nobody, (uuid_of("first"),))
    ran = cli("check", project)
    assert "dangling: " in ran.text
    assert "dangling" not in ran.err
