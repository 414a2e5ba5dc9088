"""docs/json.md has a section for every JSON object of the program, and in it every field."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.documents.judgments_file import JudgedQuery, judgments_document
from tests.house.tree import ROOT
from tests.support.cli import Cli
from tests.support.window_stores import demo_project

_TEXT = (ROOT / "docs" / "json.md").read_text("utf-8")
_ERRORS = (ROOT / "docs" / "notices.md").read_text("utf-8").split("## Errors")[1]
_SECTIONS = dict(
    re.findall(r"^## (genizah\.\w+/1)(.*?)(?=^## |\Z)", _TEXT, re.MULTILINE | re.DOTALL)
)
_QUERY = "refund ferry ticket"
# What stands below these is named by the store, the query or the line, not by the format.
_FREE = ("settings", "values", "mean", "definitions", "grades", "fields")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give the demo store: it has something in every list of every object."""
    return demo_project(tmp_path)


def _fields(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _fields(part)
    elif isinstance(value, dict):
        for key, below in value.items():
            yield key
            yield from () if key in _FREE else _fields(below)


def _documented(schema: str) -> set[str]:
    """Return the words in code of an object's section and of the sections that it names."""
    own = _SECTIONS[schema]
    named = [_SECTIONS[other] for other in re.findall(r"genizah\.\w+/1", own)]
    return set(re.findall(r"`(\w+)`", " ".join([own, *named]))) | {"schema"}


def _undocumented(document: dict[str, object], schema: str) -> set[str]:
    assert document["schema"] == schema
    return set(_fields(document)) - _documented(schema)


def test_every_object_of_the_program_has_its_section() -> None:
    sources = [
        p.read_text("utf-8") for room in ("app", "core") for p in (ROOT / room).rglob("*.py")
    ]
    schemas = {name for text in sources for name in re.findall(r'"(genizah\.\w+/1)"', text)}
    assert schemas == set(_SECTIONS)


def test_every_field_of_what_is_read_is_described(cli: Cli, project: Path) -> None:
    hits = cli("search", project, "--query", _QUERY, "--json").document["hits"]
    uuid = next(hit["uuid"] for hit in hits if hit["superseded_by"])
    calls = {
        "genizah.search/1": ("search", project, "--query", _QUERY, "--json"),
        "genizah.explanation/1": (
            *("explain", project, "--query", _QUERY, "--uuid", uuid, "--json"),
        ),
        "genizah.show/1": ("show", project, uuid, "--json"),
        "genizah.check/1": ("check", project, "--json"),
        "genizah.lineage/1": ("lineage", project, "--json"),
        "genizah.export/1": ("export", project, "--query", _QUERY, "--json"),
    }
    found = {schema: _undocumented(cli(*call).document, schema) for schema, call in calls.items()}
    assert found == {schema: set() for schema in calls}


def test_every_field_of_the_measures_and_of_their_file_is_described(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    queries = judgments_document([JudgedQuery(_QUERY, {"018f": 3}, name="refund")])
    file = tmp_path / "judgments.json"
    file.write_text(json.dumps(queries), "utf-8")
    ran = cli("judge", "run", file, project, "--fail-under", "ndcg@10=0.5", "--json")
    assert _undocumented(dict(queries), "genizah.judgments/1") == set()
    assert _undocumented(ran.document, "genizah.judge/1") == set()


def test_every_field_of_a_change_and_of_a_refusal_is_described(cli: Cli, project: Path) -> None:
    new = (
        "remember",
        project,
        "--gist",
        "Ferry refunds are paid in cash",
        "--content",
        "At pier 4.",
    )
    written = cli(*new, "--dry-run", "--json").document
    assert _undocumented(written, "genizah.write/1") == set()
    refused = cli("show", project, "0000", "--json").document
    assert refused["schema"] == "genizah.error/1"
    assert [field for field in _fields(refused) if f'"{field}"' not in _ERRORS] == []
