"""`genizah lineage`: its object, its files, one memory's tree, problems and exit codes."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.digests import all_digests
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.stores import STORE_ID, Memory, build_store, uuid_of, writing

_OTHER_ID = "9d0f3c52-1f3a-4a77-8c8e-5a4b3c2d1e0f"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a store with a chain of three, a pair, and a memory alone."""
    rows = [
        Memory("first", "quay opens at six", by="second", created_at="2026-03-01T12:00:00+00:00"),
        Memory("second", "quay opens at ten", by="third", created_at="2026-03-02T12:00:00+00:00"),
        Memory("third", "quay opens at noon", created_at="2026-03-03T12:00:00+00:00"),
        Memory("old", "pier is open", by="new"),
        Memory("new", "pier is shut", created_at="2026-03-05T12:00:00+00:00"),
        Memory("alone", "nothing was replaced here"),
    ]
    return build_store(tmp_path / "project", rows)


def _dangle(project: Path) -> None:
    with writing(project) as raw:
        nobody = "UPDATE memory SET superseded_by = 'nobody', active = 0 WHERE uuid = ?"
        raw.execute(nobody, (uuid_of("old"),))


def test_json_is_the_default_and_tells_nodes_edges_and_problems(cli: Cli, project: Path) -> None:
    before = all_digests(project)
    ran = cli("lineage", project)
    assert (ran.code, ran.err) == (0, "")
    told = ran.document
    assert tuple(told) == ("schema", "nodes", "edges", "problems")
    assert {n["uuid"] for n in told["nodes"]} == {
        uuid_of(name) for name in ("first", "second", "third", "old", "new")
    }
    assert {(e["from"], e["to"]) for e in told["edges"]} == {
        (uuid_of("first"), uuid_of("second")),
        (uuid_of("second"), uuid_of("third")),
        (uuid_of("old"), uuid_of("new")),
    }
    assert told["problems"] == []
    assert ran.out == cli("lineage", project, "--format", "json").out
    assert ran.out == cli("lineage", project, "--json").out
    assert all_digests(project) == before


def test_the_head_is_right_of_what_it_replaced(cli: Cli, project: Path) -> None:
    x = {n["uuid"]: n["x"] for n in cli("lineage", project).document["nodes"]}
    assert x[uuid_of("first")] < x[uuid_of("second")] < x[uuid_of("third")]


def test_one_memory_names_its_tree_by_a_beginning_too(cli: Cli, project: Path) -> None:
    told = cli("lineage", project, "--uuid", uuid_of("new")[:8]).document
    assert {n["uuid"] for n in told["nodes"]} == {uuid_of("old"), uuid_of("new")}
    assert {n["component"] for n in told["nodes"]} == {0}
    (only,) = cli("lineage", project, "--uuid", uuid_of("alone")).document["nodes"]
    assert (only["uuid"], only["state"], only["depth"]) == (uuid_of("alone"), "live", 0)


def test_problems_are_exit_code_1_only_where_they_are_asked_for(cli: Cli, project: Path) -> None:
    assert cli("lineage", project, "--problems").code == 0
    _dangle(project)
    ran = cli("lineage", project)
    assert ran.code == 0
    assert ran.document["problems"] == [{"kind": "dangling", "uuids": [uuid_of("old"), "nobody"]}]
    asked = cli("lineage", project, "--problems")
    assert (asked.code, asked.out, asked.err) == (1, ran.out, "")
    assert cli("lineage", project, "--problems", "--uuid", uuid_of("first")).code == 0
    assert cli("lineage", project, "--problems", "--uuid", uuid_of("old")).code == 1


def test_where_the_file_has_no_list_of_problems_they_stand_beside_it(
    cli: Cli, project: Path
) -> None:
    _dangle(project)
    for wanted in ("dot", "svg"):
        ran = cli("lineage", project, "--format", wanted, "--problems")
        assert ran.code == 1
        short = uuid_of("old")[:8]
        assert ran.err == f"dangling: replaced by a record that is missing: {short}, nobody\n"


def test_dot_and_svg_are_whole_files(cli: Cli, project: Path) -> None:
    dot = cli("lineage", project, "--format", "dot").text
    assert dot.startswith("digraph lineage {\n")
    assert dot.endswith("}\n")
    assert f'"{uuid_of("old")}" -> "{uuid_of("new")}"' in dot
    svg = cli("lineage", project, "--format", "svg").text
    assert svg.endswith("</svg>\n")
    assert "quay opens at noon" in "".join(ET.fromstring(svg.encode()).itertext())


def test_the_demo_store_has_its_dead_head_marked(cli: Cli, tmp_path: Path) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "demo")
    ran = cli("lineage", project, "--problems")
    dead = [p["uuid"] for p in cli("check", project, "--json").document["problems"]]
    (problem,) = ran.document["problems"]
    assert (ran.code, problem["kind"]) == (1, "dead_head")
    assert set(dead) <= set(problem["uuids"])
    assert {e["verb"] for e in ran.document["edges"]} == {"retire", "merge", "promote"}


@pytest.mark.parametrize(
    ("argv", "code", "exit_code"),
    [
        (("--uuid", "ffffffff"), "not_found", 3),
        (("--uuid", "fff"), "ambiguous", 2),
        (("OTHER",), "no_store", 4),
    ],
)
def test_refusals_are_the_error_object(
    argv: tuple[str, ...], code: str, exit_code: int, cli: Cli, project: Path
) -> None:
    ran = cli("lineage", project, *argv)
    assert (ran.code, ran.document["code"]) == (exit_code, code)
    words = cli("lineage", project, *argv, "--format", "svg")
    assert (words.code, words.out) == (exit_code, b"")


def test_an_unknown_format_is_a_bad_line(cli: Cli, project: Path) -> None:
    assert cli("lineage", project, "--format", "png").code == 2


def test_the_store_above_is_found(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert cli("lineage").out == cli("lineage", project).out


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Give a second store with a pair and a twin of a memory of the first."""
    rows = [
        Memory("lamp", "lamp is oil", by="bulb", created_at="2026-03-06T12:00:00+00:00"),
        Memory("bulb", "lamp is electric", created_at="2026-03-07T12:00:00+00:00"),
        Memory("again", "Quay opens  at noon", created_at="2026-03-08T12:00:00+00:00"),
    ]
    return build_store(tmp_path / "other", rows, meta={"store_id": _OTHER_ID})


def test_several_stores_are_one_forest_that_says_where_everything_is(
    cli: Cli, project: Path, other: Path
) -> None:
    ran = cli("lineage", project, other, project)
    assert (ran.code, ran.err) == (0, "")
    told = ran.document
    assert told["stores"] == [
        {"path": str(project / ".zikaron" / "memory.db"), "store_id": STORE_ID},
        {"path": str(other / ".zikaron" / "memory.db"), "store_id": _OTHER_ID},
    ]
    names = ("first", "second", "third", "old", "new")
    assert {(n["uuid"], n["store"]) for n in told["nodes"]} == {
        *((uuid_of(name), 0) for name in names),
        *((uuid_of(name), 1) for name in ("lamp", "bulb")),
    }
    assert (uuid_of("lamp"), uuid_of("bulb"), 1) in {
        (e["from"], e["to"], e["store"]) for e in told["edges"]
    }
    # Two live memories of one gist, in two stores: what no store alone can tell.
    assert told["problems"] == [
        {
            "kind": "twin_heads",
            "uuids": [uuid_of("third"), uuid_of("again")],
            "stores": [0, 1],
        }
    ]
    assert cli("lineage", other).document["problems"] == []
    assert cli("lineage", project, other, "--problems").code == 1


def test_a_memory_of_any_store_names_its_tree(cli: Cli, project: Path, other: Path) -> None:
    told = cli("lineage", project, other, "--uuid", uuid_of("bulb")[:8]).document
    assert {(n["uuid"], n["store"]) for n in told["nodes"]} == {
        (uuid_of("lamp"), 1),
        (uuid_of("bulb"), 1),
    }
    missing = cli("lineage", project, other, "--uuid", "ffffffff")
    assert (missing.code, missing.document["code"]) == (3, "not_found")
    assert "any of the 2 stores" in missing.document["message"]


def test_a_memory_that_two_stores_hold_shows_its_tree_in_both(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    copy = copy_project(project, tmp_path / "copy")
    told = cli("lineage", project, copy, "--uuid", uuid_of("old")).document
    assert sorted((n["uuid"], n["store"]) for n in told["nodes"]) == sorted(
        (uuid_of(name), store) for name in ("old", "new") for store in (0, 1)
    )
    dot = cli("lineage", project, copy, "--uuid", uuid_of("old"), "--format", "dot").text
    assert f'"1:{uuid_of("old")}" -> "1:{uuid_of("new")}"' in dot


def test_the_pictures_of_several_stores_name_them(cli: Cli, project: Path, other: Path) -> None:
    shown = cli("lineage", project, other, "--format", "svg").text
    said = ["".join(text.itertext()) for text in ET.fromstring(shown.encode()).iter()]
    assert any("lamp is electric" in text and "in other" in text for text in said)
    assert any("pier is shut" in text and "in project" in text for text in said)
    assert "in other" in cli("lineage", project, other, "--format", "dot").text
    assert "in project" not in cli("lineage", project, "--format", "svg").text


def test_a_store_that_cannot_be_opened_refuses_the_whole(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    ran = cli("lineage", project, tmp_path / "nowhere", "--problems")
    assert (ran.code, ran.document["code"]) == (4, "no_store")


def test_each_store_is_held_to_its_own_depth_cap(cli: Cli, project: Path, tmp_path: Path) -> None:
    rows = [Memory("x", "x", by="y"), Memory("y", "y", by="z"), Memory("z", "z")]
    capped = "[retrieval]\nsupersession_max_depth = 1\n"
    strict = build_store(tmp_path / "strict", rows, meta={"store_id": _OTHER_ID}, config=capped)
    told = cli("lineage", project, strict).document
    deep = [p for p in told["problems"] if p["kind"] == "depth_cap"]
    assert deep == [{"kind": "depth_cap", "uuids": [uuid_of("x")], "stores": [1]}]
