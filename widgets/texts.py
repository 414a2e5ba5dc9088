"""Words that more than one widget says, and how numbers and times are written. Pure."""

from core import words
from core.readmodels import MemoryHead, State, StateCounts
from core.words import STATE_WORDS as STATE_WORDS
from core.words import counted as counted
from core.words import grouped as grouped
from core.words import memories as memories
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
_SHORT = 4


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
    """Say the tier; an unknown one as stored, on one line."""
    return one_line(words.tier_words(tier))


def minute(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15'; anything else as it is, on one line."""
    return one_line(words.minute(stored))


def second(stored: str) -> str:
    """Write a stored time as '2026-11-30 16:15:32 UTC'; anything else as it is, on one line."""
    return one_line(words.second(stored))
