"""Cutting a query to the model's window with the real tokenizer, by the contract's rule."""

from collections.abc import Sequence
from typing import cast, override

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import dense_query, fit_query
from core.retrieval.token_counter import LONG_TEXT, TokenCounter
from core.store.text import well_formed
from tests.support.properties import PROPERTY, any_texts, whole_texts
from tests.support.stub_encoder import StubEncoder

_PREFIX = "Represent this sentence for searching relevant passages: "


def _by_the_rule(text: str, counter: TokenCounter, prefix: str) -> str:
    """Follow the contract: what fits is whole, else the longest run of tokens that does."""
    cap, specials = counter.facts.window, counter.facts.special_tokens
    if counter.count(prefix + text) + specials <= cap:
        return text
    spans = counter.spans(text)
    budget = cap - specials - counter.count(prefix)
    for last in range(min(budget, len(spans)), 0, -1):
        kept = text[spans[0][0] : spans[last - 1][1]]
        if counter.count(prefix + kept) + specials <= cap:
            return kept
    raise AssertionError("not even one token fits")


def test_the_embedded_tokenizer_is_what_was_measured(token_counter: TokenCounter) -> None:
    facts = token_counter.facts
    assert (facts.width, facts.window, facts.special_tokens) == (384, 256, 2)
    assert token_counter.count("hello") == 1, "neither padded nor cut"
    assert token_counter.count("hello " * 1000) == 1000


@PROPERTY
@given(text=whole_texts)
def test_a_long_text_has_the_tokens_that_it_has_read_by_itself(
    token_counter: TokenCounter, text: str
) -> None:
    whole = "tide tables " + f"{text} " * (LONG_TEXT // (len(text) + 1) + 1)
    assert len(whole) >= LONG_TEXT
    alone = token_counter._tokenizer.encode(whole, add_special_tokens=False)
    assert token_counter.count(whole) == len(alone.ids)
    assert list(token_counter.spans(whole)) == alone.offsets


class _Recording:
    """A tokenizer that notes how it is asked."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> object:
        self.asked.append(name)
        return getattr(self._tokenizer, name)


def test_a_long_text_is_read_in_the_way_that_lets_other_threads_run(
    token_counter: TokenCounter,
) -> None:
    recording = _Recording(token_counter._tokenizer)
    counter = TokenCounter(cast(Tokenizer, recording), token_counter.facts)
    counter.count("tide")
    counter.count("tide " * LONG_TEXT)
    counter.spans("tide " * LONG_TEXT)
    assert recording.asked == ["encode", "encode_batch", "encode_batch"]


@PROPERTY
@given(
    text=whole_texts,
    repeat=st.sampled_from([1, 1, 40, 200]),
    prefix=st.sampled_from(["", _PREFIX]),
)
def test_any_text_is_cut_by_the_rule(
    token_counter: TokenCounter, text: str, repeat: int, prefix: str
) -> None:
    whole = " ".join([text] * repeat)
    kept, tokens = fit_query(whole, token_counter, prefix)
    assert tokens == token_counter.count(whole)
    assert kept == _by_the_rule(whole, token_counter, prefix)
    assert token_counter.count(prefix + kept) + 2 <= 256


def test_a_text_that_fits_is_never_sliced(token_counter: TokenCounter) -> None:
    for text in ("  spaces around  ", "\n", "", "ends with \u200b", "a " * 127 + "a\t\t"):
        assert fit_query(text, token_counter, "")[0] == text


def test_the_window_holds_exactly_254_words_without_a_prefix(token_counter: TokenCounter) -> None:
    assert fit_query("word " * 254, token_counter, "") == ("word " * 254, 254)
    kept, tokens = fit_query("word " * 255, token_counter, "")
    assert (kept, tokens) == (("word " * 254).rstrip(), 255)


def test_two_hundred_kilobytes_are_cut_and_counted_whole_a11(token_counter: TokenCounter) -> None:
    text = "don't panic " * 17_000
    assert len(text) > 200_000
    kept, tokens = fit_query(text, token_counter, "")
    assert tokens == 17_000 * 4
    assert token_counter.count(kept) == 254
    assert text.startswith(kept)


@pytest.mark.parametrize("words", [254, 300])
def test_a_prefix_that_fills_the_window_is_an_error_naming_the_setting(
    token_counter: TokenCounter, words: int
) -> None:
    for text in ("", "short", "long " * 400):
        with pytest.raises(GenizahError, match=r"embedding\.embed_prefix_query") as refusal:
            fit_query(text, token_counter, "word " * words)
        assert refusal.value.code is ErrorCode.BAD_CONFIG
        assert refusal.value.fields["key"] == "embedding.embed_prefix_query"


def test_a_prefix_that_leaves_one_token_keeps_one(token_counter: TokenCounter) -> None:
    assert fit_query("alpha beta", token_counter, "word " * 253)[0] == "alpha"


def test_prefix_and_text_are_counted_as_one_string() -> None:
    """A prefix that runs into the first word makes one token with it: 30 words still fit."""
    encoder = StubEncoder(window=32, special_tokens=2)
    text = " ".join(f"w{n}" for n in range(30))
    assert fit_query(text, encoder, "ask:") == (text, 30)
    assert fit_query(text, encoder, "ask: ")[0] == text.removesuffix(" w29")


class _Miscounting(StubEncoder):
    """A tokenizer whose spans and counts disagree."""

    @override
    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        return super().spans(text)[1:]


def test_counts_and_spans_that_disagree_are_an_error() -> None:
    with pytest.raises(GenizahError) as refusal:
        fit_query("word " * 100, _Miscounting(window=32), "")
    assert refusal.value.code is ErrorCode.ENCODER_FAILED


@PROPERTY
@given(text=any_texts)
def test_any_text_can_be_embedded_half_surrogates_too(
    token_counter: TokenCounter, text: str
) -> None:
    encoder = StubEncoder(8, window=256)
    query = dense_query(text, encoder, "ask: ")
    assert encoder.embedded == ["ask: " + well_formed(text)]
    assert (query.kept, query.truncated) == (text, False)
    token_counter.count(encoder.embedded[0])
