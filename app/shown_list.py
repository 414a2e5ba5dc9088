"""The list of memories that is on screen, or what is selected in it, and reading it whole."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.export_search import moved_words
from app.filter_asked import asked_text
from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.window_view import WindowView
from core.documents.export_content import Export, ExportedMemory, ExportedQuery
from core.notices import Notice, NoticeCode
from core.progress import Progress
from core.readmodels import MemoryDetail, MemoryHead
from core.store import memories
from core.store.whole_rows import read_whole
from widgets.browse_view import BrowseView
from widgets.hit_view import HitView
from widgets.main_window import MainWindow
from widgets.memory_list import MemoryList, Named
from widgets.texts import memories as memories_words

_STILL_READ = "The order of the list is still being read; try again in a moment."


@dataclass(frozen=True, slots=True)
class ListToExport:
    """What is to be exported, in order; `refusal` says why it cannot be.

    `places` are those of the stores by key, `positions` those in a search by uuid.
    """

    stores: tuple[OpenStore, ...] = ()
    named: Sequence[Named] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    positions: Mapping[str | int, int] = field(default_factory=dict)
    query: ExportedQuery | None = None
    notices: tuple[Notice, ...] = ()
    refusal: str = ""


class ShownList:
    """Say what is on screen in one window."""

    def __init__(self, window: MainWindow, view: WindowView, stores: OpenStores) -> None:
        self._window = window
        self._view = view
        self._stores = stores

    def __call__(self, only_selected: bool) -> ListToExport | None:
        """Return the list on screen, or what is selected in it; None where there is no list."""
        shown = self._list()
        if shown is None or (only_selected and shown.selected_uuid() is None):
            return self._memory_shown() if only_selected else None
        if isinstance(shown, BrowseView) and not shown.is_complete:
            return ListToExport(refusal=_STILL_READ)
        found = self._made(shown.named(only_selected=only_selected), isinstance(shown, HitView))
        if only_selected or not isinstance(shown, BrowseView | HitView):
            return found
        return replace(found, notices=(*found.notices, *self._missing()))

    def _missing(self) -> tuple[Notice, ...]:
        """Return what names the stores of which the list holds nothing, as the banner does."""
        said = self._view.scope.notices_of(self._view.outcome) or ()
        return tuple(notice for notice in said if notice.code is NoticeCode.STORES_FAILED)

    def _list(self) -> MemoryList | None:
        """Return the list somebody works in: of several the one with the keyboard, or selection."""
        page = self._window.pages.currentWidget()
        inside = [] if page is None else page.findChildren(MemoryList)
        lists = [page] if isinstance(page, MemoryList) else inside
        lists.sort(key=lambda one: not isinstance(one, HitView))  # the one that a search is for
        used = [one for one in lists if one.is_exported and one.isVisible() and one.has_rows]
        for is_meant in (_has_keyboard, _has_selection, _has_rows):
            if found := next((one for one in used if is_meant(one)), None):
                return found
        return next((one for one in lists if one.is_exported and one.isVisible()), None)

    def _memory_shown(self) -> ListToExport | None:
        """Return the memory that is read without being in a list."""
        uuid = self._window.detail_panel.shown_uuid
        return None if uuid is None else self._made([Named("", uuid)], False)

    def _made(self, named: Sequence[Named], is_ranked: bool) -> ListToExport:
        front = "" if self._stores.front is None else self._stores.front.key
        keys = dict.fromkeys(name.store or front for name in named)
        entries = [self._stores.find(key) for key in keys]
        stores = {e.key: e.store for e in entries if e is not None and e.store is not None}
        places = {key: place for place, key in enumerate(stores)}
        if front in places:
            places[""] = places[front]
        found = ListToExport(
            tuple(stores.values()),
            named,
            places,
            notices=tuple(n for store in stores.values() for n in store.notices),
        )
        outcome = self._view.outcome if is_ranked else None
        if outcome is None:
            return found
        return replace(
            found,
            positions={hit.uuid: hit.position for hit in outcome.hits},
            query=ExportedQuery(asked_text(outcome) or "", outcome.scope.include_retired),
            notices=tuple(dict.fromkeys((*found.notices, *outcome.notices))),
        )


def _has_keyboard(shown: MemoryList) -> bool:
    focus = shown.focusProxy()
    return focus is not None and focus.hasFocus()


def _has_selection(shown: MemoryList) -> bool:
    return shown.selected_uuid() is not None


def _has_rows(shown: MemoryList) -> bool:
    return shown.has_rows


async def read_export(wanted: ListToExport, progress: Progress) -> tuple[Export, str]:
    """Read the memories whole; return what else is to be said of it, with a space before it.

    Raises GenizahError, and WorkCancelledError once it is not wanted any more.
    """
    total, done = len(wanted.named), 0
    whole: list[list[MemoryDetail]] = []
    said = ""
    names_of = await asyncio.to_thread(_by_store, wanted)
    for store, names in zip(wanted.stores, names_of, strict=True):
        rowids = await _rowids(store, names)

        def report(read: int, _of: int, before: int = done) -> None:
            progress.report(before + read, total)

        details, moved = await read_whole(store.database.browse, rowids, report)
        done += len(names)
        whole.append(details)
        said += f" {moved_words(store)}" if moved else ""
    read = await asyncio.to_thread(_in_order, wanted, whole)
    said += "".join(f" {n.text}" for n in wanted.notices if n.code is NoticeCode.STORES_FAILED)
    if len(read.memories) < total:
        said += f" {memories_words(total - len(read.memories))} had left the store."
    return read, said


def _by_store(wanted: ListToExport) -> list[list[str | int]]:
    found: list[list[str | int]] = [[] for _ in wanted.stores]
    for name in wanted.named:
        if name.store in wanted.places:
            found[wanted.places[name.store]].append(name.name)
    return found


def _in_order(wanted: ListToExport, whole: Sequence[Sequence[MemoryDetail]]) -> Export:
    """Return what was read of each store in the order that is wanted; what is gone is left out."""
    by_name: list[dict[str | int, MemoryDetail]] = [
        {key: detail for detail in details for key in (detail.head.uuid, detail.head.rowid)}
        for details in whole
    ]
    found: list[ExportedMemory] = []
    for name in wanted.named:
        place = wanted.places.get(name.store)
        detail = None if place is None else by_name[place].get(name.name)
        if place is not None and detail is not None:
            position = wanted.positions.get(name.name)
            group = None if position is None else 0
            found.append(ExportedMemory(place, detail, position, group))
    lines = tuple(store.line for store in wanted.stores)
    return Export(lines, tuple(found), wanted.query, wanted.notices)


async def _rowids(store: OpenStore, names: Sequence[str | int]) -> list[int]:
    """Return the rowids of memories that are named by either."""
    uuids = [name for name in names if isinstance(name, str)]
    heads: dict[str, MemoryHead] = {}
    if uuids:
        async with store.database.browse.snapshot() as connection:
            heads = await memories.heads_by_uuid(connection, uuids)
    return [
        heads[name].rowid if isinstance(name, str) else name
        for name in names
        if isinstance(name, int) or name in heads
    ]
