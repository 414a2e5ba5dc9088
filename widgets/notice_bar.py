"""The banners of degraded modes: permanent and loud, each with its code."""

from collections.abc import Mapping, Sequence
from typing import override

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.notices import Notice, NoticeCode
from widgets.plain import LinkButton, line_between, plain_label, replace_widgets
from widgets.row_marks import draw_warning, mark_size
from widgets.state_content import StateAction
from widgets.text_marks import marked
from widgets.texts import counted
from widgets.theme import banner_palette, fixed_font, small_font

_SHOWN = 2


class WarningSign(QWidget):
    """The sign before a warning, in the colour of its text."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        side = mark_size(self.font()) + 4
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self.palette().color(QPalette.ColorRole.WindowText)
        draw_warning(painter, QRectF(self.rect()).adjusted(2, 2, -2, -2), colour)
        painter.end()


class _Banner(QWidget):
    """One notice: sign, sentence, code, and what can be done about it, if anything."""

    pressed = Signal(str)

    def __init__(self, notice: Notice, offer: StateAction | None) -> None:
        super().__init__()
        text = plain_label(marked(notice.text))
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        code = plain_label(notice.code.value)
        code.setFont(fixed_font(small_font(self.font())))
        code.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 5, 10, 5)
        layout.setSpacing(8)
        layout.addWidget(WarningSign())
        layout.addWidget(text, 1)
        if offer is not None:
            button = QPushButton(offer.label)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False: self.pressed.emit(offer.name))
            layout.addWidget(button)
        layout.addWidget(code)


class NoticeBar(QFrame):
    """Stand above the lists while there is anything to say; nobody can dismiss it.

    `action_wanted` carries the name of what is offered about a notice.
    """

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._notices: tuple[Notice, ...] = ()
        self._offers: Mapping[NoticeCode, StateAction] = {}
        self._is_open = False
        self._banners: list[_Banner] = []
        self._more = LinkButton()
        self._more.clicked.connect(self._toggle)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        more = QHBoxLayout()
        more.setContentsMargins(10 + WarningSign().sizeHint().width() + 8, 0, 10, 4)
        more.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addLayout(more)
        self._column.addWidget(line_between())
        self._colour()
        self.hide()

    def set_notices(self, notices: Sequence[Notice]) -> None:
        """Show these notices, the same one once; hide where there is none."""
        wanted = tuple(dict.fromkeys(notices))
        if wanted != self._notices:
            self._notices = wanted
            self._make_banners()

    def set_offers(self, offers: Mapping[NoticeCode, StateAction]) -> None:
        """Offer to do something about notices, each by a button of its own."""
        if offers != self._offers:
            self._offers = dict(offers)
            self._make_banners()

    def _make_banners(self) -> None:
        before = self._banners
        self._banners = [_Banner(n, self._offers.get(n.code)) for n in self._notices]
        for banner in self._banners:
            banner.pressed.connect(self.action_wanted)
        replace_widgets(self._column, before, self._banners)
        self._fold()
        self.setVisible(bool(self._notices))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        wanted = banner_palette(QGuiApplication.palette())
        if wanted.window().color() != self.palette().window().color():
            self.setPalette(wanted)

    def _toggle(self) -> None:
        self._is_open = not self._is_open
        self._fold()

    def _fold(self) -> None:
        for place, banner in enumerate(self._banners):
            banner.setVisible(self._is_open or place < _SHOWN)
        left = len(self._banners) - _SHOWN
        self._more.setVisible(left > 0)
        words = "Show fewer" if self._is_open else f"Show {counted(left, 'more notice')}"
        self._more.set_line(words)
