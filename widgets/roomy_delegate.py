"""One-line rows with room around their text, for short lists of choices."""

from typing import override

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

_ROOM = 8


class RoomyDelegate(QStyledItemDelegate):
    """Make every row higher than its text."""

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), size.height() + _ROOM)


def make_roomy(view: QAbstractItemView) -> None:
    """Give a short list rows with room, cut at its edge; the whole line is in the tooltip."""
    view.setItemDelegate(RoomyDelegate(view))
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
