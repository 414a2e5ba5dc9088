"""Every field of an explanation is shown where docs/explanation.md says; the window is walked."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from core.errors import JsonValue
from core.store import memories
from core.store.database import Database
from core.store.location import locate
from tests.support.open_window import OpenWindow, open_window
from tests.support.window_stores import demo_project, recorded_encoder, stub_services
from widgets.why_panel import CopyForm

_TABLE = Path(__file__).parents[2] / "docs" / "explanation.md"
_UNSAID = "-"
_ANY = "#"
_SHORT = 8
_NOTHING_TO_SAY = {"query.truncated": False, "lexical.terms.idf": None}


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the table."""

    step: str
    line: str
    said_as: str


def table() -> dict[str, Place]:
    """Read the table of the document."""
    rows = [line.split("|") for line in _TABLE.read_text("utf-8").splitlines() if "|" in line]
    cells = [[cell.strip() for cell in row[1:-1]] for row in rows[2:]]
    return {field: Place(step, line, said) for field, _widget, step, line, said in cells}


def leaves(value: JsonValue, path: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Yield every value of an object with its path; lists of objects go by their fields."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from leaves(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for below in value:
            yield from leaves(below, path)
    else:
        yield path, value


def written(value: JsonValue, said_as: str) -> list[str]:
    """Return the pieces that must stand on a line."""
    match value:
        case list():
            return [str(part) for part in value]
        case int():
            return [f"{value:,}"]
        case float():
            return [repr(value)]
        case _:
            return [str(value)[:_SHORT] if said_as == "short" else str(value)]


def said_in(text: str, place: Place) -> list[str]:
    """Return the lines of the panel's text that may say a field."""
    steps = text.split("\n\n")[1:]
    found = [s.splitlines()[1:] for s in steps if s.splitlines()[0].startswith(place.step)]
    lines = [line.strip() for step in found for line in step]
    return [line for line in lines if place.line == _ANY or line.startswith(place.line)]


def is_told(value: JsonValue, path: str, place: Place, text: str) -> bool:
    """Tell whether a value is said; null, empty and False where True has a line need none."""
    if value is None or value == [] or _NOTHING_TO_SAY.get(path, ...) == value:
        return True
    if place.step == _UNSAID:
        return place.said_as == _UNSAID or str(value) in text
    lines = said_in(text, place)
    if place.said_as == "words":
        return bool(lines)
    return any(all(piece in line for piece in written(value, place.said_as)) for line in lines)


async def explained(opened: OpenWindow, uuid: str) -> tuple[dict[str, JsonValue], str]:
    """Go to a memory; return its explanation as copied from the window, as JSON and as text."""
    opened.controller.selection.go_to(uuid)
    await opened.settled()
    opened.window.why_panel.copy(CopyForm.JSON)
    found: dict[str, JsonValue] = json.loads(QGuiApplication.clipboard().text())
    assert found["uuid"] == uuid
    return found, opened.why()


async def all_uuids(project: Path) -> list[str]:
    """Return the uuids of all memories of a store, newest first."""
    database = await Database.open(locate(project))
    try:
        async with database.browse.snapshot() as connection:
            rowids = await memories.rowids_newest_first(connection)
            return [head.uuid for head in await memories.heads_by_rowid(connection, rowids)]
    finally:
        await database.close()


def _shown_only_by(path: str, document: dict[str, JsonValue]) -> bool:
    """Tell whether a field has no line in this explanation, for there is nothing to explain."""
    outside = document["order"] is None
    still = outside or document["repair"] == {"moved": 0, "because_of": None}
    return (path == "order.position_before_repair" and still) or (
        outside and path in ("uuid", "penalty.state", "penalty.factor", "fusion.rrf_k")
    )


async def test_every_field_has_its_place_and_its_value_stands_there(
    qapp: QApplication, tmp_path: Path
) -> None:
    places, met = table(), set[str]()
    verdicts = set[JsonValue]()
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        outcome = await opened.search("boarding pass base45")
        listed = [*opened.rows()[:9], *opened.rows()[-2:]]
        left = [uuid for uuid in await all_uuids(project) if outcome.hit(uuid) is None]
        for uuid in [*listed, *left[:12]]:
            document, text = await explained(opened, uuid)
            verdicts.add(document["outcome"])
            for path, value in leaves(document):
                assert path in places or value in (None, []), path
                if path not in places:
                    continue
                met.add(path)
                told = is_told(value, path, places[path], text)
                assert told or _shown_only_by(path, document), (path, value, text)
    assert {"hit", "below_cut", "outside_pool"} <= verdicts
    assert met == set(places)
