"""`genizah explain` over several stores: the numbers of one store of all rows, group by group."""

import base64
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.federating import numbered_store, store_id_of
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import axis

_VECTOR = base64.b64encode(axis(WIDTH, 0)).decode()
_ASKED = ("--query", "ssh port", "--vector", _VECTOR)


def _rows() -> tuple[list[Memory], list[Memory]]:
    """Return the rows of two stores: a chain and a retired row, and many that match a word."""
    ports = [
        Memory("old", "ssh port is 22", by="new", vectors=(axis(WIDTH, 0),)),
        Memory("new", "shell service moved", vectors=(axis(WIDTH, 0, 0.9),)),
        Memory("gone", "ssh port was 21", active=False),
        *distractors(90),
    ]
    others = [Memory(f"other {n}", f"ssh port {n} is shut") for n in range(60)]
    return ports, others


@pytest.fixture
def stores(tmp_path: Path) -> list[Path]:
    """Give the two stores."""
    return [numbered_store(tmp_path, n, rows) for n, rows in enumerate(_rows())]


def _explain(cli: Cli, stores: Sequence[Path], uuid: str, *more: object) -> tuple[int, Any, str]:
    ran = cli("explain", *stores, *_ASKED, "--uuid", uuid, *more, "--json")
    return ran.code, ran.document, ran.err


def test_every_number_is_that_of_one_store_with_all_the_rows(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    ports, others = _rows()
    one = build_store(tmp_path / "one", [*ports, *others])
    before = [all_digests(path) for path in stores]
    outcomes = set()
    names = ("old", "new", "gone", "other 0", "other 59", "distractor 5", "distractor 89")
    for name in names:
        code, told, err = _explain(cli, stores, uuid_of(name))
        assert (code, err) == (0, "")
        assert told.pop("store_id") == store_id_of(1 if name.startswith("other") else 0)
        _, alone, _ = _explain(cli, [one], uuid_of(name))
        del alone["store_id"]
        assert told == alone
        outcomes.add(told["outcome"])
    assert outcomes == {"hit", "below_cut", "outside_pool", "not_eligible"}
    assert [all_digests(path) for path in stores] == before


def test_the_text_tells_both_stores_and_the_sums(cli: Cli, stores: list[Path]) -> None:
    ran = cli("explain", *stores, *_ASKED, "--uuid", uuid_of("other 3")[:8])
    assert ran.code == 0
    sections = dict(part.split("\n", 1) for part in ran.text.split("\n\n")[1:])
    lines = [line.strip() for line in sections["Stores"].splitlines()]
    assert f"store 1: {stores[0]}/.zikaron/memory.db" in lines
    assert f"store 2: {stores[1]}/.zikaron/memory.db, the store of this memory" in lines
    assert "N: 93 + 60 = 153 (memories in the word indexes)" in lines
    assert "ssh: 2 + 60 = 62 (memories that hold the word)" in lines
    for number, path in enumerate(stores):
        kept = f"{path}/.zikaron/memory.db, store {store_id_of(number)}, schema"
        assert kept in sections["Snapshot"]


def test_the_ranking_settings_are_the_first_stores_and_that_is_said(
    cli: Cli, stores: list[Path]
) -> None:
    config = stores[1] / ".zikaron" / "config.toml"
    config.write_text(f"{config.read_text('utf-8')}[retrieval]\nrrf_k = 7\n", encoding="utf-8")
    ran = cli("explain", *stores, *_ASKED, "--uuid", uuid_of("other 3"))
    assert "retrieval.rrf_k = 60 (default)" in ran.text
    assert "settings_differ" in ran.err
    ran = cli("explain", *reversed(stores), *_ASKED, "--uuid", uuid_of("old"))
    assert "retrieval.rrf_k = 7 (store file)" in ran.text


def test_a_beginning_names_a_memory_of_any_store_and_must_be_unique_in_all(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    code, told, _ = _explain(cli, stores, uuid_of("other 7")[:8])
    assert (code, told["uuid"]) == (0, uuid_of("other 7"))
    shared = uuid_of("new")[:6]
    third = numbered_store(tmp_path, 2, [Memory("third", "alone")])
    with writing(third) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        alike = shared + uuid_of("third")[6:]
        for column in ("memory_chunk SET memory_uuid", "memory SET uuid"):
            raw.execute(f"UPDATE {column} = ?", (alike,))
    code, told, _ = _explain(cli, [*stores, third], shared)
    assert (code, told["code"]) == (2, "ambiguous")
    assert told["fields"]["matches"] == sorted([uuid_of("new"), alike])


def test_a_memory_of_no_store_is_exit_code_3(cli: Cli, stores: list[Path]) -> None:
    code, told, _ = _explain(cli, stores, "ffffffff")
    assert (code, told["outcome"], told["store_id"]) == (3, "no_such_memory", None)
    assert told["sentence"] == "There is no memory ffffffff in any of these 2 stores."


def test_a_memory_of_a_store_with_another_model_is_explained_in_its_own_list(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    apart = build_store(
        tmp_path / "apart",
        [Memory("apart", "ssh port of another model")],
        width=8,
        model="stub/narrow",
        meta={"store_id": store_id_of(9)},
    )
    code, told, _ = _explain(cli, [*stores, apart], uuid_of("apart"))
    assert (code, told["outcome"], told["store_id"]) == (0, "hit", store_id_of(9))
    assert [r["remaining"] for r in told["eligibility"]] == [1, 1]
    assert {t["rows"] for t in told["lexical"]["terms"]} == {1}
    assert told["dense"]["rank"] is None
    _, told, _ = _explain(cli, [*stores, apart], uuid_of("new"))
    assert {t["rows"] for t in told["lexical"]["terms"]} == {153}
    words = cli("explain", *stores, apart, *_ASKED, "--uuid", uuid_of("apart")).text
    assert "shown apart: " in words
    assert "16 numbers" in words


def test_copies_are_explained_as_the_one_that_is_searched(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(stores[1], tmp_path / "copy"))
    code, told, _ = _explain(cli, [*stores, copy], uuid_of("other 3"))
    assert (code, told["store_id"]) == (0, store_id_of(1))
    assert {t["rows"] for t in told["lexical"]["terms"]} == {153}


def test_of_two_that_went_apart_the_first_is_explained_and_the_other_is_named(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(stores[1], tmp_path / "copy"))
    with writing(copy) as raw:
        raw.execute("UPDATE memory SET version = 2 WHERE uuid = ?", (uuid_of("other 3"),))
    code, told, err = _explain(cli, [*stores, copy], uuid_of("other 3"))
    assert (code, told["store_id"]) == (0, store_id_of(1))
    assert {t["rows"] for t in told["lexical"]["terms"]} == {153}
    assert "A memory of this uuid is in another list too." in err
    assert str(copy) in err


def test_a_store_that_cannot_be_opened_is_named_and_the_others_explain(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    missing = tmp_path / "nowhere"
    code, told, err = _explain(cli, [*stores, missing], uuid_of("new"))
    assert (code, told["outcome"]) == (0, "hit")
    assert f"not searched: {missing}" in err
    words = cli("explain", *stores, missing, *_ASKED, "--uuid", uuid_of("new")).text
    assert f"not searched: {missing}" in words
    alone = cli("explain", stores[0], missing, *_ASKED, "--uuid", uuid_of("new"), "--json")
    assert {t["rows"] for t in alone.document["lexical"]["terms"]} == {93}
    assert cli("explain", missing, missing, *_ASKED, "--uuid", "x", "--json").code == 4


def test_the_same_store_twice_is_one(cli: Cli, stores: list[Path]) -> None:
    code, told, err = _explain(cli, [stores[0], stores[0]], uuid_of("new"))
    assert (code, err) == (0, "")
    assert told == _explain(cli, [stores[0]], uuid_of("new"))[1]


def test_a_file_of_queries_explains_a_line_each(
    cli: Cli, stores: list[Path], tmp_path: Path
) -> None:
    lines = [
        {"query": "ssh port", "vector": _VECTOR, "uuid": uuid_of("new")},
        {"query": "ssh"},
        {"query": "ssh", "vector": _VECTOR, "uuid": uuid_of("other 1")},
        {"query": "ssh", "vector": _VECTOR, "uuid": "ffffffff"},
    ]
    file = tmp_path / "queries.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ran = cli("explain", *stores, "--queries", file, "--json")
    first, bad, third, none = ran.documents
    assert ran.code == 2
    assert first == _explain(cli, stores, uuid_of("new"))[1]
    assert bad["code"] == "usage"
    assert (third["store_id"], none["outcome"]) == (store_id_of(1), "no_such_memory")
