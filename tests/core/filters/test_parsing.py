"""The search box: what is a filter, what is text, what is said; any text is safe."""

from datetime import date

import pytest
from hypothesis import given

from core.filters.filter import Age, Days, Filter, FilterKey, Unit, Value, Whole, Word
from core.filters.parsing import MOST_READ, FindingCode, parse, write_search
from tests.core.filters.search_texts import search_texts
from tests.support.properties import PROPERTY


def one(key: FilterKey, *values: Value, negated: bool = False) -> Filter:
    return Filter(key, values, negated)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is:live", one(FilterKey.IS, Word("live"))),
        ("is:dead-head", one(FilterKey.IS, Word("dead-head"))),
        ("is:replaced", one(FilterKey.IS, Word("superseded"))),
        ("-is:retired", one(FilterKey.IS, Word("retired"), negated=True)),
        ("tier:journal,long-term", one(FilterKey.TIER, Word("journal"), Word("long_term"))),
        ('session:"two words",c', one(FilterKey.SESSION, Word("two words"), Word("c"))),
        ('session:"a ""b"""', one(FilterKey.SESSION, Word('a "b"'))),
        ('session:""', one(FilterKey.SESSION, Word(""))),
        ("uuid:5d81", one(FilterKey.UUID, Word("5d81"))),
        ("created:7d", one(FilterKey.CREATED, Age(7, Unit.DAYS))),
        ("created:12h", one(FilterKey.CREATED, Age(12, Unit.HOURS))),
        ("created:2026-08-01..", one(FilterKey.CREATED, Days(date(2026, 8, 1), None))),
        ("created:..2026-09-01", one(FilterKey.CREATED, Days(None, date(2026, 9, 1)))),
        (
            "created:2026-08..2026-09",
            one(FilterKey.CREATED, Days(date(2026, 8, 1), date(2026, 9, 30))),
        ),
        (
            "created:2024-02",
            one(FilterKey.CREATED, Days(date(2024, 2, 1), date(2024, 2, 29))),
        ),
        ("edited:3d", one(FilterKey.EDITED, Age(3, Unit.DAYS))),
        ("tokens:>400", one(FilterKey.TOKENS, Whole(401, None))),
        ("tokens:<=400", one(FilterKey.TOKENS, Whole(None, 400))),
        ("tokens:100..200", one(FilterKey.TOKENS, Whole(100, 200))),
        ("version:>1", one(FilterKey.VERSION, Whole(2, None))),
        ("replaces:ab", one(FilterKey.REPLACES, Word("ab"))),
        ("replaced-by:ab", one(FilterKey.REPLACED_BY, Word("ab"))),
        ("store:notes", one(FilterKey.STORE, Word("notes"))),
    ],
)
def test_every_filter_is_read_as_it_is_documented(text: str, expected: Filter) -> None:
    parsed = parse(text)
    assert parsed.filters == (expected,)
    assert (parsed.free_text, parsed.findings) == ("", ())


@pytest.mark.parametrize(
    "text",
    [
        "http://x/y:1",
        "C:\\notes",
        "note: this",
        "Version: 3",
        "12:30 std::vector",
        '"is:live"',
        '"only is:live things"',
        "",
        "  spaces  kept \n",
    ],
)
def test_a_text_without_a_filter_reaches_the_query_to_the_last_character(text: str) -> None:
    parsed = parse(text)
    assert parsed.free_text == text
    assert (parsed.chips, parsed.findings) == ((), ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("is:live ferry  times", "ferry  times"),
        ("ferry is:live times", "ferry times"),
        ("ferry times is:live", "ferry times"),
        ("is:live  tier:journal\n-is:head ferry", "ferry"),
        ("-ferry is:live", "-ferry"),
        ('"ferry times" is:live', '"ferry times"'),
        ('5" pipe is:live', '5" pipe'),
    ],
)
def test_what_is_left_beside_filters_ranks(text: str, words: str) -> None:
    assert parse(text).free_text == words
    assert parse(text).has_words


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("colour:red", FindingCode.UNKNOWN_KEY, "colour:"),
        ("-colour:red", FindingCode.UNKNOWN_KEY, "colour:"),
        ("Is:live", FindingCode.CAPITALS, "Is:"),
        ("-TIER:journal", FindingCode.CAPITALS, "TIER:"),
        ("created:yesterday", FindingCode.BAD_VALUE, "created:"),
        ("created:2026-02-30", FindingCode.BAD_VALUE, "created:"),
        ("created:2026-09-01..2026-08-01", FindingCode.BAD_VALUE, "created:"),
        ("created:..", FindingCode.BAD_VALUE, "created:"),
        ("tokens:many", FindingCode.BAD_VALUE, "tokens:"),
        ("tokens:<0", FindingCode.BAD_VALUE, "tokens:"),
        ("is:live,asleep", FindingCode.BAD_VALUE, "is:"),
        ('uuid:""', FindingCode.BAD_VALUE, "uuid:"),
        ('session:"a b', FindingCode.BAD_VALUE, "session:"),
        ("-similar:ab", FindingCode.BAD_VALUE, "similar:"),
        ("tier:", FindingCode.NO_VALUE, "tier:"),
    ],
)
def test_what_only_looks_like_a_filter_is_text_and_said_once(
    text: str, code: FindingCode, named: str
) -> None:
    parsed = parse(f"{text} {text} ferry")
    assert parsed.free_text == f"{text} {text} ferry"
    assert parsed.filters == ()
    (finding,) = parsed.findings
    assert finding.code is code
    assert finding.text.startswith(named)
    assert "searched as text" in finding.text


def test_a_memory_to_search_by_counts_where_no_text_ranks() -> None:
    assert parse("similar:5d81").similar_to == "5d81"
    narrowed = parse("similar:5d81 is:head")
    assert narrowed.similar_to == "5d81"
    assert narrowed.filters == (one(FilterKey.IS, Word("head")),)


def test_beside_a_text_a_memory_to_search_by_is_left_out_and_that_is_said() -> None:
    parsed = parse("similar:5d81 ferry")
    assert parsed.similar_to is None
    assert parsed.free_text == "ferry"
    assert [f.code for f in parsed.findings] == [FindingCode.SIMILAR_WITH_TEXT]


def test_of_two_memories_to_search_by_the_first_counts_and_that_is_said() -> None:
    parsed = parse("similar:5d81 similar:77aa")
    assert parsed.similar_to == "5d81"
    assert [f.code for f in parsed.findings] == [FindingCode.SIMILAR_TWICE]


@PROPERTY
@given(text=search_texts)
def test_writing_what_was_read_and_reading_it_again_gives_the_same(text: str) -> None:
    parsed = parse(text)
    written = write_search(tuple(chip.filter for chip in parsed.chips), parsed.free_text)
    assert parse(written) == parsed


@PROPERTY
@given(text=search_texts)
def test_a_chip_taken_out_leaves_the_other_chips_and_the_words(text: str) -> None:
    parsed = parse(text)
    for at, chip in enumerate(parsed.chips):
        left = parse(parsed.without(chip))
        assert left.chips == (*parsed.chips[:at], *parsed.chips[at + 1 :])
        assert left.free_text.strip() == parsed.free_text


@PROPERTY
@given(text=search_texts)
def test_chips_and_words_are_all_of_the_text_in_its_order(text: str) -> None:
    parsed = parse(text)
    if not parsed.chips:
        assert parsed.free_text == text
        return
    at, outside = 0, ""
    for chip in parsed.chips:
        outside += text[at : chip.start]
        at = chip.end
    assert (outside + text[at:]).split() == parsed.free_text.split()


@pytest.mark.parametrize(
    "too_many",
    [
        "tokens:1 " * (MOST_READ + 1),
        "tokens:" + ",".join(map(str, range(MOST_READ + 1))),
    ],
    ids=["filters", "values of one"],
)
def test_of_very_many_filters_no_more_are_read_and_none_is_lost(too_many: str) -> None:
    text = f"is:live {too_many} tide"
    parsed = parse(text)
    assert parsed.is_cut
    assert sum(len(f.values) for f in parsed.filters) <= MOST_READ
    assert parsed.filters[0] == one(FilterKey.IS, Word("live"))
    kept = [text[chip.start : chip.end].strip() for chip in parsed.chips]
    assert [*kept, *parsed.free_text.split()] == text.split()


def test_filters_up_to_the_bound_are_all_read() -> None:
    parsed = parse("tokens:1 " * MOST_READ + "tide")
    assert (len(parsed.chips), parsed.free_text, parsed.is_cut) == (MOST_READ, "tide", False)


def test_a_text_of_two_million_characters_is_read_whole() -> None:
    text = 'is:"" is:" ' * 100_000 + "word:" * 200_000
    assert parse(text + " is:live").filters == (one(FilterKey.IS, Word("live")),)
