"""The layout of the main window: the search line, and notices and strips around the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import texts
from app.widgets.icons import IconButton
from app.widgets.notices import EmptyState

if TYPE_CHECKING:
    from app.library.status_strips import StatusLine
    from app.search.box import SearchBox
    from app.search.chips import ChipRow
    from app.widgets.notices import NoticeBar


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
        self.library_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.menu_button = IconButton("more", self.tr("Menu"))
        self.menu_button.setPopupMode(self.menu_button.ToolButtonPopupMode.InstantPopup)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.filters_button)
        line.addWidget(box, 1)
        line.addWidget(self.library_button)
        line.addWidget(self.menu_button)
        self._head = QVBoxLayout()
        self._head.setContentsMargins(14, 16, 14, 14)
        self._head.setSpacing(10)
        self._head.addLayout(line)
        self._head.addWidget(trouble)
        self._head.addWidget(remark)
        # Styled like the main view.
        self._opening = QWidget()
        self._opening.setObjectName("body")
        self._opening.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        opening_hint = EmptyState()
        opening_hint.say("search", *texts.opening())
        QVBoxLayout(self._opening).addWidget(opening_hint)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._head)
        self._column.addWidget(self._opening, 1)
        self._column.addWidget(status_line)

    def add_results(self, chips: ChipRow, main_view: QWidget) -> None:
        """Replace the hint by the results, with the query's words above them."""
        self._head.insertWidget(1, chips)
        chips.follow(self.menu_button)
        self._column.replaceWidget(self._opening, main_view)
        self._opening.hide()
        self._opening.deleteLater()

    def add_strip(self, strip: QWidget) -> None:
        """Add a strip below the search line and the notices."""
        self._head.addWidget(strip)
