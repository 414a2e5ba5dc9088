"""`genizah search STORE...`: several stores as one, groups apart, the truth about each."""

import base64
import json
import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.faulty_driver import READ_FAILED, install
from tests.support.federating import numbered_store, store_id_of
from tests.support.oracle import copy_project, oracle_folder
from tests.support.recorded import Recorded, read_recorded
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import axis

_VECTOR = base64.b64encode(axis(WIDTH, 0)).decode()
_CONFIG = '[embedding]\nembed_model = "stub/words"\nembed_dim = 16\nembed_prefix_query = ""\n'


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Give two stores: a row of the second replaces nothing, both hold the word."""
    first = numbered_store(tmp_path, 1, [Memory("a", "zarquon here"), *distractors(5)])
    rows = [Memory("b", "zarquon there"), Memory("c", "other"), Memory("d", "openzarquonia")]
    return first, numbered_store(tmp_path, 2, rows)


def _broken(folder: Path) -> Path:
    project = build_store(folder, [Memory("x", "zarquon")])
    (project / ".zikaron" / "memory.db").write_bytes(b"SQLite format 3\0" + b"rubbish" * 999)
    return project


def test_the_object_names_stores_groups_and_the_store_of_every_row(
    cli: Cli, two: tuple[Path, Path]
) -> None:
    ran = cli("search", *two, "--query", "zarquon", "--vector", _VECTOR, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.document
    assert [s["store_id"] for s in found["stores"]] == [store_id_of(1), store_id_of(2)]
    assert [s["searched"] for s in found["stores"]] == ["hybrid", "hybrid"]
    assert [s["memories"] for s in found["stores"]] == [6, 3]
    (group,) = found["groups"]
    assert (group["id"], group["stores"], group["reason"]) == (0, [0, 1], None)
    assert group["arms"] == found["arms"]
    by_uuid = {h["uuid"]: h for h in found["hits"]}
    assert len(by_uuid) == 9
    assert [h["position"] for h in found["hits"]] == list(range(1, 10))
    a, b = by_uuid[uuid_of("a")], by_uuid[uuid_of("b")]
    assert (a["store"], a["store_id"], a["group"]) == (0, store_id_of(1), 0)
    assert (b["store"], b["store_id"], b["group"]) == (1, store_id_of(2), 0)
    assert {a["lexical"]["rank"], b["lexical"]["rank"]} == {1, 2}
    assert found["incomplete"] is False


def test_every_recorded_search_of_the_oracle_is_the_same_over_its_three_parts(
    cli: Cli, tmp_path: Path
) -> None:
    recorded: Recorded = read_recorded(oracle_folder() / "single" / "expected.json")
    names = ("part0", "part1", "part2")
    parts = [copy_project(oracle_folder() / "parts" / n, tmp_path / n) for n in names]
    queries = tmp_path / "queries.jsonl"
    cases = recorded.external[::10]
    lines = [
        {
            "query": c.query,
            "include_retired": c.include_retired,
            "vector": base64.b64encode(c.vector).decode(),
        }
        for c in cases
    ]
    queries.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = cli("search", *parts, "--queries", queries, "--json")
    assert ran.code == 0
    for case, found in zip(cases, ran.documents, strict=True):
        ours = [(h["uuid"], h["fused_score"]) for h in found["hits"]]
        assert ours == [(row[0], row[1]) for row in case.answer.pool], case.query


def test_in_words_every_row_has_the_mark_of_its_store(cli: Cli, two: tuple[Path, Path]) -> None:
    text = cli("search", *two, "--query", "zarquon", "--lexical-only").text
    first, second = (str(p / ".zikaron" / "memory.db") for p in two)
    assert text.startswith(f"[1] {first}: searched by words only")
    assert f"\n[2] {second}: searched by words only" in text
    assert "\n[1] [2]  2 of 2 found in 9 memories\n" in text
    assert ". [1]  zarquon here\n" in text
    assert ". [2]  zarquon there\n" in text
    assert f"[2]  {uuid_of('d')}  openzarquonia" in text


def test_rows_that_only_contain_the_text_come_from_every_store_with_one_total(
    cli: Cli, tmp_path: Path
) -> None:
    glued = [[Memory(f"{n}.{m}", f"openzarquon{n}{m}") for m in range(150)] for n in range(2)]
    stores = [numbered_store(tmp_path, n, rows) for n, rows in enumerate(glued)]
    found = cli("search", *stores, "--query", "zarquon", "--lexical-only", "--json").document
    assert (len(found["literal"]), found["literal_total"]) == (200, 300)
    assert {m["store"] for m in found["literal"]} == {0, 1}
    assert all(m["store_id"] == store_id_of(m["store"]) for m in found["literal"])


def test_a44_a_store_that_cannot_be_opened_has_its_line_and_the_others_answer(
    cli: Cli, two: tuple[Path, Path], tmp_path: Path
) -> None:
    stores = (two[0], _broken(tmp_path / "broken"), tmp_path / "missing", two[1])
    argv = ("search", *stores, "--query", "zarquon", "--vector", _VECTOR, "--json")
    ran = cli(*argv)
    found = ran.document
    assert ran.code == 0
    assert [s["searched"] for s in found["stores"]] == ["hybrid", "failed", "failed", "hybrid"]
    assert str(tmp_path / "missing") in found["stores"][2]["reason"]
    assert found["stores"][2]["memories"] is None
    assert found["groups"][0]["stores"] == [0, 3]
    assert {h["store"] for h in found["hits"]} == {0, 3}
    assert found["incomplete"] is True
    strict = cli(*argv, "--strict")
    assert (strict.code, strict.document["code"]) == (3, "incomplete")
    assert strict.document["reason"] == "store_failed"


def test_a_store_that_cannot_be_looked_through_is_named_and_strict_refuses_the_result(
    cli: Cli, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = install(monkeypatch)
    driver.folder, driver.within, driver.fault = two[1], "content FROM memory", READ_FAILED
    argv = ("search", *two, "--query", "zarquon", "--lexical-only")
    ran = cli(*argv, "--json")
    found = ran.document
    assert driver.raised
    assert (ran.code, found["incomplete"], len(found["hits"])) == (0, True, 2)
    (told,) = [n["text"] for n in found["notices"] if n["code"] == "stores_failed"]
    assert told.startswith("Incomplete: 1 of 2 stores could not be looked through for the text")
    assert str(two[1]) in told
    assert f"stores_failed: {told}" in cli(*argv).err
    strict = cli(*argv, "--strict", "--json")
    assert (strict.code, strict.document["code"]) == (3, "incomplete")
    assert strict.document["reason"] == "store_failed"
    assert str(two[1]) in strict.document["message"]


def test_all_stores_failed_is_the_first_ones_error(cli: Cli, tmp_path: Path) -> None:
    stores = (tmp_path / "missing", _broken(tmp_path / "broken"))
    ran = cli("search", *stores, "--query", "zarquon", "--json")
    assert (ran.code, ran.document["code"]) == (4, "no_store")
    assert "None of the 2 stores could be searched" in ran.document["message"]
    first, second = ran.document["fields"]["stores"]
    assert first["code"] == "no_store"
    assert second["path"].startswith(str(tmp_path / "broken"))


def test_a_store_named_twice_is_searched_once(cli: Cli, two: tuple[Path, Path]) -> None:
    again = two[0] / ".zikaron" / "memory.db"
    found = cli("search", two[0], again, "--query", "zarquon", "--lexical-only", "--json").document
    assert len(found["stores"]) == 1
    assert found == cli("search", two[0], "--query", "zarquon", "--lexical-only", "--json").document


def test_a_store_that_cannot_be_opened_is_counted_once_however_often_it_is_named(
    cli: Cli, two: tuple[Path, Path], tmp_path: Path
) -> None:
    broken = _broken(tmp_path / "broken")
    twice = (broken, broken / ".zikaron", broken / ".zikaron" / "memory.db")
    found = cli("search", two[0], *twice, "--query", "zarquon", "--lexical-only", "--json").document
    assert [s["searched"] for s in found["stores"]] == ["lexical", "failed"]
    alone = cli("search", *twice, "--query", "zarquon")
    assert alone.code == 4
    assert "None of the" not in alone.err


def test_a_copy_is_named_and_one_that_went_its_own_way_stands_apart(
    cli: Cli, two: tuple[Path, Path], tmp_path: Path
) -> None:
    same = shutil.copytree(two[0], tmp_path / "same")
    other = shutil.copytree(two[0], tmp_path / "other")
    with writing(other) as raw:
        raw.execute("UPDATE memory SET gist = 'changed since' WHERE uuid = ?", (uuid_of("a"),))
    argv = ("search", *two, same, other, "--query", "zarquon", "--vector", _VECTOR)
    found = cli(*argv, "--json").document
    assert [s["searched"] for s in found["stores"]] == ["hybrid", "hybrid", "copy_of", "hybrid"]
    assert str(two[0]) in found["stores"][2]["reason"]
    assert [g["stores"] for g in found["groups"]] == [[0, 1], [3]]
    apart = found["groups"][1]["reason"]
    assert str(two[0]) in apart
    assert str(other) in apart
    assert [h["group"] for h in found["hits"]] == [0] * 9 + [1] * 6
    assert [h["position"] for h in found["hits"]] == [*range(1, 10), *range(1, 7)]
    assert f"apart: {apart}" in cli(*argv).text


def test_stores_of_one_id_without_a_memory_in_common_are_said_to_be_that(
    cli: Cli, tmp_path: Path
) -> None:
    stores = [build_store(tmp_path / n, [Memory(n, f"zarquon {n}")]) for n in ("one", "other")]
    found = cli("search", *stores, "--query", "zarquon", "--lexical-only", "--json").document
    assert [g["stores"] for g in found["groups"]] == [[0], [1]]
    reason = found["groups"][1]["reason"]
    assert "are one store by their id" in reason
    assert "in common" not in reason
    assert all(str(store) in reason for store in stores)


def test_a_vector_serves_the_stores_of_its_width_and_the_others_say_why_not(
    cli: Cli, two: tuple[Path, Path], tmp_path: Path
) -> None:
    wide = build_store(
        tmp_path / "wide", [Memory("w", "zarquon wide")], width=8, meta={"store_id": store_id_of(9)}
    )
    argv = ("search", *two, wide, "--query", "zarquon", "--vector", _VECTOR, "--json")
    found = cli(*argv).document
    assert [s["searched"] for s in found["stores"]] == ["hybrid", "hybrid", "lexical"]
    assert "16 ≠ 8" in found["stores"][2]["reason"]
    assert "8 wide" in found["groups"][1]["reason"]
    assert found["incomplete"] is True


def test_the_first_stores_ranking_settings_hold_and_the_difference_is_told(
    cli: Cli, tmp_path: Path
) -> None:
    config = _CONFIG + "[retrieval]\nrrf_k = 10\n"
    first = numbered_store(tmp_path, 1, [Memory("a", "zarquon")], config=config)
    second = numbered_store(tmp_path, 2, [Memory("b", "zarquon zarquon")])
    argv = ("--query", "zarquon", "--lexical-only", "--json")
    found = cli("search", first, second, *argv).document
    assert found["settings"]["retrieval.rrf_k"]["value"] == 10
    assert found["hits"][0]["fused_score"] == 1 / 11
    (told,) = [n["text"] for n in found["notices"] if n["code"] == "settings_differ"]
    assert "retrieval.rrf_k is 10 in store1, 60 in store2" in told
    turned = cli("search", second, first, *argv).document
    assert turned["hits"][0]["fused_score"] == 1 / 61


def test_a43_stores_of_one_name_are_told_apart_by_their_paths_in_what_is_said(
    cli: Cli, tmp_path: Path
) -> None:
    config = _CONFIG + "[retrieval]\nrrf_k = 10\n"
    first = numbered_store(tmp_path / "work", 1, [Memory("a", "zarquon")], config=config)
    other = build_store(tmp_path / "home" / "store1", [Memory("b", "zarquon")])
    found = cli("search", first, other, "--query", "zarquon", "--lexical-only", "--json").document
    (told,) = [n["text"] for n in found["notices"] if n["code"] == "settings_differ"]
    here, there = (s["path"] for s in found["stores"])
    assert f"retrieval.rrf_k is 10 in {here}, 60 in {there}. Those of {here} hold for all." in told


def test_similar_takes_one_store(cli: Cli, two: tuple[Path, Path]) -> None:
    assert cli("similar", two[0], two[1], uuid_of("a")).code == 2
