"""Painting one list row: state mark, gist, warning and tier marks, a second line. Colours come
from the palette; which text stands where comes from widgets/row_content.
"""

from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.readmodels import State
from widgets.matched_line import draw_elided, draw_matched
from widgets.row_content import RowContent
from widgets.row_marks import draw_state, draw_tier, draw_warning, mark_size
from widgets.row_model import ROW_ROLE
from widgets.texts import PLACEHOLDER
from widgets.theme import match_colours, small_font

EDGE = 10
GAP = 8
PADDING = 8
PILL_EDGE = 7
_BETWEEN_LINES = 3
_BADGE_SHARE = 0.4  # of what is left of a line: the ranks are worth as much


def row_height(font: QFont) -> int:
    """Return the height every row has, in logical pixels."""
    first, second = QFontMetrics(font).height(), QFontMetrics(small_font(font)).height()
    return 2 * PADDING + first + _BETWEEN_LINES + second


@dataclass(frozen=True, slots=True)
class RowColours:
    """The colours of a row in its state (selected or not), all of the palette."""

    ground: QColor | None
    text: QColor
    muted: QColor
    mark: QColor
    fill: QColor
    track: QColor
    match: tuple[QColor, QColor]
    """Text and ground of a place that was searched for."""

    @classmethod
    def of(cls, option: QStyleOptionViewItem) -> "RowColours":
        """Choose by selection and activity."""
        role, palette, state = QPalette.ColorRole, option.palette, option.state
        group = _group(state)
        text = palette.color(group, role.Text)
        if state & QStyle.StateFlag.State_Selected:
            on = palette.color(group, role.HighlightedText)
            ground = palette.color(group, role.Highlight)
            track = QColor(on)
            track.setAlphaF(0.3)
            return cls(ground, on, on, on, on, track, (ground, on))
        accent = palette.color(group, role.Accent)
        muted = palette.color(group, role.PlaceholderText)
        track = palette.color(group, role.Midlight)
        return cls(None, text, muted, accent, accent, track, match_colours(palette))


def _group(state: QStyle.StateFlag) -> QPalette.ColorGroup:
    if not state & QStyle.StateFlag.State_Enabled:
        return QPalette.ColorGroup.Disabled
    is_active = bool(state & QStyle.StateFlag.State_Active)
    return QPalette.ColorGroup.Active if is_active else QPalette.ColorGroup.Inactive


class RowDelegate(QStyledItemDelegate):
    """Paint rows of lists without ranks; the ranked list adds its columns in HitDelegate."""

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, row_height(option.font))

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        colours = RowColours.of(option)
        painter.save()
        painter.setClipRect(option.rect)  # stacked accents would paint over the neighbours
        if colours.ground is not None:
            painter.fillRect(option.rect, colours.ground)
        content = index.data(ROW_ROLE)
        box = option.rect.adjusted(EDGE, PADDING, -EDGE, -PADDING)
        if isinstance(content, RowContent):
            self.paint_content(painter, box, content, option.font, colours)
        else:
            painter.setPen(colours.muted)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, PLACEHOLDER)
        painter.restore()
        self._paint_focus(painter, option, colours)

    def paint_content(
        self, painter: QPainter, box: QRect, content: RowContent, font: QFont, colours: RowColours
    ) -> None:
        """Paint a known row into its padded box."""
        first = QRect(box.x(), box.y(), box.width(), QFontMetrics(font).height())
        side = mark_size(font)
        state_box = QRectF(first.x(), first.y(), side, first.height())
        is_live = content.state is State.LIVE
        draw_state(painter, state_box, content.state, colours.mark if is_live else colours.muted)
        first.setLeft(first.left() + side + GAP)
        self._paint_first_line(painter, first, content, font, colours)
        small = small_font(font)
        top = first.bottom() + 1 + _BETWEEN_LINES
        second = QRect(first.x(), top, first.width(), QFontMetrics(small).height())
        painter.setFont(small)
        self.paint_second_line(painter, second, content, QFontMetrics(small), colours)

    def _paint_first_line(
        self, painter: QPainter, box: QRect, content: RowContent, font: QFont, colours: RowColours
    ) -> None:
        side = mark_size(font)
        right = QRectF(box.right() - side + 1, box.y(), side, box.height())
        draw_tier(painter, right, content.tier, colours.muted)
        if content.warning:
            right.translate(-side - GAP / 2, 0)
            draw_warning(painter, right, colours.text)
        line = QFont(font)
        line.setStrikeOut(content.state is State.RETIRED)
        painter.setFont(line)
        painter.setPen(colours.text if content.state is State.LIVE else colours.muted)
        box = QRect(box.x(), box.y(), int(right.left()) - GAP - box.x(), box.height())
        metrics = QFontMetrics(line)
        draw_matched(painter, box, content.gist, content.matches, metrics, colours.match)

    def paint_second_line(
        self,
        painter: QPainter,
        box: QRect,
        content: RowContent,
        metrics: QFontMetrics,
        colours: RowColours,
    ) -> None:
        """Paint the second line: the detail, then the aside in what is left."""
        box = paint_badge(painter, box, content, metrics, colours)
        painter.setPen(colours.muted)
        draw_elided(painter, box, content.detail, metrics)
        if content.aside:
            box = box.adjusted(metrics.horizontalAdvance(content.detail) + 2 * GAP, 0, 0, 0)
            draw_elided(painter, box, content.aside, metrics)

    def _paint_focus(
        self, painter: QPainter, option: QStyleOptionViewItem, colours: RowColours
    ) -> None:
        if not option.state & QStyle.StateFlag.State_HasFocus:
            return
        painter.save()
        painter.setPen(colours.text)
        painter.setOpacity(0.5)
        painter.drawRect(option.rect.adjusted(1, 1, -2, -2))
        painter.restore()


def paint_badge(
    painter: QPainter, box: QRect, content: RowContent, metrics: QFontMetrics, colours: RowColours
) -> QRect:
    """Paint a row's store at the end of a line, where it has one; return what is left of it."""
    if not content.badge:
        return box
    most = max(0, int(box.width() * _BADGE_SHARE) - 2 * PILL_EDGE)
    words = metrics.elidedText(content.badge, Qt.TextElideMode.ElideLeft, most)
    return paint_pill(painter, box, words, metrics, colours)


def paint_pill(
    painter: QPainter, box: QRect, words: str, metrics: QFontMetrics, colours: RowColours
) -> QRect:
    """Paint words in a frame at the end of a line; return what is left of the line."""
    width = metrics.horizontalAdvance(words) + 2 * PILL_EDGE
    pill = QRectF(box.right() + 1 - width, box.y() - 1, width, box.height() + 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colours.muted, 1))
    painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.setPen(colours.text)
    painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), words)
    painter.restore()
    return box.adjusted(0, 0, -width - GAP, 0)
