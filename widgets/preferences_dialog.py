"""The preferences: every change is told at once; there is nothing to confirm."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.appdata.choices import MAX_FONT, MAX_LIMIT, MIN_FONT, MIN_LIMIT, Preferences, ThemeChoice
from widgets.plain import muted, plain_label

_THEMES = {
    ThemeChoice.SYSTEM: "As the desktop",
    ThemeChoice.LIGHT: "Light",
    ThemeChoice.DARK: "Dark",
}

# Broken by hand: a form gives labels that wrap too little height in large fonts.
_LIMIT_NOTE = "How many memories stand above\nthe line in a ranked list."
_MEANING_NOTE = "Off: only words are searched,\nand the agent's order is not shown."


class PreferencesDialog(QDialog):
    """Show preferences and tell changes: `changed` carries a Preferences."""

    changed = Signal(object)
    forget_wanted = Signal()

    def __init__(self, parent: QWidget, shown: Preferences) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.theme = QComboBox()
        for choice, words in _THEMES.items():
            self.theme.addItem(words, choice)
        self.theme.setAccessibleName("Theme")
        # One below the least size stands for the desktop's own.
        self.font_size = _spin(MIN_FONT - 1, MAX_FONT, "Font size")
        self.font_size.setSpecialValueText("As the desktop")
        self.font_size.setSuffix(" pt")
        self.limit = _spin(MIN_LIMIT, MAX_LIMIT, "Memories the agent sees")
        self.meaning = QCheckBox("Search by &meaning as well as by words")
        self.history = QCheckBox("Remember the last 50 &queries")
        self.texts = QCheckBox("&Keep the texts of memories that were read or changed")
        self.first_steps = QCheckBox("Show the first steps in the &demo store")
        self.forget = QPushButton("&Forget all queries")
        self.forget.setAutoDefault(False)
        self.forget.setMaximumWidth(self.forget.sizeHint().width() + 24)
        self._forgotten = muted(plain_label(" "))
        self._put(shown)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(10)
        form.addRow("&Theme", self.theme)
        form.addRow("Font &size", self.font_size)
        form.addRow("The &agent sees", self.limit)
        form.addRow("", muted(plain_label(_LIMIT_NOTE)))
        form.addRow("Search", self.meaning)
        form.addRow("", muted(plain_label(_MEANING_NOTE)))
        form.addRow("History", self.history)
        form.addRow("", self.texts)
        form.addRow("", self.forget)
        form.addRow("", self._forgotten)
        form.addRow("Demo", self.first_steps)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        defaults = buttons.addButton(QDialogButtonBox.StandardButton.RestoreDefaults)
        defaults.clicked.connect(self._restore)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(buttons)

    def _connect(self) -> None:
        self.theme.currentIndexChanged.connect(self._tell)
        self.font_size.valueChanged.connect(self._tell)
        self.limit.valueChanged.connect(self._tell)
        self.meaning.toggled.connect(self._tell)
        self.history.toggled.connect(self._tell)
        self.texts.toggled.connect(self._tell)
        self.first_steps.toggled.connect(self._tell)
        self.forget.clicked.connect(self._forget)

    def chosen(self) -> Preferences:
        """Return what the dialog shows."""
        points = self.font_size.value()
        return Preferences(
            theme=ThemeChoice(self.theme.currentData()),
            font_points=points if points >= MIN_FONT else 0,
            limit=self.limit.value(),
            meaning_search=self.meaning.isChecked(),
            query_history=self.history.isChecked(),
            text_history=self.texts.isChecked(),
            first_steps=self.first_steps.isChecked(),
        )

    def _put(self, shown: Preferences) -> None:
        self.theme.setCurrentIndex(list(_THEMES).index(shown.theme))
        self.font_size.setValue(shown.font_points or MIN_FONT - 1)
        self.limit.setValue(shown.limit)
        self.meaning.setChecked(shown.meaning_search)
        self.history.setChecked(shown.query_history)
        self.texts.setChecked(shown.text_history)
        self.first_steps.setChecked(shown.first_steps)

    def _restore(self) -> None:
        self.blockSignals(True)  # one change, not five
        self._put(Preferences())
        self.blockSignals(False)
        self._tell()

    def _tell(self) -> None:
        self.changed.emit(self.chosen())

    def _forget(self) -> None:
        self.forget_wanted.emit()

    def say_forgotten(self) -> None:
        """Say that no query is remembered any more."""
        self._forgotten.setText("All queries are forgotten. Saved searches stay.")


def _spin(least: int, most: int, name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(least, most)
    spin.setAccessibleName(name)
    spin.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return spin
