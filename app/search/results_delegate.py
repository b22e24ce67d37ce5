"""The layout and painting of the results list's rows."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Self

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import texts
from app.highlighting import HighlightedText, line_height, reads_from_right
from app.palette import Scheme, scheme_of
from app.search.results_model import RIGHT_ROLE, ROW_ROLE, ResultsModel
from app.search.row_labels import (
    folder_labels,
    kind_tag,
    name_label,
    page_label,
    position_label,
    shown_day,
)
from app.search.rows import MoreRow, PassageRow, Row
from app.search.thumbnails import fitted
from app.text_size import px, scaled
from app.widgets.icons import pixmap
from app.widgets.tables import AnyIndex
from core.search.output.match import BEST_SNIPPET, FURTHER_SNIPPET, Highlight, width_in_letters

# Lengths in pixels; those next to text or icons are scaled with `px`.
SIDE: Final = 20
TOP: Final = 13
INDENT: Final = 18
GAP: Final = 5
# Pixels between a passage and the row below it that shows or hides further ones.
_MORE_GAP: Final = 4
_MORE_PADDING: Final = 8
_SAMPLE: Final = "the results that were found stand here, in 20 lines of text"
# Mean number of characters that do not fit at a line's end, because words are not split.
_UNUSED_AT_END: Final = 2.5


@dataclass(frozen=True, slots=True)
class Measures:
    """The fonts and metrics of rows for one font of the list.

    `letter` is the mean width of a character of the snippets, from which the number of lines is
    estimated. Laying snippets out takes a hundred times as long: a second on the GUI thread for a
    thousand documents. A snippet that needs more lines than estimated is elided.
    """

    letter: float
    snippet_line: int
    title: int
    label: int
    more: int
    title_font: QFont
    snippet_font: QFont
    path_font: QFont
    tag_font: QFont

    def lines(self, row: PassageRow, width: int) -> int:
        """Return the number of lines of the row's snippet."""
        most = (BEST_SNIPPET if row.is_best else FURTHER_SNIPPET).lines
        room = max(inner_width(row, width) / self.letter - _UNUSED_AT_END, 1.0)
        return max(1, min(most, math.ceil(width_in_letters(row.snippet) / room)))

    @property
    def divider(self) -> int:
        """Height of the divider above the less likely results, in pixels."""
        return 2 * TOP + self.label

    def height(self, row: PassageRow, width: int, *, has_label: bool, has_more: bool) -> int:
        """Return the height of a row in pixels.

        Args:
            row: the row.
            width: of the list.
            has_label: whether a further passage has a line with its page and heading.
            has_more: whether the row that shows further passages is below.
        """
        snippet = self.lines(row, width) * self.snippet_line
        if row.is_best:
            below = _MORE_GAP if has_more else TOP
            return TOP + self.title + self.label + 2 * GAP + snippet + below
        return TOP + (self.label + GAP if has_label else 0) + snippet


def inner_width(row: PassageRow, width: int) -> int:
    """Return the width of a row's texts in pixels."""
    return width - 2 * SIDE - (px(INDENT) if is_beneath(row) else 0) - picture_room(row, width)


def picture_room(row: PassageRow, width: int) -> int:
    """Return the width for the picture of a row's page next to its texts; 0 for none."""
    has_picture = row.is_best and row.document.has_page_images and not row.document.is_elsewhere
    return px(_PICTURE) + _LABEL_GAP if has_picture and width >= px(_PICTURE_FROM) else 0


def is_beneath(row: PassageRow) -> bool:
    """Return whether a row belongs to the document above it."""
    return row.is_copy or not row.is_best


def measures_of(font: QFont) -> Measures:
    title, snippet, path = scaled(font, 1.06), scaled(font, 0.96), scaled(font, 0.86)
    tag = scaled(path, 0.86)
    for strong in (title, tag):
        strong.setWeight(QFont.Weight.DemiBold)
    return Measures(
        letter=QFontMetricsF(snippet).horizontalAdvance(_SAMPLE) / len(_SAMPLE),
        snippet_line=line_height(snippet),
        title=line_height(title),
        label=QFontMetrics(path).height(),
        more=QFontMetrics(scaled(font, 0.92)).height() + _MORE_PADDING,
        title_font=title,
        snippet_font=snippet,
        path_font=path,
        tag_font=tag,
    )


MARK: Final = 15
_LABEL_GAP: Final = 12
# Width of a page's picture, and of the narrowest list with pictures, at a text size of 100 %.
_PICTURE: Final = 48
_PICTURE_FROM: Final = 340
_TAG_GAP: Final = 8
_TAG_PADDING: Final = 5
# Between the name of a file and its folders.
_DOT: Final = " · "


@dataclass(frozen=True, slots=True)
class Sides:
    """Places the parts of a row, mirrored for right-to-left languages."""

    row: QRect
    direction: Qt.LayoutDirection

    @property
    def leading(self) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignRight if self._is_mirrored else Qt.AlignmentFlag.AlignLeft

    @property
    def trailing(self) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignLeft if self._is_mirrored else Qt.AlignmentFlag.AlignRight

    @property
    def _is_mirrored(self) -> bool:
        return self.direction == Qt.LayoutDirection.RightToLeft

    def mirrored(self, area: QRect) -> QRect:
        """Return `area`, a part of the row, mirrored if necessary."""
        return QStyle.visualRect(self.direction, self.row, area)


@dataclass(frozen=True, slots=True)
class RowSetting:
    """The parameters of a row's layout besides its content."""

    width: int
    is_right: bool
    direction: Qt.LayoutDirection


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A short text of one line and its place in the row."""

    text: str
    rect: QRect
    flags: Qt.AlignmentFlag
    font: QFont


@dataclass(slots=True)
class RowLayout:
    """The layout of a passage row, relative to the row's top left corner.

    `tag` is the background of the file type, `mark` the place of the icon for a right passage,
    `picture` that of its page.
    """

    row: PassageRow
    setting: RowSetting
    title: HighlightedText | None
    snippet: HighlightedText
    measures: Measures
    only: int | None = None
    labels: list[PlacedText] = field(default_factory=list)
    tag: QRectF | None = None
    mark: QRect | None = None
    picture: QRect | None = None
    title_point: QPointF = field(default_factory=QPointF)
    snippet_point: QPointF = field(default_factory=QPointF)

    @classmethod
    def of(cls, row: PassageRow, setting: RowSetting, measures: Measures) -> Self:
        is_mirrored = setting.direction == Qt.LayoutDirection.RightToLeft
        inner, lines = inner_width(row, setting.width), measures.lines(row, setting.width)
        text = row.snippet
        snippet = HighlightedText(
            text.text,
            text.highlights,
            measures.snippet_font,
            inner,
            lines,
            from_right=is_mirrored or reads_from_right(text.text),
        )
        title = None
        if row.is_best:
            room = (
                inner
                - _page_width(row, measures, inner)
                - (px(MARK) + GAP if setting.is_right else 0)
            )
            title = HighlightedText(
                row.title,
                row.title_highlights,
                measures.title_font,
                room,
                1,
                from_right=is_mirrored,
            )
        layout = cls(row, setting, title, snippet, measures)
        layout._arrange()
        return layout

    def update_highlights(self, row: PassageRow, only: int | None) -> None:
        """Update the highlights from the same passage's new row, or for another active word."""
        if row is not self.row:
            self.row = row
            self._arrange()
        self.only = only
        self.snippet.highlight(row.snippet.highlights, only)
        if self.title is not None:
            self.title.highlight(row.title_highlights, only)

    def highlight_at(self, point: QPointF) -> Highlight | None:
        """Return the highlight at `point`."""
        highlight = self.snippet.highlight_at(point - self.snippet_point)
        if highlight is None and self.title is not None:
            highlight = self.title.highlight_at(point - self.title_point)
        return highlight

    def _arrange(self) -> None:
        """Compute the places of all parts."""
        self.labels, self.tag, self.mark = [], None, None
        width = self.setting.width
        sides = Sides(QRect(0, 0, width, 1), self.setting.direction)
        left = SIDE + (px(INDENT) if is_beneath(self.row) else 0)
        inner = QRect(left, 0, width - left - SIDE, 1)
        if room := picture_room(self.row, width):
            inner.setWidth(inner.width() - room)
            below = self.measures.title + self.measures.label + 2 * GAP + self.snippet.height
            area = QRect(inner.right() + _LABEL_GAP, TOP, px(_PICTURE), below)
            self.picture = sides.mirrored(area)
        top = (
            self._arrange_best(inner, sides)
            if self.row.is_best
            else self._arrange_label(inner, sides)
        )
        self.snippet_point = _corner(self.snippet, inner, top, sides)

    def _arrange_best(self, inner: QRect, sides: Sides) -> int:
        """Place the title and the folder below it; return the top of the snippet."""
        assert self.title is not None
        line = QRect(inner.left(), TOP, inner.width(), self.title.height)
        flags = sides.trailing | Qt.AlignmentFlag.AlignVCenter
        small = self.measures.path_font
        page = _page_text(self.row, self.measures, inner.width())
        self.labels.append(PlacedText(page, sides.mirrored(line), flags, small))
        if self.setting.is_right:
            end = round(line.right() - _page_width(self.row, self.measures, inner.width())) - px(
                MARK
            )
            self.mark = sides.mirrored(_mark_in(line, end))
        self.title_point = _corner(self.title, line, TOP, sides)
        top = TOP + self.title.height + 1
        self._arrange_folder(QRect(inner.left(), top, inner.width(), self.measures.label), sides)
        return top + self.measures.label + 2 * GAP - 1

    def _arrange_folder(self, line: QRect, sides: Sides) -> None:
        document = self.row.document
        kind = kind_tag(document)
        left = line.left()
        if kind:
            font = self.measures.tag_font
            width = QFontMetrics(font).horizontalAdvance(kind) + 2 * _TAG_PADDING
            rect = sides.mirrored(QRect(left, line.top(), width, line.height()))
            self.tag = QRectF(rect)
            self.labels.append(PlacedText(kind, rect, Qt.AlignmentFlag.AlignCenter, font))
            left += width + _TAG_GAP
        small = self.measures.path_font
        metrics = QFontMetrics(small)
        middle = Qt.AlignmentFlag.AlignVCenter
        marks = (texts.incomplete() if document.is_incomplete else "", shown_day(document))
        end = " · ".join(filter(None, marks))
        self.labels.append(PlacedText(end, sides.mirrored(line), sides.trailing | middle, small))
        right = line.right() - (metrics.horizontalAdvance(end) + 10 if end else 0)
        room = QRect(left, line.top(), right - left, line.height())
        shown = _path_text(self.row, metrics, room.width())
        self.labels.append(PlacedText(shown, sides.mirrored(room), sides.leading | middle, small))

    def _arrange_label(self, inner: QRect, sides: Sides) -> int:
        """Place the page and heading of a further passage; return the top of the snippet."""
        small, height = self.measures.path_font, self.measures.label
        top = TOP // 2
        line = QRect(inner.left(), top, inner.width(), height)
        label = position_label(self.row)
        if self.setting.is_right:
            self.mark = sides.mirrored(_mark_in(line, line.left()))
            line.setLeft(line.left() + px(MARK) + GAP)
        shown = QFontMetrics(small).elidedText(label, Qt.TextElideMode.ElideRight, line.width())
        self.labels.append(PlacedText(shown, sides.mirrored(line), sides.leading, small))
        return top + (height + GAP if label or self.setting.is_right else 0)


def _corner(text: HighlightedText, line: QRect, top: int, sides: Sides) -> QPointF:
    """Return the top left corner of `text` at the start of `line`."""
    room = QRect(line.left(), top, round(text.width), text.height)
    return QPointF(sides.mirrored(room).topLeft())


def _path_text(row: PassageRow, metrics: QFontMetrics, room: int) -> str:
    """Return the row's name and folders, shortened on the side that tells least apart."""
    middle, name = Qt.TextElideMode.ElideMiddle, name_label(row)
    if name:
        name = metrics.elidedText(name, middle, room * 3 // 5) + _DOT
        room -= metrics.horizontalAdvance(name)
    folders = folder_labels(row.document, row.depth)
    fitting = (shown for shown in folders if metrics.horizontalAdvance(shown) <= room)
    return name + next(fitting, metrics.elidedText(folders[-1], middle, room))


def _page_text(row: PassageRow, measures: Measures, room: int) -> str:
    """Return the page or sheet in at most a third of the room of the row's texts."""
    elided = QFontMetrics(measures.path_font).elidedText
    return elided(page_label(row), Qt.TextElideMode.ElideRight, room // 3)


def _page_width(row: PassageRow, measures: Measures, room: int) -> float:
    label = _page_text(row, measures, room)
    return QFontMetricsF(measures.path_font).horizontalAdvance(label) + 14 if label else 0.0


def _mark_in(line: QRect, left: int) -> QRect:
    """Return the place of the mark of a right passage, at `left` in `line`."""
    side = px(MARK)
    return QRect(left, line.center().y() - side // 2 + 1, side, side)


_FRAME: Final = 6


class ResultDelegate(QStyledItemDelegate):
    """Paints passages with highlights; rows are laid out when they are first painted.

    Layouts are cached until the width or the rows change.
    """

    def __init__(self, results: ResultsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._results = results
        self._measures = measures_of(parent.font())
        self._font = parent.font()
        self._layouts: dict[int, RowLayout] = {}
        self._only: int | None = None
        # Returns the picture of a row's page, if it is drawn.
        self.picture_of: Callable[[PassageRow], QPixmap | None] = lambda _row: None

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or the most significant ones (None)."""
        self._only = word

    def highlight_at(self, row: PassageRow, point: QPointF) -> Highlight | None:
        """Return the highlight at `point` in a painted row."""
        layout = self._layouts.get(row.passage_id)
        above = QPointF(0, self._above(row, self._font))
        return layout.highlight_at(point - above) if layout is not None else None

    def _above(self, row: Row, font: QFont) -> int:
        """Return the height of the divider at the top of the row, or 0."""
        is_first = isinstance(row, PassageRow) and row.passage_id == self._results.first_unlikely
        return self._measured(font).divider if is_first else 0

    def forget(self) -> None:
        """Drop the layouts after a change of rows or font."""
        self._layouts.clear()

    def _measured(self, font: QFont) -> Measures:
        if font != self._font:
            self._font, self._measures = QFont(font), measures_of(font)
        return self._measures

    def _layout(self, row: PassageRow, setting: RowSetting, font: QFont) -> RowLayout:
        layout = self._layouts.get(row.passage_id)
        if layout is None or layout.setting != setting:
            layout = RowLayout.of(row, setting, self._measured(font))
            self._layouts[row.passage_id] = layout
        if layout.row is not row or layout.only != self._only:
            layout.update_highlights(row, self._only)
        return layout

    @staticmethod
    def _paint_passage(painter: QPainter, layout: RowLayout, scheme: Scheme) -> None:
        """Paint a row at the painter's origin."""
        muted = QColor(scheme.muted)
        if layout.tag is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.line))
            painter.drawRoundedRect(layout.tag, 4, 4)
        painter.setPen(muted)
        for label in layout.labels:
            painter.setFont(label.font)
            painter.drawText(label.rect, label.flags, label.text)
        if layout.mark is not None:
            scale = painter.device().devicePixelRatioF()
            drawn = pixmap("right", scheme.accent, px(MARK), scale)
            painter.drawPixmap(QPointF(layout.mark.topLeft()), drawn)
        text = QColor(scheme.text if layout.row.is_likely else scheme.muted)
        if layout.title is not None:
            layout.title.paint(painter, layout.title_point, text, scheme)
        layout.snippet.paint(painter, layout.snippet_point, text, scheme)

    def _paint_divider(
        self, painter: QPainter, option: QStyleOptionViewItem, scheme: Scheme, height: int
    ) -> None:
        """Paint the divider above the less likely results at the top of the first of them."""
        area = QRect(option.rect.left(), option.rect.top(), option.rect.width(), height)
        inner = area.adjusted(SIDE, 0, -SIDE, 0)
        sides = Sides(area, option.direction)
        font = self._measured(option.font).path_font
        text = self.tr("Less likely")
        painter.setFont(font)
        painter.setPen(QColor(scheme.muted))
        flags = sides.leading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(sides.mirrored(inner), flags, text)
        left = inner.left() + QFontMetrics(font).horizontalAdvance(text) + _LABEL_GAP
        rule = QRect(left, area.center().y(), max(inner.right() - left, 0), 1)
        painter.fillRect(sides.mirrored(rule), QColor(scheme.line))

    @staticmethod
    def _paint_more(
        painter: QPainter, option: QStyleOptionViewItem, row: MoreRow, scheme: Scheme
    ) -> None:
        area = option.rect
        sides = Sides(area, option.direction)
        scale = painter.device().devicePixelRatioF()
        side = px(12)
        drawn = pixmap("collapse" if row.is_open else "expand", scheme.accent, side, scale)
        box = QRect(area.left() + SIDE, area.center().y() - side // 2 + 1, side, side)
        painter.drawPixmap(QPointF(sides.mirrored(box).topLeft()), drawn)
        painter.setFont(scaled(option.font, 0.92))
        painter.setPen(QColor(scheme.accent))
        label = area.adjusted(SIDE + px(INDENT), 0, -SIDE, 0)
        flags = sides.leading | Qt.AlignmentFlag.AlignVCenter
        text = texts.more(
            row.count, are_shown=row.is_open, are_copies=row.is_of_copies, mails=row.mails
        )
        painter.drawText(sides.mirrored(label), flags, text)

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row = index.data(ROW_ROLE)
        area: QRect = option.rect
        scheme = scheme_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Without this, the painter would mirror the row a second time.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if above := self._above(row, option.font):
            self._paint_divider(painter, option, scheme, above)
            area = area.adjusted(0, above, 0, 0)
        _paint_frame(painter, option, area, scheme)
        if isinstance(row, MoreRow):
            self._paint_more(painter, option, row, scheme)
        else:
            setting = RowSetting(area.width(), bool(index.data(RIGHT_ROLE)), option.direction)
            painter.translate(area.topLeft())
            layout = self._layout(row, setting, option.font)
            self._paint_passage(painter, layout, scheme)
            if layout.picture is not None and (picture := self.picture_of(row)) is not None:
                _paint_picture(painter, layout.picture, picture, scheme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        # Called for each row on each layout of the list, so avoid Qt's variants.
        row = self._results.row_at(index)
        width: int = option.rect.width()
        # Qt also calls this without a width, for the scroll step, which the view sets itself.
        measures = self._measured(option.font)
        if not isinstance(row, PassageRow) or not width:
            return QSize(0, measures.more)
        has_label = not row.is_best and bool(position_label(row) or index.data(RIGHT_ROLE))
        has_more = self._results.has_more_below(index.row())
        height = measures.height(row, width, has_label=has_label, has_more=has_more)
        return QSize(0, self._above(row, option.font) + height)


def _paint_picture(painter: QPainter, area: QRect, picture: QPixmap, scheme: Scheme) -> None:
    """Paint the picture of a page at the top of an area."""
    shown = fitted(picture, area.width(), area.height(), painter.device().devicePixelRatioF())
    size = shown.deviceIndependentSize()
    rect = QRectF(area.left() + (area.width() - size.width()) / 2, area.top(), *size.toTuple())
    painter.drawPixmap(rect.topLeft(), shown)
    if scheme.is_dark:
        # As the pages in the reader.
        painter.fillRect(rect, QColor(0, 0, 0, 38))
    painter.setPen(QColor(scheme.line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect)


def _paint_frame(
    painter: QPainter, option: QStyleOptionViewItem, area: QRect, scheme: Scheme
) -> None:
    state = option.state
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    if not is_selected and not state & QStyle.StateFlag.State_MouseOver:
        return
    frame = area.adjusted(_FRAME, 2, -_FRAME, -2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.selected if is_selected else scheme.hover))
    painter.drawRoundedRect(QRectF(frame), 9, 9)
    if is_selected and state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(QColor(scheme.accent))
        mark = QRect(frame.left() + 3, frame.top() + 9, 3, frame.height() - 18)
        placed = Sides(area, option.direction).mirrored(mark)
        painter.drawRoundedRect(QRectF(placed), 1.5, 1.5)
