"""The page of the whole lineage: list with lanes, overview and outline of one picture; what dims,
orders and dates it. Reads nothing: contents come from app/lineage_controller.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.lineage.folding import FoldKey
from core.lineage.forest import Component, NodeState
from core.lineage.layout import Axis, Picture
from widgets.browsing_page import BrowsingPage
from widgets.few_lines_label import FewLinesLabel
from widgets.lineage_canvas import LineageCanvas
from widgets.lineage_content import ALONE, LineageContent, Looks, Order, spoken, summary
from widgets.lineage_lanes import LaneRow
from widgets.lineage_list import LineageList
from widgets.lineage_outline import LineageOutline
from widgets.lineage_plan import Plan
from widgets.plain import plain_label
from widgets.slim_button import SlimButton
from widgets.text_marks import plain_tooltip
from widgets.theme import small_font

_ORDERS = {
    Order.SIZE: "Largest first",
    Order.RECENCY: "Changed last first",
    Order.PROBLEMS: "Problems first",
}
_LEAST_SLIDER = 40
_NOTHING = "No memory of this store was replaced: there is no lineage to draw."


class Form(StrEnum):
    """The three forms of the page."""

    LIST = "list"
    OVERVIEW = "overview"
    OUTLINE = "outline"


@dataclass(frozen=True, slots=True)
class Drawing:
    """One store's lineage laid out: the same picture as plane, rows and trees.

    `places_below` is the outline's; see widgets/lineage_outline.
    """

    content: LineageContent
    trees: tuple[Component, ...]
    plan: Plan
    rows: Sequence[LaneRow]
    places_below: Mapping[int, int]
    unfolded: frozenset[FoldKey]

    @property
    def picture(self) -> Picture:
        """Return what is laid out."""
        return self.plan.picture


class _DimBox(QLineEdit):
    """A line whose Escape empties it first."""

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        else:
            super().keyPressEvent(event)


class LineagePage(BrowsingPage):
    """Show a Drawing in three forms with one selection.

    `memory_chosen` carries the uuid gone to, `memory_opened` one to be read. `order_wanted`,
    `looks_wanted` and `folds_wanted` ask for another drawing or other looks.
    """

    memory_chosen = Signal(str)
    memory_opened = Signal(str)
    memories_dropped = Signal(object, str)
    order_wanted = Signal()
    looks_wanted = Signal()
    folds_wanted = Signal(object)
    unfold_none_wanted = Signal()
    read_again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawing: Drawing | None = None
        self.looks = Looks(())
        self._node: int | None = None
        self.list = LineageList()
        self.canvas = LineageCanvas("Lineage as a picture")
        self.outline = LineageOutline()
        self._views: tuple[LineageList | LineageCanvas | LineageOutline, ...]
        self._views = self.list, self.canvas, self.outline
        self._pages = QStackedWidget()
        self._forms = QButtonGroup(self)
        self.buttons: dict[Form, SlimButton] = {}
        self.order = QComboBox()
        self.by_time = SlimButton("By time", "Draw the way to the left as time")
        self.dim = _DimBox()
        self.as_of = QSlider(Qt.Orientation.Horizontal)
        self.words = FewLinesLabel(4)
        self.state = FewLinesLabel(6)
        self.again = SlimButton("Read again", "Read the lineage again")
        self._make_controls()
        self._lay_out()
        self._connect()
        self.show_state("")

    def _make_controls(self) -> None:
        names = {Form.LIST: "List", Form.OVERVIEW: "Overview", Form.OUTLINE: "Outline"}
        for number, (form, name) in enumerate(names.items()):
            button = SlimButton(name, f"Lineage as {form.value}")
            button.setCheckable(True)
            self._forms.addButton(button, number)
            self.buttons[form] = button
            self._pages.addWidget(self._views[number])
        self.buttons[Form.LIST].setChecked(True)
        for order, words in _ORDERS.items():
            self.order.addItem(words, order)
        self.order.setAccessibleName("Order of the lineages")
        self.order.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.order.setMinimumContentsLength(6)
        self.dim.setPlaceholderText("Type to dim what does not match")
        self.dim.setAccessibleName("Dim what does not match")
        self.as_of.setAccessibleName("As of")
        self.as_of.setRange(0, 0)
        self.as_of.setMinimumWidth(_LEAST_SLIDER)
        self.as_of.setToolTip("The lineage as of a moment; at the right end: today")
        self.words.setFont(small_font(self.font()))
        self.zoom_buttons = (
            (SlimButton("−", "Smaller"), self.canvas.zoom_out),
            (SlimButton("+", "Larger"), self.canvas.zoom_in),
            (SlimButton("Fit", "Fit the whole picture (Ctrl+0)"), self.canvas.fit),
        )
        self.fold_all = SlimButton("Fold", "Fold everything again")
        self.by_time.setCheckable(True)

    def _lay_out(self) -> None:
        top, middle, below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for button in self.buttons.values():
            top.addWidget(button)
        top.addStretch(1)
        middle.addWidget(self.order, 1)
        middle.addWidget(self.dim, 2)
        label = plain_label("As of")
        label.setBuddy(self.as_of)
        below.addWidget(label)
        below.addWidget(self.as_of, 1)
        for button in (self.by_time, *(button for button, _ in self.zoom_buttons)):
            below.addWidget(button)
        below.addWidget(self.fold_all)
        for row in (top, middle, below):
            row.setContentsMargins(10, 0, 10, 0)
            row.setSpacing(4)
        said = QHBoxLayout()
        said.setContentsMargins(10, 4, 10, 4)
        said.addWidget(self.state, 1)
        said.addWidget(self.words, 1)
        said.addWidget(self.again)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        for part in (top, middle, below, said):
            column.addLayout(part)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self._forms.idToggled.connect(self._turn)
        self.order.currentIndexChanged.connect(lambda _row: self.order_wanted.emit())
        self.by_time.toggled.connect(lambda _on: self.order_wanted.emit())
        self.dim.textChanged.connect(lambda _text: self.looks_wanted.emit())
        self.as_of.valueChanged.connect(lambda _value: self.looks_wanted.emit())
        self.again.clicked.connect(self.read_again_wanted)
        self.fold_all.clicked.connect(self.unfold_none_wanted)
        for button, act in self.zoom_buttons:
            button.clicked.connect(act)
        for view in self._views:
            view.node_chosen.connect(self._choose)
            view.node_opened.connect(self._open)
        for folding in (self.list, self.canvas):
            folding.fold_wanted.connect(self.folds_wanted)
        self.canvas.typed.connect(self._type)
        self.canvas.memories_dropped.connect(self.memories_dropped)

    @override
    def focus_target(self) -> QWidget:
        """Return the form on screen."""
        return self._views[self._forms.checkedId()]

    def chosen_order(self) -> Order:
        """Return the order chosen."""
        return Order(str(self.order.currentData()))

    def chosen_axis(self) -> Axis:
        """Return what the way to the left means in the picture."""
        return Axis.TIME if self.by_time.isChecked() else Axis.LEVEL

    def is_today(self) -> bool:
        """Tell whether no moment of before is asked for."""
        return self.as_of.value() == self.as_of.maximum()

    def show_form(self, form: Form) -> None:
        """Turn to a form."""
        self.buttons[form].setChecked(True)

    def _turn(self, number: int, is_on: bool) -> None:
        if is_on:
            self._views[number].select(self._node)  # before it is given the keyboard
            self._pages.setCurrentIndex(number)
            is_picture = self.focus_target() is self.canvas
            for button in (self.by_time, *(button for button, _ in self.zoom_buttons)):
                button.setEnabled(is_picture)

    # What is shown

    def show_state(self, words: str, *, may_read: bool = False) -> None:
        """Say what there is in place of a lineage: that it is read, or why it is not."""
        self.drawing = None
        self.canvas.clear()
        self.outline.show_trees(None, (), {})
        self.list.lanes.show_rows(None, None, Looks(()), ())
        self.state.setText(words)
        self.state.setVisible(bool(words))
        self.words.setText("")
        self.again.setVisible(may_read)
        for widget in (self.as_of, self.order, self.dim, self.fold_all):
            widget.setEnabled(False)

    def show_drawing(self, drawing: Drawing, looks: Looks, node: int | None) -> None:
        """Show a lineage with a memory selected."""
        is_new = self.drawing is None or drawing.content is not self.drawing.content
        self.drawing, self.looks, self._node = drawing, looks, node
        self.again.hide()
        self.state.setText("" if drawing.trees else _NOTHING)
        self.state.setVisible(not drawing.trees)
        self.canvas.unfolded = self.list.unfolded = drawing.unfolded
        self.canvas.show_plan(drawing.content, drawing.plan, looks, node)
        self.list.lanes.show_rows(drawing.content, drawing.picture, looks, drawing.rows)
        self.outline.show_trees(drawing.content, drawing.trees, drawing.places_below)
        if is_new:
            self._fit_slider(len(drawing.content.times.stops))
        for widget in (self.as_of, self.order, self.dim):
            widget.setEnabled(bool(drawing.trees))
        self.fold_all.setEnabled(bool(drawing.unfolded))
        self._select()

    def _fit_slider(self, stops: int) -> None:
        """Keep the slider at today, or at the moment it stood at while the store grows."""
        is_today = self.is_today()
        self.as_of.blockSignals(True)
        self.as_of.setRange(0, stops)
        if is_today:
            self.as_of.setValue(stops)
        self.as_of.blockSignals(False)

    def set_looks(self, looks: Looks) -> None:
        """Dim and date what is shown."""
        self.looks = looks
        self.canvas.set_looks(looks)
        self.list.lanes.set_looks(looks)
        self._say()

    def select_uuid(self, uuid: str | None) -> None:
        """Select a memory that was gone to elsewhere."""
        if self.drawing is None:
            return
        node = None if uuid is None else self.drawing.content.forest.find(uuid)
        if node != self._node:
            self._node = node
            self._select()

    def _select(self) -> None:
        self._views[self._forms.checkedId()].select(self._node)  # the others once turned to
        self._say()

    def _say(self) -> None:
        if self.drawing is None or not self.drawing.trees:
            return
        content = self.drawing.content
        said = [summary(content) + ".", self.looks.words]
        if self._node is not None:
            tree = content.forest.components[content.forest.component[self._node]]
            is_alone = tree.size == 1 and not tree.is_cyclic
            said.append(ALONE if is_alone else f"Selected: {spoken(content, self._node)}.")
        told = " ".join(part for part in said if part)
        self.words.setText(told)
        self.words.setToolTip(plain_tooltip(told))

    # Asked for

    def _uuid(self, node: int) -> str | None:
        if self.drawing is None:
            return None
        found = self.drawing.content.forest.nodes[node]
        return None if found.state is NodeState.MISSING else found.uuid

    def _choose(self, node: int) -> None:
        self._node = node
        self._say()
        if uuid := self._uuid(node):
            self.memory_chosen.emit(uuid)

    def _open(self, node: int) -> None:
        if uuid := self._uuid(node):
            self.memory_opened.emit(uuid)

    def _type(self, text: str) -> None:
        self.dim.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.dim.setText(self.dim.text() + text)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.order_wanted.emit()  # boxes are as large as their texts
