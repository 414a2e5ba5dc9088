"""Every way a rule can refuse a change, as values: the code, the sentence, the payload.

Broken things are raised as GenizahError instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import ErrorCode, GenizahError, JsonValue
from core.readmodels import MemoryDetail, State

_HINT = "re-read it through fetch or next_group"


@dataclass(frozen=True, slots=True)
class Refused:
    """One refusal. `uuid` is the memory it is about; None for a text that is not stored yet."""

    code: ErrorCode
    message: str
    fields: Mapping[str, JsonValue] = field(default_factory=dict)
    uuid: str | None = None
    reason: str | None = None

    def error(self, path: str | None = None) -> GenizahError:
        """Return the same as an error to raise, for a caller that has nothing else to do."""
        return GenizahError(
            self.code, self.message, path=path, reason=self.reason, fields=self.fields
        )


class EdgeFault(StrEnum):
    """Why a row cannot be replaced by another, in the order it is looked for."""

    SELF_EDGE = "self_edge"
    TARGET_RETIRED_OUTRIGHT = "target_retired_outright"
    CYCLE = "cycle"
    DEPTH_CAP_HIT = "depth_cap_hit"


@dataclass(frozen=True, slots=True)
class Latest:
    """Where a chain of replacements ends: the last row and its state."""

    uuid: str
    state: State


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory as it is stored now, with the end of its chain where it was replaced."""

    detail: MemoryDetail
    latest: Latest | None

    @property
    def payload(self) -> dict[str, JsonValue]:
        """Return what a version conflict tells of it."""
        head = self.detail.head
        return {
            "uuid": head.uuid,
            "gist": head.gist,
            "content": self.detail.content,
            "version": head.version,
            "tier": head.tier,
            "state": head.state.value,
            "superseded_by": head.superseded_by,
            "superseded_by_latest": None if self.latest is None else self.latest.uuid,
            "superseded_by_latest_state": None if self.latest is None else self.latest.state.value,
        }


def bounds(name: str, limit: int, actual: int, sentence: str) -> Refused:
    """Refuse a text; `name` is the field of the payload, `limit` what it had to keep to."""
    return Refused(
        ErrorCode.BOUNDS, sentence, {"field": name, "limit": limit, "actual": actual}, reason=name
    )


def not_found(uuid: str) -> Refused:
    """Refuse a uuid that names no memory."""
    return Refused(
        ErrorCode.NOT_FOUND, f"There is no memory {uuid} in this store.", {"uuid": uuid}, uuid
    )


def version_conflict(uuid: str, expected: int, current: StoredMemory) -> Refused:
    """Refuse a change of a version that is not the stored one any more."""
    return Refused(
        ErrorCode.VERSION_CONFLICT,
        f"The memory {uuid} was changed meanwhile: it has version {current.detail.head.version}, "
        f"the change was made for version {expected}. Look at the stored text and decide again.",
        {"current": current.payload},
        uuid,
    )


def odd_version(uuid: str) -> Refused:
    """Refuse a row whose version is no number: no change could name it."""
    return Refused(
        ErrorCode.NOT_WRITABLE,
        f"The memory {uuid} has a version that is no whole number, so it can only be read.",
        {"uuid": uuid},
        uuid,
        "odd_version",
    )


def no_read_receipt(uuids: Sequence[str], subject: str) -> Refused:
    """Refuse a change of what this session has not read in that version."""
    return Refused(
        ErrorCode.NO_READ_RECEIPT,
        f"The memory {subject} was not read in this version; read it, then change it.",
        {"uuids": list(uuids), "hint": _HINT},
        subject,
    )


def inactive_row(uuid: str, state: State) -> Refused:
    """Refuse to change a row that is replaced or retired."""
    what = "replaced" if state is State.SUPERSEDED else "retired"
    return Refused(
        ErrorCode.INACTIVE_ROW,
        f"The memory {uuid} is {what} already; remember its text anew to bring it back.",
        {"uuid": uuid, "state": state.value},
        uuid,
    )


_EDGE_TEXTS = {
    EdgeFault.SELF_EDGE: "a memory cannot replace itself",
    EdgeFault.TARGET_RETIRED_OUTRIGHT: "the replacement is retired itself",
    EdgeFault.CYCLE: "the replacement was replaced by this very memory",
    EdgeFault.DEPTH_CAP_HIT: "the chain of replacements is longer than the settings allow",
}


def bad_supersession(uuid: str, target: str, fault: EdgeFault) -> Refused:
    """Refuse an edge from `uuid` to `target`, or a chain that goes on at `target`."""
    return Refused(
        ErrorCode.BAD_SUPERSESSION,
        f"The memory {uuid} cannot be replaced by {target}: {_EDGE_TEXTS[fault]}.",
        {"uuid": uuid, "target": target, "reason": fault.value},
        uuid,
        fault.value,
    )
