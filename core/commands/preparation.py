"""A new text made ready outside the transaction: bounds, chunks, vectors. Blocks; no store.

The order of the checks is part of the contract: what is refused first is what is said.
"""

import math
import struct
from dataclasses import dataclass

from core import chunking
from core.commands.gate import WriteSettings
from core.commands.refusals import Refused, bounds
from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder
from core.store.chunk_rows import NewChunk
from core.store.text import is_blank, is_damaged

GIST_UNITS = 1024
_ENCODER_FAULTS = frozenset({ErrorCode.ENCODER_FAILED, ErrorCode.NO_ARTIFACT})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text that can be written: its counts, its chunks with their vectors."""

    gist: str
    content: str
    gist_tokens: int
    token_count: int
    chunks: tuple[NewChunk, ...]

    @property
    def truncated(self) -> bool:
        """Tell whether any chunk is a piece of a paragraph that was too long."""
        return any(chunk.truncated for chunk in self.chunks)


def utf16_units(text: str) -> int:
    """Return the length that the bound on a gist counts: UTF-16 code units."""
    return len(text) + sum(1 for c in text if c > "\uffff")


def _stored_as_blank(text: str) -> bool:
    """Tell whether nothing would be left: white space and invisible characters, or what the
    database's own check takes for nothing because a NUL ends it."""
    return is_blank(text) or text.lstrip(" ").startswith("\0")


def check_texts(gist: str, content: str) -> Refused | None:
    """Check the bounds that need no model."""
    for name, text in (("gist", gist), ("content", content)):
        if _stored_as_blank(text):
            return bounds(name, 1, 0, f"The {name} is blank; write at least one visible character.")
    for name, text in (("gist", gist), ("content", content)):
        if is_damaged(text):
            halves = sum(1 for c in text if "\ud800" <= c <= "\udfff")
            sentence = f"The {name} holds half a character that no file can keep; take it out."
            return bounds(f"{name}.surrogates", 0, halves, sentence)
    units = utf16_units(gist)
    if units > GIST_UNITS:
        sentence = f"The gist has {units} characters, {GIST_UNITS} are allowed; shorten it."
        return bounds("gist.characters", GIST_UNITS, units, sentence)
    return None


def prepare(
    gist: str, content: str, encoder: Encoder, settings: WriteSettings
) -> Prepared | Refused:
    """Check, cut and embed a text, one forward pass a chunk.

    Raises GenizahError(INDEX_FAILED): reason budget, assembly or embed.
    """
    refused = check_texts(gist, content)
    if refused is not None:
        return refused
    tokens = encoder.count(gist)
    if tokens > settings.gist_max_tokens:
        sentence = (
            f"The gist has {tokens} tokens, {settings.gist_max_tokens} are allowed; shorten it."
        )
        return bounds("gist", settings.gist_max_tokens, tokens, sentence)
    chunks = chunking.cut(gist, content, encoder, settings.chunk_max_tokens)
    _check_assembly(gist, content, chunks, encoder, settings)
    return Prepared(
        gist=gist,
        content=content,
        gist_tokens=tokens,
        token_count=encoder.count(content),
        chunks=tuple(
            NewChunk(c.token_count, c.truncated, _vector(f"{gist}\n{c.text}", encoder))
            for c in chunks
        ),
    )


def _check_assembly(
    gist: str,
    content: str,
    chunks: list[chunking.Chunk],
    encoder: Encoder,
    settings: WriteSettings,
) -> None:
    """Count every chunk again: a cut inside a word may count more than it was to."""
    facts = encoder.facts
    budget = chunking.effective_budget(gist, encoder, settings.chunk_max_tokens)
    cap = facts.window - facts.special_tokens
    fits = all(
        c.token_count <= budget and encoder.count(f"{gist}\n{c.text}") <= cap for c in chunks
    )
    if any(c.truncated for c in chunks):
        fits = fits and len(encoder.spans(content)) == encoder.count(content)
    if not chunks or not fits:
        raise GenizahError(
            ErrorCode.INDEX_FAILED,
            "A paragraph of the content is too long for the model and cannot be cut to pieces "
            "that fit; put blank lines into it.",
            reason="assembly",
            fields={"stage": "assembly"},
        )


def _vector(text: str, encoder: Encoder) -> bytes:
    try:
        raw = encoder.embed(text)
    except GenizahError as error:
        if error.code not in _ENCODER_FAULTS:
            raise
        raise _not_embedded(error.message) from error
    return unit_vector(raw, encoder.facts.width)


def _not_embedded(why: str) -> GenizahError:
    return GenizahError(
        ErrorCode.INDEX_FAILED,
        f"The model gave no usable vector: {why}",
        reason="embed",
        fields={"stage": "embed"},
    )


def unit_vector(raw: bytes, width: int) -> bytes:
    """Scale little-endian float32 numbers to unit length in float64.

    Raises GenizahError(INDEX_FAILED, reason embed) for another width, a number that is not
    finite, or nothing but zeros.
    """
    if len(raw) != 4 * width:
        raise _not_embedded(f"it has {len(raw) // 4} numbers, the store's have {width}.")
    numbers = struct.unpack(f"<{width}f", raw)
    length = math.sqrt(math.fsum(x * x for x in numbers))
    if not math.isfinite(length) or length == 0.0:
        raise _not_embedded("its numbers are not finite or all zero.")
    return struct.pack(f"<{width}f", *(x / length for x in numbers))
