"""Plays a story into a store through the reference peer, at the story's own times.

One rule for every call: the clock moves on a little, the call is made, its access-log row follows.
"""

import random
import re
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from story import (
    Amend,
    Blind,
    Conflict,
    Discard,
    Fetch,
    Lesson,
    Prompt,
    Remember,
    Retire,
    Search,
    Session,
    Step,
)

from tests.peer.answers import Fetched, GroupRow, ServedGroup
from tests.peer.client import Peer, PeerError

_TICK_US = 1371
_SECONDS_BETWEEN_STEPS = {"mcp": (40, 420), "hook": (60, 900), "consolidator": (4, 25)}
_INJECTED = re.compile(r"^\d+\. \[([0-9a-f-]{36})\]", re.MULTILINE)


class Narrator:
    """Holds what a story needs to remember: uuids, versions and texts by key, and the time."""

    def __init__(self, peer: Peer, seed: int) -> None:
        self._peer = peer
        self._random = random.Random(seed)
        self._uuids: dict[str, str] = {}
        self._texts: dict[str, tuple[str, str]] = {}
        self._versions: dict[str, int] = {}
        self._read_in_session: set[str] = set()
        self._now = datetime.min
        self._session_id = ""

    def tell(self, session: Session) -> None:
        """Play one session from its first step to its last."""
        self._session_id = self._new_session_id()
        self._read_in_session = set()
        self._now = session.start
        if session.is_cleanup:
            self._clean_up(session)
        for step in session.steps:
            self._play(step)

    def _play(self, step: Step) -> None:
        match step:
            case Prompt():
                self._ask(step)
            case Search():
                self._call(
                    "memory_search",
                    lambda: self._peer.search(step.text, include_retired=step.include_retired),
                )
            case Remember():
                self._remember(step)
            case Fetch():
                self._fetch(step.keys)
            case Amend():
                self._amend(step)
            case Retire():
                for key in step.keys:
                    self._retire(key, None)
            case Conflict():
                self._expect_conflict(step.key)
            case Blind():
                self._expect_refusal(step.key)

    def _ask(self, step: Prompt) -> None:
        block = self._call("memory_surface", lambda: self._peer.surface(step.text), "hook")
        rows = _INJECTED.findall(block)[: step.reads]
        if rows:
            self._call("memory_fetch", lambda: self._peer.fetch(rows))

    def _remember(self, step: Remember) -> None:
        made = self._call("memory_remember", lambda: self._peer.remember(step.gist, step.content))
        self._know(step.key, made.uuid, made.version, (step.gist, step.content))
        for older in step.supersedes:
            self._retire(older, made.uuid)

    def _know(self, key: str, row: str, version: int, text: tuple[str, str]) -> None:
        self._uuids[key] = row
        self._versions[key] = version
        self._texts[key] = text
        self._read_in_session.add(key)

    def _fetch(self, keys: Sequence[str]) -> Fetched:
        rows = [self._uuids[key] for key in keys]
        found = self._call("memory_fetch", lambda: self._peer.fetch(rows))
        for key, record in zip(keys, found.records, strict=True):
            self._versions[key] = record.version
            self._read_in_session.add(key)
        return found

    def _license(self, key: str) -> None:
        if key not in self._read_in_session:
            self._fetch([key])

    def _amend(self, step: Amend) -> None:
        self._license(step.key)
        old_gist, old_content = self._texts[step.key]
        gist, content = step.gist or old_gist, step.content or old_content
        row, version = self._uuids[step.key], self._versions[step.key]
        done = self._call("memory_amend", lambda: self._peer.amend(row, version, gist, content))
        self._know(step.key, row, done.version, (gist, content))

    def _retire(self, key: str, by: str | None) -> None:
        self._license(key)
        row, version = self._uuids[key], self._versions[key]
        done = self._call("memory_retire", lambda: self._peer.retire(row, version, by))
        self._versions[key] = done.version

    def _expect_conflict(self, key: str) -> None:
        gist, content = self._texts[key]
        stale = self._versions[key] + 1
        row = self._uuids[key]
        self._refused("version_conflict", lambda: self._peer.amend(row, stale, gist, content))

    def _expect_refusal(self, key: str) -> None:
        row, version = self._uuids[key], self._versions[key]
        self._refused("no_read_receipt", lambda: self._peer.retire(row, version))

    def _refused(self, code: str, action: Callable[[], object]) -> None:
        self._step_on("mcp")
        try:
            action()
        except PeerError as refusal:
            if refusal.code == code:
                return
            raise
        raise ValueError(f"expected {code}")

    def _clean_up(self, session: Session) -> None:
        self._step_on("consolidator")
        self._peer.plan_groups()
        run = None
        while (group := self._next_group()) is not None:
            run = run or group.run_id
            if group.run_id != run:
                break  # the run was over and the peer has begun another: enough for one day
            self._decide(session, group)
        for lesson in session.lessons:
            self._absorb_the_rest(lesson)

    def _next_group(self) -> ServedGroup | None:
        return self._call("memory_next_group", self._peer.next_group, "consolidator")

    def _decide(self, session: Session, group: ServedGroup) -> None:
        members = {self._key_of(row): row for row in group.members}
        for lesson in session.lessons:
            rows = [row for key, row in members.items() if key in lesson.absorbs]
            if rows:
                self._teach(lesson, group, rows)
        for key in session.promote:
            if key in members:
                self._promote(key, group, members[key])
        for discard in session.discards:
            rows = [row for key, row in members.items() if key in discard.keys]
            self._discard(discard, group, rows)

    def _teach(self, lesson: Lesson, group: ServedGroup, rows: Sequence[GroupRow]) -> None:
        text = (lesson.gist, lesson.content)
        if lesson.key not in self._uuids:
            made = self._call(
                "memory_promote",
                lambda: self._peer.promote(group.group_id, *text, rows),
                "consolidator",
            )
            self._know(lesson.key, made.uuid, made.version, text)
            self._read_in_session.discard(lesson.key)
            return
        targets = [row for row in group.targets if row.uuid == self._uuids[lesson.key]]
        if targets:
            done = self._call(
                "memory_merge",
                lambda: self._peer.merge(group.group_id, targets[0], *text, rows),
                "consolidator",
            )
            self._versions[lesson.key] = done.version

    def _promote(self, key: str, group: ServedGroup, row: GroupRow) -> None:
        done = self._call(
            "memory_promote",
            lambda: self._peer.promote(group.group_id, row.gist, row.content, [row]),
            "consolidator",
        )
        self._versions[key] = done.version

    def _discard(self, discard: Discard, group: ServedGroup, rows: Sequence[GroupRow]) -> None:
        if rows:
            self._call(
                "memory_discard",
                lambda: self._peer.discard(group.group_id, discard.reason, rows),
                "consolidator",
            )

    def _absorb_the_rest(self, lesson: Lesson) -> None:
        """Supersede by hand what was in a group from which the lesson was out of reach."""
        found = self._fetch(lesson.absorbs)
        for key, record in zip(lesson.absorbs, found.records, strict=True):
            if record.active:
                self._retire(key, self._uuids[lesson.key])

    def _key_of(self, row: GroupRow) -> str:
        return next(key for key, known in self._uuids.items() if known == row.uuid)

    def _call[T](self, method: str, action: Callable[[], T], client_kind: str = "mcp") -> T:
        self._step_on(client_kind)
        result = action()
        self._peer.log_call(method, round(self._random.lognormvariate(3.2, 0.6), 3))
        return result

    def _step_on(self, client_kind: str) -> None:
        seconds = self._random.uniform(*_SECONDS_BETWEEN_STEPS[client_kind])
        self._now += timedelta(microseconds=round(seconds * 1_000_000))
        self._peer.set_clock(self._now, tick_us=_TICK_US)
        self._peer.identify(self._session_id, client_kind)

    def _new_session_id(self) -> str:
        made = uuid.UUID(int=self._random.getrandbits(128), version=4)
        # The peer gives a session that names itself no id of its own one with this prefix.
        return f"zk-{made}" if self._random.random() < 0.2 else str(made)
