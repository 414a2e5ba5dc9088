"""The arms of several stores as windows of the kernel, and the kernel's answer as arms again.

A store's window holds all of its candidates that can be among the best of the whole: complete, and
exhaustive where the store has no other.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.readmodels import MemoryHead
from core.retrieval.union import WindowFlags
from core.windows.budget import Budget, Limits
from core.windows.contracts import (
    EntityRef,
    GlobalBranchCandidate,
    GlobalBranchKind,
    GlobalBranchMergeRequest,
    GlobalBranchScope,
    GlobalBranchWindow,
)
from core.windows.identifiers import is_identifier
from core.windows.merge import merge
from core.windows.order import sort_key

_MOST = sys.float_info.max
_ODD = "odd "


@dataclass(frozen=True, slots=True)
class ArmWindow[C]:
    """One store's candidates of an arm with their heads and what is measured: lower is better."""

    store_id: str
    candidates: Sequence[tuple[C, MemoryHead, float]]
    exhaustive: bool


@dataclass(frozen=True, slots=True)
class MergedArm[C]:
    """The best candidates of all stores in order, each with the place of its store."""

    candidates: tuple[tuple[int, C], ...]
    flags: WindowFlags


def new_budget(stores: int, limit: int) -> Budget:
    """Return what one search over so many stores may use."""
    usual = Limits()
    return Budget(
        Limits(
            max_scan_records=max(usual.max_scan_records, stores * limit),
            max_results=max(usual.max_results, limit),
        )
    )


def fingerprint(text: str) -> str:
    """Return a short name for a text that may be long or hold anything."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _reference(uuid: str) -> EntityRef:
    """Name a memory: all stores are parts of one collection, so equal scores go by uuid alone."""
    name = uuid if is_identifier(uuid) else _ODD + fingerprint(uuid)
    return EntityRef("local", "zikaron", "memory", "main", "memory", name)


def _score(measured: float) -> float:
    return min(max(-measured, -_MOST), _MOST)


def merge_arm[C](
    kind: GlobalBranchKind,
    scope: GlobalBranchScope,
    windows: Sequence[ArmWindow[C]],
    limit: int,
    budget: Budget,
) -> MergedArm[C]:
    """Merge strictly: every store's window is there and whole, or there is no answer.

    Raises WindowError.
    """
    name = kind.name.lower()
    home: dict[str, tuple[int, C]] = {}
    built: list[GlobalBranchWindow] = []
    for at, window in enumerate(windows):
        candidates: list[GlobalBranchCandidate] = []
        for candidate, head, measured in window.candidates:
            reference = _reference(head.uuid)
            home[reference.id] = (at, candidate)
            revision = max(head.version or 1, 1)
            candidates.append(GlobalBranchCandidate(reference, revision, _score(measured)))
        candidates.sort(key=sort_key)
        best = candidates[:limit]  # many may be equal to the last one
        exhaustive = window.exhaustive and len(best) == len(candidates)
        built.append(_window(name, kind, scope, window.store_id, best, exhaustive=exhaustive))
    expected = [window.store_id for window in windows]
    request = GlobalBranchMergeRequest(name, kind, scope, expected, limit)
    merged = merge(request, built, budget)
    flags = WindowFlags(
        merged.window_complete,
        merged.approximate,
        merged.truncated,
        merged.exhaustive,
        merged.examined_candidate_count,
    )
    return MergedArm(tuple(home[c.reference.id] for c in merged.candidates), flags)


def _window(
    name: str,
    kind: GlobalBranchKind,
    scope: GlobalBranchScope,
    store_id: str,
    candidates: Sequence[GlobalBranchCandidate],
    *,
    exhaustive: bool,
) -> GlobalBranchWindow:
    return GlobalBranchWindow(
        branch_name=name,
        kind=kind,
        source_window_id=store_id,
        scope=scope,
        candidates=candidates,
        complete=True,
        approximate=False,
        truncated=False,
        exhaustive=exhaustive,
    )


def heads_of(parts: Sequence[Mapping[int, MemoryHead]]) -> dict[str, MemoryHead]:
    """Return the heads of several stores by uuid; the stores hold no memory in common."""
    return {head.uuid: head for heads in parts for head in heads.values()}
