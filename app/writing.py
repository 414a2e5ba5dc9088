"""Changing memories, put together for one window: staging, committing, texts, history.

Each part is a controller of its own; here they hear of stores, of the program's own file, and of
what can be done.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.ask import ask
from app.backup_controller import BackupController
from app.blast_controller import BlastController
from app.bootstrap import Services
from app.commit_controller import CommitController
from app.conflict_controller import ConflictController
from app.detail_controller import DetailController
from app.editor_controller import EditorController
from app.inbox_controller import InboxController
from app.kept_changes import KeptChanges
from app.long_work import LongWork
from app.message_controller import MessageController
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData
from app.pending_controller import PendingController
from app.review_controller import ReviewController
from app.selection_controller import SelectionController
from app.staging_controller import StagingController
from app.tasks import TaskSet
from app.text_history_controller import TextHistoryController
from app.window_actions import ActionController
from app.write_session import WriteContext
from core.commands.changes import Supersede
from core.commands.commit import Committed
from core.commands.staging import Staged
from widgets.action_spec import Menu, Need
from widgets.main_window import MainWindow
from widgets.memory_list import MemoryList
from widgets.table_content import TableContent
from widgets.table_dialog import TableDialog
from widgets.text_marks import menu_text, one_line
from widgets.window_menus import Handlers


def make_writing(
    window: MainWindow,
    services: Services,
    model: ModelController,
    executor: Executor,
    messages: MessageController,
    work: LongWork,
    tasks: TaskSet,
) -> "Writing":
    """Put the parts together; `serve` tells them of the rest of the window."""
    return Writing(WriteContext(window, services, model, executor, messages, work, tasks))


class Writing:
    """Serve one window."""

    def __init__(self, context: WriteContext) -> None:
        self.context = context
        self.pending = PendingController(context)
        self.commit = CommitController(context, self.pending)
        self.staging = StagingController(context, self.pending)
        self.editors = EditorController(context, self.pending)
        self.conflicts = ConflictController(context, self.pending)
        self.kept = KeptChanges(context, self.pending)
        self.review = ReviewController(context, self.pending)
        self.texts = TextHistoryController(context)
        self.inbox = InboxController(context, self.texts.history)
        self.blast = BlastController(context, self.pending, self._show_page)
        self.page: TableDialog | None = None
        """The page of a blast radius, while it is open."""
        self._serve_keys: Callable[[MemoryList], None] = lambda _view: None
        self._connect_parts()

    def _connect_parts(self) -> None:
        pending, window = self.pending, self.context.window
        pending.commit, pending.blast = self.commit.ask, self.blast.open
        pending.edit, pending.resolve = self._edit, self.conflicts.resolve
        self.editors.compare = self.conflicts.compare
        pending.staged, pending.try_entries = self._staged, self.blast.open_of
        self.commit.conflict, self.commit.written = self.conflicts.resolve, self._written
        self.editors.selected = self.texts.selected = lambda: self.staging.shown
        window.detail_panel.changed.connect(self.texts.note_seen)
        window.closing.connect(self.editors.close)

    def _staged(self) -> None:
        self.kept.save()
        self.blast.follow()

    def _edit(self, entry: Staged) -> None:
        if isinstance(entry.change, Supersede):
            self.staging.pick_again(entry)
        else:
            self.editors.edit(entry)

    def _written(
        self, store: OpenStore, entries: tuple[Staged, ...], done: Committed
    ) -> None:
        self.texts.note_changed(entries)
        self.review.committed(store, entries, done)

    def _show_page(self, content: TableContent) -> None:
        self.page = TableDialog(self.context.window, content)
        self.page.finished.connect(self._page_closed)
        self.context.tasks.spawn(ask(self.page), name="page")

    def _page_closed(self) -> None:
        self.page = None

    def serve(
        self,
        actions: ActionController,
        selection: SelectionController,
        detail: DetailController,
        backups: BackupController,
        refresh: Callable[[], None],
    ) -> None:
        """Learn what of the window the parts ask for."""
        context, window = self.context, self.context.window
        context.detail, context.go_to, context.refresh = detail, selection.go_to, refresh
        actions.unmet = self.needs
        context.changed = actions.update
        self._serve_keys = actions.serve_list
        self.commit.backup = backups.before_commit
        for view in (window.hit_view, window.literal_list, window.browse_view):
            view.selection_changed.connect(actions.update)
        self._add_reason(window.menus[Menu.MEMORY])
        for name in ("undo_staged", "redo_staged", "discard_pending"):
            window.pending_bar.addAction(window.actions_by_name[name])

    def serve_list(self, view: MemoryList) -> None:
        """Let a list on a page do what every list of memories does."""
        self._serve_keys(view)
        self.staging.add_list(view)
        view.selection_changed.connect(self.context.changed)

    def _add_reason(self, menu: QMenu) -> None:
        """Say at the top of the menu why a store cannot be changed, where that is so."""
        self._reason = QAction(menu)
        self._reason.setEnabled(False)
        menu.insertAction(menu.actions()[0], self._reason)
        self._say_reason()

    def _say_reason(self) -> None:
        reason = self.context.refusal if self.context.store is not None else ""
        self._reason.setText(menu_text(one_line(reason, _REASON)) if reason else "")
        self._reason.setVisible(bool(reason))

    def remember(self, own: OwnData) -> None:
        """Keep drafts, staged changes and texts in the program's own file from now on."""
        self.context.own = own
        self.opened()

    def opened(self) -> None:
        """Read what the program's own file has for the open store."""
        if self.context.store is not None:
            self.kept.use()
            self.editors.use()
            self.inbox.use()

    # One store

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Change the memories of a store from now on, in tasks of its own."""
        self.context.use(store, tasks)
        self.staging.picker.use(store, tasks)
        self._say_reason()
        self.pending.use(store)
        if self.context.own is None:
            self.editors.judge()
        else:
            self.opened()

    def drop(self) -> None:
        """Forget the store; what is staged waits for it."""
        self.commit.drop()
        self.review.drop()
        self.staging.picker.drop()
        self.pending.drop(self.context.store)
        self.context.drop()
        self._say_reason()
        self.editors.judge()

    def close(self) -> None:
        """Close the editors; their drafts are kept."""
        self.editors.close()

    async def release(self, store: OpenStore) -> None:
        """Close what may write to a store, once its tasks are ended."""
        await self.context.release(store)

    def moved(self) -> None:
        """Judge what is staged anew and look at what is edited: the store was written."""
        self.pending.check()
        self.blast.forget()
        self.editors.moved()

    def model_changed(self) -> None:
        """Judge texts anew: there is another model, or none."""
        self.pending.model_changed()
        self.blast.forget()
        self.editors.model_changed()
        self.context.changed()

    @property
    def is_busy(self) -> bool:
        """Tell whether a verdict or a commit is coming."""
        return self.pending.is_busy or self.commit.is_busy

    async def settled(self) -> None:
        """Wait until verdicts belong to what is staged and no commit is under way."""
        while self.is_busy:
            await self.pending.settled()
            await self.commit.settled()

    # Actions

    def handlers(self) -> Handlers:
        """Return what the actions about changes do."""
        return {
            "retire": self.staging.retire,
            "supersede": self.staging.supersede,
            "into_one": self.staging.into_one,
            "commit": self.commit.ask,
            "undo_staged": self.pending.undo,
            "redo_staged": self.pending.redo,
            "discard_pending": self.pending.discard_all,
            "new_memory": self.editors.new,
            "amend": self.editors.amend,
            "replace_text": self.editors.replace,
            "restore": self.editors.restore,
            "blast_radius": self.blast.open,
            "text_history": self.texts.open,
            "inbox": self.inbox.open,
        }

    def needs(self) -> Mapping[Need, str]:
        """Return why each need is not met, empty where it is."""
        context, pending = self.context, self.pending.list
        no_row, no_text = context.refusal, context.text_refusal
        return {
            Need.TEXT_WRITER: no_text,
            Need.AMENDABLE: no_text or self._not_live(),
            Need.RETIRABLE: no_row or ("" if self.staging.has_several else self._not_live(False)),
            Need.RESTORABLE: no_text or self._not_gone(),
            Need.SEVERAL: no_row or ("" if self.staging.has_several_with_folds else _SEVERAL),
            Need.STAGED: "" if pending.entries else _NOTHING_STAGED,
            Need.UNDOABLE: "" if pending.can_undo else _NOTHING_TO_UNDO,
            Need.REDOABLE: "" if pending.can_redo else _NOTHING_TO_REDO,
        }

    def _not_live(self, needs_text: bool = True) -> str:
        if self.staging.selected is None:
            return _NO_MEMORY
        memory = self.staging.shown
        if memory is None:
            return ""  # it is still being read; whoever acts waits for it
        if memory.head.version is None:
            return "Its version is no whole number, so it can only be read."
        if memory.is_damaged and needs_text:
            return "Its text is damaged, so it can only be read."
        return "" if memory.head.active else "It is not live any more; restore it as a copy."

    def _not_gone(self) -> str:
        memory = self.staging.shown
        if self.staging.selected is None or memory is None:
            return _NO_MEMORY
        if memory.is_damaged:
            return "Its text is damaged, so it can only be read."
        return "It is live." if memory.head.active else ""


_REASON = 110
_NO_MEMORY = "No memory is selected."
_SEVERAL = "Select two or more memories (Shift or Ctrl with arrows or clicks)."
_NOTHING_STAGED = "Nothing is staged."
_NOTHING_TO_UNDO = "There is no step of staging to undo."
_NOTHING_TO_REDO = "No step of staging was undone."
