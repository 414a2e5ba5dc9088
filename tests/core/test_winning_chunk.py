"""The part that the meaning search found: marked only where the cut is proven by what is stored."""

from collections.abc import Sequence

from core.readmodels import MemoryDetail, MemoryHead
from core.retrieval.winning_chunk import WinningChunk, chunk_spans, winning_chunk
from core.store.chunks import StoredChunk
from tests.support.stub_encoder import StubEncoder

FIRST = " ".join(["one"] * 8)
SECOND = " ".join(["two"] * 7)
CONTENT = f"{FIRST}\n\n{SECOND}"
STORED = [StoredChunk(0, 8, False), StoredChunk(1, 7, False)]


def detail() -> MemoryDetail:
    now = "2026-03-01T12:00:00+00:00"
    head = MemoryHead(1, "u", "journal", "gist", True, None, 1, now, now, None, 15)
    return MemoryDetail(head, CONTENT, False)


def found_in(part: int, rows: Sequence[StoredChunk], sizes: Sequence[int]) -> WinningChunk | None:
    """Find a part of the text above, given its stored rows and the sizes to try."""
    return winning_chunk(chunk_spans(detail(), rows, StubEncoder(), sizes), part)


def test_the_part_lies_where_the_cut_puts_it() -> None:
    found = found_in(1, STORED, [10])
    assert found == WinningChunk(1, 2, len(FIRST) + 2, len(CONTENT))


def test_another_size_is_tried_where_the_first_one_does_not_agree() -> None:
    found = found_in(0, STORED, [20, 10])
    assert found == WinningChunk(0, 2, 0, len(FIRST))


def test_nothing_is_marked_where_number_size_or_cut_differ() -> None:
    other = [
        STORED[:1],
        [STORED[0], StoredChunk(1, 6, False)],
        [STORED[0], StoredChunk(1, 7, True)],
        [STORED[0], StoredChunk(2, 7, False)],
    ]
    assert [found_in(0, rows, [10]) for rows in other] == [None] * 4


def test_a_part_that_is_not_there_is_not_marked() -> None:
    assert found_in(2, STORED, [10]) is None
