"""How a row of the results list is painted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import texts
from app.icons import pixmap
from app.lit_text import LitText
from app.palette import Scheme, scheme_of
from app.search.measures import (
    GAP,
    INDENT,
    MORE_HEIGHT,
    SIDE,
    TOP,
    Measures,
    inner_width,
    measures_of,
    path_font,
    scaled,
    snippet_font,
    title_font,
)
from app.search.model import RIGHT_ROLE, ROW_ROLE, ResultsModel
from app.search.rows import MoreRow, PassageRow, Row
from core.catalog.dates import day_of

if TYPE_CHECKING:
    from app.highlights import Lit
    from core.search.results import DocumentHit

    AnyIndex = QModelIndex | QPersistentModelIndex

_FRAME: Final = 6
_MARK: Final = 15
_APART: Final = 12


@dataclass(slots=True)
class _Look:
    """A passage row laid out for one width."""

    row: PassageRow
    width: int
    is_right: bool
    is_mirrored: bool
    title: LitText | None
    snippet: LitText
    only: int | None = None
    title_place: QPointF = field(default_factory=QPointF)
    snippet_place: QPointF = field(default_factory=QPointF)
    """Where they were painted, from the row's top left corner."""

    def light(self, row: PassageRow, only: int | None) -> None:
        """Take the lit words of the same passage's new row, or what is pointed at now."""
        self.row = row
        self.only = only
        self.snippet.light(row.snippet.lits, only)
        if self.title is not None:
            self.title.light(row.title_lits, only)

    def lit_at(self, place: QPointF) -> Lit | None:
        """Give the lit word at `place`, which counts from the row's top left corner."""
        found = self.snippet.lit_at(place - self.snippet_place)
        if found is None and self.title is not None:
            found = self.title.lit_at(place - self.title_place)
        return found


@dataclass(frozen=True, slots=True)
class _Sides:
    """Where the parts of a row stand; told as from the left, mirrored where one reads so."""

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

    def place(self, area: QRect) -> QRect:
        """Give where `area`, a part of the row, comes to stand."""
        return QStyle.visualRect(self.direction, self.row, area)


class ResultDelegate(QStyledItemDelegate):
    """Paints passages with their lit words; rows are laid out when they are first painted.

    Layouts are kept until the width or the rows change.
    """

    def __init__(self, results: ResultsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._results = results
        self._measures = measures_of(parent.font())
        self._font = parent.font()
        self._looks: dict[int, _Look] = {}
        self._only: int | None = None

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, or what tells most (None)."""
        self._only = word

    def lit_at(self, row: PassageRow, place: QPointF) -> Lit | None:
        """Give the lit word of a row that was painted at `place` in it."""
        look = self._looks.get(row.passage_id)
        return look.lit_at(place) if look is not None else None

    def forget(self) -> None:
        """Drop the layouts, because the rows are others or the font is."""
        self._looks.clear()

    def _measured(self, font: QFont) -> Measures:
        if font != self._font:
            self._font, self._measures = QFont(font), measures_of(font)
        return self._measures

    def _look(
        self, row: PassageRow, width: int, font: QFont, *, is_right: bool, is_mirrored: bool
    ) -> _Look:
        look = self._looks.get(row.passage_id)
        key = (width, is_right, is_mirrored)
        if look is not None and (look.width, look.is_right, look.is_mirrored) == key:
            if look.row is not row or look.only != self._only:
                look.light(row, self._only)
            return look
        inner, lines = inner_width(row, width), self._measured(font).lines(row, width)
        text = row.snippet
        snippet = LitText(
            text.text, text.lits, snippet_font(font), inner, lines, from_right=is_mirrored
        )
        title = None
        if row.is_best:
            room = inner - _page_width(row, font) - (_MARK + GAP if is_right else 0)
            bold = title_font(font)
            title = LitText(row.title, row.title_lits, bold, room, 1, from_right=is_mirrored)
        look = _Look(row, *key, title, snippet)
        look.light(row, self._only)
        self._looks[row.passage_id] = look
        return look

    def _paint_passage(
        self, painter: QPainter, option: QStyleOptionViewItem, row: PassageRow, *, is_right: bool
    ) -> None:
        area: QRect = option.rect
        font: QFont = option.font
        sides, scheme = _Sides(area, option.direction), scheme_of(option.palette)
        look = self._look_for(option, row, is_right=is_right)
        inner = area.adjusted(SIDE + (0 if row.is_best else INDENT), 0, -SIDE, 0)
        small = path_font(font)
        small_height = QFontMetrics(small).height()
        painter.setFont(small)
        painter.setPen(QColor(scheme.muted))
        if look.title is None:
            top = area.top() + TOP // 2
            line = QRect(inner.left(), top, inner.width(), small_height)
            place, score = _place(row), texts.score(row.hit)
            painter.drawText(sides.place(line), sides.trailing, score)
            if is_right:
                _paint_mark(painter, sides.place(_mark_in(line, line.left())), scheme)
                line.setLeft(line.left() + _MARK + GAP)
            metrics = QFontMetrics(small)
            line.setRight(line.right() - metrics.horizontalAdvance(score) - _APART)
            said = metrics.elidedText(place, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(sides.place(line), sides.leading, said)
            top += small_height + GAP if place or is_right else 0
        else:
            top = area.top() + TOP
            line = QRect(inner.left(), top, inner.width(), look.title.height)
            flags = sides.trailing | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(sides.place(line), flags, page_label(row))
            if is_right:
                left = round(line.right() - _page_width(row, font)) - _MARK
                _paint_mark(painter, sides.place(_mark_in(line, left)), scheme)
            look.title_place = self._paint_lit(painter, option, look.title, line)
            top += look.title.height + 1
            painter.setFont(small)
            self._paint_path(
                painter, QRect(inner.left(), top, inner.width(), small_height), row, scheme, sides
            )
            top += small_height + 2 * GAP - 1
        line = QRect(inner.left(), top, inner.width(), look.snippet.height)
        look.snippet_place = self._paint_lit(painter, option, look.snippet, line)

    @staticmethod
    def _paint_lit(
        painter: QPainter, option: QStyleOptionViewItem, text: LitText, line: QRect
    ) -> QPointF:
        """Paint `text` at the beginning of `line`; give where, from the row's top left corner."""
        scheme, row = scheme_of(option.palette), option.rect
        room = QRect(line.left(), line.top(), round(text.width), line.height())
        place = QPointF(_Sides(row, option.direction).place(room).topLeft())
        text.paint(painter, place, QColor(scheme.text), scheme)
        return place - row.topLeft()

    @staticmethod
    def _paint_path(
        painter: QPainter, line: QRect, row: PassageRow, scheme: Scheme, sides: _Sides
    ) -> None:
        metrics = QFontMetrics(painter.font())
        kind = row.document.path.suffix.lstrip(".").upper()[:5]
        left = line.left()
        if kind:
            tag_font = scaled(painter.font(), 0.86)
            tag_font.setWeight(QFont.Weight.DemiBold)
            width = QFontMetrics(tag_font).horizontalAdvance(kind) + 10
            tag = QRectF(sides.place(QRect(left, line.top(), width, line.height())))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.line))
            painter.drawRoundedRect(tag, 4, 4)
            painter.setPen(QColor(scheme.muted))
            kept = painter.font()
            painter.setFont(tag_font)
            painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, kind)
            painter.setFont(kept)
            left += width + 8
        painter.setPen(QColor(scheme.muted))
        said = " · ".join(filter(None, (shown_day(row.document), texts.score(row.hit))))
        right = line.right() - (metrics.horizontalAdvance(said) + 10 if said else 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(sides.place(line), sides.trailing | middle, said)
        room = QRect(left, line.top(), right - left, line.height())
        path = metrics.elidedText(
            texts.shown_path(row.document.path), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.drawText(sides.place(room), sides.leading | middle, path)

    @staticmethod
    def _paint_more(painter: QPainter, option: QStyleOptionViewItem, row: MoreRow) -> None:
        area, scheme = option.rect, scheme_of(option.palette)
        sides = _Sides(area, option.direction)
        scale = painter.device().devicePixelRatioF()
        drawn = pixmap("collapse" if row.is_open else "expand", scheme.accent, 12, scale)
        box = QRect(area.left() + SIDE, area.center().y() - 5, 12, 12)
        painter.drawPixmap(QPointF(sides.place(box).topLeft()), drawn)
        painter.setFont(scaled(option.font, 0.92))
        painter.setPen(QColor(scheme.accent))
        label = area.adjusted(SIDE + INDENT, 0, -SIDE, 0)
        flags = sides.leading | Qt.AlignmentFlag.AlignVCenter
        said = texts.further_passages(row.count, are_shown=row.is_open)
        painter.drawText(sides.place(label), flags, said)

    def _look_for(self, option: QStyleOptionViewItem, row: PassageRow, *, is_right: bool) -> _Look:
        is_mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        width = option.rect.width()
        return self._look(row, width, option.font, is_right=is_right, is_mirrored=is_mirrored)

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Else the painter would take the left for the right once more.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        _paint_frame(painter, option)
        if isinstance(row, MoreRow):
            self._paint_more(painter, option, row)
        else:
            self._paint_passage(painter, option, row, is_right=bool(index.data(RIGHT_ROLE)))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        # Asked for each row of a list whenever it is laid out: not by way of Qt's variants.
        row = self._results.row_at(index)
        width: int = option.rect.width()
        # For the step of its scroll bar, which the view has set, Qt asks without a width as well.
        if not isinstance(row, PassageRow) or not width:
            return QSize(0, MORE_HEIGHT)
        has_label = not row.is_best and bool(_place(row) or index.data(RIGHT_ROLE))
        return QSize(0, self._measured(option.font).height(row, width, has_label=has_label))


def shown_day(document: DocumentHit) -> str:
    """Give the document's day, its own or its file's; "" for one without either."""
    if not document.dated_ns:
        return ""
    return texts.day(day_of(document.dated_ns))


def page_label(row: PassageRow) -> str:
    """Give the page of the passage; "" for a document that has no pages."""
    page = row.hit.passage.page
    if page == 1 and not row.document.has_page_images:
        return ""
    return texts.page(page)


def _place(row: PassageRow) -> str:
    context = row.hit.passage.context.strip().rsplit("\n", 1)[-1].strip()
    heading = "" if context == row.title else context
    return " · ".join(part for part in (page_label(row), heading) if part)


def _page_width(row: PassageRow, font: QFont) -> float:
    label = page_label(row)
    return QFontMetricsF(path_font(font)).horizontalAdvance(label) + 14 if label else 0.0


def _mark_in(line: QRect, left: int) -> QRect:
    """Give the place of the sign of a passage that is right, from `left` on in `line`."""
    return QRect(left, line.center().y() - _MARK // 2 + 1, _MARK, _MARK)


def _paint_mark(painter: QPainter, place: QRect, scheme: Scheme) -> None:
    """Paint the sign of a passage that is right."""
    drawn = pixmap("right", scheme.accent, _MARK, painter.device().devicePixelRatioF())
    painter.drawPixmap(QPointF(place.topLeft()), drawn)


def _paint_frame(painter: QPainter, option: QStyleOptionViewItem) -> None:
    state, scheme = option.state, scheme_of(option.palette)
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    if not is_selected and not state & QStyle.StateFlag.State_MouseOver:
        return
    frame = option.rect.adjusted(_FRAME, 2, -_FRAME, -2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.selected if is_selected else scheme.hover))
    painter.drawRoundedRect(QRectF(frame), 9, 9)
    if is_selected and state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(QColor(scheme.accent))
        mark = QRect(frame.left() + 3, frame.top() + 9, 3, frame.height() - 18)
        placed = _Sides(option.rect, option.direction).place(mark)
        painter.drawRoundedRect(QRectF(placed), 1.5, 1.5)
