"""How side bar, results and reader share the window, by how much room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QWidget

if TYPE_CHECKING:
    from app.filters.pane import FilterPane

# In heights of a line of text, so that who reads large letters has room for as much text.
_DOCKED_FROM: Final = 60
_BESIDE_FROM: Final = 43
_TALL_FROM: Final = 30
_DRAWER: Final = 18
_EDGE: Final = 48
"""Pixels of the window that a drawer leaves in view."""


class Arrangement(QObject):
    """Has all three beside each other where they find room.

    In a narrow window the reader stands below the results, and is hidden where the window is low
    too; the side bar is a drawer that opens over them.
    """

    narrowed = Signal(bool)
    """There is room for the side bar no longer (True), or again."""

    def __init__(
        self,
        sides: QSplitter,
        shown: QSplitter,
        filters: FilterPane,
        reader: QWidget,
        parent: QWidget,
    ) -> None:
        """Arrange the side bar, the first of `sides`, and the reader, the last one in `shown`."""
        super().__init__(parent)
        self._room = parent
        self._sides = sides
        self._shown = shown
        self._filters = filters
        self._reader = reader
        self._is_narrow = self._is_fitted = False
        self._is_open = not filters.isHidden()
        self._widths: tuple[int, ...] = (480, 720)
        self._filters_width = filters.sizeHint().width()
        for splitter in (sides, shown):
            splitter.splitterMoved.connect(self._note_widths)

    @property
    def is_narrow(self) -> bool:
        """Whether the side bar is a drawer."""
        return self._is_narrow

    @property
    def widths(self) -> tuple[int, ...]:
        """Those of results and reader beside each other, as the person wants them."""
        return self._widths

    def set_widths(self, widths: tuple[int, ...]) -> None:
        if len(widths) == self._shown.count():
            self._widths = widths
            self._restore_widths()

    @property
    def filters_width(self) -> int:
        """That of the side bar beside the results, as the person wants it."""
        return self._filters_width

    def set_filters_width(self, width: int) -> None:
        self._filters_width = width
        self._restore_widths()

    def _note_widths(self) -> None:
        """Take note of what the person has dragged; what was squeezed meanwhile nobody wanted."""
        if self._shown.orientation() == Qt.Orientation.Horizontal:
            self._widths = tuple(self._shown.sizes())
        if not self._is_narrow and not self._filters.isHidden():
            self._filters_width = self._sides.sizes()[0]

    def fit(self) -> None:
        """Arrange everything for the size of the window, and for whether the side bar is shown."""
        line, size = self._room.fontMetrics().height(), self._room.size()
        is_narrow = size.width() < _DOCKED_FROM * line
        is_open = not self._filters.isHidden()
        if not self._is_fitted or is_open != self._is_open:
            self._is_fitted, self._is_open = True, is_open
            QTimer.singleShot(0, self, self._restore_widths)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._move_filters()
            self.narrowed.emit(is_narrow)
            # The splitters get their own new sizes after this.
            QTimer.singleShot(0, self, self._restore_widths)
        taken = self._filters_width if is_open and not is_narrow else 0
        self._fit_reader(QSize(size.width() - taken, size.height()), line)
        if is_narrow:
            self._place_drawer(line)

    def _fit_reader(self, room: QSize, line: int) -> None:
        is_beside = room.width() >= _BESIDE_FROM * line
        self._reader.setVisible(is_beside or room.height() >= _TALL_FROM * line)
        wanted = Qt.Orientation.Horizontal if is_beside else Qt.Orientation.Vertical
        if wanted == self._shown.orientation():
            return
        self._shown.setOrientation(wanted)
        QTimer.singleShot(0, self, self._restore_widths)

    def _restore_widths(self) -> None:
        if not self._is_narrow:
            rest = max(self._room.width() - self._filters_width, 1)
            self._sides.setSizes([self._filters_width, rest])
        is_beside = self._shown.orientation() == Qt.Orientation.Horizontal
        self._shown.setSizes(list(self._widths) if is_beside else [1, 1])

    def _move_filters(self) -> None:
        is_hidden = self._filters.isHidden()
        if self._is_narrow:
            self._filters.setParent(self._room)
        else:
            self._sides.insertWidget(0, self._filters)
            self._sides.setStretchFactor(0, 0)
            self._sides.setStretchFactor(1, 1)
        self._filters.show_as_drawer(is_drawer=self._is_narrow)
        self._filters.setHidden(is_hidden)

    def _place_drawer(self, line: int) -> None:
        area = QRect(self._room.rect())
        area.setWidth(min(_DRAWER * line, area.width() - _EDGE))
        if self._room.isRightToLeft():
            area.moveRight(self._room.rect().right())
        self._filters.setGeometry(area)
        self._filters.raise_()
