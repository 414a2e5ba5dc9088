"""The question before anything is fetched: download a model, take it from a folder, or neither."""

from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.model_offer import ModelOffer
from widgets.plain import muted, plain_label

_WIDTH_LETTERS = 78
_MARGIN = 18


class ModelChoice(StrEnum):
    """What a person wants to be done about a missing model."""

    NOT_NOW = "not_now"
    DOWNLOAD = "download"
    FOLDER = "folder"


class ModelDialog(QDialog):
    """Show a ModelOffer; `choice` says what was pressed, NOT_NOW unless something else was."""

    def __init__(self, parent: QWidget, shown: ModelOffer) -> None:
        super().__init__(parent)
        self.setWindowTitle("Get the model of this store")
        self.choice = ModelChoice.NOT_NOW
        self.text = _wrapped(shown.text)
        self.buttons = {
            ModelChoice.DOWNLOAD: QPushButton("&Download"),
            ModelChoice.FOLDER: QPushButton("Use a &folder…"),
            ModelChoice.NOT_NOW: QPushButton("&Not now"),
        }
        self.buttons[ModelChoice.DOWNLOAD].setVisible(shown.can_download)
        for choice, button in self.buttons.items():
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, choice=choice: self._choose(choice))
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(14)
        column.addWidget(self.text)
        column.addLayout(self._facts(shown))
        column.addStretch(1)
        column.addLayout(self._foot())
        self.setMinimumWidth(_WIDTH_LETTERS * self.fontMetrics().averageCharWidth())
        # Nothing is fetched because somebody pressed Enter on what they had not read.
        self.buttons[ModelChoice.NOT_NOW].setDefault(True)
        self.buttons[ModelChoice.NOT_NOW].setFocus()

    def _facts(self, shown: ModelOffer) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(6)
        for row, (name, value) in enumerate(shown.facts):
            label = muted(plain_label(name))
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            said = _wrapped(value)
            said.setAccessibleName(f"{name}: {value}")
            grid.addWidget(said, row, 1)
        return grid

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.addStretch(1)
        for button in self.buttons.values():
            foot.addWidget(button)
        return foot

    def _choose(self, choice: ModelChoice) -> None:
        self.choice = choice
        self.accept()


def _wrapped(text: str) -> QLabel:
    label = plain_label(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
