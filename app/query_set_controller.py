"""All graded searches of a store: run at once and measured, written to a file and read from one."""

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.ask import ask
from app.grades_controller import GradesController
from app.panel_context import PanelContext
from app.what_if_controller import WhatIfController
from core.appdata.database import AppDatabase
from core.appdata.judgments import GradedSearch
from core.appdata.queries import Queries
from core.documents.judgments_file import JudgedQuery, judgments_document, read_judgments
from core.errors import ErrorCode, GenizahError
from core.store.text import is_blank
from widgets.plain_box import plain_box
from widgets.quality_content import JudgedSearch, query_set_page
from widgets.table_dialog import TableDialog
from widgets.texts import counted

_NO_GRADES = "Nothing is graded in this store yet. Select a ranked memory and press Alt+0 to Alt+3."
_FILTERS = ["Judgments (*.json)", "All files (*)"]

type _Search = tuple[str, bool]
type _Work = Callable[[], Awaitable[None]]


class QuerySetController:
    """Serve the graded searches of the open store as a set."""

    def __init__(
        self, context: PanelContext, grades: GradesController, what_if: WhatIfController
    ) -> None:
        self._context = context
        self._grades = grades
        self._what_if = what_if
        self._names: dict[_Search, str] = {}
        self.shown: Callable[[TableDialog], None] = lambda _dialog: None
        """Called with the page of a run once it is open."""

    def run(self) -> None:
        """Search for every graded search with the numbers in force and show the measures."""
        self._start(self._run, "graded searches")

    def ask_export(self) -> None:
        """Ask for a file and write all grades of the store to it."""
        self._start(self._ask_export, "export grades")

    def ask_import(self) -> None:
        """Ask for a file and keep its grades for the store."""
        self._context.tasks.spawn(self._ask_import(), name="import grades")

    def read_names(self) -> None:
        """Read under which names searches are saved."""

        async def work(database: AppDatabase) -> None:
            assert self._context.own is not None
            saved = await Queries(database, self._context.own.clock).saved()
            self._names = {(s.text, s.include_retired): s.name for s in saved}

        self._context.keep(work, name="names of searches")

    def _start(self, work: _Work, name: str) -> None:
        self.read_names()
        self._context.spawn(self._with_grades(work), name=name)

    async def _with_grades(self, work: _Work) -> None:
        if self._context.own is not None:
            await self._context.own.settled()
        if not self._grades.graded():
            await ask(plain_box(self._context.window, "Graded searches", _NO_GRADES))
            return
        await work()

    def _name(self, graded: GradedSearch) -> str:
        return self._names.get((graded.text, graded.include_retired), graded.text)

    # Running

    async def _run(self) -> None:
        graded, store = self._grades.graded(), self._context.store
        if store is None:
            return
        numbers = f" with {self._what_if.words}" if self._what_if.is_on else ""
        dialog = TableDialog(self._context.window, query_set_page((), len(graded), numbers))
        running = self._context.spawn(self._search_all(dialog, graded, numbers), name="set")
        self.shown(dialog)
        try:
            await ask(dialog)
        finally:
            if running is not None:
                running.cancel()  # closing the page ends the run

    async def _search_all(
        self, dialog: TableDialog, graded: Sequence[GradedSearch], numbers: str
    ) -> None:
        store, done = self._context.store, list[JudgedSearch]()
        if store is None:
            return
        knobs = self._what_if.knobs
        settings = knobs.settings(store.searcher.settings)
        for search in graded:
            try:
                found = await self._context.search(
                    store, search.text, search.include_retired, settings
                )
            except GenizahError as error:
                dialog.reject()
                self._context.failed(error)
                return
            reason = None if found.dense.ran else found.dense.reason or "meaning did not run"
            ranking = [hit.uuid for hit in found.hits]
            done.append(JudgedSearch(self._name(search), search.grades, ranking, reason))
            dialog.show_content(query_set_page(done, len(graded), numbers))

    # Files

    async def _ask_export(self) -> None:
        dialog = self._file_dialog("Export grades")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("judgments.json")
        chosen: list[str] = []
        dialog.fileSelected.connect(chosen.append)
        await ask(dialog)
        if chosen:
            self.export(Path(chosen[0]))

    def export(self, path: Path) -> None:
        """Write all grades of the store to a file that `genizah judge run` reads."""
        queries = [
            JudgedQuery(g.text, g.grades, g.include_retired, self._names.get(_key(g)))
            for g in self._grades.graded()
        ]
        text = json.dumps(judgments_document(queries), indent=2)
        try:
            path.write_text(text + "\n", encoding="ascii")
        except OSError as error:
            words = f"The grades could not be written to {path} ({error.strerror})."
            self._context.failed(GenizahError(ErrorCode.STORE_IO, words, path=str(path)))

    async def _ask_import(self) -> None:
        dialog = self._file_dialog("Import grades")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        chosen: list[str] = []
        dialog.fileSelected.connect(chosen.append)
        await ask(dialog)
        if chosen and self._context.store is not None:
            words = self.read(Path(chosen[0]))
            if words:
                await ask(plain_box(self._context.window, "Grades imported", words))

    def read(self, path: Path) -> str:
        """Keep the grades of a file for the open store; return what was done, empty on failure."""
        try:
            found = read_judgments(path)
        except GenizahError as error:
            self._context.failed(error)
            return ""
        queries = [query for query in found if not is_blank(query.text)]  # else by vector alone
        for query in queries:
            self._grades.keep(GradedSearch(query.text, query.include_retired, query.grades))
        number = sum(len(query.grades) for query in queries)
        searches = counted(len(queries), "search", "searches")
        return f"{counted(number, 'grade')} for {searches} kept for this store."

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._context.window, title)
        dialog.setNameFilters(_FILTERS)
        return dialog


def _key(graded: GradedSearch) -> _Search:
    return graded.text, graded.include_retired
