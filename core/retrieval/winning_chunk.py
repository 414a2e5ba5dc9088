"""Which part of a memory's text the meaning search found, proven against the stored chunk rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.chunking import Chunk, cut
from core.errors import GenizahError
from core.readmodels import MemoryDetail
from core.retrieval.encoder import Encoder
from core.store.chunks import StoredChunk
from core.store.text import well_formed


@dataclass(frozen=True, slots=True)
class WinningChunk:
    """Part `part_index` (from 0) of `count`; content[start:end] in characters."""

    part_index: int
    count: int
    start: int
    end: int


def _agree(cut_now: Sequence[Chunk], stored: Sequence[StoredChunk]) -> bool:
    """Tell whether a cut gives the stored rows: as many, numbered from 0, of the same sizes."""
    now = [(i, chunk.token_count, chunk.truncated) for i, chunk in enumerate(cut_now)]
    return now == [(row.part_index, row.token_count, row.truncated) for row in stored]


def chunk_spans(
    detail: MemoryDetail,
    stored: Sequence[StoredChunk],
    counter: Encoder,
    sizes: Iterable[int],
) -> tuple[tuple[int, int], ...] | None:
    """Return (start, end) of every part, or None where no cut agrees with what is stored. Blocks.

    `sizes` are the chunk sizes in tokens that may have been in force, likeliest first.
    """
    gist, content = well_formed(detail.head.gist), well_formed(detail.content)
    for size in dict.fromkeys(sizes):
        try:
            parts = cut(gist, content, counter, size)
        except GenizahError:
            continue  # no text fits beside this gist: nothing was stored this way
        if _agree(parts, stored):
            return tuple((part.start, part.end) for part in parts)
    return None


def winning_chunk(
    spans: Sequence[tuple[int, int]] | None, part_index: int
) -> WinningChunk | None:
    """Return where a part lies among the spans of all, or None where it is not known. Pure."""
    if spans is None or not 0 <= part_index < len(spans):
        return None
    start, end = spans[part_index]
    return WinningChunk(part_index, len(spans), start, end)
