"""How a row of the results list is painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import texts
from app.palette import Scheme, scheme_of
from app.search.measures import INDENT, MORE_HEIGHT, SIDE, Measures, measures_of, scaled
from app.search.model import RIGHT_ROLE, ROW_ROLE, ResultsModel
from app.search.row_look import MARK, RowLook, Setting, Sides, place_label
from app.search.rows import MoreRow, PassageRow, Row
from app.widgets.icons import pixmap

if TYPE_CHECKING:
    from core.search.match import Highlight

    AnyIndex = QModelIndex | QPersistentModelIndex

_FRAME: Final = 6


class ResultDelegate(QStyledItemDelegate):
    """Paints passages with their lit words; rows are laid out when they are first painted.

    Layouts are kept until the width or the rows change.
    """

    def __init__(self, results: ResultsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._results = results
        self._measures = measures_of(parent.font())
        self._font = parent.font()
        self._looks: dict[int, RowLook] = {}
        self._only: int | None = None

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, or what tells most (None)."""
        self._only = word

    def lit_at(self, row: PassageRow, place: QPointF) -> Highlight | None:
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

    def _look(self, row: PassageRow, setting: Setting, font: QFont) -> RowLook:
        look = self._looks.get(row.passage_id)
        if look is None or look.setting != setting:
            look = RowLook.of(row, setting, self._measured(font))
            self._looks[row.passage_id] = look
        if look.row is not row or look.only != self._only:
            look.light(row, self._only)
        return look

    @staticmethod
    def _paint_passage(painter: QPainter, look: RowLook, scheme: Scheme) -> None:
        """Paint a row, whose top left corner the painter counts from."""
        muted = QColor(scheme.muted)
        if look.tag is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.line))
            painter.drawRoundedRect(look.tag, 4, 4)
        painter.setPen(muted)
        for said in look.said:
            painter.setFont(said.font)
            painter.drawText(said.place, said.flags, said.text)
        if look.mark is not None:
            drawn = pixmap("right", scheme.accent, MARK, painter.device().devicePixelRatioF())
            painter.drawPixmap(QPointF(look.mark.topLeft()), drawn)
        text = QColor(scheme.text)
        if look.title is not None:
            look.title.paint(painter, look.title_place, text, scheme)
        look.snippet.paint(painter, look.snippet_place, text, scheme)

    @staticmethod
    def _paint_more(
        painter: QPainter, option: QStyleOptionViewItem, row: MoreRow, scheme: Scheme
    ) -> None:
        area = option.rect
        sides = Sides(area, option.direction)
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

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row = index.data(ROW_ROLE)
        area: QRect = option.rect
        scheme = scheme_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Else the painter would take the left for the right once more.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        _paint_frame(painter, option, scheme)
        if isinstance(row, MoreRow):
            self._paint_more(painter, option, row, scheme)
        else:
            setting = Setting(area.width(), bool(index.data(RIGHT_ROLE)), option.direction)
            painter.translate(area.topLeft())
            self._paint_passage(painter, self._look(row, setting, option.font), scheme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        # Asked for each row of a list whenever it is laid out: not by way of Qt's variants.
        row = self._results.row_at(index)
        width: int = option.rect.width()
        # For the step of its scroll bar, which the view has set, Qt asks without a width as well.
        if not isinstance(row, PassageRow) or not width:
            return QSize(0, MORE_HEIGHT)
        has_label = not row.is_best and bool(place_label(row) or index.data(RIGHT_ROLE))
        return QSize(0, self._measured(option.font).height(row, width, has_label=has_label))


def _paint_frame(painter: QPainter, option: QStyleOptionViewItem, scheme: Scheme) -> None:
    state = option.state
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
        placed = Sides(option.rect, option.direction).place(mark)
        painter.drawRoundedRect(QRectF(placed), 1.5, 1.5)
