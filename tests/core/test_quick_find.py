"""Quick open's search: a part of the gist or the beginning of the uuid, newest first."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.retrieval.literal import fold
from core.store.database import Database
from core.store.location import locate
from core.store.quick_find import QUICK_LIMIT, QuickMatches, quick_find
from tests.support.stores import Memory, build_store, uuid_of, writing


async def find(project: Path, text: str) -> QuickMatches:
    database = await Database.open(locate(project))
    try:
        async with database.browse.snapshot() as connection:
            return await quick_find(connection, fold(text), fold)
    finally:
        await database.close()


def gists(found: QuickMatches) -> list[str]:
    return [head.gist for head in found.heads]


def dated(project: Path, gists_by_time: Sequence[str]) -> None:
    """Give the rows with these gists times in this order."""
    with writing(project) as raw:
        for day, gist in enumerate(gists_by_time, start=1):
            at = f"2026-03-{day:02}T00:00:00+00:00"
            raw.execute("UPDATE memory SET created_at = ? WHERE gist = ?", (at, gist))


async def test_a_part_of_the_gist_is_enough_whatever_its_case(tmp_path: Path) -> None:
    project = build_store(
        tmp_path,
        [
            Memory("a", "The Ferry waits", "x"),
            Memory("b", "no such thing", "the ferry is only in the content"),
            Memory("c", "ferryman", "x"),
        ],
    )
    dated(project, ["ferryman", "The Ferry waits"])
    found = await find(project, "FERRY")
    assert gists(found) == ["The Ferry waits", "ferryman"]
    assert found.total == 2


async def test_the_beginning_of_a_uuid_is_found_and_its_middle_is_not(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "one", "x"), Memory("b", "two", "x")])
    uuid = uuid_of("a")
    assert [head.uuid for head in (await find(project, uuid[:8].upper())).heads] == [uuid]
    assert uuid not in [head.uuid for head in (await find(project, uuid[9:20])).heads]


async def test_letters_beyond_ascii_are_folded_and_composed(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "Über die Brücke")
    project = build_store(
        tmp_path, [Memory("a", decomposed, "x"), Memory("b", "STRASSE frei", "x")]
    )
    assert gists(await find(project, "über")) == [decomposed]
    assert gists(await find(project, "straße")) == ["STRASSE frei"]


async def test_at_most_fifty_are_returned_and_all_are_counted(tmp_path: Path) -> None:
    rows = [Memory(f"m{n}", f"gist {n:03} {'é' if n % 2 else ''}", "x") for n in range(120)]
    project = build_store(tmp_path, rows)
    with writing(project) as raw:
        raw.execute(
            "UPDATE memory SET created_at = "
            "'2026-03-01T00:00:' || substr(gist, 6, 3) || '+00:00'"
        )
    found = await find(project, "gist")
    assert found.total == 120
    assert [gist[5:8] for gist in gists(found)] == [f"{n:03}" for n in range(119, 69, -1)]
    assert len(found.heads) == QUICK_LIMIT == 50


async def test_equal_times_are_ordered_by_uuid(tmp_path: Path) -> None:
    project = build_store(
        tmp_path, [Memory(f"m{n}", f"same {'ä' if n % 2 else ''}", "x") for n in range(9)]
    )
    with writing(project) as raw:
        raw.execute("UPDATE memory SET created_at = '2026-03-01T00:00:00+00:00'")
    uuids = [head.uuid for head in (await find(project, "same")).heads]
    assert uuids == sorted(uuids)


async def test_an_empty_text_lists_the_newest(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "one", "x"), Memory("b", "two é", "x")])
    dated(project, ["one", "two é"])
    found = await find(project, "")
    assert gists(found) == ["two é", "one"]
    assert found.total == 2


@pytest.mark.parametrize("text", ["%", "_", "'", '"', "*", "a\0b", "\\", "ﬁ", "🚢"])
async def test_no_text_is_special(tmp_path: Path, text: str) -> None:
    project = build_store(
        tmp_path, [Memory("a", "plain gist", "x"), Memory("b", f"has {text} in it", "x")]
    )
    assert gists(await find(project, text)) == [f"has {text} in it"]


async def test_a_damaged_gist_is_found_by_what_can_be_read(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "whole", "x")])
    with writing(project) as raw:
        raw.execute("UPDATE memory SET gist = CAST(x'6f6b20eda0bd' AS TEXT)")
    found = await find(project, "ok")
    assert found.total == 1
