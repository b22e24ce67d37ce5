"""The layout of the main window: the search line, and notices and strips around the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
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
        self._notices = (trouble, remark)
        for notice in self._notices:
            notice.installEventFilter(self)
        # An offer can wait: it is not shown together with a notice, so that the list has room.
        self._offer: QWidget | None = None
        self._room_for_offer = QWidget()
        self._room_for_offer.hide()
        self._head = vertical(margins=(14, 16, 14, 14), spacing=10)
        fill(self._head, line, trouble, remark, self._room_for_offer)
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

    def add_offer(self, strip: QWidget) -> None:
        """Add a strip below the search line, shown while there is no notice."""
        vertical(self._room_for_offer, margins=(0, 0, 0, 0)).addWidget(strip)
        self._offer = strip
        strip.installEventFilter(self)
        self._take_keys(strip)

    def add_strip(self, strip: QWidget) -> None:
        """Add a strip below the search line and the notices."""
        self._head.addWidget(strip)
        self._take_keys(strip)

    def _take_keys(self, strip: QWidget) -> None:
        """Let the Tab key go to a strip after the search line."""
        before: QWidget = self.menu_button
        for button in strip.findChildren(QPushButton):
            QWidget.setTabOrder(before, button)
            before = button

    def _make_room(self) -> None:
        has_notice = any(not notice.isHidden() for notice in self._notices)
        has_offer = self._offer is not None and not self._offer.isHidden()
        self._room_for_offer.setVisible(has_offer and not has_notice)

    # Qt's names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._make_room()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow window the query needs the room.
        is_narrow = self.width() < _LABELLED_FROM * self.fontMetrics().height()
        style = Qt.ToolButtonStyle
        self.library_button.setToolButtonStyle(
            style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon
        )
