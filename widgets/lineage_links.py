"""The nearest lineage of a memory as links: its replacement, its chain's end, what it replaced.

The whole lineage has a view of its own.
"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from core.readmodels import LineageStep, MemoryHead, State
from widgets.plain import LinkButton
from widgets.text_marks import isolated, menu_text, one_line
from widgets.texts import STATE_WORDS, grouped, stub

_MENU_LONGEST = 60
_MOST_IN_MENU = 30


def step_words(step: LineageStep) -> str:
    """Name a neighbour: its gist, or its whole uuid where the row is missing."""
    if step.head is None:
        return one_line(step.uuid)
    return f"{stub(step.uuid)} {isolated(one_line(step.head.gist))}"


def replacement_words(step: LineageStep, *, is_end: bool, is_circle: bool = False) -> str:
    """Say by what a memory was replaced; of the end of a chain its state, too."""
    if is_circle:
        return "Replaced by itself"
    if step.head is None:
        return f"Replaced by a record that is missing: {step_words(step)}"
    if step.head.state is State.RETIRED:
        return f"Replaced by a memory that is itself retired: {step_words(step)}"
    state = f" ({STATE_WORDS[step.head.state]})" if is_end else ""
    return f"Replaced by{state} {step_words(step)}"


def end_words(step: LineageStep, *, is_circle: bool = False) -> str:
    """Say where a chain ends, and the state of what is there."""
    if is_circle:
        return f"The chain has no end, it comes back to {step_words(step)}"
    state = "missing" if step.head is None else STATE_WORDS[step.head.state]
    return f"End of chain ({state}): {step_words(step)}"


class LineageLinks(QWidget):
    """Show up to three links; `memory_wanted` carries the uuid of the one followed."""

    memory_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._next: str | None = None
        self._end: str | None = None
        self.replaced_by = LinkButton()
        self.end_of_chain = LinkButton()
        self.replaces = LinkButton()
        self.menu = QMenu(self.replaces)
        self.replaces.clicked.connect(self._open_menu)
        self.replaced_by.clicked.connect(self.follow_replacement)
        self.end_of_chain.clicked.connect(self.follow_end)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.replaced_by)
        row.addWidget(self.end_of_chain)
        row.addWidget(self.replaces)
        row.addStretch()

    def show_lineage(
        self,
        successors: Sequence[LineageStep],
        predecessors: Sequence[MemoryHead],
        uuid: str | None = None,
    ) -> None:
        """Show the links that lead anywhere; hide the rest, or all. `uuid` is the memory's own."""
        nearest = successors[0] if successors else None
        last = successors[-1] if len(successors) > 1 else None
        self._next = nearest.uuid if nearest and nearest.head else None
        self._end = last.uuid if last and last.head else None
        if nearest:
            self.replaced_by.set_safe_line(
                replacement_words(nearest, is_end=last is None, is_circle=nearest.uuid == uuid)
            )
        if last:
            self.end_of_chain.set_safe_line(
                end_words(last, is_circle=last.uuid in {uuid, *(s.uuid for s in successors[:-1])})
            )
        self.replaced_by.setVisible(nearest is not None)
        self.replaced_by.setEnabled(self._next is not None)
        self.end_of_chain.setVisible(last is not None)
        self.end_of_chain.setEnabled(self._end is not None)
        self._fill_menu(predecessors)
        self.setVisible(bool(nearest) or bool(predecessors))

    @property
    def has_replacement(self) -> bool:
        """Tell whether there is a replacement to follow."""
        return self._next is not None

    @property
    def has_end(self) -> bool:
        """Tell whether the chain ends beyond the replacement."""
        return self._end is not None

    def follow_replacement(self) -> None:
        """Ask for the replacement."""
        self._follow(self._next)

    def follow_end(self) -> None:
        """Ask for the end of the chain."""
        self._follow(self._end)

    def _fill_menu(self, predecessors: Sequence[MemoryHead]) -> None:
        self.menu.clear()
        for head in predecessors[:_MOST_IN_MENU]:
            action = QAction(menu_text(f"{stub(head.uuid)} {isolated(_cut(head.gist))}"), self.menu)
            action.triggered.connect(
                lambda _checked=False, uuid=head.uuid: self.memory_wanted.emit(uuid)
            )
            self.menu.addAction(action)
        left = len(predecessors) - _MOST_IN_MENU
        if left > 0:
            self.menu.addAction(f"and {grouped(left)} more").setEnabled(False)
        self.replaces.set_line(f"Replaces {grouped(len(predecessors))} ▾")
        self.replaces.setVisible(bool(predecessors))

    def _open_menu(self) -> None:
        self.menu.popup(self.replaces.mapToGlobal(self.replaces.rect().bottomLeft()))

    def _follow(self, uuid: str | None) -> None:
        if uuid is not None:
            self.memory_wanted.emit(uuid)


def _cut(gist: str) -> str:
    return one_line(gist, _MENU_LONGEST)
