"""A change that no longer fits: three texts side by side, mine to be merged by hand."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.diff import TextDiff
from widgets.diff_view import DiffView
from widgets.editor_text import EditorText
from widgets.plain import colour_handle, muted, plain_label
from widgets.stored_text_view import StoredTextView
from widgets.text_marks import marked

_SIZE = (940, 560)
_STAGE, _DISCARD = QDialog.DialogCode.Accepted, 2


@dataclass(frozen=True, slots=True)
class ConflictContent:
    """What stands in conflict. Texts are (gist, content); `mine` is None for a change without one.

    `stage` says what staging again comes to, empty where nothing can be staged any more.
    """

    title: str
    headline: str
    mine_words: str
    mine: tuple[str, str] | None
    base: tuple[str, str]
    base_words: str
    stored: tuple[str, str]
    stored_words: str
    stage: str
    theirs: TextDiff
    ours: TextDiff | None


class ConflictDialog(QDialog):
    """Show the three texts; it ends with STAGE, DISCARD or rejected."""

    STAGE = int(_STAGE)
    DISCARD = _DISCARD

    def __init__(self, parent: QWidget, content: ConflictContent) -> None:
        super().__init__(parent)
        self._content = content
        self.setWindowTitle(content.title)
        headline = plain_label(marked(content.headline))
        headline.setWordWrap(True)
        self.gist, self.content = EditorText("My gist"), EditorText("My content")
        self.base = _view("The text I started from", content.base)
        self.stored = _view("The text stored now", content.stored)
        self.tabs = QTabWidget()
        self.tabs.tabBar().setAccessibleName("Views of the conflict")
        self.tabs.addTab(self._three(), "&Three texts")
        theirs = DiffView("What was changed in the store")
        theirs.show_diff(content.theirs)
        self.tabs.addTab(theirs, "What was changed &there")
        if content.ours is not None:
            ours = DiffView("What I changed")
            ours.show_diff(content.ours)
            self.tabs.addTab(ours, "What &I changed")
        column = QVBoxLayout(self)
        column.addWidget(headline)
        column.addWidget(self.tabs, 1)
        column.addWidget(self._buttons())
        self.resize(*_SIZE)

    def _three(self) -> QWidget:
        content = self._content
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(_panel(content.base_words, self.base))
        splitter.addWidget(_panel(content.stored_words, self.stored))
        if content.mine is None:
            mine = plain_label("My change writes no text.")
            mine.setAlignment(Qt.AlignmentFlag.AlignTop)
            splitter.addWidget(_panel(content.mine_words, mine))
        else:
            self.gist.set_stored(content.mine[0])
            self.content.set_stored(content.mine[1])
            self.gist.fit_lines(3)
            splitter.addWidget(_panel(content.mine_words, self.gist, self.content))
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        colour_handle(splitter)
        return splitter

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.stage: QPushButton | None = None
        if self._content.stage:
            self.stage = box.addButton(self._content.stage, role)
            self.stage.clicked.connect(lambda: self.done(self.STAGE))
        self.take: QPushButton | None = None
        if self._content.mine is not None:
            self.take = box.addButton("Take the stored te&xt into mine", role)
            self.take.clicked.connect(self._take_stored)
        self.discard = box.addButton("&Discard my change", role)
        self.discard.clicked.connect(lambda: self.done(self.DISCARD))
        for button in box.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        box.rejected.connect(self.reject)
        return box

    def _take_stored(self) -> None:
        gist, content = self._content.stored
        self.gist.take(gist)
        self.content.take(content)

    def merged(self) -> tuple[str, str] | None:
        """Return my text as it was merged, None for a change that writes none."""
        if self._content.mine is None:
            return None
        return self.gist.stored(), self.content.stored()


def _view(name: str, texts: tuple[str, str]) -> StoredTextView:
    view = StoredTextView()
    view.setAccessibleName(name)
    view.set_stored("\n\n".join(texts))
    return view


def _panel(words: str, *widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(6, 6, 6, 6)
    column.setSpacing(4)
    heading = muted(plain_label(marked(words)))
    heading.setWordWrap(True)
    column.addWidget(heading)
    for place, widget in enumerate(widgets):
        column.addWidget(widget, int(place == len(widgets) - 1))
    return page
