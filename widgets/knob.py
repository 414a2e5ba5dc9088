"""One number to try: a slider over chosen stops and a box for any value between, kept in step."""

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QSlider

from widgets.plain import muted, plain_label
from widgets.what_if_content import STOPS, KnobName, nearest_stop

_LEAST_SLIDER = 60
_PAGE = 10
_TITLES = {
    KnobName.RRF_K: "rrf_&k",
    KnobName.SUPERSESSION_PENALTY: "replaced ×",
    KnobName.RETIRED_PENALTY: "retired ×",
    KnobName.FUSION_DEPTH: "fusion depth",
    KnobName.LIMIT: "limit",
}
_SPOKEN = {
    KnobName.RRF_K: "rrf_k",
    KnobName.SUPERSESSION_PENALTY: "penalty of replaced memories",
    KnobName.RETIRED_PENALTY: "penalty of retired memories",
    KnobName.FUSION_DEPTH: "fusion depth",
    KnobName.LIMIT: "limit of the list",
}
_TIPS = {
    KnobName.RRF_K: "The constant of rank fusion: a small one lets the first ranks decide, "
    "a large one lets agreement of the arms decide.",
    KnobName.SUPERSESSION_PENALTY: "What the score of a replaced memory is multiplied with.",
    KnobName.RETIRED_PENALTY: "What the score of a retired memory is multiplied with.",
    KnobName.FUSION_DEPTH: "How many rows of each arm are fused. More than the agent's own is "
    "searched for anew.",
    KnobName.LIMIT: "Where the list is cut. No setting of the store: who searches says it.",
}


class Knob(QObject):
    """Slider, box and a word about the agent's own value. `moved` carries the new value.

    A value between the stops, or one that is not as round as the box, is kept as it is until
    somebody turns the knob.
    """

    moved = Signal(float)

    def __init__(self, name: KnobName, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._stops = STOPS[name]
        self._is_whole = self._stops[0] >= 1
        self.label = plain_label(_TITLES[name].replace("&", ""))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(self._stops) - 1)
        self.slider.setPageStep(_PAGE if self._is_whole else 2)
        self.slider.setMinimumWidth(_LEAST_SLIDER)
        self.slider.setAccessibleName(f"{_SPOKEN[name]}, slider")
        self.spin = QDoubleSpinBox()
        self.spin.setLocale(QLocale.c())  # written as a settings file writes it
        self.spin.setDecimals(0 if self._is_whole else 2)
        self.spin.setSingleStep(1 if self._is_whole else 0.05)
        self.spin.setRange(self._stops[0], self._stops[-1])
        self.spin.setKeyboardTracking(False)
        self.spin.setAccessibleName(_SPOKEN[name])
        self.note = muted(plain_label())
        for widget in (self.label, self.slider, self.spin):
            widget.setToolTip(_TIPS[name])
        self.slider.valueChanged.connect(self._slid)
        self.spin.valueChanged.connect(self._turned)

    def add_to(self, grid: QGridLayout, row: int) -> None:
        """Take a row of a grid of four columns."""
        for column, widget in enumerate((self.label, self.slider, self.spin, self.note)):
            grid.addWidget(widget, row, column)

    def show_value(self, value: float, own: float) -> None:
        """Show a value and what the agent's own is; `moved` is not emitted."""
        for widget in (self.slider, self.spin):
            widget.blockSignals(True)
        self.spin.setRange(min(self._stops[0], own), max(self._stops[-1], own))
        self.slider.setValue(nearest_stop(self._stops, value))
        self.spin.setValue(value)
        for widget in (self.slider, self.spin):
            widget.blockSignals(False)
        words = self._words(own)
        self.note.setText(f"own {words}" if value == own else f"≠ own {words}")
        self.slider.setAccessibleDescription(f"{self._words(value)}, the agent's own is {words}")

    def _words(self, value: float) -> str:
        return f"{value:.0f}" if self._is_whole else f"{value:g}"

    def _slid(self, at: int) -> None:
        self.moved.emit(self._stops[at])

    def _turned(self, value: float) -> None:
        self.moved.emit(value)
