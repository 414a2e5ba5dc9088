"""`genizah retire`, `supersede`, `amend`, `remember`: objects, refusals, exit codes, dry runs."""

from contextlib import closing
from pathlib import Path

import pytest

from core.retrieval.artifacts import EMBEDDED_MODEL
from core.store.writer import Writer
from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.stores import Memory, build_store, uuid_of
from tests.support.writing import open_raw, problems_of, rows_of

_KEYS = ["schema", "ok", "uuid", "version", "new_uuid", "near_duplicates"]
_A, _B, _GONE = uuid_of("a"), uuid_of("b"), uuid_of("gone")


def _store(folder: Path, model: str, width: int) -> Path:
    rows = [
        Memory("a", "the ferry sails at six", "from the north quay"),
        Memory("b", "tickets are sold on board"),
        Memory("gone", "no ferry on Sunday", active=False, version=2),
    ]
    return build_store(folder / "project", rows, model=model, width=width)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store of the embedded model."""
    return _store(tmp_path, EMBEDDED_MODEL, 384)


@pytest.fixture
def modelless(tmp_path: Path) -> Path:
    """Give a store whose model nobody has."""
    return _store(tmp_path, "nobody/has-it", 16)


def test_a_memory_is_retired_and_the_store_is_one_file_again(cli: Cli, modelless: Path) -> None:
    ran = cli("retire", modelless, _A, "--json")
    assert ran.code == 0
    assert list(ran.document) == _KEYS
    assert (ran.document["uuid"], ran.document["version"]) == (_A, 2)
    assert (ran.document["new_uuid"], ran.document["near_duplicates"]) == (None, [])
    assert {p.name for p in (modelless / ".zikaron").iterdir()} == {"memory.db", "config.toml"}
    rows = rows_of(modelless)
    assert [r[5] for r in rows["event"]] == ["fetch", "retire"]
    assert all(str(r[2]).startswith("genizah-") and r[3] == "cli" for r in rows["event"])


def test_a_memory_is_replaced_by_another(cli: Cli, modelless: Path) -> None:
    ran = cli("supersede", modelless, _A, "--by", _B)
    assert (ran.code, ran.text) == (0, f"{_A} replaced by {_B}, version 2\n")
    assert rows_of(modelless)["memory"][0][5:7] == (0, _B)


def test_a_text_is_remembered_amended_and_replaced(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    gist = ("--gist", "the ferry")
    new = cli("remember", project, *gist, "--content", "-", "--json", stdin=b"late\n")
    assert new.code == 0
    uuid = new.document["uuid"]
    assert new.document["version"] == 1
    amended = cli("amend", project, uuid, "--content", "early", "--version", 1, "--json")
    assert (amended.document["uuid"], amended.document["version"]) == (uuid, 2)
    by_uuid = {r[1]: r for r in rows_of(project)["memory"]}
    assert by_uuid[uuid][3:5] == ("the ferry", "early"), "the gist that was not given is kept"
    done = cli("supersede", project, uuid, "--gist", "the ferry", "--content", "early", "--json")
    assert (done.document["uuid"], done.document["version"]) == (uuid, 3)
    near = done.document["near_duplicates"]
    assert [(n["uuid"], n["gist"]) for n in near] == [(uuid, "the ferry")]
    assert near[0]["cosine"] == pytest.approx(1.0, abs=1e-6)
    by_uuid = {r[1]: r for r in rows_of(project)["memory"]}
    assert by_uuid[uuid][6] == done.document["new_uuid"]
    (tmp_path / "scratch").mkdir()
    assert problems_of(project, tmp_path / "scratch") == []


@pytest.mark.parametrize(
    ("line", "code", "fields"),
    [
        (["retire", uuid_of("nobody")], "not_found", {"uuid": uuid_of("nobody")}),
        (["retire", _A[:8]], "not_found", {"uuid": _A[:8]}),
        (["retire", _GONE], "inactive_row", {"uuid": _GONE, "state": "retired"}),
        (["supersede", _A, "--by", _A], "bad_supersession", None),
        (["supersede", _A, "--by", "zz"], "not_found", {"uuid": "zz"}),
        (["retire", _A, "--version", "7"], "version_conflict", None),
        (["remember", "--gist", " ", "--content", "x"], "bounds", None),
        (["remember", "--gist", "x", "--content", "x"], "no_artifact", {"model": "nobody/has-it"}),
    ],
)
@pytest.mark.parametrize("dry", [True, False], ids=["dry", "real"])
def test_a_refusal_is_an_object_with_exit_code_3(
    cli: Cli, modelless: Path, line: list[str], code: str, fields: object, dry: bool
) -> None:
    before = all_digests(modelless)
    ran = cli(line[0], modelless, *line[1:], "--json", *(["--dry-run"] if dry else []))
    assert ran.code == 3
    found = ran.document
    assert (found["schema"], found["ok"], found["code"]) == ("genizah.error/1", False, code)
    assert found["path"] is None or found["path"].endswith("memory.db")
    assert fields is None or found["fields"] == fields
    assert found["message"] in ran.err
    if dry or code != "version_conflict":
        assert all_digests(modelless) == before
    else:
        assert [r[5] for r in rows_of(modelless)["event"]] == ["version_conflict"]


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(cli: Cli, project: Path) -> None:
    before = all_digests(project)
    text = ("--gist", "the ferry sails at six", "--content", "from the north quay")
    said = [
        cli("retire", project, _A, "--dry-run", "--json"),
        cli("amend", project, _A, *text, "--dry-run", "--json"),
        cli("supersede", project, _A, *text, "--dry-run", "--json"),
        cli("remember", project, *text, "--dry-run", "--json"),
    ]
    assert [ran.code for ran in said] == [0] * 4
    assert all(list(ran.document) == [*_KEYS, "dry_run"] for ran in said)
    assert [ran.document["uuid"] for ran in said] == [_A, _A, _A, None]
    assert [ran.document["version"] for ran in said] == [2, 2, 2, 1]
    assert all_digests(project) == before


@pytest.mark.parametrize(
    "line",
    [
        ["amend", "P", _A],
        ["supersede", "P", _A],
        ["supersede", "P", _A, "--gist", "alone"],
        ["supersede", "P", _A, "--by", _B, "--gist", "both"],
        ["retire", "P", _A, "--version", "none"],
        ["retire", "P", _A, "--version", "0"],
        ["retire", "P"],
        ["remember", "P", "--gist", "alone"],
    ],
)
def test_a_line_that_is_off_is_exit_code_2(cli: Cli, modelless: Path, line: list[str]) -> None:
    ran = cli(*(str(modelless) if word == "P" else word for word in line), "--json")
    assert (ran.code, ran.document["code"]) == (2, "usage")


def test_a_busy_store_is_exit_code_5_and_names_the_verb(
    cli: Cli, modelless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = vars(Writer)["open"].__func__
    monkeypatch.setattr(opening, "__kwdefaults__", {"wait_s": 0.0})
    with closing(open_raw(modelless / ".zikaron" / "memory.db", "rw")) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = cli("retire", modelless, _A, "--json")
    assert (ran.code, ran.document["code"]) == (5, "store_busy")
    assert ran.document["fields"] == {"verb": "retire"}
