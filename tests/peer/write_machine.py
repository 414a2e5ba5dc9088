"""One store changed by the peer and by us, as a state machine: after every change all rows agree.

Clock, uuids and session names are set alike on both sides, so that not even those may differ.
"""

import asyncio
import itertools
import shutil
from collections import Counter
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from core.commands.amend import amend
from core.commands.fetch import Fetched, fetch
from core.commands.ladder import Claim
from core.commands.outcome import Written
from core.commands.refusals import Refused
from core.commands.remember import remember
from core.commands.retire import retire
from core.errors import GenizahError
from core.retrieval.encoder import Encoder as OurEncoder
from core.store.text import is_blank
from tests.peer import answers
from tests.peer.client import Encoder, Peer, PeerError
from tests.support.properties import whole_texts
from tests.support.writing import (
    NOON,
    TICK,
    Hand,
    matches_of,
    problems_of,
    rows_of,
)

WORDS = ("ferry", "quay", "pier", "winter", "ticket", "café", "设备", "zarquon")
_SESSIONS = ("one", "two")


def _theirs_too(text: str) -> bool:
    """Leave out what only we refuse: invisible characters alone, and a NUL in front."""
    only_ours = (is_blank(text) and text.split()) or text.lstrip(" ").startswith("\0")
    return not only_ours


_phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
_long = st.sampled_from(
    [
        " ".join(f"{w} {n}" for n, w in enumerate(WORDS * 12)),
        "\n\n".join(f"{w} office {n}" for n, w in enumerate(WORDS * 6)),
        "winter " + "x" * 900 + "\n \n" + "pier, " * 120,
        "ismsilicokw zzzzestablish microdisestablish antimicrozzzzment disqxvolcano " * 12,
        "日本語" * 90 + "\n\n  quay\n\n\n" + "supercalifragilistic" * 40,
    ]
)
_gists = st.one_of(
    _phrases,
    whole_texts.filter(_theirs_too),
    st.sampled_from(["", " \n", "\u3000", "x" * 1025, "\U0001f600" * 512, "w " * 13]),
)
_contents = st.one_of(
    _phrases, _long, whole_texts.filter(_theirs_too), st.sampled_from(["", "\t "])
)
_texts = st.one_of(_phrases, _long)
#: The place that names no memory; the others are taken round and round.
NOBODY = 9
_places = st.integers(0, NOBODY)
_versions = st.sampled_from([0, 0, 0, 0, 0, 1, -1])


@dataclass
class Bench:
    """The peer, a template store, our encoder; one fresh pair of copies an example."""

    peer: Peer
    kind: Encoder
    encoder: OurEncoder
    template: Path
    folder: Path
    runner: asyncio.Runner
    numbers: Iterator[int] = field(default_factory=itertools.count)
    seen: set[str] = field(default_factory=set)
    events: Counter[str] = field(default_factory=Counter)

    def copies(self) -> tuple[Path, Path]:
        """Make two copies of the template."""
        base = self.folder / f"example-{next(self.numbers)}"
        return tuple(  # type: ignore[return-value]  # two names make a pair
            shutil.copytree(self.template, base / name) for name in ("theirs", "ours")
        )

    def scratch(self) -> Path:
        """Return a new empty folder."""
        made = self.folder / f"scratch-{next(self.numbers)}"
        made.mkdir()
        return made


def _record(memory: answers.FetchedMemory) -> tuple[object, ...]:
    return (
        *(memory.uuid, memory.gist, memory.content, memory.version, memory.tier, memory.state),
        *(memory.superseded_by, memory.superseded_by_latest, memory.superseded_by_latest_state),
    )


def _plain(found: object) -> object:
    """Put an answer of either side into one shape."""
    match found:
        case answers.Fetched(records, missing):
            return ("fetched", tuple(map(_record, records)), missing)
        case Fetched(records, missing):
            return ("fetched", tuple(tuple(r.payload.values()) for r in records), missing)
        case answers.Written(uuid, version):
            return ("written", uuid, version, ())
        case answers.Remembered(uuid, version, near):
            found_near = tuple((n.uuid, n.gist, n.cosine, n.rank) for n in near)
            return ("written", uuid, version, found_near)
        case Written(uuid, version, _, near):
            found_near = tuple((n.uuid, n.gist, n.cosine, n.rank) for n in near)
            return ("written", uuid, version, found_near)
        case Refused(code, _, fields):
            return (code.value, dict(fields))
        case GenizahError() as error:
            return (error.code.value, dict(error.fields))
        case PeerError() as error:
            return (error.code, dict(error.fields))
    raise TypeError(repr(found))


class Writing(RuleBasedStateMachine):
    """Change both copies alike; compare after every change."""

    bench: Bench

    def __init__(self) -> None:
        super().__init__()
        self.theirs, self.ours = self.bench.copies()
        self.step = 0
        self.hand: Hand | None = None

    @initialize()
    def begin(self) -> None:
        self._open()

    def _run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self.bench.runner.run(work)

    def _open(self) -> None:
        self.bench.peer.open(self.theirs, self.bench.kind)
        self.hand = self._run(Hand.open(self.ours, self.bench.encoder))

    def _close(self) -> None:
        hand, self.hand = self.hand, None
        if hand is not None:
            self.bench.peer.close()
            self._run(hand.close())

    def _both(self, session: int, theirs: Any, ours: Any) -> None:
        """Do one thing on both sides from the same moment, and compare what came of it."""
        assert self.hand is not None
        self.step += 1
        name = _SESSIONS[session]
        peer = self.bench.peer
        peer.identify(name, "cli")
        peer.seed_ids(self.step)
        peer.set_clock(
            NOON + timedelta(seconds=self.step), tick_us=TICK // timedelta(microseconds=1)
        )
        self.hand.set(self.step, name)
        try:
            answer: object = theirs(peer)
        except PeerError as refusal:
            answer = refusal
        try:
            mine: object = self._run(ours(self.hand.gate))
        except GenizahError as failure:
            mine = failure
        expected = _plain(answer)
        assert _plain(mine) == expected
        self.bench.seen.add(str(expected[0] if isinstance(expected, tuple) else expected))
        if isinstance(expected, tuple) and isinstance(expected[1], dict):
            why = expected[1].get("reason") or expected[1].get("stage")
            self.bench.seen.add(f"{expected[0]} {why}")
        assert rows_of(self.ours) == rows_of(self.theirs)

    def _named(self, place: int) -> tuple[str, int]:
        """Return uuid and version of the row at a place, or a uuid that names none."""
        rows = rows_of(self.theirs)["memory"]
        if place == NOBODY:
            return "no-such-memory", 1
        row = rows[place % len(rows)]
        uuid, version = row[1], row[7]
        assert isinstance(version, int)
        return str(uuid), version

    @rule(session=st.integers(0, 1), gist=_gists, content=_contents)
    def remember(self, session: int, gist: str, content: str) -> None:
        self._both(
            session, lambda p: p.remember(gist, content), lambda g: remember(g, gist, content)
        )

    @rule(session=st.integers(0, 1), gist=_phrases, content=_phrases)
    def remember_a_phrase(self, session: int, gist: str, content: str) -> None:
        self.remember(session, gist, content)

    @rule(session=st.integers(0, 1), places=st.lists(_places, max_size=4))
    def fetch(self, session: int, places: list[int]) -> None:
        uuids = [self._named(place)[0] for place in places]
        self._both(session, lambda p: p.fetch(uuids), lambda g: fetch(g, uuids))

    @rule(
        session=st.integers(0, 1), place=_places, off=_versions, gist=_gists, content=_contents
    )
    def amend(self, session: int, place: int, off: int, gist: str, content: str) -> None:
        uuid, version = self._named(place)
        claim = Claim(uuid, version + off)
        self._both(
            session,
            lambda p: p.amend(uuid, claim.version, gist, content),
            lambda g: amend(g, claim, gist, content),
        )

    @rule(session=st.integers(0, 1), place=_places, gist=_phrases, content=_texts)
    def read_and_amend(self, session: int, place: int, gist: str, content: str) -> None:
        self.fetch(session, [place])
        self.amend(session, place, 0, gist, content)

    @rule(session=st.integers(0, 1), place=_places, by=_places)
    def read_and_supersede(self, session: int, place: int, by: int) -> None:
        self.fetch(session, [place])
        self.supersede(session, place, 0, by)

    @rule(session=st.integers(0, 1), place=_places, off=_versions)
    def retire(self, session: int, place: int, off: int) -> None:
        uuid, version = self._named(place)
        claim = Claim(uuid, version + off)
        self._both(
            session, lambda p: p.retire(uuid, claim.version), lambda g: retire(g, claim)
        )

    @rule(session=st.integers(0, 1), place=_places, off=_versions, by=_places)
    def supersede(self, session: int, place: int, off: int, by: int) -> None:
        uuid, version = self._named(place)
        target, _ = self._named(by)
        claim = Claim(uuid, version + off, target)
        self._both(
            session,
            lambda p: p.retire(uuid, claim.version, target),
            lambda g: retire(g, claim),
        )

    @rule()
    def change_places(self) -> None:
        """Each goes on with the store that the other wrote."""
        self._close()
        self.theirs, self.ours = self.ours, self.theirs
        self._open()

    def teardown(self) -> None:
        self._close()
        self.bench.events.update(str(row[5]) for row in rows_of(self.ours)["event"])
        found = matches_of(self.ours, WORDS)
        assert found == matches_of(self.theirs, WORDS)
        for project in (self.ours, self.theirs):
            assert problems_of(project, self.bench.scratch()) == []
        shutil.rmtree(self.ours.parent)


def machine_of(bench: Bench) -> type[Writing]:
    """Return the machine bound to a bench."""

    class Bound(Writing):
        pass

    Bound.bench = bench
    return Bound


def try_changes(bench: Bench, examples: int, steps: int) -> None:
    """Run that many sequences of that many changes, the same ones every time."""
    run_state_machine_as_test(
        machine_of(bench),
        settings=settings(
            derandomize=True,
            database=None,
            deadline=None,
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
        ),
    )
