"""A text made ready: what is refused, in which order, and what its vectors are."""

import math
import struct

import pytest

from core.commands.gate import WriteSettings
from core.commands.preparation import Prepared, prepare, unit_vector
from core.commands.refusals import Refused
from core.errors import ErrorCode, GenizahError
from core.settings import RetrievalSettings
from tests.support.stub_encoder import StubEncoder, packed, unpacked

_SETTINGS = WriteSettings(8, 4, 0.8, 3, RetrievalSettings())


def _fields(gist: str, content: str) -> dict[str, object]:
    found = prepare(gist, content, StubEncoder(), _SETTINGS)
    assert isinstance(found, Refused)
    assert found.code is ErrorCode.BOUNDS
    return dict(found.fields)


@pytest.mark.parametrize(
    ("gist", "content", "fields"),
    [
        ("", "", ("gist", 1, 0)),
        (" \n\u3000", "text", ("gist", 1, 0)),
        ("x" * 2000, "\t", ("content", 1, 0)),
        ("\u200b", "text", ("gist", 1, 0)),
        ("fine", "\ufeff\u200b ", ("content", 1, 0)),
        ("\0hidden", "text", ("gist", 1, 0)),
        ("fine", " \0hidden", ("content", 1, 0)),
        ("half \ud83d", "text", ("gist.surrogates", 0, 1)),
        ("fine", "\ud800\udc00\ud800", ("content.surrogates", 0, 3)),
        ("x" * 1025, "text", ("gist.characters", 1024, 1025)),
        ("\U0001f600" * 513, "text", ("gist.characters", 1024, 1026)),
        ("one two three four five", "text", ("gist", 4, 5)),
    ],
)
def test_a_text_out_of_bounds_is_refused_with_field_limit_and_number(
    gist: str, content: str, fields: tuple[str, int, int]
) -> None:
    assert tuple(_fields(gist, content).values()) == fields


def test_a_gist_of_1024_units_is_allowed() -> None:
    assert isinstance(prepare("\U0001f600" * 512, "text", StubEncoder(), _SETTINGS), Prepared)


def test_every_chunk_is_embedded_behind_the_gist_in_order() -> None:
    encoder = StubEncoder()
    found = prepare("a gist", "one two\n\n" + "long " * 9, encoder, _SETTINGS)
    assert isinstance(found, Prepared)
    first = "a gist\n" + "long long long long long long long long"
    assert encoder.embedded == ["a gist\none two", first, "a gist\nlong"]
    assert [(c.token_count, c.truncated) for c in found.chunks] == [
        (2, False),
        (8, True),
        (1, True),
    ]
    assert (found.gist_tokens, found.token_count, found.truncated) == (2, 11, True)


def test_a_vector_is_scaled_to_unit_length() -> None:
    assert unpacked(unit_vector(packed([3.0, 0.0, 4.0]), 3)) == pytest.approx((0.6, 0.0, 0.8))
    tiny = unpacked(unit_vector(packed([1e-30, 1e-30]), 2))
    assert math.fsum(x * x for x in tiny) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    "raw",
    [packed([0.0, 0.0]), packed([math.nan, 1.0]), packed([math.inf, 1.0]), packed([1.0])],
    ids=["zero", "nan", "infinite", "narrow"],
)
def test_a_vector_that_means_nothing_fails_the_index(raw: bytes) -> None:
    with pytest.raises(GenizahError) as failed:
        unit_vector(raw, 2)
    assert (failed.value.code, failed.value.reason) == (ErrorCode.INDEX_FAILED, "embed")


def test_a_gist_that_fills_the_window_fails_the_index() -> None:
    wide = WriteSettings(8, 40, 0.8, 3, RetrievalSettings())
    with pytest.raises(GenizahError) as failed:
        prepare("g " * 30, "text", StubEncoder(window=32), wide)
    assert (failed.value.code, failed.value.reason) == (ErrorCode.INDEX_FAILED, "budget")


def test_a_vectors_numbers_are_little_endian() -> None:
    assert unit_vector(packed([2.0]), 1) == struct.pack("<f", 1.0)
