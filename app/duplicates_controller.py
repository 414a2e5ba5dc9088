"""Duplicates over the checked stores: compared in a thread, grouped at a threshold, called none.

What a person says of pairs is app/duplicate_pairs'; nothing here writes to a store.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, override

from app.duplicate_pairs import DuplicatePairs
from app.long_work import WorkWords, in_worker
from app.page_host import PageHost
from app.page_scope import PageScope, Unread, incomplete, read_placed
from app.whole_look import LookWords, WholeLook
from app.worker import Worker
from core.duplicates.corpus import ComparedMemory, Corpus
from core.duplicates.fingerprints import differing_names
from core.duplicates.groups import DuplicateGroup, groups_of
from core.duplicates.keys import MemoryKey as StoredKey
from core.duplicates.reading import read_corpus
from core.duplicates.scanning import LOWEST, PairScan, scan_pairs
from core.errors import GenizahError
from core.progress import Progress
from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection
from widgets.duplicates_content import (
    MOST_SHOWN,
    Compared,
    Listed,
    group_rows,
    group_sentence,
    member_rows,
    summary,
)
from widgets.duplicates_page import DuplicatesPage
from widgets.row_model import MemoryKey
from widgets.texts import grouped

_KEY = "duplicates"
_READING = WorkWords(
    _KEY, "Reading the memories", lambda done, all_: f"{grouped(done)} of {grouped(all_)}"
)
_COMPARING = WorkWords(
    _KEY, "Comparing the memories", lambda done, all_: f"{100 * done // max(1, all_)} %"
)
_WORDS = LookWords(
    _KEY,
    looking="Looking for near-duplicates…",
    cancelled="Comparing was cancelled; “Compare” starts it anew.",
    failed="The memories could not be compared ({}).",
)
_OUT_OF_DATE = "The stores have changed since: “Compare” brings this up to date."
_ANOTHER_PASS = (
    "More pairs are that near than are kept; “Compare” goes through all of them for {:.2f}."
)
_SEVERAL_STORES = (
    "These memories lie in several stores, and no change reaches into two: select those of one "
    "store."
)
_TWINS_FIRST = (
    "There are twins in this group that differ in what they name: select the memories that say the "
    "same, then use “Into one…”."
)
_COMPARED_AT_ONCE = 2000
"""Memories that are compared again by themselves once a store moves."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What one pass found in some stores."""

    scope: PageScope
    corpus: Corpus
    scan: PairScan


class DuplicatesController(WholeLook):
    """Serve the page of one window."""

    def __init__(self, host: PageHost) -> None:
        self.page = DuplicatesPage()
        super().__init__(self.page, host, _WORDS, _COMPARED_AT_ONCE)
        self._worker = Worker("duplicates")
        self._found: _Found | None = None
        self._groups: dict[MemoryKey, DuplicateGroup] = {}
        self._opened: DuplicateGroup | None = None
        self._words = ""
        self.pairs = DuplicatePairs(host)
        self._connect()

    def _connect(self) -> None:
        page, host = self.page, self._host
        page.became_visible.connect(self._follow)
        page.compare_wanted.connect(self._look_again)
        page.threshold_wanted.connect(self._regroup)
        page.group_chosen.connect(self._open)
        page.memory_chosen.connect(self._choose)
        page.memory_opened.connect(lambda _key: host.read_memory())
        page.apart_wanted.connect(self._none_are)
        page.out_wanted.connect(self._take_out)
        page.undo_wanted.connect(self._undo)
        page.into_one_wanted.connect(self._into_one)
        host.window.detail_panel.changed.connect(self._shown_elsewhere)
        page.set_undoable(False)

    @override
    def _forget(self) -> None:
        self._running.end("group", "open")
        self._found = self._opened = None
        self._groups = {}

    @override
    def _rename(self) -> None:
        if self._found is not None:
            self._found = replace(self._found, scope=self._scope)
            self._regroup()

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    # Comparing

    @override
    async def _find(self, scope: PageScope) -> int:
        self._running.end("group")
        await self.pairs.read()
        corpus = await self._read(scope)
        scan = await self._scan(corpus)
        self._found = _Found(scope, corpus, scan)
        await self._group(self._found)
        return len(corpus.memories)

    async def _read(self, scope: PageScope) -> Corpus:
        databases = [one.store.database for one in scope.stores]
        return await self._host.work.run(
            _READING, lambda progress: read_corpus(databases, report=progress.report)
        )

    async def _scan(self, corpus: Corpus) -> PairScan:
        """Compare once for every threshold, and again for this one where those are too many."""
        threshold, apart = self.page.threshold(), self.pairs.apart
        scan = await self._pass(corpus, LOWEST)
        if not scan.answers(threshold, apart):
            scan = await self._pass(corpus, threshold)
        return scan

    async def _pass(self, corpus: Corpus, threshold: float) -> PairScan:
        apart = self.pairs.apart

        async def scan(progress: Progress) -> PairScan:
            return await in_worker(
                self._worker,
                progress,
                lambda: scan_pairs(corpus, threshold, apart, progress.report),
            )

        return await self._host.work.run(_COMPARING, scan)

    # Groups

    def _regroup(self) -> None:
        """Group what was compared at the threshold and without the pairs that are told apart."""
        found = self._found
        if found is None or self._is_looking:
            return  # what is under way groups at what is asked for by then
        if found.scan.answers(self.page.threshold(), self.pairs.apart):
            self._running.start("group", lambda: self._told(self._group(found)))
        else:
            self.page.say(_ANOTHER_PASS.format(self.page.threshold()))

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except GenizahError as error:
            self._host.work.messages.show_error(_KEY, error)

    async def _group(self, found: _Found) -> None:
        while True:
            threshold, apart = self.page.threshold(), self.pairs.apart
            if not found.scan.answers(threshold, apart):
                self.page.say(_ANOTHER_PASS.format(threshold))
                return
            groups = await self._worker.run(groups_of, found.corpus, found.scan, threshold, apart)
            if (threshold, apart) == (self.page.threshold(), self.pairs.apart):
                break
        shown = groups[:MOST_SHOWN]
        heads, unread = await _heads(found.scope, [group.members[0].memory for group in shown])
        if found is self._found:
            self._words = summary(groups, _compared(found, unread), threshold)
            self._show(groups, Listed(heads, found.scope.labels))

    def _show(self, groups: Sequence[DuplicateGroup], listed: Listed) -> None:
        before = self._opened
        self._groups = {self._row_key(g.members[0].memory): g for g in groups[:MOST_SHOWN]}
        self.page.show_groups(group_rows(groups, listed), self._words)
        if before is not None and self.page.groups.selected_key is None:
            kept = {member.memory.key for member in before.members}
            for key, group in self._groups.items():
                if any(member.memory.key in kept for member in group.members):
                    self.page.groups.follow(key)
                    break
        self.page.groups.select_first()
        self._open(self.page.groups.selected_key)
        self._say()

    @override
    def _say(self) -> None:
        if self._found is not None:
            late = f" {_OUT_OF_DATE}" if self._is_stale else ""
            self.page.say(self._words + late)

    def _row_key(self, memory: ComparedMemory) -> MemoryKey:
        assert self._found is not None
        return MemoryKey(memory.key.uuid, self._found.scope.stores[memory.store].label.key)

    # One group

    def _open(self, key: MemoryKey | None) -> None:
        group = self._opened = None if key is None else self._groups.get(key)
        found = self._found
        if group is None or found is None:
            self._running.end("open")
            self.page.show_group((), "")
        else:
            self._running.start("open", lambda: self._told(self._show_group(found, group)))

    async def _show_group(self, found: _Found, group: DuplicateGroup) -> None:
        members = [member.memory for member in group.members[:MOST_SHOWN]]
        heads, unread = await _heads(found.scope, members)
        names = await _names(found.scope, group)
        rows = member_rows(group, Listed(heads, found.scope.labels))
        self.page.show_group(rows, group_sentence(group, names, incomplete(unread)))
        self._shown_elsewhere()

    def _choose(self, key: MemoryKey | None) -> None:
        if key is not None:
            self._host.show_memory(key.store, key.uuid)

    def _shown_elsewhere(self) -> None:
        shown = self._host.shown()
        if shown is not None and self.page.isVisible():
            self.page.follow(shown)

    # What a person says

    def _none_are(self) -> None:
        if self._opened is not None:
            keys = [member.memory.key for member in self._opened.members]
            self._apart(self.pairs.none_of(keys))

    def _take_out(self) -> None:
        if self._opened is not None:
            chosen = set(self.page.members.selected_keys())
            members = [member.memory for member in self._opened.members]
            out = [m.key for m in members if self._row_key(m) in chosen]
            rest = [m.key for m in members if self._row_key(m) not in chosen]
            self._apart(self.pairs.between(out, rest) if rest else self.pairs.none_of(out))

    def _undo(self) -> None:
        self._apart(self.pairs.undo())

    def _apart(self, said: str) -> None:
        if said:
            self._host.work.messages.confirm(said)
        self.page.set_undoable(self.pairs.can_undo)
        self._regroup()

    def _into_one(self) -> None:
        group = self._opened
        if group is None:
            return
        chosen = self.page.members.selected_keys()
        said = ""
        if len(chosen) < 2:
            chosen = [self._row_key(member.memory) for member in group.members]
            said = _TWINS_FIRST if group.twins else ""
        stores = {key.store for key in chosen}
        if said or len(stores) > 1:
            self._host.work.messages.confirm(said or _SEVERAL_STORES)
        else:
            self._host.into_one(stores.pop(), [key.uuid for key in chosen])


def _compared(found: _Found, unread: Sequence[Unread]) -> Compared:
    corpus, scope = found.corpus, found.scope
    where = scope.words or f"in {scope.stores[0].store.facts.location.name}"
    missing = [Unread(scope.stores[one.store], one.error) for one in corpus.unreadable]
    return Compared(
        *(len(corpus.memories), corpus.unmeasured, len(corpus.copies), where, corpus.moved),
        incomplete([*missing, *unread]),
        sum(len(space.owners) > 0 for space in corpus.spaces),
    )


async def _heads(
    scope: PageScope, wanted: Sequence[ComparedMemory]
) -> tuple[dict[StoredKey, MemoryHead], tuple[Unread, ...]]:
    """Return the heads of memories, and the stores that could not be read for them."""
    keys: dict[int, dict[int, StoredKey]] = {}
    for memory in wanted:
        keys.setdefault(memory.store, {})[memory.rowid] = memory.key

    async def read(place: int, connection: Connection) -> list[MemoryHead]:
        return await memories.heads_by_rowid(connection, list(keys[place]))

    found, unread = await read_placed(scope.stores, keys, read)
    placed = ((keys[place][h.rowid], h) for place, heads in found.items() for h in heads)
    return {key: head for key, head in placed if head.uuid == key.uuid}, unread


async def _names(scope: PageScope, group: DuplicateGroup) -> tuple[tuple[str, str], ...]:
    """Return what the first two twins of a group name that differs, as far as they can be read."""
    if not group.twins:
        return ()
    one, *others = group.twins[0]
    other = next(m for m in others if one.fingerprint.is_twin_of(m.fingerprint))
    texts: list[str] = []
    for memory in (one, other):

        async def read(_place: int, connection: Connection, uuid: str = memory.key.uuid) -> str:
            detail = await memories.detail(connection, uuid)
            return "" if detail is None else f"{detail.head.gist}\n{detail.content}"

        found, _ = await read_placed(scope.stores, (memory.store,), read)
        texts.append(found.get(memory.store, ""))
    return await asyncio.to_thread(differing_names, *texts)
