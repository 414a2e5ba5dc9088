"""The window in which a memory is written: gist and content with live counters, what is near."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.editor_text import EditorText
from widgets.list_banner import ListBanner
from widgets.plain import muted, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.text_marks import marked, safe_tooltip

_SIZE = (680, 560)
_GIST_LINES = 2
_NEAR_LINES = 3
_UUID = Qt.ItemDataRole.UserRole


class EditorDialog(QDialog):
    """Write one text beside the main window; nothing here is saved by itself.

    `edited` follows every change, `stage_wanted` the button or Ctrl+Enter, `discard_wanted` and
    `stored_wanted` and `compare_wanted` their buttons, `near_wanted` carries a uuid, `left`
    follows closing.
    """

    edited = Signal()
    stage_wanted = Signal()
    discard_wanted = Signal()
    stored_wanted = Signal()
    compare_wanted = Signal()
    near_wanted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget, title: str, note: str) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(title)
        self.setModal(False)
        self.gist = EditorText("Gist")
        self.content = EditorText("Content")
        self.content.setPlaceholderText("The text of the memory")
        self.gist.setPlaceholderText("One line that says what it is about")
        self.gist_count, self.content_count = (muted(plain_label()) for _ in range(2))
        self.banner = ListBanner(
            (("stored", "Start from the &stored text", "Start from the stored text"),)
        )
        self.changed = ListBanner(
            (("compare", "Co&mpare…", "Compare with the text stored now"),)
        )
        self.near_heading = muted(plain_label())
        self.near = QListWidget()
        self.near.setAccessibleName("Memories near this text")
        make_roomy(self.near)
        self.problem = plain_label()
        self.problem.setWordWrap(True)
        self.stage = QPushButton("S&tage")
        self.discard = QPushButton("&Discard draft")
        self.close_button = QPushButton("Close, &keep draft")
        self._lay_out(note)
        self._connect()
        self.resize(*_SIZE)

    def _lay_out(self, note: str) -> None:
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addWidget(self.banner)
        column.addWidget(self.changed)
        about = muted(plain_label(note))
        about.setWordWrap(True)
        column.addWidget(about)
        column.addSpacing(4)
        column.addLayout(_head("&Gist", self.gist, self.gist_count))
        column.addWidget(self.gist)
        column.addSpacing(4)
        column.addLayout(_head("&Content", self.content, self.content_count))
        column.addWidget(self.content, 1)
        column.addSpacing(4)
        self.near_heading.setWordWrap(True)
        column.addWidget(self.near_heading)
        column.addWidget(self.near)
        column.addWidget(self.problem)
        foot = QHBoxLayout()
        foot.addWidget(self.discard)
        foot.addStretch(1)
        for button in (self.close_button, self.stage):
            foot.addWidget(button)
        for button in (self.discard, self.close_button, self.stage):
            button.setAutoDefault(False)
        self.stage.setToolTip(safe_tooltip("Put it among the pending changes (Ctrl+Return)"))
        column.addLayout(foot)
        self._fit()

    def _connect(self) -> None:
        for box in (self.gist, self.content):
            box.textChanged.connect(self.edited)
            box.stage_wanted.connect(self._stage)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self, self._stage)
        self.stage.clicked.connect(self._stage)
        self.discard.clicked.connect(self.discard_wanted)
        self.close_button.clicked.connect(self.close)
        self.banner.pressed.connect(lambda _name: self.stored_wanted.emit())
        self.changed.pressed.connect(lambda _name: self.compare_wanted.emit())
        self.near.itemActivated.connect(
            lambda item: self.near_wanted.emit(str(item.data(_UUID)))
        )

    def _stage(self) -> None:
        if self.stage.isEnabled():
            self.stage_wanted.emit()

    def put(self, gist: str, content: str) -> None:
        """Show a text in place of what stands there."""
        self.gist.set_stored(gist)
        self.content.set_stored(content)

    def texts(self) -> tuple[str, str]:
        """Return gist and content as they would be stored."""
        return self.gist.stored(), self.content.stored()

    def show_counts(self, gist: str, content: str) -> None:
        """Show the counters."""
        self.gist_count.setText(gist)
        self.content_count.setText(content)

    def show_problem(self, sentence: str) -> None:
        """Say why the text cannot be staged as it is, or that it can."""
        self.problem.setText(f"⚠ {marked(sentence)}" if sentence else "")
        self.problem.setVisible(bool(sentence))
        self.stage.setEnabled(not sentence)

    def show_near(self, heading: str, rows: Sequence[tuple[str, str]]) -> None:
        """List memories (uuid, line) near the text."""
        self.near_heading.setText(heading)
        self.near.clear()
        for uuid, line in rows:
            item = QListWidgetItem(line)
            item.setData(_UUID, uuid)
            item.setToolTip(safe_tooltip(line))
            self.near.addItem(item)
        self.near.setVisible(bool(rows))

    def near_uuids(self) -> list[str]:
        """Return the memories listed as near."""
        rows = range(self.near.count())
        return [str(self.near.item(row).data(_UUID)) for row in rows]

    def _fit(self) -> None:
        self.gist.fit_lines(_GIST_LINES)
        line = self.near.fontMetrics().height() + 10
        self.near.setFixedHeight(_NEAR_LINES * line + 4)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    @override
    def reject(self) -> None:
        self.close()  # Esc leaves; the draft stays

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.left.emit()


def _head(text: str, box: QWidget, count: QLabel) -> QHBoxLayout:
    label = plain_label(text)
    label.setBuddy(box)
    line = QHBoxLayout()
    line.addWidget(label)
    line.addStretch(1)
    line.addWidget(count)
    return line
