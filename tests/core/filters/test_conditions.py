"""Every filter over a real store: exactly the rows that it names."""

import pytest

from tests.core.filters.store import CONTEXT, NAMES, TOKENS, listed
from tests.support.engine import Engine
from tests.support.stores import uuid_of

_DEAD = uuid_of("dead")
_END = uuid_of("end")
_MISSING = uuid_of("missing")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is:live", "plain end bare"),
        ("is:superseded", "chain middle gone lost round about into"),
        ("is:retired", "dead alone"),
        ("is:live,retired", "plain end bare dead alone"),
        ("is:live -is:injected", "bare"),
        ("is:head", "end dead"),
        ("is:dead-head", "gone dead"),
        ("is:dangling", "lost"),
        ("is:cycle", "round about into"),
        ("is:no-chunk", "bare"),
        ("is:odd-version", ""),
        ("is:injected", "plain end alone"),
        ("tier:long_term", "end"),
        ("tier:journal is:live", "plain bare"),
        ('session:"s 1"', "plain"),
        ("session:s", ""),
        ('-session:"" ', "plain"),
        (f"uuid:{_END[:6]}", "end"),
        (f"uuid:{_END.upper()}", "end"),
        (f"uuid:{_END},{_DEAD[:8]}", "end dead"),
        ("created:1d", "plain"),
        ("created:12h", "plain"),
        ("created:11h", ""),
        ("created:2026-08", "chain middle end"),
        ("created:2026-08-31", "chain"),
        ("created:2026-08-01..2026-08-15", "middle end"),
        ("created:2026-09-01..", "plain"),
        ("created:..2026-04", "round about into bare"),
        ("-created:26w", "bare"),
        ("edited:1d", "end"),
        ("edited:23h", ""),
        ("edited:2026-01-01..", "end"),
        ("version:>1", "end"),
        ("version:3", "end"),
        ("tokens:<20", "plain"),
        ("tokens:>=110", "into bare"),
        ("tokens:20..30", "chain middle"),
        (f"replaces:{uuid_of('middle')[:8]}", "end"),
        (f"replaces:{uuid_of('into')}", "round"),
        (f"replaced-by:{_DEAD}", "gone"),
        (f"replaced-by:{_MISSING[:8]}", "lost"),
        ("store:Harbour", " ".join(NAMES)),
        ("store:other", ""),
        ("-store:other is:head", "end dead"),
    ],
)
async def test_a_filter_keeps_exactly_its_rows(engine: Engine, text: str, expected: str) -> None:
    assert sorted(await listed(engine, text)) == sorted(expected.split())


@pytest.mark.parametrize(
    "text",
    ["is:injected", "session:x", "replaced-by:a", "edited:3d", "tokens:>40", "is:live,head"],
)
async def test_a_minus_keeps_all_the_others_those_without_a_value_too(
    engine: Engine, text: str
) -> None:
    kept, others = await listed(engine, text), await listed(engine, f"-{text}")
    assert sorted([*kept, *others]) == sorted(NAMES)


@pytest.mark.parametrize(
    "text",
    ["session:'; DROP TABLE memory; --", 'session:"%"', "uuid:%", "uuid:_", "session:\ud800"],
)
async def test_a_value_is_never_a_pattern_or_a_statement(engine: Engine, text: str) -> None:
    assert await listed(engine, text) == []
    assert len(await listed(engine, "")) == len(NAMES)


@pytest.mark.parametrize("text", ["created:99999w", "created:0001-01-01..9999-12-31"])
async def test_the_longest_times_are_times(engine: Engine, text: str) -> None:
    assert CONTEXT.now.year == 2026
    assert len(await listed(engine, text)) == len(NAMES) == len(TOKENS)
