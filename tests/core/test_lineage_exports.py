"""JSON, DOT and SVG of the lineage: what they say, and that stored text stays text in each."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given

from core.documents.json_text import dump
from core.lineage.exports.document import lineage_document
from core.lineage.exports.dot import dot_text
from core.lineage.exports.svg import svg_text
from core.lineage.folding import View
from core.lineage.forest import Forest
from core.lineage.layout import Picture, arrange
from core.lineage.problems import LineageProblem, problems_of
from core.lineage.records import LineageRow
from tests.support.lineage import DAY, chain, forest, retired, row
from tests.support.properties import PROPERTY, any_texts

_SVG = "{http://www.w3.org/2000/svg}"
_UNSEEN = re.compile("[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_HOSTILE = "</text><script>alert(1)</script> \u202egnol \u0007 \ufffe & \"x\" \\N \\"
# A whole statement of ours: names and labels in quotes, nothing else that comes from a store.
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PAIR = rf"[a-z]+={_QUOTED}"
_STATEMENT = re.compile(rf"  {_QUOTED}(?: -> {_QUOTED})? \[{_PAIR}(?: {_PAIR})*\];")

type _All = tuple[Forest, Picture, tuple[LineageProblem, ...]]


def _all(found: Forest, view: View | None = None) -> _All:
    return found, arrange(found, view=view or View(folds=False)), problems_of(found, 32)


def _everything() -> _All:
    rows = [
        *chain("abc"),
        *(replace(r, uuid=f"{r.uuid}2") for r in (row("x", "y2"), row("y", active=False))),
        row("d", "gone", gist=_HOSTILE),
        *(row("p", "q", day=1), row("q", "p", day=2)),
        row("alone"),
    ]
    return _all(forest(rows, [retired(1, "a", "b", day=2)]))


def test_the_object_has_every_key_and_only_related_memories() -> None:
    document = lineage_document(*_everything())
    assert list(document) == ["schema", "nodes", "edges", "problems"]
    assert document["schema"] == "genizah.lineage/1"
    told = json.loads(dump(document))
    assert {tuple(n) for n in told["nodes"]} == {
        ("uuid", "state", "gist", "x", "y", "component", "depth")
    }
    assert {tuple(e) for e in told["edges"]} == {("from", "to", "verb", "at", "session")}
    assert {tuple(p) for p in told["problems"]} == {("kind", "uuids")}
    states = {n["uuid"]: n["state"] for n in told["nodes"]}
    others = {"c": "live", "y2": "retired", "gone": "missing"}
    assert states == {**dict.fromkeys(("a", "b", "x2", "d", "p", "q"), "superseded"), **others}
    assert [n["depth"] for n in told["nodes"] if n["uuid"] in "abc"] == [2, 1, 0]
    assert {n["component"] for n in told["nodes"]} == {0, 1, 2, 3}


def test_edges_carry_their_event_or_nothing_and_a_circle_keeps_all_of_its_edges() -> None:
    told = json.loads(dump(lineage_document(*_everything())))
    edges = {(e["from"], e["to"]): (e["verb"], e["at"], e["session"]) for e in told["edges"]}
    assert edges == {
        ("a", "b"): ("retire", DAY.format(2), "s1"),
        **dict.fromkeys(
            [("b", "c"), ("x2", "y2"), ("d", "gone"), ("p", "q"), ("q", "p")], (None, None, None)
        ),
    }
    assert told["problems"] == [
        {"kind": "dangling", "uuids": ["d", "gone"]},
        {"kind": "cycle", "uuids": ["p", "q"]},
        {"kind": "dead_head", "uuids": ["y2", "x2"]},
    ]


def test_dot_is_made_of_statements_of_ours_whatever_a_text_holds() -> None:
    lines = dot_text(*_everything()).split("\n")
    assert lines[:3] == ["digraph lineage {", "  rankdir=LR;", "  node [shape=box];"]
    assert lines[-1] == "}"
    for line in lines[3:-1]:
        assert _STATEMENT.fullmatch(line), line
        assert not _UNSEEN.search(line)
    assert '  "a" -> "b" [label="retire 2026-03-02 12:00:00 UTC"];' in lines
    assert '  "b" -> "c" [style="dotted"];' in lines
    (hostile,) = [line for line in lines if line.startswith('  "d" [')]
    assert r"\\N" in hostile  # not the node's name, which \N would be
    assert "&amp;" in hostile


def test_svg_is_well_formed_and_holds_a_stored_text_as_text() -> None:
    text = svg_text(*_everything())
    root = ET.fromstring(text)
    assert not _UNSEEN.search(text)
    assert {e.tag.removeprefix(_SVG) for e in root.iter()} == {
        *("svg", "title", "style", "clipPath", "rect", "path", "g", "text")
    }
    assert "script" not in {e.tag.removeprefix(_SVG) for e in root.iter()}
    assert not re.search(r"href|url\((?!#box\))|javascript:|on[a-z]+=", text.split("<g ")[0])
    titles = [e.text or "" for e in root.iter(f"{_SVG}title")]
    assert any("</text><script>alert(1)</script> ⟨U+202E⟩gnol" in title for title in titles)


def test_svg_tells_states_and_problems_by_more_than_colour() -> None:
    root = ET.fromstring(svg_text(*_everything()))
    words = {
        (group.find(f"{_SVG}title").text or "").split(" · ")[0]: (  # type: ignore[union-attr]
            group.get("class"),
            [t.text or "" for t in group.iter(f"{_SVG}text")][1],
        )
        for group in root.iter(f"{_SVG}g")
    }
    assert words["gist c"] == ("live", "live 2026-03-03 12:00")
    assert words["gist a"] == ("superseded", "↱ replaced 2026-03-01 12:00")
    assert words["gist y"] == ("retired", "⚠ retired 2026-03-01 12:00")
    assert words["gone"] == ("missing", "⚠ missing")
    assert words["gist p"][1].startswith("↻ ⚠ ↱ replaced")


def test_a_fold_is_drawn_as_one_box_that_counts_and_placed_in_the_object() -> None:
    shown = _all(forest(chain("abcdefg")), View())
    root = ET.fromstring(svg_text(*shown))
    folds = [g for g in root.iter(f"{_SVG}g") if g.get("class") == "fold"]
    assert ["3 memories folded" in "".join(g.itertext()) for g in folds] == [True]
    told = json.loads(dump(lineage_document(*shown)))
    assert len(told["nodes"]) == 7
    assert len({(n["x"], n["y"]) for n in told["nodes"]}) == 5


@pytest.mark.parametrize("view", [View(), View(folds=False)])
def test_an_empty_picture_is_a_file_all_the_same(view: View) -> None:
    shown = _all(forest([row("alone")]), view)
    assert lineage_document(*shown)["nodes"] == []
    assert dot_text(*shown).endswith("\n}")
    assert ET.fromstring(svg_text(*shown)).tag == f"{_SVG}svg"


@PROPERTY
@given(any_texts, any_texts)
def test_no_text_can_break_a_file(gist: str, uuid: str) -> None:
    rows = [
        LineageRow("a", False, uuid, "journal", gist, gist, 2),
        LineageRow(uuid, True, None, "journal", gist, gist, 1),
    ]
    shown = _all(forest(rows))
    root = ET.fromstring(svg_text(*shown))
    assert len(list(root.iter(f"{_SVG}g"))) == len(shown[1].spots)
    for line in dot_text(*shown).split("\n")[3:-1]:
        assert _STATEMENT.fullmatch(line)
    told = json.loads(dump(lineage_document(*shown)))
    assert {n["gist"] for n in told["nodes"]} == {gist}
