"""The page of duplicates: groups above, the memories of one group below, what can be done with it.

Compares nothing: contents come from app/duplicates_controller.
"""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QSplitter, QVBoxLayout, QWidget

from widgets.browsing_page import BrowsingPage
from widgets.few_lines_label import FewLinesLabel, padded
from widgets.flow_layout import flowing
from widgets.plain import colour_handle, plain_label
from widgets.row_content import RowContent
from widgets.row_list import RowList
from widgets.row_model import MemoryKey
from widgets.slim_button import SlimButton
from widgets.text_marks import plain_tooltip
from widgets.theme import small_font

LOWEST, HIGHEST, FIRST = 80, 100, 92
"""Hundredths of the threshold: the ends of the slider and where it stands at first."""
_EDGE = 10
_LEAST_SLIDER = 60


class DuplicatesPage(BrowsingPage):
    """Show groups of near-duplicates over a threshold.

    `group_chosen` carries the MemoryKey of a group's first memory, None for none;
    `memory_chosen` and `memory_opened` that of a member.
    """

    threshold_wanted = Signal()
    compare_wanted = Signal()
    group_chosen = Signal(object)
    memory_chosen = Signal(object)
    memory_opened = Signal(object)
    apart_wanted = Signal()
    out_wanted = Signal()
    undo_wanted = Signal()
    into_one_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.number = plain_label()
        self.compare = SlimButton("Compare", "Read and compare all memories again")
        self.words = FewLinesLabel(5)
        self.groups = RowList("Groups of near-duplicates")
        self.groups.is_exported = False
        self.sentence = FewLinesLabel(5)
        self.apart = SlimButton("Not duplicates", "None of this group is a duplicate of another")
        self.out = SlimButton("Take out", "The selected ones are no duplicates of the others")
        self.into_one = SlimButton("Into one…", "Let one of them replace the others (staged)")
        self.undo = SlimButton("Undo", "Take back the last “not a duplicate”")
        self.members = RowList("Memories of the group")
        self._make_controls()
        self._lay_out()
        self._connect()
        self.show_state("")

    def _make_controls(self) -> None:
        self.slider.setRange(LOWEST, HIGHEST)
        self.slider.setValue(FIRST)
        self.slider.setPageStep(5)
        self.slider.setMinimumWidth(_LEAST_SLIDER)
        self.slider.setAccessibleName("Least likeness of near-duplicates, from 0.80 to 1.00")
        self.slider.setToolTip("How near two memories must be: the cosine of their vectors")
        for label in (self.words, self.sentence):
            label.setFont(small_font(self.font()))

    def _lay_out(self) -> None:
        top, said = QHBoxLayout(), QHBoxLayout()
        label = plain_label("At least")
        label.setBuddy(self.slider)
        for widget, share in ((label, 0), (self.slider, 1), (self.number, 0), (self.compare, 0)):
            top.addWidget(widget, share)
        said.addWidget(self.words, 1)
        said.addWidget(self.undo)
        for row in (top, said):
            row.setContentsMargins(_EDGE, 0, _EDGE, 0)
            row.setSpacing(6)
        opened = QWidget()
        inside = QVBoxLayout(opened)
        inside.setContentsMargins(0, 4, 0, 0)
        inside.setSpacing(4)
        inside.addLayout(padded(self.sentence, _EDGE))
        inside.addLayout(flowing((self.apart, self.out, self.into_one), _EDGE))
        inside.addWidget(self.members, 1)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._parts.addWidget(self.groups)
        self._parts.addWidget(opened)
        self._parts.setChildrenCollapsible(False)
        self._parts.setHandleWidth(1)
        colour_handle(self._parts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(said)
        column.addWidget(self._parts, 1)

    def _connect(self) -> None:
        self.slider.valueChanged.connect(lambda _value: self._say_number())
        self.slider.valueChanged.connect(lambda _value: self.threshold_wanted.emit())
        self.compare.clicked.connect(self.compare_wanted)
        self.groups.row_chosen.connect(self.group_chosen)
        self.groups.row_opened.connect(lambda _key: self._enter_group())
        self.members.row_chosen.connect(self.memory_chosen)
        self.members.row_opened.connect(self.memory_opened)
        self.members.selection_changed.connect(self._fit_buttons)
        self.apart.clicked.connect(self.apart_wanted)
        self.out.clicked.connect(self.out_wanted)
        self.into_one.clicked.connect(self.into_one_wanted)
        self.undo.clicked.connect(self.undo_wanted)
        self._say_number()

    def _say_number(self) -> None:
        self.number.setText(f"{self.threshold():.2f}")

    def _enter_group(self) -> None:
        self.members.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.members.select_first()

    def threshold(self) -> float:
        """Return the least cosine that is asked for."""
        return self.slider.value() / 100

    @override
    def focus_target(self) -> QWidget:
        return self.groups.list

    @override
    def panes(self) -> tuple[QWidget, ...]:
        return self.slider, self.groups.list, self.members.list

    # What is shown

    def show_state(self, words: str) -> None:
        """Say what there is in place of groups: that they are looked for, or why there are none."""
        self.groups.show_rows(())
        self.say(words)
        self.show_group((), "")

    def say(self, words: str) -> None:
        """Say what the groups are, or what became of them."""
        self.words.setText(words)
        self.words.setToolTip(plain_tooltip(words))

    def show_groups(self, rows: Sequence[RowContent], words: str) -> None:
        """List groups; the one that was open stays so where it is still there."""
        self.say(words)
        self.groups.show_rows(rows)

    def show_group(self, rows: Sequence[RowContent], sentence: str) -> None:
        """Open a group as a list of its memories; none where there are no rows."""
        self.members.show_rows(rows)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(plain_tooltip(sentence))
        self.sentence.setVisible(bool(sentence))
        self._fit_buttons()

    def set_undoable(self, is_undoable: bool) -> None:
        """Offer to take back the last step, or not."""
        self.undo.setVisible(is_undoable)

    def _fit_buttons(self) -> None:
        has_group = self.members.has_rows
        chosen = len(self.members.selected_keys()) if has_group else 0
        if not has_group and any(b.hasFocus() for b in (self.apart, self.out, self.into_one)):
            self.groups.list.setFocus()  # or Qt gives the keyboard to whatever comes next
        elif not chosen and self.out.hasFocus():
            self.members.list.setFocus()
        self.apart.setEnabled(has_group)
        self.into_one.setEnabled(has_group)
        self.out.setEnabled(chosen > 0)

    def follow(self, key: MemoryKey | None) -> None:
        """Select a memory of the open group that was gone to elsewhere."""
        self.members.follow(key)
