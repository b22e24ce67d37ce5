"""The side bar: a tree of filters with check boxes, and a button to clear them."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QElapsedTimer,
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QCursor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app import texts
from app.filters import tree
from app.palette import scheme_of
from app.text_size import px, set_minimum_width
from app.widgets.controls import SIDE, Button, Label, paint_box
from app.widgets.icons import pixmap
from app.widgets.layouts import SLACK, fill, horizontal, vertical
from app.widgets.tables import AnyIndex

if TYPE_CHECKING:
    from core.search.facets.filters import Ticked

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
COUNT_ROLE: Final = Qt.ItemDataRole.UserRole + 2
# Rows per batch of change notifications: a few milliseconds of work.
_ROWS_PER_BATCH: Final = 2000
# Keyed by the names of `Ticked`, whose module is loaded only with the library.
_STATES: Final = {
    "NO": Qt.CheckState.Unchecked,
    "PARTLY": Qt.CheckState.PartiallyChecked,
    "YES": Qt.CheckState.Checked,
}


class FilterModel(QStandardItemModel):
    """Rows with check boxes. A click only emits `wanted`; the changed query then sets the ticks.

    Counts and ticks are stored at once. Views are notified in batches, because tens of thousands of
    rows may change; a visible view repaints itself.
    """

    wanted = Signal(object)
    """The clicked Choice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # References to the items, because Qt does not keep Python objects alive.
        self._items: dict[Hashable, tree.Item] = {}
        # The offer that is shown.
        self.offer = tree.Offer()
        self._ticks: Mapping[Hashable, Ticked] = {}
        self._pending: deque[Hashable] = deque()
        self._notifier = QTimer(self, singleShot=True, interval=0)
        self._notifier.timeout.connect(self._notify_batch)

    def show_change(self, change: tree.TreeChange) -> None:
        """Apply a change in place."""
        self.offer = change.offer
        for step in change.steps:
            inner = self._items[step.parent] if step.parent is not None else None
            parent = inner if inner is not None else self.invisibleRootItem()
            if isinstance(step, tree.Insertion):
                parent.insertRow(step.index, step.items[step.row.key])
                self._items.update(step.items)
            else:
                parent.removeRow(step.index)
                for row in _with_inner(step.row):
                    del self._items[row.key]
        self._notify(change.counted)

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows with these keys, and no others."""
        before, self._ticks = self._ticks, ticks
        keys = dict.fromkeys((*before, *ticks))
        self._notify(tuple(key for key in keys if before.get(key) is not ticks.get(key)))

    def row_at(self, index: AnyIndex) -> tree.Row | None:
        item = self._item_at(index)
        return item.row_shown if item is not None else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """Return the index of a row; invalid if there is none."""
        item = self._items.get(key)
        return item.index() if item is not None else QModelIndex()

    def find(self, start: str, after: AnyIndex) -> Iterator[QModelIndex]:
        """Return the rows whose labels have this prefix, starting at `after` and wrapping around.

        Qt's own search would call Python for the text of each row.
        """
        sought, current = start.casefold(), self.row_at(after)
        rows = [row for heading in self.offer.rows for row in _with_inner(heading)]
        index = next((at for at, row in enumerate(rows) if row is current), 0)
        for row in (*rows[index:], *rows[:index]):
            if row.label.casefold().startswith(sought):
                yield self._items[row.key].index()

    def _item_at(self, index: AnyIndex) -> tree.Item | None:
        item = self.itemFromIndex(index)
        return item if isinstance(item, tree.Item) else None

    def _notify(self, changed: tuple[Hashable, ...]) -> None:
        """Queue notifications for rows whose counts or ticks have changed."""
        self._pending.extend(changed)
        if self._pending:
            self._notifier.start()

    def _notify_batch(self) -> None:
        spans: dict[Hashable, tuple[tree.Item, int, int]] = {}
        for key in [
            self._pending.popleft() for _ in range(min(len(self._pending), _ROWS_PER_BATCH))
        ]:
            if (item := self._items.get(key)) is None:
                continue
            outer, row = item.parent(), item.row()
            parent = outer.row_shown.key if isinstance(outer, tree.Item) else None
            _, first, last = spans.get(parent, (item, row, row))
            spans[parent] = (item, min(first, row), max(last, row))
        for item, first, last in spans.values():
            index = item.index()
            self.dataChanged.emit(index.siblingAtRow(first), index.siblingAtRow(last))
        if self._pending:
            self._notifier.start()

    # Qt's names

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == COUNT_ROLE:
            return self.offer.counts.get(row.key, 0)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            count = texts.documents(self.offer.counts.get(row.key, 0))
            return f"{row.label}, {count}" if row.choice and row.is_counted else row.label
        if role == Qt.ItemDataRole.CheckStateRole and row.choice is not None:
            ticked = self._ticks.get(row.key)
            return _STATES[ticked.name] if ticked is not None else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = texts.shown_path(row.key) if isinstance(row.key, Path) else row.tip
            return texts.hint(tip) or None
        return None

    def setData(self, index: AnyIndex, _value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if role != Qt.ItemDataRole.CheckStateRole or row is None or row.choice is None:
            return False
        self.wanted.emit(row.choice)
        return True


def _with_inner(row: tree.Row) -> Iterator[tree.Row]:
    """Yield a row and all rows below it, in tree order."""
    waiting = [row]
    while waiting:
        yield (outer_row := waiting.pop())
        waiting += reversed(outer_row.rows)


_RIGHT: Final = 12
_GAP: Final = 8


class FilterDelegate(QStyledItemDelegate):
    """Paints rows; a click anywhere on a row ticks it, as the space bar does."""

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: tree.Row = index.data(ROW_ROLE)
        document_count: int = index.data(COUNT_ROLE)
        scheme = scheme_of(option.palette)
        is_mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        painter.save()
        # Without this, the painter would mirror the row a second time.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(_font(row, option.font))
        metrics = QFontMetrics(painter.font())
        is_counted = row.choice is not None and row.is_counted
        count = texts.grouped(document_count) if is_counted else ""
        text = option.rect.adjusted(0, 0, -_RIGHT - metrics.horizontalAdvance(count) - _GAP, 0)
        if row.choice is not None:
            side = px(SIDE)
            box = QRect(option.rect.left(), option.rect.center().y() - side // 2 + 1, side, side)
            placed = QStyle.visualRect(option.direction, option.rect, box)
            state = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))
            paint_box(painter, QRectF(placed), state, scheme)
            text.adjust(side + _GAP, 0, 0, 0)
        painter.setPen(QColor(scheme.text if document_count or not is_counted else scheme.faint))
        label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, text.width())
        leading = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
        trailing = Qt.AlignmentFlag.AlignLeft if is_mirrored else Qt.AlignmentFlag.AlignRight
        rect = QStyle.visualRect(option.direction, option.rect, text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | leading, label)
        painter.setPen(QColor(scheme.muted if document_count else scheme.faint))
        area = option.rect.adjusted(0, 0, -_RIGHT, 0)
        rect = QStyle.visualRect(option.direction, option.rect, area)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | trailing, count)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(0, option.fontMetrics.height() + 10)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> bool:
        if isinstance(event, QMouseEvent):
            is_click = event.type() == QEvent.Type.MouseButtonRelease
            if not is_click or event.button() != Qt.MouseButton.LeftButton:
                return False
            if not option.rect.contains(event.position().toPoint()):
                return False
        elif not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space):
            return False
        return model.setData(index, None, Qt.ItemDataRole.CheckStateRole)


def _font(row: tree.Row, font: QFont) -> QFont:
    bold = QFont(font)
    if row.choice is None:
        bold.setWeight(QFont.Weight.DemiBold)
    return bold


class FilterPane(QFrame):
    """Shows the available filters; the query alone decides which are ticked."""

    wanted = Signal(object)
    """The clicked Choice."""
    clear_wanted = Signal()
    folder_menu_wanted = Signal(object, object)
    """The Path of a folder, and the place for its menu on the screen."""
    left = Signal()
    """The drawer, which the pane is in a narrow window, should close."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("filterPane")
        set_minimum_width(self, 130)
        self._is_drawer = False
        title = Label(self.tr("Filters"), role="title")
        self._clear = Button(self.tr("Clear"), self.clear_wanted, "quiet")
        self._clear.setAccessibleName(self.tr("Clear all filters"))
        policy = self._clear.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(policy)
        self.tree = FilterTree()
        self.tree.filters.wanted.connect(self.wanted)
        self.tree.folder_menu_wanted.connect(self.folder_menu_wanted)
        title.setBuddy(self.tree)
        self.hint = Label(
            self.tr("Filter results by folder, type, date, author and tag."),
            role="muted",
            wraps=True,
        )
        self.hint.setContentsMargins(20, 4, 16, 4)
        head = fill(horizontal(margins=(20, 8, 8, 4)), title, SLACK, self._clear)
        self._layout = vertical(self, margins=(0, 0, 0, 0), spacing=0)
        fill(self._layout, head, self.hint, (self.tree, 1))
        self.setFocusProxy(self.tree)
        self.show_ticks({}, is_filtering=False)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def show_as_drawer(self, *, is_drawer: bool) -> None:
        """Overlay the results and close when the focus leaves, or be a column next to them."""
        self._is_drawer = is_drawer
        # Space for the frame, which the tree would paint over.
        self._layout.setContentsMargins(0, 0, int(is_drawer), 0)
        self.setProperty("drawer", "true" if is_drawer else "false")
        self.style().unpolish(self)
        self.style().polish(self)

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        over = self.parentWidget()
        if now is None or over is None or not self._is_drawer or not self.isVisible():
            return
        # The focus may stay in parts that are not covered, the box and the buttons above.
        is_covered = over.isAncestorOf(now)
        if is_covered and now is not self and not self.isAncestorOf(now):
            self.left.emit()

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is ticked."""
        return not self._clear.isHidden()

    def show_change(self, change: tree.TreeChange) -> None:
        """Apply changed filters and counts in place."""
        self.tree.show_change(change)
        self.hint.setVisible(not change.offer.rows)

    def show_ticks(self, ticks: Mapping[Hashable, Ticked], is_filtering: bool) -> None:
        """Tick the rows with these keys; the query may also have filters without a row."""
        self.tree.show_ticks(ticks)
        self._clear.setVisible(is_filtering)

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_drawer and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(px(230), px(400))


class FilterTree(QTreeView):
    """The rows; keeps track of the open ones when rows are added and removed."""

    folder_menu_wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
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
        self._fit()
        # Avoids measuring each of tens of thousands of rows.
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.collapsed.connect(self._note_closed)
        self.expanded.connect(self._note_open)
        self._under_mouse = QModelIndex()

    def show_change(self, change: tree.TreeChange) -> None:
        """Apply a change; new headings are open unless they were closed before."""
        self.filters.show_change(change)
        for heading in change.offer.rows:
            self._open_unless_closed(heading)
            # A single folder of the library is treated like a heading.
            if heading.key == "folders" and len(heading.rows) == 1:
                self._open_unless_closed(heading.rows[0])
        self.viewport().update()

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows with these keys, and no others."""
        self.filters.show_ticks(ticks)
        self.viewport().update()

    def _fit(self) -> None:
        self.setIndentation(px(18))

    def _open_unless_closed(self, row: tree.Row) -> None:
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
        """Return whether all ancestors of a row are open."""
        while (index := index.parent()).isValid():
            if not self.isExpanded(index):
                return False
        return True

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Queried once for all rows: some systems are slow to return the pointer's position.
        point = self.viewport().mapFromGlobal(QCursor.pos())
        self._under_mouse = self.indexAt(point) if self.viewport().underMouse() else QModelIndex()
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
        row_option = QStyleOptionViewItem(option)
        row_option.rect = self.visualRect(index)
        self.itemDelegate().paint(painter, row_option, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        if not self.model().hasChildren(index):
            return
        is_mirrored = self.isRightToLeft()
        closed = "previous" if is_mirrored else "next"
        drawing = "expand" if self.isExpanded(index) else closed
        side = px(12)
        drawn = pixmap(drawing, scheme_of(self.palette()).muted, side, self.devicePixelRatioF())
        row = self.visualRect(index)
        left = row.right() + 3 if is_mirrored else row.left() - side - 3
        painter.drawPixmap(QPointF(left, rect.center().y() - side // 2 + 1), drawn)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        row = self.filters.row_at(index)
        if row is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if row.choice is None:
                self.setExpanded(index, not self.isExpanded(index))
            else:
                self.filters.setData(index, None, Qt.ItemDataRole.CheckStateRole)
        elif event.key() == Qt.Key.Key_Asterisk:
            # Open one level only: Qt would open thousands of folders below.
            self.expandRecursively(index, 1)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        row = self.filters.row_at(index)
        if row is not None and isinstance(row.key, Path):
            point = self.visualRect(index).center() if is_by_key else event.pos()
            self.folder_menu_wanted.emit(row.key, self.viewport().mapToGlobal(point))

    def keyboardSearch(self, search: str) -> None:
        interval = QApplication.keyboardInputInterval()
        is_going_on = self._since_key.isValid() and self._since_key.elapsed() < interval
        self._sought = self._sought + search if is_going_on else search
        self._since_key.start()
        rows = self.filters.find(self._sought, self.currentIndex())
        if (match := next(filter(self._is_laid_out, rows), None)) is not None:
            self.setCurrentIndex(match)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.filters.row_at(index)
        # The arrow of a heading has toggled it already.
        is_on_it = self.visualRect(index).contains(event.position().toPoint())
        if row is not None and row.choice is None and is_on_it:
            self.setExpanded(index, not self.isExpanded(index))
