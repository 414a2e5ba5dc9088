"""Asking before a commit: what is written, what of it is final; the button says what it does."""

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.notice_bar import WarningSign
from widgets.pending_content import PendingRow
from widgets.plain import muted, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.text_marks import menu_text, safe_tooltip
from widgets.theme import title_font

_SIZE = (560, 380)


class CommitDialog(QDialog):
    """Name every change; Cancel has the keyboard where a step is final."""

    def __init__(
        self,
        parent: QWidget,
        question: str,
        rows: Sequence[PendingRow],
        warnings: Sequence[str],
        note: str,
        button: str,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Commit changes")
        self.question = plain_label(question)
        self.question.setWordWrap(True)
        self.question.setFont(title_font(self.question.font()))
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self.question)
        self.lines = _lines(rows)
        column.addWidget(self.lines, 1)
        for warning in warnings:
            column.addLayout(_warned(warning))
        foot = muted(plain_label(note))
        foot.setWordWrap(True)
        column.addWidget(foot)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.commit = box.addButton(menu_text(button), QDialogButtonBox.ButtonRole.AcceptRole)
        self.commit.setAccessibleName(button)
        self.cancel = box.button(QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        column.addWidget(box)
        first = self.cancel if warnings else self.commit
        self.commit.setAutoDefault(not warnings)
        first.setDefault(True)
        first.setFocus()
        self.resize(*_SIZE)
        self._says = "\n".join((question, *warnings, note))

    def text(self) -> str:
        """Return everything the dialog says, its list left out."""
        return self._says


def _lines(rows: Sequence[PendingRow]) -> QListWidget:
    lines = QListWidget()
    lines.setAccessibleName("What is committed")
    make_roomy(lines)
    for row in rows:
        item = QListWidgetItem(row.sentence)
        item.setToolTip(safe_tooltip(f"{row.what}: {row.subject}"))
        lines.addItem(item)
    return lines


def _warned(warning: str) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(WarningSign())
    label = plain_label(warning)
    label.setWordWrap(True)
    line.addWidget(label, 1)
    return line
