"""What each kind of health row means for a person: how bad it is and what can be done. Data.

Repairing is never done here: what is advised is done with the program's own verbs or by the agent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.health.patterns import Suspicion
from core.store.health import ProblemCode


class Severity(StrEnum):
    """From what makes the agent's own searches wrong to what is only worth a look."""

    BROKEN = "broken"
    WARNING = "warning"
    NOTE = "note"


class SizeCode(StrEnum):
    """Texts that are larger than they should be."""

    OVERSIZE_GIST = "oversize_gist"
    OVERSIZE_CONTENT = "oversize_content"


type HealthCode = ProblemCode | SizeCode | Suspicion


@dataclass(frozen=True, slots=True)
class Meaning:
    """How bad it is and what can be done about it.

    `ended` is what can be done where the memory was retired or replaced, for no such memory is
    amended any more; None where that makes no difference.
    """

    severity: Severity
    advice: str
    ended: str | None = None


_AMEND = "Amend the memory with the text it should have."
_REINDEX = "Amend it with the same text: that embeds it anew; or let the agent reindex the store."
_RESTORE = "Export what can be read, then restore a backup of the store."
_LOOK = "Read it; if it should not be there, amend the memory or retire it."
_TEXT_STAYS = "its text can be changed no more: it was retired or replaced."
_ANEW = f"Remember the text anew if it is still needed; {_TEXT_STAYS}"
_AGENT_REINDEXES = (
    "Let the agent reindex the store: what was retired or replaced can be amended no more."
)
_NOTHING = f"Nothing; {_TEXT_STAYS}"

MEANINGS: Mapping[HealthCode, Meaning] = MappingProxyType(
    {
        ProblemCode.DATABASE_DAMAGED: Meaning(Severity.BROKEN, _RESTORE),
        ProblemCode.INDEX_OUT_OF_DATE: Meaning(
            Severity.BROKEN,
            "Let the agent rebuild its word index; until then searches by words miss memories.",
        ),
        ProblemCode.CYCLE: Meaning(
            Severity.BROKEN,
            "Remember the text that is right anew: nothing in the circle can be changed any more.",
        ),
        ProblemCode.DANGLING: Meaning(
            Severity.BROKEN, "Remember the text anew if it still holds: it is replaced by nothing."
        ),
        ProblemCode.DAMAGED_TEXT: Meaning(Severity.BROKEN, _AMEND, _ANEW),
        ProblemCode.ODD_VERSION: Meaning(
            Severity.BROKEN, "Remember the text anew: this row can only be read."
        ),
        ProblemCode.VECTOR_NOT_FINITE: Meaning(Severity.BROKEN, _REINDEX, _AGENT_REINDEXES),
        ProblemCode.DEAD_HEAD: Meaning(
            Severity.WARNING,
            "Look at the lineage: if the fact still holds, remember it anew; else all is well.",
        ),
        ProblemCode.DEPTH_CAP: Meaning(
            Severity.WARNING,
            "Raise supersession_max_depth in the store's settings, or remember the text anew.",
        ),
        ProblemCode.BLANK_TEXT: Meaning(Severity.WARNING, _AMEND, _ANEW),
        ProblemCode.NO_CHUNK: Meaning(Severity.WARNING, _REINDEX, _AGENT_REINDEXES),
        ProblemCode.NO_VECTOR: Meaning(Severity.WARNING, _REINDEX, _AGENT_REINDEXES),
        ProblemCode.STRAY_VECTOR: Meaning(
            Severity.WARNING, "Let the agent reindex the store: they take places in its searches."
        ),
        ProblemCode.OTHER_MODEL: Meaning(Severity.WARNING, _REINDEX, _AGENT_REINDEXES),
        SizeCode.OVERSIZE_GIST: Meaning(
            Severity.WARNING,
            "Amend the memory with a shorter gist: the agent accepts 1,024.",
            _NOTHING,
        ),
        SizeCode.OVERSIZE_CONTENT: Meaning(
            Severity.NOTE,
            "Split it into several memories: the agent reads it whole or not at all.",
            _NOTHING,
        ),
        Suspicion.LIKELY_SECRET: Meaning(
            Severity.WARNING,
            "If it is one, change it where it is used; amend the memory so that it says where the "
            "secret is kept. Backups and the agent's own log of texts may hold it still.",
            "If it is one, change it where it is used: the memory was retired or replaced, so its "
            "text stays in the store. Backups and the agent's own log of texts may hold it, too.",
        ),
        Suspicion.INSTRUCTION: Meaning(Severity.NOTE, _LOOK, f"Read it; {_TEXT_STAYS}"),
    }
)
