"""The one order of candidates: score descending, then the reference part by part.

Parts compare by UTF-16 code units, as other users of the format do: beyond the basic plane that
is not Python's order, nor SQLite's.
"""

import re

from core.windows.contracts import EntityRef, GlobalBranchCandidate

type ReferenceKey = tuple[str, ...]
type SortKey = tuple[float, ReferenceKey]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def parts(reference: EntityRef) -> ReferenceKey:
    """Return the six parts, the most significant first."""
    return (
        reference.tenant_id,
        reference.database_id,
        reference.transaction_domain_id,
        reference.partition_key,
        reference.collection,
        reference.id,
    )


def _units(found: re.Match[str]) -> str:
    pair = found[0].encode("utf-16-be")
    return "".join(chr(int.from_bytes(pair[at : at + 2])) for at in (0, 2))


def reference_key(reference: EntityRef) -> ReferenceKey:
    """Return what references sort by; equal for equal references only.

    The parts themselves where that is the order already. Else every astral character becomes its
    two code units, and the parts follow: a stored text may hold the same units one by one.
    """
    plain = parts(reference)
    together = "".join(plain)
    if together.isascii() or _ASTRAL.search(together) is None:
        return plain
    return (*(_ASTRAL.sub(_units, part) for part in plain), *plain)


def sort_key(candidate: GlobalBranchCandidate) -> SortKey:
    """Return what the candidates of a window are sorted by, ascending."""
    return -candidate.score, reference_key(candidate.reference)
