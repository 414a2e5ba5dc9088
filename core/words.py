"""How counts, times and closed sets are said in English, wherever they are said. Pure.

Stored text in what is returned is as stored: who shows it makes it safe.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from core.readmodels import State, Tier

_SHORT = 8
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?(?:\+00:00|Z)")
_TIER_WORDS: Mapping[str, str] = MappingProxyType(
    {Tier.JOURNAL: "journal", Tier.LONG_TERM: "long-term"}
)
STATE_WORDS: Mapping[State, str] = MappingProxyType(
    {State.LIVE: "live", State.SUPERSEDED: "replaced", State.RETIRED: "retired"}
)


def grouped(number: int) -> str:
    """Write 1234 as '1,234'."""
    return f"{number:,}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write '1 memory' or '1,234 memories'."""
    return f"{grouped(number)} {noun if number == 1 else plural or noun + 's'}"


def memories(number: int) -> str:
    """Write '1 memory' or '1,234 memories'."""
    return counted(number, "memory", "memories")


def vectors_left_out(number: int) -> str:
    """Say of how many memories a vector is not made of numbers, so that no distance is known."""
    who, whom = ("1 memory has", "it") if number == 1 else (f"{memories(number)} have", "them")
    return (
        f"{who} a stored vector that is not made of numbers (NaN). The meaning search leaves "
        f"{whom} out."
    )


def short(uuid: str) -> str:
    """Return the first eight characters, as people quote a memory."""
    return uuid[:_SHORT]


def tier_words(tier: str) -> str:
    """Say the tier; an unknown one as stored."""
    return _TIER_WORDS.get(tier) or tier


def minute(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15'; anything else as it is."""
    match = _MOMENT.fullmatch(stored)
    return f"{match[1]} {match[2]}" if match else stored


def second(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15:32 UTC'; anything else as it is."""
    match = _MOMENT.fullmatch(stored)
    return f"{match[1]} {match[2]}{match[3]} UTC" if match else stored
