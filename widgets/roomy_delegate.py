"""One-line rows with room around their text, for short lists of choices."""

from typing import override

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

_ROOM = 8


class RoomyDelegate(QStyledItemDelegate):
    """Make every row higher than its text."""

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), size.height() + _ROOM)
