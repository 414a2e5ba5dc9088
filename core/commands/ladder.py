"""The ladder every change climbs: existence, version, receipt, state, edge; the first failure wins.

Reads only, so a preflight on a reader is the same ladder. Bounds come before it
(core/commands/preparation), the change after it.
"""

from dataclasses import dataclass

from core.commands import refusals, supersession
from core.commands.refusals import Refused, StoredMemory
from core.readmodels import MemoryDetail, MemoryHead
from core.store import memories, receipts
from core.store.connection import Connection
from core.store.receipts import Author
from core.store.text import is_damaged


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be changed: the row, the version that was seen, the row that replaces it."""

    uuid: str
    version: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """Who climbs, with what depth cap, and whether the presented version counts as read."""

    author: Author
    max_depth: int
    reads_as_it_goes: bool = False


@dataclass(frozen=True, slots=True)
class Admitted:
    """A claim that passed: the row as stored, and whether this author holds its receipt."""

    detail: MemoryDetail
    has_receipt: bool


async def stored(connection: Connection, uuid: str) -> MemoryDetail | None:
    """Return a row by a uuid that may be any text; no stored one can be equal to a broken one."""
    return None if is_damaged(uuid) else await memories.detail(connection, uuid)


async def climb(connection: Connection, claim: Claim, rules: Rules) -> Admitted | Refused:
    """Try the rungs in order, in the caller's transaction or snapshot; write nothing."""
    detail = await stored(connection, claim.uuid)
    if detail is None:
        return refusals.not_found(claim.uuid)
    target = None
    if claim.by is not None:
        found = await stored(connection, claim.by)
        if found is None:
            return refusals.not_found(claim.by)
        target = found.head
    refused = await _version(connection, detail, claim, rules)
    if refused is not None:
        return refused
    holds = await receipts.holds(connection, rules.author, claim.uuid, claim.version)
    if not holds and not rules.reads_as_it_goes:
        return refusals.no_read_receipt([claim.uuid], claim.uuid)
    refused = await _state(connection, detail.head, target, rules)
    return Admitted(detail, holds) if refused is None else refused


async def _version(
    connection: Connection, detail: MemoryDetail, claim: Claim, rules: Rules
) -> Refused | None:
    if detail.head.version is None:
        return refusals.odd_version(claim.uuid)
    if detail.head.version == claim.version:
        return None
    end = await supersession.latest(connection, detail.head, rules.max_depth)
    if isinstance(end, Refused):
        return end
    return refusals.version_conflict(claim.uuid, claim.version, StoredMemory(detail, end))


async def _state(
    connection: Connection, head: MemoryHead, target: MemoryHead | None, rules: Rules
) -> Refused | None:
    if not head.active:
        return refusals.inactive_row(head.uuid, head.state)
    if target is None:
        return None
    return await supersession.check_edge(connection, head.uuid, target, rules.max_depth)
