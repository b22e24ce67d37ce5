"""The library page on files that could not be read."""

from __future__ import annotations

from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.palette import scheme_of
from app.text_size import scaled
from app.translation import translated
from app.widgets.controls import Button, Label
from app.widgets.tables import NOWHERE, AnyIndex, RowTable
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.catalog.documents import Failure

_SIDE: Final = 9
# Runs of rows that are inserted or removed separately; more changes reset the model.
_RUNS: Final = 500
# Paths that are compared, at some microseconds each; more reset the model.
_COMPARED: Final = 4000


class FailuresModel(QAbstractListModel):
    """Each row names a file and, on a second line, the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._failures: list[Failure] = []

    def show_failures(self, failures: tuple[Failure, ...]) -> None:
        """Show failures; the selection survives unless most of them changed.

        Identical objects at the start and the end are not compared: there may be very many.
        """
        first = _common_prefix(self._failures, failures)
        last = _common_prefix(reversed(self._failures[first:]), reversed(failures[first:]))
        before = self._failures[first : len(self._failures) - last]
        now = failures[first : len(failures) - last]
        if not self._show_between(first, before, now):
            self.beginResetModel()
            self._failures = list(failures)
            self.endResetModel()

    def _show_between(self, start: int, before: list[Failure], now: tuple[Failure, ...]) -> bool:
        """Replace the rows `before` from `start` by `now`; return False if a reset is cheaper."""
        if before and now and len(before) + len(now) > _COMPARED:
            return False
        if before and now:
            had, has = {failure.path for failure in before}, {failure.path for failure in now}
            removed = _runs([failure.path not in has for failure in before])
            new = _runs([failure.path not in had for failure in now])
            stayed = [failure.path for failure in before if failure.path in has]
            order = [failure.path for failure in now if failure.path in had]
            if len(removed) + len(new) > _RUNS or stayed != order:
                return False
        else:
            removed, new = _runs([True] * len(before)), _runs([True] * len(now))
        for first, last in reversed(removed):
            self.beginRemoveRows(QModelIndex(), start + first, start + last)
            del self._failures[start + first : start + last + 1]
            self.endRemoveRows()
        for first, last in new:
            self.beginInsertRows(QModelIndex(), start + first, start + last)
            self._failures[start + first : start + first] = now[first : last + 1]
            self.endInsertRows()
        for row, one in enumerate(now, start):
            if self._failures[row] != one:
                self._failures[row] = one
                self.dataChanged.emit(self.index(row), self.index(row))
        return True

    # Qt's names

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._failures)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        failure = self._failures[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{texts.name_of(failure.path)}\n{translated(failure.reason)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return texts.hint(f"{quoted(failure.path)}\n{translated(failure.reason)}")
        return None


class _NameAndReason(QStyledItemDelegate):
    """Paints the name of a file, and the reason in the muted colour."""

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row = QStyleOptionViewItem(option)
        self.initStyleOption(row, index)
        lines, row.text = row.text.splitlines(), ""
        style, scheme = option.widget.style(), scheme_of(option.palette)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, row, painter, option.widget)
        height = option.fontMetrics.lineSpacing()
        room = option.rect.adjusted(_SIDE, 0, -_SIDE, 0)
        top = room.center().y() + 1 - height
        leading = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeading)
        painter.save()
        # A font with an explicit size; otherwise the font of the viewport would replace it.
        painter.setFont(scaled(option.font, 1.0))
        for line, color in zip(lines, (scheme.text, scheme.muted), strict=True):
            painter.setPen(QColor(color))
            text = option.fontMetrics.elidedText(line, Qt.TextElideMode.ElideRight, room.width())
            place = QRect(room.left(), top, room.width(), height)
            painter.drawText(place, leading | Qt.AlignmentFlag.AlignVCenter, text)
            top += height
        painter.restore()


class FailuresPage(QWidget):
    """The list of failures, with a button to try again."""

    retry_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FailuresModel(self)
        self._note = Label(role="muted", wraps=True)
        self._retry = Button(self.tr("&Try again"), self.retry_wanted)
        # Room for scripts that are taller than Latin letters.
        self._list = RowTable(self.tr("Unreadable files"), 2.3, 12)
        self._list.setObjectName("failures")
        self._list.setItemDelegate(_NameAndReason(self._list))
        self._list.setModel(self._model)
        self._list.horizontalHeader().hide()
        self._list.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        line = QHBoxLayout()
        line.addWidget(self._note, 1)
        line.addWidget(self._retry)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(line)
        layout.addWidget(self._list, 1)
        self.show_failures(())

    def show_failures(self, failures: tuple[Failure, ...]) -> None:
        top = QPersistentModelIndex(self._list.indexAt(QPoint(0, 0)))
        is_at_start = self._list.verticalScrollBar().value() == 0
        self._model.show_failures(failures)
        if top.isValid() and not is_at_start:
            # New rows above must not move the visible ones.
            self._list.scrollTo(self._model.index(top.row()), RowTable.ScrollHint.PositionAtTop)
        self._retry.setVisible(bool(failures))
        self._list.setVisible(bool(failures))
        self._note.setText(
            self.tr("Winnow tries again when a file changes.")
            if failures
            else self.tr("All files were read.")
        )


def _common_prefix(some: Iterable[Failure], others: Iterable[Failure]) -> int:
    """Return the number of identical objects at the start."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(some, others, strict=False))
    )


def _runs(marks: Iterable[bool]) -> list[tuple[int, int]]:
    """Return the first and last index of each run of marked items.

    >>> _runs([True, True, False, True])
    [(0, 1), (3, 3)]
    """
    runs = []
    for is_marked, run in groupby(enumerate(marks), key=lambda place: place[1]):
        if is_marked:
            places = [place for place, _ in run]
            runs.append((places[0], places[-1]))
    return runs
