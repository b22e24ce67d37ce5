"""The side bar: a tree of filters with boxes, and a button that takes all of them away."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.filters.delegate import FilterDelegate
from app.filters.model import FilterModel
from app.icons import pixmap
from app.palette import scheme_of

if TYPE_CHECKING:
    from app.filters.tree import Row
    from core.search.choices import Ticked

    AnyIndex = QModelIndex | QPersistentModelIndex


class FilterPane(QFrame):
    """Shows what there is to choose from; what is chosen is told by the query alone."""

    wanted = Signal(object)
    """The person clicked this Choice."""
    clear_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterPane")
        self.setMinimumWidth(130)
        title = QLabel(self.tr("Filters"))
        title.setProperty("role", "title")
        self._clear = QPushButton(self.tr("Clear"))
        self._clear.setAccessibleName(self.tr("Clear all filters"))
        self._clear.setProperty("quiet", "true")
        self._clear.clicked.connect(self.clear_wanted)
        policy = self._clear.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(policy)
        self.tree = FilterTree()
        self.tree.filters.wanted.connect(self.wanted)
        title.setBuddy(self.tree)
        head = QHBoxLayout()
        head.setContentsMargins(20, 8, 8, 4)
        head.addWidget(title, 1)
        head.addWidget(self._clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.show_ticks({}, is_filtering=False)

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is ticked."""
        return not self._clear.isHidden()

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        self.tree.show_rows(rows)

    def show_ticks(self, ticks: Mapping[Hashable, Ticked], is_filtering: bool) -> None:
        """Tick the rows of these keys; there may be filters for which there is no row."""
        self.tree.filters.show_ticks(ticks)
        self._clear.setVisible(is_filtering)

    # Qt's names

    def sizeHint(self) -> QSize:
        return QSize(230, 400)


class FilterTree(QTreeView):
    """The rows; which of them are open survives that others come and go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filters = FilterModel(self)
        self._seen: set[Hashable] = set()
        self._open: set[Hashable] = set()
        self.setObjectName("filterTree")
        self.setAccessibleName(self.tr("Filters"))
        self.setModel(self.filters)
        self.setItemDelegate(FilterDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setIndentation(18)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.expanded.connect(self._note_open)
        self.collapsed.connect(self._note_closed)

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show `rows`; those that come for the first time are open where they head others."""
        offset = self.verticalScrollBar().value()
        current = self.filters.row_at(self.currentIndex())
        if not self.filters.show_rows(rows):
            return
        for heading in rows:
            self._note_first(heading)
            # A single folder of the library is a heading as well.
            if heading.key == "folders" and len(heading.rows) == 1:
                self._note_first(heading.rows[0])
        # Opened before they are laid out, the rows are laid out once.
        self.scheduleDelayedItemsLayout()
        for key in tuple(self._open):
            if (index := self.filters.index_of(key)).isValid():
                self.setExpanded(index, True)
        if current is not None and (index := self.filters.index_of(current.key)).isValid():
            self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(offset)

    def _note_first(self, row: Row) -> None:
        if row.key not in self._seen:
            self._seen.add(row.key)
            self._open.add(row.key)

    def _note_open(self, index: QModelIndex) -> None:
        if (row := self.filters.row_at(index)) is not None:
            self._open.add(row.key)

    def _note_closed(self, index: QModelIndex) -> None:
        if (row := self.filters.row_at(index)) is not None:
            self._open.discard(row.key)

    # Qt's names

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        scheme = scheme_of(self.palette())
        is_current = self.hasFocus() and index == self.currentIndex()
        is_under_mouse = index == self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))
        if is_current or (is_under_mouse and self.viewport().underMouse()):
            area = QRectF(option.rect).adjusted(5, 1, -5, -1)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(scheme.accent) if is_current else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.selected if is_current else scheme.hover))
            painter.drawRoundedRect(area, 6, 6)
            painter.restore()
        self.drawBranches(painter, QRect(0, option.rect.y(), 0, option.rect.height()), index)
        place = QStyleOptionViewItem(option)
        place.rect = self.visualRect(index)
        self.itemDelegate().paint(painter, place, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        if not self.model().hasChildren(index):
            return
        is_mirrored = self.isRightToLeft()
        closed = "previous" if is_mirrored else "next"
        drawing = "expand" if self.isExpanded(index) else closed
        drawn = pixmap(drawing, scheme_of(self.palette()).muted, 12, self.devicePixelRatioF())
        row = self.visualRect(index)
        left = row.right() + 3 if is_mirrored else row.left() - 15
        painter.drawPixmap(QPointF(left, rect.center().y() - 5), drawn)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        row = self.filters.row_at(index)
        if row is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if row.choice is None:
                self.setExpanded(index, not self.isExpanded(index))
            else:
                self.filters.setData(index, None, Qt.ItemDataRole.CheckStateRole)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.filters.row_at(index)
        # The arrow in front of a heading has opened or closed it already.
        is_on_it = self.visualRect(index).contains(event.position().toPoint())
        if row is not None and row.choice is None and is_on_it:
            self.setExpanded(index, not self.isExpanded(index))
