"""The person's own finder: NFC and casefold, every state, never the pool, exact totals."""

import asyncio
import unicodedata
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import given

from core.retrieval.literal import LITERAL_LIMIT, Field
from core.store.text import is_blank, well_formed
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY, any_texts
from tests.support.stores import Memory, build_store, distractors, uuid_of

_TEXTS = (
    *("don't open a/b", "Straße nach Köln", "STRASSE", "cafe\u0301 au lait", "CAFÉ", "ﬁle", "FILE"),
    *("Kelvin \u212a", "kelvin k", "İstanbul", "ısırgan", "ǆ", "Ǆ"),
    *("设备清单", "今日は成語しりとりをした"),
    *("ฉันชอบกินข้าวเช้าทุกวัน", "👩‍👩‍👧 family"),
    *("a\u200bb", "tab\tinside", "line\nbreak", "\u1e9e sharp"),
    *("half \x00 nul", "٣٤", "% _ \\ ' \"", "nbsp\u00a0here", "U+1E900 \U0001e900 \U0001e922"),
)
_ROWS = [
    Memory(
        f"row {n}",
        text,
        _TEXTS[(n * 7 + 3) % len(_TEXTS)],
        active=n % 5 != 0,
        by="row 1" if n % 4 == 0 and n else None,
        created_at=f"2026-02-{n % 9 + 1:02}T00:00:00+00:00",
    )
    for n, text in enumerate(_TEXTS)
]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """Return the loop that all examples share."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def engine(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Open a store of odd texts."""
    folder: Path = tmp_path_factory.mktemp("odd")
    build_store(folder, _ROWS)
    stack = AsyncExitStack()
    yield runner.run(stack.enter_async_context(open_engine(folder)))
    runner.run(stack.aclose())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _naive(text: str) -> list[tuple[str, str]]:
    """Return (uuid, field) of every row that contains the text, newest first, then by uuid."""
    needle = _folded(well_formed(text).strip())
    if is_blank(text):
        return []
    found = []
    for row in _ROWS:
        fields = (("gist", row.gist), ("content", row.content), ("uuid", row.uuid))
        where = next((name for name, value in fields if needle in _folded(value)), None)
        if where is not None:
            found.append((row, where))
    found.sort(key=lambda p: p[0].uuid)
    found.sort(key=lambda p: p[0].created_at, reverse=True)
    return [(row.uuid, where) for row, where in found]


def _found(engine: Engine, runner: asyncio.Runner, text: str) -> list[tuple[str, str]]:
    report = runner.run(engine.literal(text))
    assert report.complete
    assert report.total == len(report.matches)
    return [(m.head.uuid, m.where.value) for m in report.matches]


@PROPERTY
@given(text=any_texts)
def test_any_text_is_found_where_a_plain_look_finds_it(
    engine: Engine, runner: asyncio.Runner, text: str
) -> None:
    assert _found(engine, runner, text) == _naive(text)


def test_every_piece_of_every_text_is_found(engine: Engine, runner: asyncio.Runner) -> None:
    pieces = {t[i : i + n] for t in _TEXTS for n in (1, 2, 5) for i in range(0, len(t), 3)}
    for piece in sorted(pieces):
        for spelling in (piece, piece.upper(), unicodedata.normalize("NFD", piece)):
            assert _found(engine, runner, spelling) == _naive(spelling), spelling


def test_a_uuid_or_a_part_of_it_is_found(engine: Engine, runner: asyncio.Runner) -> None:
    wanted = uuid_of("row 3")
    assert (wanted, Field.UUID) in _found(engine, runner, wanted.upper())
    assert (wanted, Field.UUID) in _found(engine, runner, wanted[9:23])


@pytest.mark.parametrize("text", ["", "   ", "\t\n", "\u3000", "\u200b", "\ufeff\u2060"])
def test_a_blank_text_matches_nothing(
    engine: Engine, runner: asyncio.Runner, text: str
) -> None:
    assert _found(engine, runner, text) == []


async def test_the_total_is_exact_beyond_the_two_hundred_shown(tmp_path: Path) -> None:
    """610 rows hold the word; 200 are shown, newest first, and the total says 610."""
    rows = [
        Memory(f"m{n}", f"zarquon {n}", created_at=f"2026-03-01T00:{n // 60:02}:{n % 60:02}+00:00")
        for n in range(610)
    ]
    build_store(tmp_path, [*rows, *distractors(50)])
    async with open_engine(tmp_path) as engine:
        report = await engine.literal("ZARQUON")
    assert (report.total, len(report.matches)) == (610, LITERAL_LIMIT)
    assert [m.head.gist for m in report.matches[:2]] == ["zarquon 609", "zarquon 608"]


async def test_rows_of_the_pool_are_left_out(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "zarquon lamp"), Memory("b", "zarquons", active=False)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("zarquon")
        report = await engine.literal("zarquon", outcome)
    assert [h.uuid for h in outcome.hits] == [uuid_of("a")]
    assert [(m.head.uuid, m.where) for m in report.matches] == [(uuid_of("b"), Field.GIST)]
