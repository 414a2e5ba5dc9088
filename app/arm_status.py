"""What the status bar says of the meaning search beside a list. Pure."""

from core.retrieval.outcome import SearchOutcome
from widgets.status_strip import ArmStatus

_OFF = "Meaning search off: "


def meaning_of(outcome: SearchOutcome, *, refining: bool) -> tuple[ArmStatus, str]:
    """Return what became of the meaning search of a list, and why it did not run."""
    if refining:
        return ArmStatus.REFINING, ""
    if outcome.dense.ran:
        return ArmStatus.RAN, ""
    return ArmStatus.OFF, (outcome.dense.reason or "").removeprefix(_OFF)


def ran_by_meaning(outcome: SearchOutcome | None, *, refining: bool) -> bool:
    """Tell whether there is a list that the meaning search has ranked, too."""
    return outcome is not None and meaning_of(outcome, refining=refining)[0] is ArmStatus.RAN
