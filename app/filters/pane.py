"""The side bar: a tree of filters with boxes, and a button that takes all of them away."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QElapsedTimer,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.filters.delegate import FilterDelegate
from app.filters.model import FilterModel
from app.palette import scheme_of
from app.widgets.icons import pixmap
from app.widgets.labels import Label

if TYPE_CHECKING:
    from app.filters.change import Change
    from app.filters.tree import Row
    from core.search.choices import Ticked

    AnyIndex = QModelIndex | QPersistentModelIndex


class FilterPane(QFrame):
    """Shows what there is to choose from; what is chosen is told by the query alone."""

    wanted = Signal(object)
    """The person clicked this Choice."""
    clear_wanted = Signal()
    left = Signal()
    """The person is done with the drawer that this is in a narrow window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterPane")
        self.setMinimumWidth(130)
        self._is_drawer = False
        title = Label(self.tr("Filters"))
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
        self.hint = Label(
            self.tr("What is found can be narrowed down here: by folder, type, date and author.")
        )
        self.hint.setProperty("role", "muted")
        self.hint.setWordWrap(True)
        self.hint.setContentsMargins(20, 4, 16, 4)
        head = QHBoxLayout()
        head.setContentsMargins(20, 8, 8, 4)
        head.addWidget(title, 1)
        head.addWidget(self._clear)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addLayout(head)
        self._layout.addWidget(self.hint)
        self._layout.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.show_ticks({}, is_filtering=False)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def show_as_drawer(self, *, is_drawer: bool) -> None:
        """Lie over other things, and go when the person turns to them; or stand beside them."""
        self._is_drawer = is_drawer
        # Its edge, which the tree would paint over.
        self._layout.setContentsMargins(0, 0, int(is_drawer), 0)
        self.setProperty("drawer", "true" if is_drawer else "false")
        self.style().unpolish(self)
        self.style().polish(self)

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        over = self.parentWidget()
        if now is None or over is None or not self._is_drawer or not self.isVisible():
            return
        # What it does not lie over, the box and the buttons above, goes on well beside it.
        is_covered = over.isAncestorOf(now)
        if is_covered and now is not self and not self.isAncestorOf(now):
            self.left.emit()

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is ticked."""
        return not self._clear.isHidden()

    def show_change(self, change: Change) -> None:
        """Have what there is to choose from, and the counts, changed in place."""
        self.tree.show_change(change)
        self.hint.setVisible(not change.offer.rows)

    def show_ticks(self, ticks: Mapping[Hashable, Ticked], is_filtering: bool) -> None:
        """Tick the rows of these keys; there may be filters for which there is no row."""
        self.tree.show_ticks(ticks)
        self._clear.setVisible(is_filtering)

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_drawer and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(230, 400)


class FilterTree(QTreeView):
    """The rows; which of them are open survives that others come and go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filters = FilterModel(self)
        self._closed: set[Hashable] = set()
        self._sought = ""
        self._since_key = QElapsedTimer()
        self.setObjectName("filterTree")
        self.setAccessibleName(self.tr("Filters"))
        self.setModel(self.filters)
        self.setItemDelegate(FilterDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setIndentation(18)
        # Else each of tens of thousands of rows would be measured.
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.collapsed.connect(self._note_closed)
        self.expanded.connect(self._note_open)
        self._under_mouse = QModelIndex()

    def show_change(self, change: Change) -> None:
        """Show what has changed; headings that come are open, unless they were closed before."""
        self.filters.show_change(change)
        for heading in change.offer.rows:
            self._open_unless_closed(heading)
            # A single folder of the library is a heading as well.
            if heading.key == "folders" and len(heading.rows) == 1:
                self._open_unless_closed(heading.rows[0])
        self.viewport().update()

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows of these keys, and no others."""
        self.filters.show_ticks(ticks)
        self.viewport().update()

    def _open_unless_closed(self, row: Row) -> None:
        index = self.filters.index_of(row.key)
        if row.key not in self._closed and not self.isExpanded(index):
            self.expand(index)

    def _note_closed(self, index: QModelIndex) -> None:
        if (row := self.filters.row_at(index)) is not None:
            self._closed.add(row.key)

    def _note_open(self, index: QModelIndex) -> None:
        if (row := self.filters.row_at(index)) is not None:
            self._closed.discard(row.key)

    def _is_laid_out(self, index: QModelIndex) -> bool:
        """Whether all that a row lies in is open."""
        while (index := index.parent()).isValid():
            if not self.isExpanded(index):
                return False
        return True

    # Qt's names

    def paintEvent(self, event: QPaintEvent) -> None:
        # Asked once for all rows: some systems have to be asked where the pointer is, and answer
        # when they get round to it.
        place = self.viewport().mapFromGlobal(QCursor.pos())
        self._under_mouse = self.indexAt(place) if self.viewport().underMouse() else QModelIndex()
        super().paintEvent(event)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        scheme = scheme_of(self.palette())
        is_current = self.hasFocus() and index == self.currentIndex()
        if is_current or index == self._under_mouse:
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
        elif event.key() == Qt.Key.Key_Asterisk:
            # Qt would open all that is below, however many thousand folders that are.
            self.expandRecursively(index, 1)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        interval = QApplication.keyboardInputInterval()
        is_going_on = self._since_key.isValid() and self._since_key.elapsed() < interval
        self._sought = self._sought + search if is_going_on else search
        self._since_key.start()
        rows = self.filters.find(self._sought, self.currentIndex())
        if (found := next(filter(self._is_laid_out, rows), None)) is not None:
            self.setCurrentIndex(found)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.filters.row_at(index)
        # The arrow in front of a heading has opened or closed it already.
        is_on_it = self.visualRect(index).contains(event.position().toPoint())
        if row is not None and row.choice is None and is_on_it:
            self.setExpanded(index, not self.isExpanded(index))
