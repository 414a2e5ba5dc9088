"""The lineage of the open store: read while it can be seen, laid out in a thread, kept in step.

The page and the dock's panel show one forest. Writing it to files is app/lineage_export's.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from app.long_work import LongWork, WorkWords
from app.open_store import OpenStore
from app.tasks import TaskSet
from app.worker import Worker
from core.errors import GenizahError
from core.lineage.folding import FoldKey, View
from core.lineage.forest import near
from core.lineage.layout import Axis, Metrics, arrange
from core.progress import Progress, WorkCancelledError
from core.store.lineage_rows import read_lineage
from widgets.lineage_content import (
    ALONE,
    LineageContent,
    Looks,
    Order,
    content_of,
    looks_of,
    ordered,
    stop_at,
)
from widgets.lineage_lanes import lane_rows
from widgets.lineage_outline import places_below
from widgets.lineage_page import Drawing
from widgets.lineage_plan import Plan, plan_of
from widgets.lineage_sketch import metrics_for
from widgets.main_window import MainWindow
from widgets.texts import grouped

LINEAGE = "lineage"
"""The name of the page, and the key of its messages."""
_WORDS = WorkWords(
    LINEAGE,
    "Reading the lineage",
    lambda done, total: f"{grouped(done)} of {grouped(total)} memories",
)
_READING = "Reading the lineage…"
_CANCELLED = "The lineage was not read to its end: it was cancelled."
_NO_SELECTION = "Select a memory to see what it replaced, and what replaced it."


class LineageController:
    """Serve page and panel of one window; `go_to` selects a memory everywhere."""

    def __init__(self, window: MainWindow, work: LongWork, go_to: Callable[[str], None]) -> None:
        self._window = window
        self._page, self._panel = window.lineage_page, window.reading_pane.lineage_panel
        self._work = work
        self._worker = Worker("lineage")
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._is_stale = True
        self._unfolded: frozenset[FoldKey] = frozenset()
        self.content: LineageContent | None = None
        self.dropped: Callable[[list[str], str], None] = lambda _uuids, _by: None
        """Called with memories dragged onto another one."""
        self._connect(go_to)

    def _connect(self, go_to: Callable[[str], None]) -> None:
        page, panel = self._page, self._panel
        for part in (page, panel):
            part.memory_chosen.connect(go_to)
            part.memory_opened.connect(self._read_memory)
            part.memories_dropped.connect(self._drop_on)
            part.folds_wanted.connect(self._toggle_fold)
            part.became_visible.connect(self._follow)
        page.order_wanted.connect(self._draw)
        page.looks_wanted.connect(lambda: self._newest("looks", self._show_looks()))
        page.unfold_none_wanted.connect(self._fold_all)
        page.read_again_wanted.connect(self._read_again)
        panel.depth_wanted.connect(self._draw_near)
        self._window.detail_panel.changed.connect(self._selected)

    # One store

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Show the lineage of a store from now on."""
        self._store, self._tasks = store, tasks
        self._is_stale = True
        self._follow()

    def drop(self) -> None:
        """Forget the store; its tasks are ended by their owner."""
        for name in tuple(self._running):
            self._end(name)
        self._store = self._tasks = self.content = None
        self._is_stale, self._unfolded = True, frozenset()
        self._page.show_state("")
        self._panel.show_words("")

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    @property
    def is_busy(self) -> bool:
        """Tell whether a lineage or a picture is coming."""
        return any(not task.done() for task in self._running.values())

    async def settled(self) -> None:
        """Wait until nothing more is coming."""
        while tasks := {task for task in self._running.values() if not task.done()}:
            await asyncio.wait(tasks)

    def moved(self) -> None:
        """Follow a store that was written."""
        self._is_stale = True
        self._follow()

    def show(self) -> None:
        """Turn to the page and give it the keyboard."""
        self._window.show_page(self._page, LINEAGE)

    # Reading

    def _follow(self) -> None:
        """Read what is stale while anybody can see it."""
        is_seen = self._page.isVisible() or self._panel.isVisible()
        reading = self._running.get("read")
        if not is_seen or self._store is None:
            return
        if self._is_stale and (reading is None or reading.done()):
            self._newest("read", self._read(self._store))
        elif self.content is not None and self._panel.isVisible():
            self._draw_near()

    def _read_again(self) -> None:
        self._is_stale = True
        self._follow()

    async def _read(self, store: OpenStore) -> None:
        if self.content is None:
            self._page.show_state(_READING)
            self._panel.show_words(_READING)
        while self._is_stale:
            self._is_stale = False
            try:
                content = await self._work.run(_WORDS, lambda p: self._content(store, p))
            except WorkCancelledError:
                self._failed(_CANCELLED)
                return
            except GenizahError as error:
                self._is_stale = True  # tried again once the store moves or the page is shown
                self._failed(f"The lineage could not be read ({error.code.value}).")
                self._work.messages.show_error(LINEAGE, error)
                return
            self._work.messages.end(LINEAGE)
            self.content = content
            await self._show_drawing()
        self._draw_near()

    async def _content(self, store: OpenStore, progress: Progress) -> LineageContent:
        read = await read_lineage(store.database.browse, progress.report)
        depth_cap = store.settings.retrieval.supersession_max_depth
        return await self._worker.run(content_of, read, depth_cap)

    def _failed(self, words: str) -> None:
        """Say that there is no lineage; one that is shown stays."""
        if self.content is None:
            self._page.show_state(words, may_read=True)
            self._panel.show_words(words)

    # Drawing

    def _draw(self) -> None:
        if self.content is not None:
            self._newest("draw", self._show_drawing())

    async def _show_drawing(self) -> None:
        content = self.content
        if content is None:
            return
        page = self._page
        drawing = await self._worker.run(
            drawing_of,
            content,
            page.chosen_order(),
            self._unfolded,
            metrics_for(page.font()),
            page.chosen_axis(),
        )
        looks = await self._looks(content)
        if content is self.content:
            page.show_drawing(drawing, looks, self._node(content))

    async def _looks(self, content: LineageContent) -> Looks:
        at = None if self._page.is_today() else stop_at(content, self._page.as_of.value())
        return await self._worker.run(looks_of, content, self._page.dim.text(), at)

    async def _show_looks(self) -> None:
        content = self.content
        if content is not None and self._page.drawing is not None:
            looks = await self._looks(content)
            if content is self.content:
                self._page.set_looks(looks)

    def _node(self, content: LineageContent) -> int | None:
        uuid = self._window.detail_panel.shown_uuid
        return None if uuid is None else content.forest.find(uuid)

    def _draw_near(self) -> None:
        if self.content is not None and self._panel.isVisible():
            self._newest("near", self._show_near(self.content))

    async def _show_near(self, content: LineageContent) -> None:
        node = self._node(content)
        if node is None:
            self._panel.show_words(_NO_SELECTION)
            return
        plan = await self._worker.run(
            plan_near,
            content,
            node,
            self._panel.steps,
            self._unfolded,
            metrics_for(self._panel.font()),
        )
        if plan is None:
            self._panel.show_words(ALONE)
            return
        looks = await self._worker.run(looks_of, content, "", None)
        self._panel.canvas.unfolded = self._unfolded
        self._panel.show_tree(content, plan, looks, node)

    # What is asked for

    def _selected(self) -> None:
        self._page.select_uuid(self._window.detail_panel.shown_uuid)
        self._draw_near()

    def _toggle_fold(self, key: FoldKey) -> None:
        self._unfolded = self._unfolded ^ {key}
        self._draw()
        self._draw_near()

    def _fold_all(self) -> None:
        self._unfolded = frozenset()
        self._draw()
        self._draw_near()

    def _drop_on(self, uuids: list[str], by: str) -> None:
        self.dropped(uuids, by)

    def _read_memory(self, _uuid: str) -> None:
        self._window.detail_panel.text.setFocus()

    def _newest(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._end(name)
        if self._tasks is None:
            work.close()
        else:
            self._running[name] = self._tasks.spawn(work, name=f"lineage {name}")

    def _end(self, name: str) -> None:
        if name in self._running:
            self._running.pop(name).cancel()


def drawing_of(
    content: LineageContent,
    order: Order,
    unfolded: frozenset[FoldKey],
    metrics: Metrics,
    axis: Axis = Axis.LEVEL,
) -> Drawing:
    """Lay out the whole lineage in an order, one step an edge or along the time."""
    trees = ordered(content, order)
    view = View(unfolded=unfolded)
    picture = arrange(content.forest, trees, view=view, axis=axis, metrics=metrics)
    rows, below = lane_rows(picture), places_below(content.forest, trees)
    return Drawing(content, trees, plan_of(picture), rows, below, unfolded)


def plan_near(
    content: LineageContent,
    node: int,
    steps: int | None,
    unfolded: frozenset[FoldKey],
    metrics: Metrics,
) -> Plan | None:
    """Lay out the tree around a node, None where it stands alone."""
    forest = content.forest
    tree = forest.components[forest.component[node]]
    if tree.size == 1 and not tree.is_cyclic:
        return None
    view = View(unfolded=unfolded, only=near(forest, node, steps))
    return plan_of(arrange(forest, [tree], view=view, metrics=metrics))
