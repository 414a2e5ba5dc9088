"""A list by words whose search by meaning was cancelled: it says so itself from then on. Pure."""

from dataclasses import replace

from core.notices import Notice, NoticeCode
from core.retrieval.outcome import SearchOutcome

REASON = "the search by meaning was cancelled"
_NOTICE = Notice(NoticeCode.DENSE_ARM_OFF, f"Meaning search off: {REASON}")


def without_meaning(outcome: SearchOutcome) -> SearchOutcome:
    """Return an outcome by words with a cancellation as the reason why meaning is missing."""
    others = (n for n in outcome.notices if n.code is not NoticeCode.DENSE_ARM_OFF)
    return replace(
        outcome,
        query=replace(outcome.query, dense_reason=REASON),
        dense=replace(outcome.dense, reason=REASON),
        notices=(*others, _NOTICE),
    )
