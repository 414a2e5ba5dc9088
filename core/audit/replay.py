"""A session played again from the log: each prompt, what it was shown, what was done next. Pure.

The log holds no text of a prompt; a memory shown twice is told twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.audit.payloads import Kind, Shown, shown_of, whole
from core.readmodels import EventRow
from core.store.event_log import payload_of

#: The kinds of events that `replay_of` is made from.
REPLAY_KINDS: tuple[str, ...] = tuple(Kind)


class Verb(StrEnum):
    """What was done after a prompt, in the words of a person."""

    FETCHED = "fetched"
    SEARCHED = "searched"
    REMEMBERED = "remembered"
    AMENDED = "amended"
    RETIRED = "retired"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    PROMOTED = "promoted"
    DISCARDED = "discarded"


_VERBS = {
    Kind.FETCH: Verb.FETCHED,
    Kind.SEARCH: Verb.SEARCHED,
    Kind.REMEMBER: Verb.REMEMBERED,
    Kind.AMEND: Verb.AMENDED,
    Kind.RETIRE: Verb.RETIRED,
    Kind.MERGE: Verb.MERGED,
    Kind.PROMOTE: Verb.PROMOTED,
    Kind.DISCARD: Verb.DISCARDED,
}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing done; `uuid` is None for a search, `by` the replacement where it superseded.

    `rank` is where the memory stood among what the prompt was shown, None where it did not.
    """

    event_id: int
    at: str
    verb: Verb
    uuid: str | None
    by: str | None
    rank: int | None
    was_shown: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: what was shown by rank, what was done until the next prompt or the end.

    `n_returned`, `n_demoted` and `prompt_chars` are as logged, None where the log does not say.
    """

    number: int
    event_id: int
    at: str
    shown: tuple[Shown, ...]
    actions: tuple[Action, ...]
    prompt_chars: int | None
    n_returned: int | None
    n_demoted: int | None

    def done_to(self, uuid: str) -> tuple[Verb, ...]:
        """Return what was done to one memory, each verb once."""
        return tuple(dict.fromkeys(a.verb for a in self.actions if a.uuid == uuid))


@dataclass(frozen=True, slots=True)
class MemoryInSession:
    """What one session did with a memory it was shown: its ranks prompt by prompt (None: not
    said), how often it was fetched after the first of them, and what else was done to it then."""

    uuid: str
    ranks: tuple[int | None, ...]
    fetched: int
    verbs: tuple[Verb, ...]

    @property
    def injected(self) -> int:
        """Return how often it was shown."""
        return len(self.ranks)


@dataclass(frozen=True, slots=True)
class Replay:
    """A session. `before` was done before its first prompt; `unreadable` payloads are counted, and
    `strays` are memories shown for which the log has no prompt."""

    prompts: tuple[Prompt, ...]
    before: tuple[Action, ...]
    unreadable: int
    strays: tuple[Shown, ...]

    def memories(self) -> tuple[MemoryInSession, ...]:
        """Return every memory that was shown: most often first, then as they came."""
        ranks: dict[str, list[int | None]] = {}
        fetched: dict[str, int] = {}
        verbs: dict[str, dict[Verb, None]] = {}
        for prompt in self.prompts:
            for shown in prompt.shown:
                ranks.setdefault(shown.uuid, []).append(shown.rank)
            for action in prompt.actions:
                if action.uuid is None or action.uuid not in ranks:
                    continue
                verbs.setdefault(action.uuid, {})[action.verb] = None
                if action.verb is Verb.FETCHED:
                    fetched[action.uuid] = fetched.get(action.uuid, 0) + 1
        found = [
            MemoryInSession(uuid, tuple(r), fetched.get(uuid, 0), tuple(verbs.get(uuid, ())))
            for uuid, r in ranks.items()
        ]
        return tuple(sorted(found, key=lambda memory: -memory.injected))


@dataclass(slots=True)
class _Turn:
    """A prompt on its way."""

    event: EventRow
    shown: list[Shown] = field(default_factory=list)
    after: list[EventRow] = field(default_factory=list)


def replay_of(events: Sequence[EventRow]) -> Replay:
    """Play a session's events, in the order of writing, of the kinds REPLAY_KINDS."""
    turns: list[_Turn] = []
    of_op: dict[str, _Turn] = {}
    before: list[EventRow] = []
    strays: list[Shown] = []
    for event in events:
        if event.kind == Kind.SURFACE_CALL:
            turns.append(_Turn(event))
            of_op[event.op_id] = turns[-1]
        elif event.kind == Kind.SURFACE:
            turn = of_op.get(event.op_id)
            (strays if turn is None else turn.shown).append(shown_of(event))
        elif event.kind in _VERBS:
            (turns[-1].after if turns else before).append(event)
    prompts = tuple(_prompt(number, turn) for number, turn in enumerate(turns, 1))
    shown = [one for prompt in prompts for one in prompt.shown] + strays
    unreadable = sum(not one.is_readable for one in shown)
    told = (e for e in events if e.kind in _VERBS or e.kind == Kind.SURFACE_CALL)
    unreadable += sum(payload_of(event.detail) is None for event in told)
    return Replay(prompts, tuple(_action(e, ()) for e in before), unreadable, tuple(strays))


def _prompt(number: int, turn: _Turn) -> Prompt:
    told = payload_of(turn.event.detail) or {}
    shown = sorted(turn.shown, key=lambda s: (s.rank is None, s.rank or 0, s.event_id))
    return Prompt(
        number=number,
        event_id=turn.event.id,
        at=turn.event.at,
        shown=tuple(shown),
        actions=tuple(_action(event, shown) for event in turn.after),
        prompt_chars=whole(told, "prompt_chars"),
        n_returned=whole(told, "n_returned"),
        n_demoted=whole(told, "n_demoted"),
    )


def _action(event: EventRow, shown: Iterable[Shown]) -> Action:
    told = payload_of(event.detail) or {}
    verb, by = _VERBS[Kind(event.kind)], told.get("superseded_by")
    if verb is Verb.RETIRED and isinstance(by, str):
        verb = Verb.SUPERSEDED
    same = next((s for s in shown if s.uuid == event.memory_uuid), None)
    return Action(
        event_id=event.id,
        at=event.at,
        verb=verb,
        uuid=event.memory_uuid,
        by=by if isinstance(by, str) else None,
        rank=None if same is None else same.rank,
        was_shown=same is not None,
    )
