"""A workbook as a table with highlights in its cells."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QPoint,
    QPointF,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
)

from app import texts
from app.highlighting import HighlightedText, HighlightTips
from app.palette import scheme_of
from app.reader.controls import command_of
from app.reader.marks import NO_MARKS, Marks, Span
from app.widgets.controls import Label
from app.widgets.layouts import fill, vertical
from app.widgets.tables import NOWHERE, AnyIndex, MeasuredTable, set_row_height
from core.documents.document import Page, SheetRow, packed_rows
from core.search.output.match import Highlight, QueryWord, shifted, visible_highlights

_MAX_COLUMNS: Final = 16_384


class SheetModel(QAbstractTableModel):
    """One sheet; cell texts are looked up in the page's text when they are shown."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._text = page.text
        self._rows = packed_rows(page.rows, len(page.text))
        self._trailing = _trailing_rows(page)
        self._columns = min(self._rows.most_columns, _MAX_COLUMNS)

    def row(self, index: int) -> SheetRow:
        """Return a row; the lines of text after the table follow its last row."""
        count = len(self._rows)
        return self._rows[index] if index < count else self._trailing[index - count]

    def span_of(self, row: int, column: int) -> Span | None:
        """Return the span of a cell in the page's text, or None if it is empty."""
        column_number = column + 1
        for cell, start, end in self.row(row).cells:
            if cell == column_number:
                return start, end
        return None

    def text_of(self, row: int, column: int) -> str:
        span = self.span_of(row, column)
        return self._text[span[0] : span[1]] if span is not None else ""

    def lengths(self, row: int) -> Iterator[tuple[int, int]]:
        """Return the column and the text length of each cell of a row."""
        for column, start, end in self.row(row).cells:
            yield column - 1, end - start

    def at(self, offset: int) -> tuple[int, int]:
        """Return the row and column of the cell at an offset of the page's text."""
        if self._trailing and offset >= self._trailing[0].start:
            starts = [row.start for row in self._trailing]
            row = len(self._rows) + bisect_right(starts, offset) - 1
        else:
            row = self._rows.row_at(offset)
        cells = self.row(row).cells if self.rowCount() else ()
        column = next((cell - 1 for cell, _, end in cells if offset < end), 0)
        return row, column

    def rows_of(self, span: Span) -> range:
        """Return the rows that a span of the page's text covers."""
        return range(self.at(span[0])[0], self.at(max(span[0], span[1] - 1))[0] + 1)

    # Qt's names

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows) + len(self._trailing)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else self._columns

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = self.text_of(index.row(), index.column())
            return (texts.hint(text) if role == Qt.ItemDataRole.ToolTipRole else text) or None
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return letters_of(section + 1)
        return str(self.row(section).number or "") if section < self.rowCount() else None


def letters_of(column: int) -> str:
    """Return the letters of a column, counted from 1.

    >>> [letters_of(column) for column in (1, 26, 27, 703)]
    ['A', 'Z', 'AA', 'AAA']
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _trailing_rows(page: Page) -> list[SheetRow]:
    """Return the text after the last row, such as comments, as rows without a number."""
    if not page.rows or not page.rows[-1].cells:
        return []
    rows = []
    start = max(end for _, _, end in page.rows[-1].cells)
    for line in page.text[start:].split("\n"):
        if line.strip():
            rows.append(SheetRow(start, 0, ((1, start, start + len(line)),)))
        start += len(line) + 1
    return rows


_PADDING: Final = 7
_MIN_WIDTH, _MAX_WIDTH = 56, 420
# Rows that are measured to set the widths of the columns.
_MEASURED_ROWS: Final = 200
_MAX_MEASURED_LENGTH: Final = 400
_MAX_WIDENED: Final = 100


def _direction_of(text: str) -> Qt.LayoutDirection:
    """Return the direction of a sheet, which its first letter with a direction decides.

    >>> _direction_of("1 | Month"), _direction_of("1 | שלום")
    (<LayoutDirection.LeftToRight: 0>, <LayoutDirection.RightToLeft: 1>)
    """
    kinds = map(unicodedata.bidirectional, text)
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    is_mirrored = first != "L"
    return Qt.LayoutDirection.RightToLeft if is_mirrored else Qt.LayoutDirection.LeftToRight


class SheetView(QFrame):
    """One sheet of a workbook, and tabs to switch between sheets."""

    sheet_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheetView")
        self.table = SheetTable()
        self._tabs = QTabBar(drawBase=False, expanding=False)
        self._tabs.setObjectName("sheetTabs")
        self._tabs.setUsesScrollButtons(True)
        self._tabs.setAccessibleName(self.tr("Sheets"))
        self._tabs.currentChanged.connect(self.sheet_chosen)
        self._cell_label = Label(wraps=True)
        self._cell_label.setObjectName("cellText")
        self._cell_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._cell_label.setMaximumHeight(4 * self.fontMetrics().lineSpacing() + 12)
        self.table.cell_chosen.connect(self._show_cell)
        layout = vertical(self, margins=(0, 0, 0, 0), spacing=0)
        fill(layout, (self.table, 1), self._cell_label, self._tabs)
        self._cell_label.hide()

    def show_names(self, names: Sequence[str]) -> None:
        """Set the names of the sheets."""
        with QSignalBlocker(self._tabs):
            while self._tabs.count():
                self._tabs.removeTab(0)
            for name in names:
                self._tabs.addTab(name.replace("&", "&&"))
        self._tabs.setVisible(len(names) > 1)

    def show_sheet(self, index: int, page: Page, marks: Marks) -> None:
        """Show sheet `index`, counted from 0; keep the position if it is shown already."""
        with QSignalBlocker(self._tabs):
            self._tabs.setCurrentIndex(index)
        self.table.show_page(page, marks)

    def _show_cell(self, text: str) -> None:
        self._cell_label.setText(text)
        self._cell_label.setVisible(bool(text))


class SheetTable(MeasuredTable):
    """The cells of a sheet; only the visible ones are requested from the model."""

    cell_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        # The words of the query, which the tooltips of highlights name.
        self.words: tuple[QueryWord, ...] = ()
        self.marks = NO_MARKS
        self._only: int | None = None
        self.highlights: tuple[Highlight, ...] = ()
        self.passage_rows = range(0)
        self._page: Page | None = None
        self.setObjectName("sheetTable")
        self.setAccessibleName(self.tr("Sheet cells"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(QStandardItemModel(self))
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        HighlightTips(self, self._highlight_at, lambda: self.words)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.measure()
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def measure(self) -> None:
        """Set the sizes of rows and columns from the font."""
        set_row_height(self, self.fontMetrics().lineSpacing() + 9)
        if (sheet := self.sheet) is not None:
            self._fit_columns(sheet)
            self._fit_highlights(sheet)

    @property
    def sheet(self) -> SheetModel | None:
        model = self.model()
        return model if isinstance(model, SheetModel) else None

    def show_page(self, page: Page, marks: Marks) -> None:
        """Show a page of a workbook with `marks`; keep the position if it is shown already."""
        if page is not self._page:
            self._page = page
            old = self.model()
            model = SheetModel(page)
            model.setParent(self)
            # Use the direction of the sheet, not of the window.
            self.setLayoutDirection(_direction_of(page.text))
            self.setModel(model)
            old.deleteLater()
            self.horizontalHeader().setDefaultSectionSize(_MIN_WIDTH)
            self._fit_columns(model)
            self.selectionModel().currentChanged.connect(self._emit_cell_text)
            # Clear the full text of the previous sheet's cell.
            self.cell_chosen.emit("")
        self.marks = marks
        sheet = self.sheet
        assert sheet is not None
        self.passage_rows = sheet.rows_of(marks.passage) if marks.passage else range(0)
        self.show_only(self._only)
        self._fit_highlights(sheet)

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self._only = word
        self.highlights = visible_highlights(self.marks.highlights, word)
        self.viewport().update()

    def scroll_to(self, span: Span | None, *, is_gentle: bool = False) -> None:
        """Scroll to the cell that contains a span of the page's text."""
        sheet = self.sheet
        if span is None or sheet is None or not sheet.rowCount():
            self.scrollToTop()
            return
        index = sheet.index(*sheet.at(span[0]))
        self.setCurrentIndex(index)
        hint = QAbstractItemView.ScrollHint
        self.scrollTo(index, hint.EnsureVisible if is_gentle else hint.PositionAtCenter)

    def highlights_in(self, span: Span) -> tuple[Highlight, ...]:
        """Return the highlights in a cell, in offsets into its text."""
        inside = (
            highlight
            for highlight in self.highlights
            if span[0] <= highlight.start and highlight.end <= span[1]
        )
        return shifted(inside, -span[0])

    def has_match(self, span: Span) -> bool:
        """Whether a match begins in a cell. Bisects, because there may be thousands of matches."""
        matches = self.marks.matches
        index = bisect_left(matches, span[0], key=lambda match: match[0])
        return index < len(matches) and matches[index][0] < span[1]

    def cell_at(self, index: AnyIndex) -> tuple[str, Span | None]:
        sheet = self.sheet
        if sheet is None or not index.isValid():
            return "", None
        span = sheet.span_of(index.row(), index.column())
        return sheet.text_of(index.row(), index.column()), span

    def _highlight_at(self, point: QPoint) -> Highlight | None:
        index = self.indexAt(point)
        text, span = self.cell_at(index)
        if span is None or not self.highlights_in(span):
            return None
        return self._delegate.highlight_at(text, span, self.visualRect(index), point)

    def _emit_cell_text(self, current: AnyIndex) -> None:
        text, _ = self.cell_at(current)
        is_cut = self.fontMetrics().horizontalAdvance(text) + 2 * _PADDING > self.columnWidth(
            current.column()
        )
        self.cell_chosen.emit(text if is_cut else "")

    def _fit_columns(self, model: SheetModel) -> None:
        """Set the width of each column from a sample of rows, within limits."""
        rows = model.rowCount()
        longest: dict[int, tuple[int, int]] = {}
        for row in range(0, rows, max(1, rows // _MEASURED_ROWS)):
            for column, length in model.lengths(row):
                longest[column] = max(longest.get(column, (0, 0)), (length, row))
        for column, (_, row) in longest.items():
            self._widen(column, model.text_of(row, column))

    def _fit_highlights(self, model: SheetModel) -> None:
        """Widen columns whose highlights would be cut off."""
        for highlight in islice(self.highlights, _MAX_WIDENED):
            row, column = model.at(highlight.start)
            span = model.span_of(row, column)
            if span is not None:
                self._widen(column, model.text_of(row, column)[: highlight.end - span[0]] + " …")

    def _widen(self, column: int, text: str) -> None:
        width = self.fontMetrics().horizontalAdvance(text[:_MAX_MEASURED_LENGTH]) + 2 * _PADDING + 4
        wanted = min(max(width, _MIN_WIDTH), _MAX_WIDTH)
        if wanted > self.columnWidth(column):
            self.setColumnWidth(column, wanted)

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Leave the reader's keys to the reader instead of moving the cursor.
        if command_of(event) is not None:
            event.ignore()
        else:
            super().keyPressEvent(event)


class CellDelegate(QStyledItemDelegate):
    """Paints a cell: one line of text with its highlights and matches."""

    def __init__(self, table: SheetTable) -> None:
        super().__init__(table)
        self._table = table

    def highlight_at(self, text: str, span: Span, area: QRect, point: QPoint) -> Highlight | None:
        """Return the highlight at a point of the view."""
        shown = self._highlighted_text(text, span, area)
        left, top = self._corner(area, shown)
        return shown.highlight_at(QPointF(point.x() - left, point.y() - top))

    def _highlighted_text(self, text: str, span: Span, area: QRect) -> HighlightedText:
        width = area.width() - 2 * _PADDING
        return HighlightedText(text, self._table.highlights_in(span), self._table.font(), width, 1)

    def _corner(self, area: QRect, shown: HighlightedText) -> tuple[float, float]:
        return area.left() + _PADDING, area.top() + (area.height() - shown.height) / 2

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        table = self._table
        scheme = scheme_of(table.palette())
        area: QRect = option.rect
        state = option.state
        text, span = table.cell_at(index)
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(scheme.selected))
        if index.row() in table.passage_rows and index.column() == 0:
            painter.fillRect(
                QRect(area.left(), area.top(), 3, area.height()), QColor(scheme.accent)
            )
        if span is not None:
            if table.has_match(span):
                painter.fillRect(area, QColor(scheme.match))
            shown = self._highlighted_text(text, span, area)
            painter.setClipRect(area)
            corner = self._corner(area, shown)
            shown.paint(painter, QPointF(*corner), QColor(scheme.text), scheme)
        current = table.marks.current
        if current is not None and span is not None and span[0] <= current[0] < span[1]:
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(1, 1, -2, -2))
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(_MIN_WIDTH, self._table.verticalHeader().defaultSectionSize())
