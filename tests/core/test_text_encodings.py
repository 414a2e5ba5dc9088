"""Text cells that are no valid UTF-8 can be found again by the text that they are shown as."""

from hypothesis import given
from hypothesis import strategies as st

from core.store.text import decode, encodings
from tests.support.properties import PROPERTY

_HALF = b"\xed\xb2\x80"


@PROPERTY
@given(st.lists(st.one_of(st.binary(max_size=4), st.just(_HALF), st.just(b"a"))).map(b"".join))
def test_the_bytes_of_a_text_are_among_those_it_is_decoded_from(raw: bytes) -> None:
    text = decode(raw)
    found = encodings(text)
    assert raw in found
    assert {decode(one) for one in found} == {text}


@PROPERTY
@given(st.text())
def test_a_well_formed_text_has_one_row_of_bytes(text: str) -> None:
    assert encodings(text) == (text.encode("utf-8"),)
