"""Staging what a person asks for: retire, replace by another, replace many by one, by drag too.

What is staged names the version that was on the screen. Texts are app/editor_controller's.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from app.pending_controller import PendingController
from app.quick_open_controller import QuickOpenController
from app.write_session import WriteContext
from core.commands.changes import Change, Retire, Supersede
from core.commands.staging import Staged
from core.errors import GenizahError
from core.readmodels import MemoryDetail, MemoryHead
from core.store import memories
from widgets.memory_list import MemoryList
from widgets.text_marks import one_line
from widgets.texts import counted, grouped
from widgets.texts import memories as memories_words

_KEY = "staging"
_SHORT = 60
#: More than this nobody looks through before a commit.
MOST_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be replaced once somebody has picked by what."""

    rows: tuple[MemoryDetail, ...]
    into_one: bool = False


class StagingController:
    """Stage changes of the selected memories."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self._wish = _Wish(())
        self.picker = QuickOpenController(context.window, self._picked)
        self.picker.dialog.setObjectName("picker")
        window = context.window
        self._lists: list[MemoryList] = []
        for view in (window.hit_view, window.literal_list, window.browse_view):
            self.add_list(view)

    def add_list(self, view: MemoryList) -> None:
        """Stage what is selected in a list, and what is dropped there, too."""
        self._lists.append(view)
        view.memories_dropped.connect(self._dropped)

    # What is selected

    @property
    def selected(self) -> str | None:
        """Return the memory that is selected, or about to be read."""
        detail = self._context.detail
        return None if detail is None else detail.uuid

    @property
    def shown(self) -> MemoryDetail | None:
        """Return the memory that is read, None while another one is coming."""
        return self._context.shown

    @property
    def has_several(self) -> bool:
        """Tell whether more than one row is selected in the list on screen."""
        return self._list_of_several(with_folds=False) is not None

    @property
    def has_several_with_folds(self) -> bool:
        """Tell the same where a closed fold counts as all the memories in it."""
        return self._list_of_several(with_folds=True) is not None

    def _list_of_several(self, *, with_folds: bool) -> MemoryList | None:
        for view in self._lists:
            if self._is_used(view) and view.number_selected(with_folds=with_folds) > 1:
                return view
        return None

    def _is_used(self, view: MemoryList) -> bool:
        """Tell whether a list is the one somebody works in: two may have rows selected."""
        focus = view.focusProxy()
        has_keyboard = focus is not None and focus.hasFocus()
        reads_from_it = self.selected is not None and view.selected_uuid() == self.selected
        return view.isVisible() and (has_keyboard or reads_from_it)

    async def _selected(self, *, with_folds: bool = False) -> tuple[MemoryDetail, ...]:
        """Return the selected memories, as they are on screen or, of many, as stored now."""
        await self._context.read()  # a row selected just now is still being read
        view = self._list_of_several(with_folds=with_folds)
        if view is None:
            shown = self._context.shown
            return () if shown is None else (shown,)
        if self._are_too_many(view.number_selected(with_folds=with_folds)):
            return ()
        uuids = view.selected_uuids(with_folds=with_folds)
        return await self._read(uuids, view.unread_selected())

    def _are_too_many(self, number: int) -> bool:
        """Say so where more are selected than can be staged."""
        if number <= MOST_AT_ONCE:
            return False
        self._context.messages.confirm(
            f"{grouped(number)} memories are selected; at most {grouped(MOST_AT_ONCE)} are "
            "staged at once."
        )
        return True

    async def _read(
        self, uuids: Sequence[str], rowids: Sequence[int] = ()
    ) -> tuple[MemoryDetail, ...]:
        store = self._context.store
        if store is None:
            return ()
        async with store.database.browse.snapshot() as connection:
            more = await memories.heads_by_rowid(connection, rowids)
            wanted = dict.fromkeys((*uuids, *(head.uuid for head in more)))
            found = [await memories.detail(connection, uuid) for uuid in wanted]
        return tuple(row for row in found if row is not None)

    # Retire

    def retire(self) -> None:
        """Stage that the selected memories count no more."""
        self._start(self._retire(), "stage a retirement")

    async def _retire(self) -> None:
        rows = await self._selected()
        self._stage(rows, Retire)

    def _stage(self, rows: Sequence[MemoryDetail], make: Callable[[str, int], Change]) -> None:
        staged = [
            (make(row.head.uuid, row.head.version), row)
            for row in rows
            if row.head.active and row.head.version is not None
        ]
        if staged:
            self._pending.stage(*staged)
        left = len(rows) - len(staged)
        if left:
            self._say_left(left, len(rows))

    def _say_left(self, left: int, of: int) -> None:
        what = "It is" if of == 1 else f"{left} of {memories_words(of)} are"
        self._context.messages.confirm(
            f"{what} not live, or can only be read, and nothing was staged for "
            f"{'it' if left == 1 else 'them'}."
        )

    # Replace

    def supersede(self) -> None:
        """Ask by which memory the selected ones are to be replaced."""
        self._start(self._ask_by_which(), "pick a replacement")

    async def _ask_by_which(self) -> None:
        self._pick_for(await self._selected())

    def pick_again(self, entry: Staged) -> None:
        """Ask anew by which memory the one of a staged replacement is to be replaced."""
        if entry.seen is not None:
            self._pick_for((entry.seen,))

    def _pick_for(self, rows: tuple[MemoryDetail, ...]) -> None:
        self._wish = _Wish(rows)
        if not rows:
            return
        name = (
            f"“{one_line(rows[0].head.gist, _SHORT)}”"
            if len(rows) == 1
            else memories_words(len(rows))
        )
        self.picker.pick(f"Replace {name} by…")

    def into_one(self) -> None:
        """Ask which of the selected memories stays live."""
        self._start(self._ask_survivor(), "pick the one that stays")

    def into_one_of(self, uuids: Sequence[str]) -> None:
        """Ask which of some memories stays live, whatever list they stand in."""
        if self._context.refusal:
            self._context.messages.confirm(self._context.refusal)
        elif not self._are_too_many(len(uuids)):
            self._start(self._ask_survivor_of(uuids), "pick the one that stays")

    async def _ask_survivor(self) -> None:
        self._pick_survivor(await self._selected(with_folds=True))

    async def _ask_survivor_of(self, uuids: Sequence[str]) -> None:
        self._pick_survivor(await self._read(uuids))

    def _pick_survivor(self, rows: tuple[MemoryDetail, ...]) -> None:
        live = tuple(row for row in rows if row.head.active)
        if not rows:
            return
        if len(live) < 2:
            said = f"{counted(len(live), 'selected memory', 'selected memories')} live; "
            self._context.messages.confirm(said + "select two or more to replace all but one.")
            return
        self._wish = _Wish(live, into_one=True)
        self.picker.pick_from(
            f"Which of {memories_words(len(live))} stays live?", [row.head for row in live]
        )

    def _picked(self, head: MemoryHead) -> None:
        wish, self._wish = self._wish, _Wish(())
        self._pending.gists[head.uuid] = head.gist
        if wish.into_one:
            self._pending.stage_into_one(wish.rows, head.uuid)
        else:
            self._stage(wish.rows, lambda uuid, version: Supersede(uuid, version, head.uuid))

    def _dropped(self, uuids: list[str], target: str) -> None:
        wanted = [uuid for uuid in uuids if uuid != target]
        if wanted and not self._context.refusal:
            self._start(self._replace(wanted, target), "stage a replacement")

    async def _replace(self, uuids: Sequence[str], target: str) -> None:
        rows, by = await self._read(uuids), await self._read([target])
        if by:
            self._pending.gists[target] = by[0].head.gist
            self._stage(rows, lambda uuid, version: Supersede(uuid, version, target))

    def stage_replacements(self, uuids: Sequence[str], by: str) -> None:
        """Stage that a memory replaces others, found by their uuids."""
        self._dropped(list(uuids), by)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        tasks = self._context.store_tasks
        if tasks is None:
            work.close()
        else:
            tasks.spawn(self._told(work), name=name)

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except GenizahError as error:
            self._context.messages.show_error(_KEY, error)
