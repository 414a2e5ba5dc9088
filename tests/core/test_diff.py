"""The difference of two texts: nothing is invented, nothing left out, and it ends in time."""

import random
from itertools import pairwise

import pytest
from hypothesis import given

from core.diff import Change, Piece, TextDiff, diff
from tests.support.properties import PROPERTY, any_texts

SAME, REMOVED, ADDED = Change.SAME, Change.REMOVED, Change.ADDED


def sides(found: TextDiff) -> tuple[str, str]:
    return (
        "".join(p.text for p in found.pieces if p.change is not ADDED),
        "".join(p.text for p in found.pieces if p.change is not REMOVED),
    )


@PROPERTY
@given(any_texts, any_texts)
def test_the_pieces_are_the_two_texts(old: str, new: str) -> None:
    found = diff(old, new)
    assert sides(found) == (old, new)
    next_to = list(pairwise(p.change for p in found.pieces))
    assert all(a is not b for a, b in next_to)
    assert (ADDED, REMOVED) not in next_to


@PROPERTY
@given(any_texts)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    found = diff(text, text)
    assert found.is_same
    assert found.pieces == ((Piece(SAME, text),) if text else ())


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("the quay is open", "the quay is shut", ["=the quay is ", "-open", "+shut"]),
        ("one\ntwo\nthree\n", "one\nthree\n", ["=one\n", "-two\n", "=three\n"]),
        ("", "all new", ["+all new"]),
        ("all gone", "", ["-all gone"]),
        ("port 80, open", "port 8080, open", ["=port ", "-80", "+8080", "=, open"]),
        ("设备清单", "设置清单", ["=设", "-备", "+置", "=清单"]),
        (
            "a b\nkept\nc d\n",
            "a x\nkept\nc y\n",
            ["=a ", "-b\n", "+x\n", "=kept\nc ", "-d\n", "+y\n"],
        ),
    ],
)
def test_words_are_told_apart(old: str, new: str, pieces: list[str]) -> None:
    marks = {SAME: "=", REMOVED: "-", ADDED: "+"}
    assert [marks[p.change] + p.text for p in diff(old, new).pieces] == pieces


def test_a_small_change_in_two_megabytes_is_found_exactly() -> None:
    words = " ".join(str(n) for n in range(300_000))
    found = diff(words, words.replace(" 150000 ", " changed "))
    assert not found.is_rough
    assert [p.text for p in found.pieces if p.change is not SAME] == ["150000 ", "changed "]


@pytest.mark.parametrize("joint", [" ", "\n"])
def test_two_megabytes_that_share_nothing_in_order_are_shown_whole(joint: str) -> None:
    source = random.Random(1)
    words = [str(source.randrange(3000)) for _ in range(400_000)]
    old, new = joint.join(words), joint.join(source.sample(words, len(words)))
    found = diff(old, new)
    assert found.is_rough
    assert len(found.pieces) <= 4
    assert sides(found) == (old, new)


def test_a_thousand_places_of_much_the_same_are_not_taken_apart_for_ever() -> None:
    source = random.Random(2)

    def line() -> str:
        return " ".join(source.choice("ab") for _ in range(300))

    old = "\n".join(f"{line()}\nkept {n}" for n in range(1000))
    new = "\n".join(f"{line()}\nkept {n}" for n in range(1000))
    found = diff(old, new)
    assert found.is_rough
    assert sides(found) == (old, new)
