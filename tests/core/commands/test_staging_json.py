"""Staged changes as text: every change comes back as it was, and nothing else is believed."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.commands.changes import Change, Retire
from core.commands.staging_json import from_text, staged_from_text, to_text
from tests.support.properties import PROPERTY, any_texts
from tests.support.staged import changes, seen
from tests.support.stores import uuid_of


@PROPERTY
@given(changes, st.one_of(st.none(), st.builds(lambda c, g: seen("x", 3, c, gist=g), any_texts,
                                               any_texts)))
def test_any_change_comes_back_as_it_was(change: Change, base: object) -> None:
    text = to_text(change, base)  # type: ignore[arg-type]  # None or a memory
    assert text.isascii()
    assert from_text(text) == (change, base)


def test_a_memory_whose_version_is_no_number_comes_back_too() -> None:
    base = seen("a", None)
    base = replace(base, head=replace(base.head, token_count=None, session_id="s"))
    assert from_text(to_text(Retire("other", 1), base)) == (Retire("other", 1), base)


_GOOD = json.loads(to_text(Retire(uuid_of("a"), 1), seen("a")))


def _with(**other: object) -> str:
    return json.dumps(_GOOD | other)


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", "[" * 100_000, '"x"'),
        _with(change=None),
        _with(change={"kind": "drop", "uuid": "u", "version": 1}),
        _with(change={"kind": "retire", "uuid": "u"}),
        _with(change={"kind": "retire", "uuid": "u", "version": "1"}),
        _with(change={"kind": "retire", "uuid": "u", "version": True}),
        _with(change={"kind": "retire", "uuid": "u", "version": 1, "by": "v"}),
        _with(change={"kind": "retire", "uuid": "u", "version": 1, "more": 1}),
        _with(seen=[]),
        _with(seen={**_GOOD["seen"], "content": None}),
        _with(seen={**_GOOD["seen"], "head": {**_GOOD["seen"]["head"], "gist": None}}),
        _with(seen={**_GOOD["seen"], "head": {**_GOOD["seen"]["head"], "active": 1}}),
        _with(seen={**_GOOD["seen"], "head": {"uuid": "u"}}),
    ],
)
def test_a_text_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_text(text)


def test_an_entry_whose_seen_text_is_another_version_is_refused() -> None:
    text = to_text(Retire(uuid_of("a"), 2), seen("a", 1))
    with pytest.raises(ValueError, match="that was seen"):
        staged_from_text(1, text)
