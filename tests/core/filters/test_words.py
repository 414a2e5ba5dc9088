"""A search said in words: what ranks, what narrows, what of it was not understood."""

import pytest
from hypothesis import given

from core.filters.compiling import narrowing_of
from core.filters.parsing import parse
from core.filters.words import explain_search
from tests.core.filters.search_texts import search_texts
from tests.core.filters.store import CONTEXT
from tests.support.properties import PROPERTY

_NOT_THE_AGENTS = (
    "The filters are applied before the search looks for its best matches, so this list is not "
    "the one the agent gets."
)
_NO_RETIRED = "Retired memories are left out, as the agent's search leaves them out."


def said(text: str, *, include_retired: bool = False) -> list[str]:
    parsed = parse(text)
    narrowing = narrowing_of(parsed.filters, CONTEXT)
    return list(explain_search(parsed, narrowing, include_retired=include_retired))


def test_words_alone_are_the_agents_own_search() -> None:
    assert said("ferry times") == [
        "Ranks by the text “ferry times”, as the agent's own search does.",
        _NO_RETIRED,
    ]
    assert said("ferry times", include_retired=True) == [
        "Ranks by the text “ferry times”, as the agent's own search does.",
        "Retired memories are let in, as “Include retired” asks; the agent's search leaves them "
        "out.",
    ]


def test_filters_are_said_one_by_one_and_that_the_list_is_not_the_agents() -> None:
    assert said("tier:long_term -session:abc created:7d ferry") == [
        "Ranks by the text “ferry”, as the agent's own search does.",
        "Keeps only memories in the tier long-term.",
        "Keeps only memories not of the session abc.",
        "Keeps only memories created within the last 7 days.",
        "A memory must pass every one of them.",
        _NOT_THE_AGENTS,
        _NO_RETIRED,
    ]


def test_a_filter_that_lets_retired_memories_in_says_so() -> None:
    assert said("is:retired ferry")[-1] == (
        "Retired memories are let in, because a filter asks for them."
    )


def test_without_a_text_memories_of_every_state_are_listed() -> None:
    assert said("tokens:100..200") == [
        "Lists memories of every state; nothing is ranked, for there is no text.",
        "Keeps only memories of a length in tokens of 100 to 200.",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("is:live,head", "that are live or the newest of a chain of replacements"),
        ("-is:injected", "that are not shown to the agent with a prompt"),
        ('session:""', "of the session that is not known"),
        ("created:2026-08", "created from 2026-08-01 to 2026-08-31"),
        ("created:2026-08-05", "created on 2026-08-05"),
        ("created:..2026-08-05", "created on 2026-08-05 or before"),
        ("edited:1w", "changed after they were made, within the last 1 week"),
        ("tokens:>400", "of a length in tokens of at least 401"),
        ("version:<3", "of version at most 2"),
        ("replaced-by:5d81", "that were replaced by 5d81"),
    ],
)
def test_every_kind_of_filter_has_its_words(text: str, line: str) -> None:
    assert f"Keeps only memories {line}." in said(text)


def test_a_search_by_a_memory_says_what_it_looks_among() -> None:
    assert said("similar:5d81") == ["Ranks by likeness to the memory 5d81, live memories only."]


def test_what_was_not_understood_stands_last() -> None:
    assert said("colour:red")[-1] == "colour: is no filter; it is searched as text."


@PROPERTY
@given(text=search_texts)
def test_any_text_can_be_explained(text: str) -> None:
    parsed = parse(text)
    lines = said(text)
    assert len(lines) >= 1 + len(parsed.filters) + len(parsed.findings)
    assert lines[len(lines) - len(parsed.findings) :] == [f.text for f in parsed.findings]


def test_of_many_filters_the_first_are_said_and_the_others_counted() -> None:
    parsed = parse(" ".join(f"uuid:{n:04}" for n in range(1_000)))
    lines = explain_search(parsed, None)
    assert lines[1] == "Keeps only memories whose uuid begins with 0000."
    assert lines[-2] == "Keeps only what passes 988 more filters, too."
    assert len(lines) == 15
