"""Typesets texts with their styles in a document of Qt."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final

from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextList,
    QTextListFormat,
    QTextOption,
)

from app.palette import Scheme
from app.reader.marks import Part
from core.documents.document import Page, Style, StyledSpan

# Block property: the block has a background, which is painted below its highlights.
SHADED: Final = QTextFormat.Property.UserProperty.value
# Block property: the right edges of the columns of a table's row, in pixels as text.
COLUMNS: Final = SHADED + 1
# Between two cells of a row in the text, and as it is typeset: as long, so that offsets stay.
_BAR: Final = " | "
_TAB: Final = " \t "
# Pixels between the text of a cell and the edge of its column, and of the widest table.
_CELL_PADDING: Final = 10.0
_WIDEST_TABLE: Final = 640.0
LINE_PERCENT: Final = 138
_CODE_PERCENT: Final = 118
_HEADING_SIZES: Final = (1.55, 1.3, 1.15, 1.05)
_STEP: Final = 22
_BULLETS: Final = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)
_BLOCKS: Final = frozenset(
    {Style.ITEM, Style.NUMBERED, Style.QUOTE, Style.CODE, Style.ROW, Style.FIELD}
)


@dataclass(frozen=True, slots=True)
class Typesetting:
    """How a part of a page is typeset; positions are offsets into the part's text.

    `headings` map offsets to level and length. Code uses a fixed-width font, and its first line has
    the number `first_line`.
    """

    styles: tuple[StyledSpan, ...] = ()
    headings: tuple[tuple[int, int, int], ...] = ()
    is_code: bool = False
    first_line: int = 1


PLAIN: Final = Typesetting()


def typesetting_of(page: Page, part: Part, *, is_code: bool) -> Typesetting:
    """Return the typesetting of a part of a page."""
    styles = tuple(
        replace(span, start=max(span.start, part.start) - part.start, end=span.end - part.start)
        for span in page.styles
        if span.start < part.end and (span.end > part.start or span.start >= part.start)
    )
    headings = tuple(
        (heading.start - part.start, heading.level, len(heading.text))
        for heading in page.headings
        if part.start <= heading.start < part.end
    )
    start, number = 0, 1
    for span in page.styles:
        if span.style is Style.LINE and span.start <= part.start:
            start, number = span.start, span.level
    return Typesetting(styles, headings, is_code, number + page.text.count("\n", start, part.start))


def fixed_font(like: QFont) -> QFont:
    """Return the system's fixed-width font in the size of another font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(like.pointSizeF() * 0.94)
    return font


def fill(document: QTextDocument, text: str, setting: Typesetting, scheme: Scheme) -> None:
    """Replace the content of a document with `text`."""
    document.clear()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    writer = _Writer(cursor, text, setting, scheme, document.defaultFont())
    for index, (start, end) in enumerate(_lines(text)):
        writer.line(start, end, is_first=index == 0)
    cursor.endEditBlock()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


class _Writer:
    """Writes a text line by line."""

    def __init__(
        self, cursor: QTextCursor, text: str, setting: Typesetting, scheme: Scheme, font: QFont
    ) -> None:
        self._cursor = cursor
        self._text = text
        self._setting = setting
        self._scheme = scheme
        self._font = font
        self._fixed = fixed_font(font)
        blocks = [span for span in setting.styles if span.style in _BLOCKS]
        inline = [span for span in setting.styles if span.style not in _BLOCKS]
        self._blocks = sorted(blocks, key=lambda block: block.start)
        self._inline = sorted(inline, key=lambda style: style.start)
        self._headings = {start: (level, length) for start, level, length in setting.headings}
        self._next_block = self._next_inline = 0
        self._open: list[StyledSpan] = []
        self._within: list[StyledSpan] = []
        self._lists: dict[tuple[Style, int], QTextList] = {}
        # The right edges of the columns of tables, by the start of each row.
        self._columns = dict(self._edges())

    def _edges(self) -> Iterator[tuple[int, list[float]]]:
        """Yield the starts of rows with the edges of their table's columns.

        Only of tables whose rows all have as many cells: the text of others does not say which are
        empty. A table that is too wide keeps its bars, too.
        """
        rows = [span for span in self._blocks if span.style is Style.ROW]
        firsts = [index for index, row in enumerate(rows) if row.level or not index]
        bold = QFont(self._font)
        bold.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetricsF(bold)
        for first, end in pairwise([*firsts, len(rows)]):
            table = rows[first:end]
            cells = [self._text[row.start : row.end].split(_BAR) for row in table]
            if len(cells[0]) < 2 or len({len(row) for row in cells}) > 1:
                continue
            widths = [
                max(map(metrics.horizontalAdvance, column)) + 2 * _CELL_PADDING
                for column in zip(*cells, strict=True)
            ]
            if (edges := list(accumulate(widths)))[-1] <= _WIDEST_TABLE:
                yield from ((row.start, edges) for row in table)

    def line(self, start: int, end: int, *, is_first: bool) -> None:
        styles = self._styles_at(start)
        block, char = self._formats(start, end, styles)
        if is_first:
            self._cursor.setBlockFormat(block)
            self._cursor.setBlockCharFormat(char)
        else:
            self._cursor.insertBlock(block, char)
        self._make_item(start, styles)
        start_of_rest = start
        if Style.FIELD in styles:
            start_of_rest = min(start + styles[Style.FIELD].level + 1, end)
            muted = QTextCharFormat(char)
            muted.setForeground(QColor(self._scheme.muted))
            self._cursor.insertText(self._text[start:start_of_rest], muted)
        is_row = start in self._columns
        for first, last, inside in self._inside(start_of_rest, end):
            text = self._text[first:last]
            self._cursor.insertText(
                text.replace(_BAR, _TAB) if is_row else text, self._styled(char, inside)
            )

    def _styles_at(self, start: int) -> dict[Style, StyledSpan]:
        while (
            self._next_block < len(self._blocks) and self._blocks[self._next_block].start <= start
        ):
            self._open.append(self._blocks[self._next_block])
            self._next_block += 1
        self._open = [span for span in self._open if start < span.end]
        return {span.style: span for span in self._open}

    def _inside(self, start: int, end: int) -> Iterator[tuple[int, int, list[Style]]]:
        """Split a line into runs, each with its styles."""
        while self._next_inline < len(self._inline) and self._inline[self._next_inline].start < end:
            self._within.append(self._inline[self._next_inline])
            self._next_inline += 1
        self._within = [span for span in self._within if span.end > start]
        edges = {edge for span in self._within for edge in (span.start, span.end)}
        offsets = sorted({start, end, *(edge for edge in edges if start < edge < end)})
        waiting, now = deque(self._within), list[StyledSpan]()
        for first, last in pairwise(offsets):
            while waiting and waiting[0].start <= first:
                now.append(waiting.popleft())
            now = [span for span in now if span.end > first]
            yield first, last, [span.style for span in now]

    def _formats(
        self, start: int, end: int, styles: dict[Style, StyledSpan]
    ) -> tuple[QTextBlockFormat, QTextCharFormat]:
        block, char = QTextBlockFormat(), QTextCharFormat()
        is_code = self._setting.is_code or Style.CODE in styles
        percent = _CODE_PERCENT if is_code or Style.FIELD in styles else LINE_PERCENT
        if Style.CODE in styles:
            percent = 100  # or there were stripes between its lines
        block.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        char.setFont(self._fixed if is_code else self._font)
        if is_code and not self._setting.is_code:
            block.setProperty(SHADED, True)
            block.setLeftMargin(10)
        if quote := styles.get(Style.QUOTE):
            block.setLeftMargin(block.leftMargin() + _STEP * min(quote.level, 5))
            char.setForeground(QColor(self._scheme.muted))
        if (row := styles.get(Style.ROW)) is not None and row.level:
            char.setFontWeight(QFont.Weight.DemiBold)
        if edges := self._columns.get(start):
            block.setProperty(COLUMNS, " ".join(f"{edge:.1f}" for edge in edges))
            block.setLeftMargin(_CELL_PADDING)
            # Less the space after the tab.
            space = QFontMetricsF(self._font).horizontalAdvance(" ")
            block.setTabPositions(
                [QTextOption.Tab(edge - space, QTextOption.TabType.LeftTab) for edge in edges[:-1]]
            )
        if heading := self._headings.get(start):
            level, length = heading
            if length >= end - start:
                font = QFont(self._font)
                size = _HEADING_SIZES[min(level, len(_HEADING_SIZES)) - 1]
                font.setPointSizeF(font.pointSizeF() * size)
                font.setWeight(QFont.Weight.DemiBold)
                char.setFont(font)
                block.setTopMargin(6 if start else 0)
        if start == end and not is_code:
            # The blank line between two paragraphs is lower than a line of text.
            small = QFont(self._font)
            small.setPointSizeF(max(1.0, small.pointSizeF() * 0.5))
            char.setFont(small)
        return block, char

    def _make_item(self, start: int, styles: dict[Style, StyledSpan]) -> None:
        item = styles.get(Style.ITEM) or styles.get(Style.NUMBERED)
        if item is None:
            if self._text[start : start + 1].strip():
                self._lists.clear()
            return
        if item.start != start:
            # Indent further lines of an item to the text of its first line.
            block = self._cursor.blockFormat()
            block.setLeftMargin(block.leftMargin() + _STEP * item.level)
            self._cursor.setBlockFormat(block)
            return
        for key in [key for key in self._lists if key[1] > item.level]:
            del self._lists[key]
        known = self._lists.get((item.style, item.level))
        if known is not None:
            known.add(self._cursor.block())
            return
        shape = QTextListFormat()
        shape.setIndent(item.level)
        numbered = item.style is Style.NUMBERED
        shape.setStyle(
            QTextListFormat.Style.ListDecimal
            if numbered
            else _BULLETS[(item.level - 1) % len(_BULLETS)]
        )
        self._lists[item.style, item.level] = self._cursor.createList(shape)

    def _styled(self, plain: QTextCharFormat, styles: list[Style]) -> QTextCharFormat:
        char = QTextCharFormat(plain)
        # Set the font first: it would override the other properties.
        if Style.LITERAL in styles:
            # Without a background, which would cover highlights.
            char.setFont(self._fixed)
        if Style.STRONG in styles:
            char.setFontWeight(QFont.Weight.Bold)
        if Style.EMPHASIS in styles:
            char.setFontItalic(True)
        if Style.LINK in styles:
            char.setForeground(QColor(self._scheme.accent))
        return char


def line_numbers(setting: Typesetting, text: str) -> list[int]:
    """Return the number of each line of a text of code."""
    jumps = {span.start: span.level for span in setting.styles if span.style is Style.LINE}
    numbers: list[int] = []
    number = setting.first_line
    for start, _ in _lines(text):
        number = jumps.get(start, number)
        numbers.append(number)
        number += 1
    return numbers
