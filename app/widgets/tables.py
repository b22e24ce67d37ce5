"""Tables of figures and tables of selectable rows, of any length."""

from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
)

from app import texts
from app.palette import scheme_of
from app.widgets.controls import paint_box

AnyIndex = QModelIndex | QPersistentModelIndex
# The parent of top-level indexes.
NOWHERE: Final = QModelIndex()
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_NAMES = Qt.AlignmentFlag.AlignLeading | _MIDDLE
_FIGURES = Qt.AlignmentFlag.AlignTrailing | _MIDDLE


class RowModel(QAbstractTableModel):
    """A table whose rows are in memory, with a title for each column.

    Columns of `figures` are aligned at the trailing edge. A subclass returns the text of a cell,
    and where needed its text for screen readers, a row's tooltip, and whether a row is a heading.
    """

    def __init__(self, parent: QObject | None, figures: Container[int] = ()) -> None:
        super().__init__(parent)
        self.titles: Sequence[str] = ("",)
        self.rows: Sequence[Any] = ()
        self._figures = figures

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show these rows in place of the others."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def alignment(self, column: int) -> Qt.AlignmentFlag:
        """Return the alignment of a column."""
        return _FIGURES if column in self._figures else _NAMES

    def text(self, row: Any, column: int) -> str:
        raise NotImplementedError

    def spoken_text(self, row: Any, column: int) -> str:
        return self.text(row, column).strip()

    def hint(self, _row: Any) -> str:
        return ""

    def is_heading(self, _row: Any) -> bool:
        return False

    # Qt's names

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(row, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.spoken_text(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return self.hint(row)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self.alignment(column)
            case Qt.ItemDataRole.FontRole if self.is_heading(row):
                return bold_font()
        return None

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.titles):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(section)
        return self.titles[section] if role == Qt.ItemDataRole.DisplayRole else None


def bold_font() -> QFont:
    """Return a font that is only heavier than the view's, for headings among rows."""
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font


def set_row_height(table: QTableView, height: int) -> None:
    """Set the height of all rows in pixels."""
    heads = table.verticalHeader()
    # Otherwise the minimum follows the header's own font, which may be set later.
    heads.setMinimumSectionSize(height)
    heads.setDefaultSectionSize(height)


class MeasuredTable(QTableView):
    """A table whose rows and columns are sized by its font.

    The font is set when the table is first shown, and when the person chooses another size.
    """

    def measure(self) -> None:
        """Set the sizes of rows and columns from the font."""

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()


# The corners of a selected row, and its distance from the next one, in pixels.
_RADIUS: Final = 6
_ROW_GAP: Final = 1


class RowDelegate(QStyledItemDelegate):
    """Paints the selected row of a table as one rounded area, as in the list of results."""

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        states = QStyle.StateFlag
        if option.state & states.State_Selected:
            self._paint_row(painter, option, index)
        plain = QStyleOptionViewItem(option)
        plain.state &= ~(states.State_Selected | states.State_HasFocus)
        super().paint(painter, plain, index)
        if (state := index.data(Qt.ItemDataRole.CheckStateRole)) is not None:
            self._paint_box(painter, option, index, Qt.CheckState(state))

    def _paint_box(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex, state: Qt.CheckState
    ) -> None:
        """Paint the check box in the program's style over that of the system."""
        row = QStyleOptionViewItem(option)
        self.initStyleOption(row, index)
        element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        rect = QRectF(option.widget.style().subElementRect(element, row, option.widget))
        scheme = scheme_of(option.palette)
        painter.save()
        is_selected = option.state & QStyle.StateFlag.State_Selected
        ground = scheme.selected if is_selected else scheme.surface
        painter.fillRect(rect.adjusted(-1, -1, 1, 1), QColor(ground))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_box(painter, rect, state, scheme)
        painter.restore()

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        area = QRectF(option.rect).adjusted(0, _ROW_GAP, 0, -_ROW_GAP)
        is_first, is_last = index.column() == 0, index.column() == index.model().columnCount() - 1
        if option.direction == Qt.LayoutDirection.RightToLeft:
            is_first, is_last = is_last, is_first
        # Corners in the middle of the row are outside the cell.
        area.adjust(0 if is_first else -2 * _RADIUS, 0, 0 if is_last else 2 * _RADIUS, 0)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme_of(option.palette).selected))
        painter.drawRoundedRect(area, _RADIUS, _RADIUS)
        painter.restore()


class FigureTable(QTableWidget):
    """A read-only table; its first column takes the remaining width."""

    def __init__(self, title: str, *columns: str) -> None:
        super().__init__(0, 1 + len(columns))
        self.setObjectName("figures")
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setItemDelegate(RowDelegate(self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self._measure()
        for column, text in enumerate((title, *columns)):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_FIGURES if column else _NAMES)
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        # The shown rows.
        self.lines: list[tuple[str, ...]] = []

    def show_lines(self, lines: Iterable[tuple[str, ...]]) -> None:
        """Show rows, each a name and its figures."""
        self.lines = list(lines)
        self.setRowCount(len(self.lines))
        for row, line in enumerate(self.lines):
            for column, text in enumerate(line):
                item = QTableWidgetItem(text)
                item.setToolTip(texts.hint(text))
                item.setTextAlignment(_FIGURES if column else _NAMES)
                self.setItem(row, column, item)

    def _measure(self) -> None:
        set_row_height(self, self.fontMetrics().lineSpacing() + 8)

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # As in `MeasuredTable`, which a QTableWidget cannot inherit from.
        if event.type() == QEvent.Type.FontChange:
            self._measure()


# Rows that are measured to find the widths of columns.
_MEASURED_ROWS: Final = 20


class RowTable(MeasuredTable):
    """A table of which one whole row is selected at a time.

    A table view, because tree and list views request every row from the model before they show one.
    """

    def __init__(self, name: str, lines: float, margin: int = 0) -> None:
        """Make a table with this accessible `name`.

        Its rows have the height of `lines` of text and a `margin` in pixels.
        """
        super().__init__()
        self._line_count, self._margin = lines, margin
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setItemDelegate(RowDelegate(self))
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        heads = self.verticalHeader()
        heads.hide()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.measure()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        header.setResizeContentsPrecision(_MEASURED_ROWS)

    def show_model(self, model: QAbstractItemModel) -> None:
        """Show a model: the first column is as wide as the others leave it."""
        self.setModel(model)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def measure(self) -> None:
        height = round(self._line_count * self.fontMetrics().lineSpacing()) + self._margin
        set_row_height(self, height)
