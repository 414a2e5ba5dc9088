"""Cutting a text into chunks: as every stored chunk row proves, and at the edges by arithmetic."""

from pathlib import Path

import pysqlite3
import pytest

from core.chunking import Chunk, cut, effective_budget
from core.errors import ErrorCode, GenizahError
from core.retrieval.token_counter import TokenCounter
from core.store.text import decode
from tests.support.stub_encoder import StubEncoder

type Sizes = list[tuple[int, int, int]]


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{n}" for n in range(count))


def stub_cut(content: str, *, gist: str = "gist", most: int = 10, window: int = 32) -> list[Chunk]:
    """Cut with an encoder whose tokens are words and whose specials are two."""
    return cut(gist, content, StubEncoder(window=window), most)


def stored_sizes(database: Path) -> list[tuple[str, str, Sizes]]:
    raw = pysqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)
    raw.text_factory = decode
    chunks: dict[str, Sizes] = {}
    for uuid, *size in raw.execute(
        "SELECT memory_uuid, part_index, token_count, truncated FROM memory_chunk "
        "ORDER BY memory_uuid, part_index"
    ).fetchall():
        chunks.setdefault(uuid, []).append(tuple(size))
    rows = raw.execute("SELECT uuid, gist, content FROM memory").fetchall()
    raw.close()
    return [(gist, content, chunks.get(uuid, [])) for uuid, gist, content in rows]


def assert_cut_as_stored(project: Path, counter: TokenCounter) -> int:
    """Compare every memory; return the greatest number of chunks that one has."""
    most = 0
    for gist, content, stored in stored_sizes(project / ".zikaron" / "memory.db"):
        parts = cut(gist, content, counter, 450)
        ours = [(i, part.token_count, int(part.truncated)) for i, part in enumerate(parts)]
        assert ours == stored, gist
        most = max(most, len(parts))
    return most


@pytest.mark.timeout(300)
def test_every_memory_of_the_oracle_is_cut_as_it_was_stored(
    oracle: Path, token_counter: TokenCounter
) -> None:
    assert assert_cut_as_stored(oracle, token_counter) > 1, "else the cut was never needed"


def test_every_memory_of_the_demo_is_cut_as_it_was_stored(
    demo: Path, token_counter: TokenCounter
) -> None:
    assert assert_cut_as_stored(demo, token_counter) >= 1


def test_the_budget_is_the_setting_or_what_the_gist_leaves() -> None:
    counter = StubEncoder(window=32)  # 32 - 2 specials - gist - 1
    assert effective_budget("a b c", counter, 10) == 10
    assert effective_budget("a b c", counter, 100) == 32 - 2 - 3 - 1


def test_a_gist_that_fills_the_window_leaves_no_budget_and_says_so() -> None:
    with pytest.raises(GenizahError) as caught:
        effective_budget(words(29), StubEncoder(window=32), 10)
    assert (caught.value.code, caught.value.reason) == (ErrorCode.INDEX_FAILED, "budget")
    assert effective_budget(words(28), StubEncoder(window=32), 10) == 1


def test_paragraphs_are_packed_until_the_next_one_would_not_fit() -> None:
    content = "\n\n".join([words(4, "a"), words(5, "b"), words(2, "c"), words(8, "d")])
    parts = stub_cut(content)
    assert [part.token_count for part in parts] == [9, 10]
    assert parts[0].text == f"{words(4, 'a')}\n\n{words(5, 'b')}"
    assert [content[p.start : p.end] for p in parts] == [p.text for p in parts]
    assert not any(part.truncated for part in parts)


def test_blank_lines_of_any_width_part_paragraphs_and_are_no_text() -> None:
    content = "  one \n \t \n\n\ntwo\nstill two  "
    (part,) = stub_cut(content)
    assert part.text == "one\n\ntwo\nstill two"
    assert content[part.start : part.end] == "one \n \t \n\n\ntwo\nstill two"


def test_a_paragraph_too_long_alone_is_cut_every_budget_tokens() -> None:
    content = f"head\n\n{words(23)}\n\ntail"
    parts = stub_cut(content)
    assert [(p.token_count, p.truncated) for p in parts] == [
        (1, False),
        (10, True),
        (10, True),
        (3, True),
        (1, False),
    ]
    assert content[parts[1].start : parts[1].end] == words(23)[: len(words(10))]


def test_a_text_without_a_letter_to_see_has_no_chunk() -> None:
    assert stub_cut(" \n\n\t\n ") == []
