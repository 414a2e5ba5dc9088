"""Degraded modes through the command line: the words still answer, and a notice says why."""

import base64
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.retrieval import fastembed_encoder
from core.retrieval.artifacts import EMBEDDED_MODEL, embedded_artifact
from core.store import opening
from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import axis


def _codes(found: dict[str, Any]) -> set[str]:
    return {n["code"] for n in found["notices"]}


def _assert_lexical(found: dict[str, Any], says: str) -> None:
    assert [h["uuid"] for h in found["hits"]] == [uuid_of("a")]
    assert found["stores"][0]["searched"] == "lexical"
    assert not found["arms"]["dense"]["ran"]
    assert says in found["arms"]["dense"]["reason"]
    assert "dense_arm_off" in _codes(found)
    assert found["incomplete"] is True


def test_a_model_of_another_width_leaves_the_words_a21(cli: Cli, tmp_path: Path) -> None:
    project = build_store(
        tmp_path, [Memory("a", "zarquon"), *distractors(5)], width=256, model=EMBEDDED_MODEL
    )
    before = all_digests(project)
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, "384 ≠ 256")
    assert all_digests(project) == before


def test_a_table_of_another_width_leaves_the_words_a21(cli: Cli, tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "zarquon")], width=384, table_width=256)
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, "256 ≠ 384")
    assert "width_mismatch" in _codes(ran.document)
    text = cli("search", project, "--query", "zarquon")
    assert "256 ≠ 384" in text.err
    assert "≠" not in text.text


def test_without_the_vector_extension_the_words_answer_a65(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "vec0_path", lambda: None)
    project = build_store(tmp_path, [Memory("a", "zarquon"), *distractors(5)])
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, "vec0")
    assert "no_vector_extension" in _codes(ran.document)


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_with_a_damaged_model_the_words_answer_a66(
    damage: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = embedded_artifact()
    copy = tmp_path / "model.onnx"
    shutil.copyfile(whole.model_file, copy)
    if damage == "cut":
        with copy.open("r+b") as file:
            file.truncate(1024)
    else:
        copy.unlink()
    damaged = replace(whole, model_file=copy)
    monkeypatch.setattr(fastembed_encoder, "embedded_artifact", lambda: damaged)
    rows = [Memory("a", "zarquon"), *distractors(5)]
    project = build_store(tmp_path / "p", rows, width=384, model=EMBEDDED_MODEL)
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, str(copy))


def test_a_model_that_is_not_here_leaves_the_words(cli: Cli, tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "zarquon"), *distractors(5)])
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, "stub/words")


def test_without_a_folder_of_our_own_the_words_answer(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GENIZAH_DATA_DIR", str(tmp_path / "file" / "below"))
    rows = [Memory("a", "zarquon"), *distractors(5)]
    project = build_store(tmp_path / "p", rows, width=384, model=EMBEDDED_MODEL)
    ran = cli("search", project, "--query", "zarquon", "--json")
    assert ran.code == 0
    _assert_lexical(ran.document, "GENIZAH_DATA_DIR")
    deep = cli("check", project, "--deep", "--json")
    assert (deep.code, deep.document["code"]) == (4, "store_io")


@pytest.mark.parametrize(
    ("prefix", "model", "expected"),
    [
        (None, EMBEDDED_MODEL, True),
        ('""', EMBEDDED_MODEL, False),
        ('"query: "', EMBEDDED_MODEL, False),
        (None, "BAAI/bge-small-en-v1.5", False),
    ],
)
def test_bges_own_prefix_on_another_model_gets_a_notice(
    prefix: str | None, model: str, expected: bool, cli: Cli, tmp_path: Path
) -> None:
    config = f'[embedding]\nembed_model = "{model}"\nembed_dim = 384\n'
    if prefix is not None:
        config += f"embed_prefix_query = {prefix}\n"
    build_store(tmp_path, [Memory("a", "zarquon")], width=384, model=model, config=config)
    found = cli("search", tmp_path, "--query", "zarquon", "--lexical-only", "--json").document
    assert ("prefix_of_other_model" in _codes(found)) == expected


def test_settings_of_another_model_are_said_with_both_values(cli: Cli, tmp_path: Path) -> None:
    """The defaults name BGE; the store was made with another model."""
    build_store(tmp_path, [Memory("a", "zarquon")], config="")
    found = cli("search", tmp_path, "--query", "zarquon", "--lexical-only", "--json").document
    (notice,) = [n for n in found["notices"] if n["code"] == "settings_differ_from_meta"]
    for value in ("BAAI/bge-small-en-v1.5", "384", "stub/words", str(WIDTH)):
        assert value in notice["text"]


def test_an_infinite_distance_is_null_with_a_notice(cli: Cli, tmp_path: Path) -> None:
    rows = [Memory("a", "zarquon", vectors=(axis(WIDTH, 0, float("inf")),)), *distractors(5)]
    build_store(tmp_path, rows)
    vector = base64.b64encode(axis(WIDTH, 0)).decode()
    found = cli("search", tmp_path, "--query", "zarquon", "--vector", vector, "--json").document
    (hit,) = [h for h in found["hits"] if h["uuid"] == uuid_of("a")]
    assert hit["dense"] == {"rank": 6, "distance": None}
    assert "not_finite" in _codes(found)


def test_a_damaged_text_is_shown_and_survives_in_json_a33(cli: Cli, tmp_path: Path) -> None:
    build_store(tmp_path, [Memory(f"m{n}", f"note {n}", f"about {n}") for n in range(10)])
    with writing(tmp_path) as raw:
        raw.execute(
            "UPDATE memory SET gist = CAST(x'6869eda0bd' AS TEXT) WHERE uuid = ?", (uuid_of("m4"),)
        )
    base = ("search", tmp_path, "--query", "about", "--lexical-only")
    gists = {h["gist"] for h in cli(*base, "--json").document["hits"]}
    assert {f"note {n}" for n in range(10) if n != 4} < gists
    assert len(gists) == 10
    assert "hi�" in cli(*base, "--limit", "50").text
    shown = cli("show", tmp_path, uuid_of("m4"), "--json").document["memory"]
    assert shown["damaged_text"] is True
    assert shown["gist"].startswith("hi")


@pytest.mark.parametrize(
    ("content", "code", "exit_code"),
    [
        (b"", "empty_file", 4),
        (b"text", "not_a_database", 4),
        (None, "no_store", 4),
    ],
)
def test_what_is_no_store_exits_4_with_its_code_a29(
    content: bytes | None, code: str, exit_code: int, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    if content is not None:
        path.write_bytes(content)
    for argv in (("search", path, "--query", "x"), ("check", path), ("show", path, "abcd")):
        ran = cli(*argv, "--json")
        assert (ran.code, ran.document["code"]) == (exit_code, code)
        assert ran.document["path"] == str(path)
        assert str(path) in ran.err


def test_refusals_have_the_contracts_exit_codes(cli: Cli, tmp_path: Path) -> None:
    cases = {
        "reindexing": ({"reindexing": "2026"}, 3),
        "bad_meta": ({"embed_dim": "x"}, 4),
    }
    for code, (meta, exit_code) in cases.items():
        project = build_store(tmp_path / code, [Memory("a", "b")], meta=meta)
        ran = cli("search", project, "--query", "x", "--json")
        assert (ran.code, ran.document["code"]) == (exit_code, code)
    bad = build_store(tmp_path / "config", [Memory("a", "b")], config="[retrieval]\nrrf_k = 0\n")
    ran = cli("search", bad, "--query", "x", "--json")
    assert (ran.code, ran.document["code"]) == (4, "bad_config")
    assert ran.document["fields"]["key"] == "retrieval.rrf_k"
    long = json.dumps("word " * 300)
    full = copy_project(DEMO_BUNDLE, tmp_path / "prefix")
    (full / ".zikaron" / "config.toml").write_text(
        f'[embedding]\nembed_model = "{EMBEDDED_MODEL}"\nembed_prefix_query = {long}\n'
    )
    ran = cli("search", full, "--query", "x", "--json")
    assert (ran.code, ran.document["code"]) == (4, "bad_config")
    assert "embed_prefix_query" in ran.err
