"""Places in a text that a search matched: FTS5's own, and those of the person's own finder."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.retrieval.highlight import (
    TextField,
    free_markers,
    literal_spans,
    matched_spans,
    spans_of,
)
from core.retrieval.query import lexical_query
from core.store.connection import Connection
from core.store.database import Database
from core.store.location import locate
from tests.support.stores import Memory, build_store, writing


@asynccontextmanager
async def reading(project: Path) -> AsyncIterator[Connection]:
    database = await Database.open(locate(project))
    try:
        async with database.search.snapshot() as connection:
            yield connection
    finally:
        await database.close()


async def matched(project: Path, query: str, text: str, field: TextField = TextField.GIST) -> str:
    """Return the text with brackets around what the query matches in row 1."""
    expression = lexical_query(query, 64).expression
    assert expression is not None
    async with reading(project) as connection:
        spans = (await matched_spans(connection, expression, field, {1: text}))[1]
    return bracketed(text, spans)


def bracketed(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts.append(f"{text[at:start]}[{text[start:end]}]")
        at = end
    return "".join([*parts, text[at:]])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("resume", "un café [résumé] x"),
        ("RÉSUMÉ", "un café [résumé] x"),
        ("cafe", "un [café] résumé x"),
        ("resume cafe", "un [café] [résumé] x"),
        ("caf", "un café résumé x"),
    ],
)
async def test_a09_what_is_matched_without_its_accents_is_marked_with_them(
    tmp_path: Path, query: str, expected: str
) -> None:
    text = "un café résumé x"
    project = build_store(tmp_path, [Memory("a", text)])
    assert await matched(project, query, text) == expected


@pytest.mark.parametrize(("stored", "query"), [("groß", "gross"), ("ｄｅｖ", "dev")])
async def test_a09_what_the_index_does_not_fold_is_not_marked(
    tmp_path: Path, stored: str, query: str
) -> None:
    project = build_store(tmp_path, [Memory("a", stored)])
    assert await matched(project, query, stored) == stored


async def test_a_content_is_marked_as_a_gist_is(tmp_path: Path) -> None:
    content = "the tide\n\nhigh Tide, low tide"
    project = build_store(tmp_path, [Memory("a", "gist", content)])
    shown = await matched(project, "tide", content, TextField.CONTENT)
    assert shown == "the [tide]\n\nhigh [Tide], low [tide]"


async def test_a_text_that_holds_the_first_marker_is_marked_with_others(tmp_path: Path) -> None:
    text = "\ue000 tide \ue001\ue002"
    project = build_store(tmp_path, [Memory("a", text)])
    assert await matched(project, "tide", text) == "\ue000 [tide] \ue001\ue002"


async def test_a_text_that_changed_meanwhile_is_not_marked(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "the tide"), Memory("b", "tide")])
    with writing(project) as raw:
        raw.execute("UPDATE memory SET gist = 'a tide' WHERE rowid = 1")
    async with reading(project) as connection:
        found = await matched_spans(
            connection, '"tide"', TextField.GIST, {1: "the tide", 2: "tide"}
        )
    assert found == {1: (), 2: ((0, 4),)}


async def test_a_row_that_does_not_match_has_no_span(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory("a", "the ferry")])
    assert await matched(project, "tide", "the ferry") == "the ferry"


@pytest.mark.parametrize("word", ["ab", "áb"])
async def test_a_long_text_full_of_matches_is_left_alone(tmp_path: Path, word: str) -> None:
    text = f"{word} " * 80_000  # FTS5 copies it for each of them: 19 GB in all
    project = build_store(tmp_path / "p", [Memory("a", "x", text)])
    assert "[" not in await matched(project, "ab", text, TextField.CONTENT)


async def test_a_long_text_with_few_matches_is_marked(tmp_path: Path) -> None:
    text = "ab " + "word " * 100_000
    project = build_store(tmp_path / "p", [Memory("a", "x", text)])
    shown = await matched(project, "ab", text, TextField.CONTENT)
    assert shown.startswith("[ab] word") and shown.count("[") == 1


def test_markers_are_characters_that_no_text_has() -> None:
    assert free_markers(["plain", "ünicode"]) == ("\ue000", "\ue001")
    assert free_markers(["a\ue001", "\ue002"]) == ("\ue004", "\ue005")
    every = "".join(chr(c) for c in range(0xE000, 0xF900))
    assert free_markers([every]) is None


def test_spans_are_taken_only_from_the_same_text() -> None:
    assert spans_of("a[b]c[d]", "abcd", ("[", "]")) == ((1, 2), (3, 4))
    assert spans_of("a[b]c", "abX", ("[", "]")) == ()
    assert spans_of("abc", "abc", ("[", "]")) == ()


@pytest.mark.parametrize(
    ("text", "needle", "expected"),
    [
        ("ฉันชอบกินข้าวเช้าทุกวัน", "ข้าว", "ฉันชอบกิน[ข้าว]เช้าทุกวัน"),
        ("Straße und STRASSE", "strasse", "[Straße] und [STRASSE]"),
        ("cafe\u0301 x", "CAFÉ", "[cafe\u0301] x"),
        ("xTide and tide", " tide ", "x[Tide] and [tide]"),
        ("aaa", "aa", "[aa]a"),
        ("plain", "", "plain"),
        ("plain", "   ", "plain"),
    ],
)
def test_a_literal_place_is_found_as_the_finder_compares(
    text: str, needle: str, expected: str
) -> None:
    assert bracketed(text, literal_spans(text, needle)) == expected
