"""The kernel's one error: a kind from a closed list and a sentence.

What a kind means to a person, and its exit code, is the caller's. Cancellation is no error of the
kernel: it leaves as asyncio.CancelledError.
"""

from enum import StrEnum


class WindowErrorKind(StrEnum):
    """Whose fault it was."""

    VALIDATION = "validation"
    CORRUPTION = "corruption"
    BUDGET_EXCEEDED = "budget_exceeded"
    OWNERSHIP_LOST = "ownership_lost"
    UNSUPPORTED_CAPABILITY = "unsupported_capability"


class WindowError(Exception):
    """Say in one sentence why there is no result. Nothing partial comes with it."""

    def __init__(self, kind: WindowErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def invalid(message: str) -> WindowError:
    """Make the error of a request that nobody could answer."""
    return WindowError(WindowErrorKind.VALIDATION, message)


def corrupt(message: str) -> WindowError:
    """Make the error of a window that is not what it says it is."""
    return WindowError(WindowErrorKind.CORRUPTION, message)


def over_budget(message: str) -> WindowError:
    """Make the error of a bound that was reached."""
    return WindowError(WindowErrorKind.BUDGET_EXCEEDED, message)
