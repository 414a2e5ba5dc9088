"""Equal texts, and twins: texts that are equal but for what they name."""

import pytest
from hypothesis import given

from core.duplicates.fingerprints import differing_names, fingerprint, is_identifier
from tests.support.properties import PROPERTY, any_texts

_RULE = "the staging service listens on port {} and logs to {}, as agreed"


@given(any_texts, any_texts, any_texts, any_texts)
@PROPERTY
def test_texts_have_one_digest_exactly_when_both_are_equal(
    gist: str, content: str, other_gist: str, other_content: str
) -> None:
    one, other = fingerprint(gist, content), fingerprint(other_gist, other_content)
    assert (one.text == other.text) is ((gist, content) == (other_gist, other_content))
    assert one == fingerprint(gist, content)
    assert not one.is_twin_of(one)


def test_a_character_that_moves_from_gist_to_content_makes_another_text() -> None:
    assert fingerprint("ab", "c").text != fingerprint("a", "bc").text
    assert fingerprint("1 a", "b").text != fingerprint("1", " ab").text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("8080", "/var/log/a"), ("8081", "/var/log/a")),
        (("8080", "/var/log/a"), ("8080", "/var/log/b")),
        (("8080", "A_LOG"), ("8080", "B_LOG")),
        (("8080", "core.log"), ("8080", "app.log")),
        (("8080", "mainLog"), ("8080", "sideLog")),
        (("8080", "PROD"), ("8080", "TEST")),
        (("8080", "web-eu"), ("8080", "web-us")),
        (("8080", "2026-01-01"), ("8080", "2026-01-02")),
    ],
)
def test_a_text_that_names_something_else_is_a_twin(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    a, b = (fingerprint("Where it listens", _RULE.format(*names)) for names in (one, other))
    assert a.text != b.text
    assert a.is_twin_of(b)
    assert b.is_twin_of(a)
    texts = (_RULE.format(*one), _RULE.format(*other))
    assert differing_names(*texts) == tuple(
        (x, y) for x, y in zip(one, other, strict=True) if x != y
    )


def test_another_word_or_other_white_space_alone_makes_no_twin() -> None:
    said = fingerprint("Where it listens", _RULE.format(8080, "a.log"))
    other_word = _RULE.format(8080, "a.log").replace("staging", "testing")
    assert not said.is_twin_of(fingerprint("Where it listens", other_word))
    spaced = fingerprint("Where it  listens", _RULE.format(8080, "a.log").replace(" ", "\n"))
    assert said.text != spaced.text
    assert (said.shape, said.names) == (spaced.shape, spaced.names)
    assert not said.is_twin_of(spaced)


def test_texts_of_hardly_anything_but_names_are_no_twins() -> None:
    assert fingerprint("8080", "a.log").shape is None
    assert fingerprint("port 8080", "is ours").shape is not None
    assert fingerprint("1 2 3 4 5", "these are ours").shape is None


@pytest.mark.parametrize("word", ["8080", "a/b", "x_y", "fooBar", "a.b", "10:30", "PROD", "#12"])
def test_identifiers(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["", "quay", "Quay", "I", "a", "été", "#", "—", "="])
def test_other_words(word: str) -> None:
    assert not is_identifier(word)


def test_a_text_of_two_million_characters_is_one_pass() -> None:
    for text in ("a" * 2_000_000, "a." * 1_000_000, "." * 2_000_000, "a " * 1_000_000):
        assert fingerprint(text, "c").text != fingerprint(text, "d").text
