"""What cannot happen under the write lock, said all the same where another tool made it happen."""

from core.commands.gate import Call
from core.commands.ladder import Claim
from core.errors import ErrorCode, GenizahError


def vanished(call: Call, claim: Claim) -> GenizahError:
    """Return the error for a row that was there and did not take the change: a trigger, say."""
    return GenizahError(
        ErrorCode.STORE_FAILED,
        f"The memory {claim.uuid} did not take the change, so nothing was written; something in "
        f"{call.connection.path} keeps it from being changed.",
        path=call.connection.path,
    )
