"""The rungs in their order: with everything wrong at once, the first one speaks."""

from pathlib import Path

import pytest

from core.commands.amend import amend
from core.commands.fetch import Fetched, fetch
from core.commands.ladder import Claim
from core.commands.outcome import Written
from core.commands.refusals import Refused
from core.commands.retire import retire, supersede
from core.errors import ErrorCode
from tests.support.stores import uuid_of, writing
from tests.support.writing import Hand, rows_of

_A, _B, _NEW, _OTHER = (uuid_of(name) for name in ("a", "b", "new", "other"))
_OLD, _GONE, _NOBODY = (uuid_of(name) for name in ("old", "gone", "nobody"))


async def _read(hand: Hand, *uuids: str) -> None:
    assert isinstance(await fetch(hand.gate, uuids), Fetched)


def _code(found: Written | Refused) -> ErrorCode:
    assert isinstance(found, Refused)
    return found.code


async def test_bounds_come_before_existence(hand: Hand) -> None:
    found = await amend(hand.gate, Claim(_NOBODY, 9), " ", "text")
    assert isinstance(found, Refused)
    assert (found.code, dict(found.fields)) == (
        ErrorCode.BOUNDS,
        {"field": "gist", "limit": 1, "actual": 0},
    )


async def test_existence_comes_before_the_version_and_names_the_subject_first(
    hand: Hand,
) -> None:
    found = await supersede(hand.gate, _NOBODY, 9, uuid_of("nobody else"))
    assert isinstance(found, Refused)
    assert dict(found.fields) == {"uuid": _NOBODY}
    found = await supersede(hand.gate, _A, 9, _NOBODY)
    assert isinstance(found, Refused)
    assert dict(found.fields) == {"uuid": _NOBODY}


async def test_the_version_comes_before_the_receipt_and_the_receipt_before_the_state(
    hand: Hand,
) -> None:
    assert _code(await retire(hand.gate, Claim(_GONE, 1))) is ErrorCode.VERSION_CONFLICT
    await _read(hand, _OLD)
    assert _code(await retire(hand.gate, Claim(_OLD, 2))) is ErrorCode.VERSION_CONFLICT
    assert _code(await retire(hand.gate, Claim(_OTHER, 1))) is ErrorCode.NO_READ_RECEIPT
    assert _code(await retire(hand.gate, Claim(_OLD, 3))) is ErrorCode.INACTIVE_ROW


async def test_the_state_comes_before_the_edge(hand: Hand) -> None:
    await _read(hand, _OLD, _A)
    assert _code(await supersede(hand.gate, _OLD, 3, _OLD)) is ErrorCode.INACTIVE_ROW
    assert _code(await supersede(hand.gate, _A, 1, _A)) is ErrorCode.BAD_SUPERSESSION


@pytest.mark.parametrize(
    ("subject", "target", "reason"),
    [
        (_NEW, _NEW, "self_edge"),
        (_NEW, _GONE, "target_retired_outright"),
        (_NEW, _OLD, "cycle"),
    ],
)
async def test_an_edge_that_is_not_allowed_says_why(
    hand: Hand, subject: str, target: str, reason: str
) -> None:
    await _read(hand, subject)
    found = await supersede(hand.gate, subject, 1, target)
    assert isinstance(found, Refused)
    assert dict(found.fields) == {"uuid": subject, "target": target, "reason": reason}


async def test_a_conflict_leaves_a_receipt_and_an_event_and_licenses_the_next_try(
    hand: Hand, project: Path
) -> None:
    found = await retire(hand.gate, Claim(_A, 7))
    assert isinstance(found, Refused)
    current = found.fields["current"]
    assert isinstance(current, dict)
    assert (current["version"], current["content"]) == (1, "the lamp is lit")
    rows = rows_of(project)
    kind = hand.gate.writer.client_kind
    assert [r[:4] + r[5:] for r in rows["read_receipt"]] == [("ours", kind, _A, 1, "conflict")]
    assert rows["event"][0][5:] == (
        "version_conflict",
        _A,
        '{"verb": "retire", "expected_version": 7, "actual_version": 1}',
    )
    assert await retire(hand.gate, Claim(_A, 1)) == Written(_A, 2)


async def test_a_missing_receipt_leaves_one_event_and_nothing_else(
    hand: Hand, project: Path
) -> None:
    await retire(hand.gate, Claim(_A, 1))
    rows = rows_of(project)
    assert rows["read_receipt"] == []
    assert [r[5:] for r in rows["event"]] == [
        ("no_receipt", _A, '{"verb": "retire", "version_presented": 1}')
    ]


async def test_all_other_refusals_leave_nothing(hand: Hand, project: Path) -> None:
    await _read(hand, _OLD, _NEW)
    before = rows_of(project)
    await retire(hand.gate, Claim(_NOBODY, 1))
    await retire(hand.gate, Claim(_OLD, 3))
    await supersede(hand.gate, _NEW, 1, _GONE)
    await amend(hand.gate, Claim(_NEW, 1), "", "text")
    assert rows_of(project) == before


async def test_a_write_leaves_one_receipt_in_all_the_writers_own(
    hand: Hand, project: Path
) -> None:
    await _read(hand, _A)
    hand.set(5, "somebody else")
    await _read(hand, _A, _B)
    await retire(hand.gate, Claim(_A, 1))
    held = [r[0:1] + r[2:4] + r[5:] for r in rows_of(project)["read_receipt"]]
    assert ("somebody else", _A, 2, "own_write") in held
    assert [r for r in held if r[1] == _A] == [("somebody else", _A, 2, "own_write")]


async def test_a_row_whose_version_is_no_number_is_only_for_reading(
    hand: Hand, project: Path
) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET version = 'abc' WHERE uuid = ?", (_A,))
    found = await retire(hand.gate, Claim(_A, 1))
    assert isinstance(found, Refused)
    assert (found.code, found.reason) == (ErrorCode.NOT_WRITABLE, "odd_version")


async def test_a_uuid_of_half_a_character_names_nothing_and_breaks_nothing(hand: Hand) -> None:
    assert _code(await retire(hand.gate, Claim("\ud800", 1))) is ErrorCode.NOT_FOUND
    found = await fetch(hand.gate, ["\ud800", _A])
    assert isinstance(found, Fetched)
    assert found.missing == ("\ud800",)


async def test_a_circle_made_by_another_tool_is_refused_and_never_hangs(
    hand: Hand, project: Path
) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET active = 0, superseded_by = ? WHERE uuid = ?", (_OLD, _NEW))
    found = await fetch(hand.gate, [_OLD])
    assert isinstance(found, Refused)
    assert found.fields["reason"] == "depth_cap_hit"
    assert rows_of(project)["event"] == []
    await _read(hand, _A)
    assert _code(await supersede(hand.gate, _A, 1, _NEW)) is ErrorCode.BAD_SUPERSESSION
