"""Words that more than one widget says, and how numbers and times are written. Pure."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from core.readmodels import MemoryHead, State, StateCounts, Tier
from core.retrieval.arms import StopReason
from widgets.graphemes import cut_head
from widgets.text_marks import one_line

APP_NAME = "Genizah"
READ_ONLY = "Read-only: looking changes nothing"
PLACEHOLDER = "…"
LITERAL_HEADING = "Contains this text – not ranked by the agent's search"
HIDDEN_CHARACTERS = "hidden characters"
DAMAGED_TEXT = "damaged text"
ODD_VERSION = "odd version: read-only row"
DEAD_HEAD = "dead head: retired, nothing newer"
DEAD_CHAIN = "chain ends in a retired memory"

STATE_WORDS: Mapping[State, str] = MappingProxyType(
    {State.LIVE: "live", State.SUPERSEDED: "replaced", State.RETIRED: "retired"}
)
_TIER_WORDS: Mapping[str, str] = MappingProxyType(
    {Tier.JOURNAL: "journal", Tier.LONG_TERM: "long-term"}
)
STOP_WORDS: Mapping[StopReason, str] = MappingProxyType(
    {
        StopReason.DEPTH_REACHED: "it had found enough: more memories match than are ranked",
        StopReason.INDEX_EXHAUSTED: "nothing was left to look at",
        StopReason.PROBE_CAP_HIT: "four doublings were spent: whether more match is unknown",
    }
)
_SHORT = 4
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?(?:\+00:00|Z)")


def grouped(number: int) -> str:
    """Write 1234 as '1,234'."""
    return f"{number:,}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write '1 memory' or '1,234 memories'."""
    return f"{grouped(number)} {noun if number == 1 else plural or noun + 's'}"


def memories(number: int) -> str:
    """Write '1 memory' or '1,234 memories'."""
    return counted(number, "memory", "memories")


def totals(counts: StateCounts) -> str:
    """Write the totals of a store: '153 memories: 120 live · 25 replaced · 8 retired'."""
    parts = (
        (counts.live, State.LIVE),
        (counts.superseded, State.SUPERSEDED),
        (counts.retired, State.RETIRED),
    )
    return f"{memories(counts.total)}: " + " · ".join(
        f"{grouped(number)} {STATE_WORDS[state]}" for number, state in parts
    )


def stub(uuid: str) -> str:
    """Return the first four characters of a uuid and an ellipsis, as lists quote a memory."""
    return one_line(cut_head(uuid, _SHORT)) + "…"


def state_words(head: MemoryHead) -> str:
    """Say the state: 'live', 'retired' or 'replaced by 5d81…'."""
    if head.superseded_by is not None and head.state is State.SUPERSEDED:
        return f"{STATE_WORDS[head.state]} by {stub(head.superseded_by)}"
    return STATE_WORDS[head.state]


def tier_words(tier: str) -> str:
    """Say the tier; an unknown one as stored."""
    return _TIER_WORDS.get(tier) or one_line(tier)


def minute(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15'; anything else as it is, on one line."""
    match = _MOMENT.fullmatch(stored)
    return f"{match[1]} {match[2]}" if match else one_line(stored)


def second(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15:32 UTC'; anything else as it is, on one line."""
    match = _MOMENT.fullmatch(stored)
    return f"{match[1]} {match[2]}{match[3]} UTC" if match else one_line(stored)
