"""The lineage of the selected memory, in the dock: head right, what it replaced left, so deep."""

from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QVBoxLayout, QWidget

from core.lineage.forest import NodeState
from widgets.few_lines_label import FewLinesLabel
from widgets.lineage_canvas import LineageCanvas
from widgets.lineage_content import LineageContent, Looks, spoken
from widgets.lineage_plan import Plan
from widgets.plain import plain_label
from widgets.text_marks import plain_tooltip
from widgets.texts import counted, memories
from widgets.theme import small_font

_ALL = 9
_FIRST = 3
_MOST_LINES = 3


class LineagePanel(QWidget):
    """Show the tree around one memory; `depth_wanted` asks for another one."""

    memory_chosen = Signal(str)
    memory_opened = Signal(str)
    memories_dropped = Signal(object, str)
    folds_wanted = Signal(object)
    depth_wanted = Signal()
    became_visible = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: LineageContent | None = None
        self.canvas = LineageCanvas("Lineage of the selected memory")
        self.words = FewLinesLabel(_MOST_LINES)
        self.words.setFont(small_font(self.font()))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(1, _ALL)
        self.slider.setValue(_FIRST)
        self.slider.setMaximumWidth(140)
        self.slider.setAccessibleName("How many steps away")
        self.depth_words = plain_label()
        self.slider.valueChanged.connect(self._depth_changed)
        for signal, mine in (
            (self.canvas.node_chosen, self.memory_chosen),
            (self.canvas.node_opened, self.memory_opened),
        ):
            signal.connect(lambda node, mine=mine: self._pass_on(node, mine.emit))
        self.canvas.fold_wanted.connect(self.folds_wanted)
        self.canvas.memories_dropped.connect(self.memories_dropped)
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 4, 10, 4)
        bar.addWidget(self.words, 1)
        bar.addWidget(self.slider)
        bar.addWidget(self.depth_words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.canvas, 1)
        self._say_depth()

    def focus_target(self) -> QWidget:
        """Return what takes the keyboard."""
        return self.canvas

    @property
    def steps(self) -> int | None:
        """Return how many edges away a memory may stand, None for all."""
        return None if self.slider.value() == _ALL else self.slider.value()

    def show_words(self, words: str) -> None:
        """Show words in place of a picture."""
        self._content = None
        self.canvas.clear()
        self.words.setText(words)

    def show_tree(
        self, content: LineageContent, plan: Plan, looks: Looks, node: int
    ) -> None:
        """Show the tree around a node, fitted into the panel."""
        self._content = content
        self.canvas.show_whole(content, plan, looks, node)
        shown = len(plan.picture.spot_of)
        whole = content.forest.components[content.forest.component[node]].size
        of = memories(whole) if shown == whole else f"{shown} of {memories(whole)} shown"
        said = f"{of}. {spoken(content, node)}."
        self.words.setText(said)
        self.words.setToolTip(plain_tooltip(said))

    def _pass_on(self, node: int, emit: object) -> None:
        found = None if self._content is None else self._content.forest.nodes[node]
        if found is not None and found.state is not NodeState.MISSING and callable(emit):
            emit(found.uuid)

    def _depth_changed(self, _value: int) -> None:
        self._say_depth()
        self.depth_wanted.emit()

    def _say_depth(self) -> None:
        steps = self.steps
        words = "all" if steps is None else counted(steps, "step")
        self.depth_words.setText(words)
        self.slider.setToolTip(f"How far from the memory: {words}")

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()
