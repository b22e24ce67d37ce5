"""The line above the results: how many there are, and in which order they stand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from app import texts
from app.widgets.icons import IconButton
from app.widgets.labels import Label
from core.settings import Order

if TYPE_CHECKING:
    from app.search.rows import Answer


class ResultsHeader(QFrame):
    """Counts the documents, and lets the person choose their order."""

    export_wanted = Signal(str)
    """The person wants the results in a file of this suffix."""
    order_chosen = Signal(object)
    """The person wants this Order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultsHeader")
        self._count = Label()
        self._count.setProperty("role", "muted")
        self._button = QToolButton()
        self._button.setObjectName("orderButton")
        self._button.setProperty("labelled", "true")
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        menu = QMenu(self._button)
        group = QActionGroup(self)
        self._actions: dict[Order, QAction] = {}
        for order, name in self._names().items():
            action = menu.addAction(name, partial(self._choose, order))
            action.setCheckable(True)
            group.addAction(action)
            self._actions[order] = action
        self._button.setMenu(menu)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 6, 10, 6)
        layout.addWidget(self._count, 1)
        layout.addWidget(self._button)
        layout.addWidget(self._export_button())
        for widget in (self._count, self._button):
            font = widget.font()
            font.setPointSizeF(font.pointSizeF() * 0.92)
            widget.setFont(font)
        self.show_order(Order.RELEVANCE)

    @property
    def text(self) -> str:
        return self._count.text()

    def show_order(self, order: Order) -> None:
        self._actions[order].setChecked(True)
        self._order = order
        self._name_order(order)

    def _name_order(self, order: Order) -> None:
        name = self._names()[order]
        self._button.setText(name + " ▾")
        self._button.setAccessibleName(self.tr("Order of the results: {0}").format(name))
        self._button.setToolTip(self.tr("Order of the results"))

    def show_answer(self, answer: Answer, *, is_whole: bool) -> None:
        """Count the documents of `answer`; there may be more where it is not the whole."""
        count = texts.documents(len(answer.found))
        # Filters alone find nothing better than other things: what they leave comes by date.
        is_listed = not any(row.hit.found_by for row in answer.rows)
        by_date = is_listed and self._order is Order.RELEVANCE
        self._name_order(Order.DATE if by_date else self._order)
        best = self.tr("First {0}") if is_listed else self.tr("Best {0}")
        self._count.setText(count if is_whole else best.format(count))

    def _export_button(self) -> IconButton:
        button = IconButton("export", self.tr("Export the results"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for suffix, name in (
            ("csv", self.tr("Table (CSV)…")),
            ("md", self.tr("Markdown…")),
            ("json", self.tr("JSON…")),
        ):
            menu.addAction(name, partial(self.export_wanted.emit, suffix))
        button.setMenu(menu)
        return button

    def _choose(self, order: Order) -> None:
        self.show_order(order)
        self.order_chosen.emit(order)

    def _names(self) -> dict[Order, str]:
        return {
            Order.RELEVANCE: self.tr("By relevance"),
            Order.DATE: self.tr("By date"),
            Order.NAME: self.tr("By name"),
        }
