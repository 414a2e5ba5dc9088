"""`genizah export`: which memories, in which order, to which stream or file."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.faulty_driver import LOCKED, install
from tests.support.federating import store_id_of
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.stores import Memory, build_store, uuid_of, writing

_KEYS = (
    *(
        "store",
        "store_id",
        "position",
        "group",
        "uuid",
        "state",
        "tier",
        "gist",
        "content",
        "version",
    ),
    *("created_at", "updated_at", "session_id", "token_count", "superseded_by", "damaged_text"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store with one memory of each state and one more."""
    rows = [
        Memory("old", "quay opens at six", by="new", created_at="2026-03-01T12:00:00+00:00"),
        Memory("new", "quay opens at ten", created_at="2026-03-02T12:00:00+00:00"),
        Memory("gone", "pier is shut", active=False, created_at="2026-03-03T12:00:00+00:00"),
        Memory("pier", "pier is open", "=1+1", created_at="2026-03-04T12:00:00+00:00"),
    ]
    return build_store(tmp_path / "project", rows)


def _names(*names: str) -> list[str]:
    return [uuid_of(name) for name in names]


def _uuids(document: dict[str, object]) -> list[object]:
    memories = document["memories"]
    assert isinstance(memories, list)
    return [m["uuid"] for m in memories]


def test_a_store_is_exported_newest_first_without_what_is_retired(cli: Cli, project: Path) -> None:
    before = all_digests(project)
    ran = cli("export", project)
    assert ran.code == 0
    assert tuple(ran.document) == ("schema", "stores", "query", "memories", "notices")
    assert (ran.document["schema"], ran.document["query"]) == ("genizah.export/1", None)
    assert _uuids(ran.document) == _names("pier", "new", "old")
    assert "1 retired memory" in ran.err
    assert "--include-retired" in ran.err
    everything = cli("export", project, "--include-retired")
    assert _uuids(everything.document) == _names("pier", "gone", "new", "old")
    assert everything.err == ""
    assert all_digests(project) == before


def test_a_memory_is_told_whole(cli: Cli, project: Path) -> None:
    old = cli("export", project).document["memories"][-1]
    assert tuple(old) == _KEYS
    assert old["store"] == 0
    assert old["position"] is None
    assert (old["gist"], old["content"]) == ("quay opens at six", "nothing else")
    assert (old["state"], old["superseded_by"]) == ("superseded", uuid_of("new"))
    assert (old["version"], old["token_count"], old["session_id"]) == (1, 5, None)
    shown = cli("show", project, uuid_of("old"), "--json").document["memory"]
    assert {key: old[key] for key in shown} == shown


def test_named_memories_come_in_the_order_asked_and_in_any_state(cli: Cli, project: Path) -> None:
    asked = ("--uuid", uuid_of("gone"), "--uuid", uuid_of("old")[:8], "--uuid", uuid_of("gone"))
    ran = cli("export", project, *asked)
    assert _uuids(ran.document) == _names("gone", "old")
    assert ran.err == ""


def test_a_search_is_exported_in_its_own_order(cli: Cli, project: Path) -> None:
    line = ("--query", "quay opens", "--lexical-only")
    ran = cli("export", project, *line)
    found = cli("search", project, *line, "--json").document["hits"]
    assert ran.document["query"] == {"text": "quay opens", "include_retired": False}
    told = [(m["position"], m["uuid"]) for m in ran.document["memories"]]
    assert told == [(h["position"], h["uuid"]) for h in found]
    assert [uuid for _, uuid in told] == _names("new", "old")
    assert [n["code"] for n in ran.document["notices"]] == ["dense_arm_off"]
    retired = ("export", project, "--query", "pier", "--lexical-only", "--include-retired")
    assert set(_uuids(cli(*retired).document)) == set(_names("pier", "gone"))


def test_several_stores_stand_one_after_the_other(cli: Cli, project: Path, tmp_path: Path) -> None:
    other_id = "11111111-1111-4111-8111-111111111111"
    other = build_store(
        tmp_path / "other", [Memory("else", "elsewhere")], meta={"store_id": other_id}
    )
    told = cli("export", project, other, project / ".zikaron").document
    assert [s["store_id"] for s in told["stores"]][1:] == [other_id]
    assert _uuids(told) == _names("pier", "new", "old", "else")
    assert [m["store"] for m in told["memories"]] == [0, 0, 0, 1]
    named = cli("export", project, other, "--uuid", uuid_of("else")).document
    assert [(m["store"], m["store_id"]) for m in named["memories"]] == [(1, other_id)]
    text = cli("export", project, other, "--format", "md").text
    assert text.count("\n- store ") == 4


def test_a_store_that_fails_in_the_search_is_said_to_be_missing(
    cli: Cli, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [Memory("other", "quay opens at noon")]
    other = build_store(tmp_path / "other", rows, meta={"store_id": store_id_of(2)})
    driver = install(monkeypatch)
    driver.folder, driver.within, driver.fault = other, "bm25(", LOCKED
    ran = cli("export", project, other, "--query", "quay", "--lexical-only")
    assert driver.raised
    assert set(_uuids(ran.document)) == set(_names("new", "old"))
    (failed,) = [n for n in ran.document["notices"] if n["code"] == "stores_failed"]
    assert "Incomplete: 1 of 2 stores could not be searched. " in failed["text"]
    assert f"stores_failed: {failed['text']}" in ran.err


def test_a_search_over_several_stores_is_exported_as_it_ranks(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    other = build_store(
        tmp_path / "other",
        [Memory("else", "quay of the other store")],
        meta={"store_id": "11111111-1111-4111-8111-111111111111"},
    )
    line = (project, other, "--query", "quay", "--lexical-only")
    told = cli("export", *line).document["memories"]
    hits = cli("search", *line, "--json").document["hits"]
    assert [(m["store"], m["group"], m["position"], m["uuid"]) for m in told] == [
        (h["store"], h["group"], h["position"], h["uuid"]) for h in hits
    ]
    assert {m["store"] for m in told} == {0, 1}
    assert next(m["content"] for m in told if m["store"] == 1) == "nothing else"


def test_csv_on_the_stream_has_plain_line_ends_and_no_mark(cli: Cli, project: Path) -> None:
    ran = cli("export", project, "--format", "csv")
    assert ran.out.startswith(b"position,group,store,store_id,uuid,")
    assert b"\r" not in ran.out
    assert ran.out.endswith(b"\n")
    assert not ran.out.endswith(b"\n\n")
    rows = list(csv.DictReader(io.StringIO(ran.text, newline="")))
    assert [r["uuid"] for r in rows] == _names("pier", "new", "old")
    assert rows[0]["content"] == "'=1+1"


def test_markdown_has_a_heading_a_memory(cli: Cli, project: Path) -> None:
    text = cli("export", project, "--format", "md").text
    assert text.startswith("# 3 memories\n\n## pier is open\n")
    assert text.count("\n## ") == 3
    assert text.endswith("nothing else\n```\n")


@pytest.mark.parametrize("form", ["json", "csv", "md"])
def test_a_file_is_written_once_and_never_over_another(
    form: str, cli: Cli, project: Path, tmp_path: Path
) -> None:
    target = tmp_path / f"out.{form}"
    ran = cli("export", project, "--format", form, "--output", target)
    assert (ran.code, ran.out) == (0, b"")
    assert ran.err.endswith(f"3 memories written to {target}.\n")
    written = target.read_bytes()
    on_stream = cli("export", project, "--format", form).out
    if form == "csv":
        on_stream = b"\xef\xbb\xbf" + on_stream.replace(b"\n", b"\r\n")
    assert written == on_stream
    again = cli("export", project, "--format", form, "--output", target)
    assert again.code == 2
    assert "is there already" in again.err
    assert target.read_bytes() == written


@pytest.mark.parametrize(
    ("name", "flags", "begin"),
    [
        ("out.CSV", (), b"\xef\xbb\xbfposition,"),
        ("out.md", (), b"# 3 memories"),
        ("out.json", (), b'{"schema"'),
        ("out", (), b'{"schema"'),
        ("out.csv", ("--json",), b'{"schema"'),
        ("out.json", ("--format", "md"), b"# 3 memories"),
    ],
)
def test_without_a_format_the_ending_of_the_file_says_it(
    name: str, flags: tuple[str, ...], begin: bytes, cli: Cli, project: Path, tmp_path: Path
) -> None:
    assert cli("export", project, "--output", tmp_path / name, *flags).code == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_half_a_character_survives_in_json(cli: Cli, project: Path) -> None:
    with writing(project) as raw:
        half = b"half \xed\xa0\x80 of it"
        raw.execute(
            "UPDATE memory SET content = CAST(? AS TEXT) WHERE gist = 'pier is open'", (half,)
        )
    told = cli("export", project).document["memories"][0]
    assert (told["content"], told["damaged_text"]) == ("half \ud800 of it", True)
    assert "half � of it" in cli("export", project, "--format", "csv").text


@pytest.mark.parametrize(
    ("argv", "code", "exit_code"),
    [
        (("--uuid", "ffffffff"), "not_found", 3),
        (("--uuid", "fff"), "ambiguous", 2),
        (("--query", " "), "usage", 2),
        (("--query", "x", "--uuid", "ffffffff"), "usage", 2),
        (("--lexical-only",), "usage", 2),
        (("--output", "/nonexistent/folder/out.json"), "usage", 2),
    ],
)
def test_refusals_are_the_error_object(
    argv: tuple[str, ...], code: str, exit_code: int, cli: Cli, project: Path
) -> None:
    ran = cli("export", project, *argv)
    assert (ran.code, ran.document["code"]) == (exit_code, code)
    words = cli("export", project, *argv, "--format", "csv")
    assert (words.code, words.out) == (exit_code, b"")


def test_the_demo_store_comes_out_whole(cli: Cli, tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    before = all_digests(project)
    told = cli("export", project, "--include-retired")
    counts = cli("check", project, "--json").document["counts"]
    assert len(told.document["memories"]) == counts["memories"] > 100
    rows = csv.reader(io.StringIO(cli("export", project, "--format", "csv").text, newline=""))
    live_or_replaced = counts["live"] + counts["superseded"]
    assert sum(1 for _ in rows) == live_or_replaced + 1
    assert json.loads(told.out)["stores"][0]["path"].endswith("memory.db")
    assert all_digests(project) == before
