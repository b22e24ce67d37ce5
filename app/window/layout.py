"""The layout of the main window: the search line, and notices and strips around the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app import texts
from app.widgets.icons import IconButton
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.notices import EmptyState, NoticeBar

if TYPE_CHECKING:
    from app.library.status_strips import StatusLine
    from app.search.box import SearchBox
    from app.search.chips import ChipRow

# Width of the window from which the library's button has a text, in heights of a line.
_LABELLED_FROM: Final = 32


class WindowLayout(QWidget):
    """The window's central widget; at first with a hint that the library is opening."""

    def __init__(
        self, box: SearchBox, trouble: NoticeBar, remark: NoticeBar, status_line: StatusLine
    ) -> None:
        super().__init__()
        self.filters_button = IconButton("filter", self.tr("Filters (F9)"))
        self.library_button = IconButton("folder", self.tr("Library"))
        self.library_button.setText(self.tr("Library"))
        self.library_button.setProperty("labelled", "true")
        self.menu_button = IconButton("more", self.tr("Menu"))
        self.menu_button.setPopupMode(self.menu_button.ToolButtonPopupMode.InstantPopup)
        line = horizontal(spacing=8)
        fill(line, self.filters_button, (box, 1), self.library_button, self.menu_button)
        self._head = fill(vertical(margins=(14, 16, 14, 14), spacing=10), line, trouble, remark)
        # Styled like the main view.
        self._opening = QWidget()
        self._opening.setObjectName("body")
        self._opening.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        opening_hint = EmptyState()
        opening_hint.say("search", *texts.opening())
        vertical(self._opening).addWidget(opening_hint)
        self._column = vertical(self, margins=(0, 0, 0, 0), spacing=0)
        fill(self._column, self._head, (self._opening, 1), status_line)

    def add_results(self, chips: ChipRow, main_view: QWidget) -> None:
        """Replace the hint by the results, with the query's words above them."""
        self._head.insertWidget(1, chips)
        chips.follow(self.menu_button)
        self._column.replaceWidget(self._opening, main_view)
        self._opening.hide()
        self._opening.deleteLater()

    def add_strip(self, strip: QWidget) -> None:
        """Add a strip below the search line and the notices; the Tab key goes there after these."""
        self._head.addWidget(strip)
        before: QWidget = self.menu_button
        for button in strip.findChildren(QPushButton):
            QWidget.setTabOrder(before, button)
            before = button

    # Qt's name

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow window the query needs the room.
        is_narrow = self.width() < _LABELLED_FROM * self.fontMetrics().height()
        style = Qt.ToolButtonStyle
        self.library_button.setToolButtonStyle(
            style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon
        )
