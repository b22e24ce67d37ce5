"""The lines above the results: count and order, files by name, spelling suggestions."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from app import texts
from app.text_size import set_font_factor
from app.texts import grouped
from app.translation import translated
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.icons import IconButton
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.menus import Menu
from app.widgets.notices import announce
from core.catalog.text.normalisation import fold
from core.printable import quoted
from core.settings import Order

if TYPE_CHECKING:
    from app.search.rows import Answer
    from core.catalog.documents import NamedDocument
    from core.responses import SearchResults


def in_order(answer: Answer, order: Order) -> Answer:
    """Return `answer` with its documents in `order`, ties by rank.

    Less likely results come last in any order.
    """
    ranks = {hit.document_id: rank for rank, hit in enumerate(answer.results.hits)}
    documents = sorted(
        answer.documents, key=lambda document: ranks[document.best.document.document_id]
    )
    if order is Order.DATE:
        documents.sort(key=lambda document: -document.best.document.dated_ns)
    elif order is Order.NAME:
        documents.sort(key=lambda document: name_key(document.best.title))
    documents.sort(key=lambda document: not document.best.is_likely)
    return replace(answer, documents=tuple(documents))


def ordered_as(answer: Answer, shown: Answer) -> Answer:
    """Return `answer` with its documents in the same order as in `shown`."""
    ranks = {
        document.best.document.document_id: rank for rank, document in enumerate(shown.documents)
    }
    documents = sorted(
        answer.documents, key=lambda document: ranks[document.best.document.document_id]
    )
    return replace(answer, documents=tuple(documents))


def name_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key that ignores case and accents and compares numbers by value.

    >>> sorted(["Été 10", "ete 9", "Eta"], key=name_key)
    ['Eta', 'ete 9', 'Été 10']
    """
    pieces = re.split("([0-9]+)", fold(name))
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces if piece]


class ResultsHeader(QFrame):
    """Shows the number of documents, and offers their order and export."""

    export_wanted = Signal(str)
    """The suffix of the file to export to."""
    order_chosen = Signal(object)
    """The chosen Order."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("resultsHeader")
        self.count = Label(role="muted")
        self._button = QToolButton()
        self._button.setObjectName("orderButton")
        self._button.setProperty("labelled", "true")
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        menu = Menu(self._button)
        group = QActionGroup(self)
        self._actions: dict[Order, QAction] = {}
        for order, name in self._names().items():
            action = menu.addAction(name, partial(self._choose, order))
            action.setCheckable(True)
            group.addAction(action)
            self._actions[order] = action
        self._button.setMenu(menu)
        layout = horizontal(self, margins=(20, 6, 10, 6))
        fill(layout, (self.count, 1), self._button, self._export_button())
        for widget in (self.count, self._button):
            set_font_factor(widget, 0.92)
        self.show_order(Order.RELEVANCE)

    def show_order(self, order: Order) -> None:
        self._actions[order].setChecked(True)
        self._order = order
        self._name_order(order)

    def _name_order(self, order: Order) -> None:
        name = self._names()[order]
        self._button.setText(name + " ▾")
        self._button.setAccessibleName(self.tr("Sort results: {0}").format(name))
        self._button.setToolTip(self.tr("Sort results"))

    def show_answer(self, answer: Answer, *, is_whole: bool) -> None:
        """Show the number of documents of `answer`; if it is not whole, there may be more."""
        if answer.documents and not answer.likely:
            self._name_order(self._order)
            self.count.setText(self.tr("No close matches"))
            return
        count = texts.documents(len(answer.documents))
        # Hits of filters alone have no relevance, so they are listed by date.
        is_listed = not any(row.hit.found_by for row in answer.rows)
        by_date = is_listed and self._order is Order.RELEVANCE
        self._name_order(Order.DATE if by_date else self._order)
        best = self.tr("First {0}") if is_listed else self.tr("Top {0}")
        self.count.setText(count if is_whole else best.format(count))

    def _export_button(self) -> IconButton:
        button = IconButton("export", self.tr("Export results"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = Menu(button)
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


_SHOWN: Final = 3


class NamedFiles(QFrame):
    """A few files whose names match; hidden if there are none."""

    opened = Signal(object)
    """The path of the document to open."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("namedFiles")
        self.setAccessibleName(self.tr("Files with matching names"))
        self._named: tuple[NamedDocument, ...] = ()
        self._lines = vertical(spacing=2)
        column = vertical(self, margins=(20, 8, 14, 8), spacing=2)
        fill(column, Label(self.tr("File names"), role="muted"), self._lines)
        self.hide()

    @property
    def lines(self) -> list[str]:
        """The shown lines."""
        return [label.accessibleName() for label in self.findChildren(QPushButton)]

    def show_named(self, named: tuple[NamedDocument, ...]) -> None:
        """Show the first of these files."""
        if named[:_SHOWN] != self._named:
            self._named = named[:_SHOWN]
            while (item := self._lines.takeAt(0)) is not None:
                if (line := item.widget()) is not None:
                    line.setParent(None)
                    line.deleteLater()
            for document in self._named:
                self._lines.addWidget(self._line(document))
        self.setVisible(bool(self._named))

    def _line(self, named: NamedDocument) -> QWidget:
        line = QWidget()
        shown = texts.name_of(named.path).replace("&", "&&")
        name = Button(shown, partial(self.opened.emit, named.path), "quiet")
        name.setCursor(Qt.CursorShape.PointingHandCursor)
        name.setToolTip(texts.hint(self.tr("Open {0}").format(quoted(named.path))))
        state = self._state(named)
        spoken = f"{texts.name_of(named.path)}, {state}" if state else texts.name_of(named.path)
        name.setAccessibleName(spoken)
        folder_label = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        folder_label.set_text(texts.shown_path(named.path.parent))
        state_label = Label(state, role="faint")
        row = horizontal(line, margins=(0, 0, 0, 0), spacing=10)
        fill(row, name, (folder_label, 1), state_label)
        return line

    def _state(self, named: NamedDocument) -> str:
        if named.reason:
            return translated(named.reason)
        if named.has_no_text:
            return self.tr("no text")
        return self.tr("not indexed yet") if named.is_waiting else ""


# Maximum length of a query in a link, in characters.
_LONGEST: Final = 60


def _short(query: str) -> str:
    """Return a query shortened for a link."""
    shown = quoted(query)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


class SpellingLine(QFrame):
    """Shows a spelling suggestion, or that a corrected query was searched for."""

    chosen = Signal(str)
    """The corrected query to search for."""
    exactly_wanted = Signal()
    """A search for the query as typed, without correction, was requested."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("spellingLine")
        self._results: SearchResults | None = None
        self._offer = Label(self.tr("Did you mean:"), role="muted")
        self._correction = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        self._link = Button("", self._choose, "quiet")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._rest = QWidget()
        line = horizontal(self, margins=(20, 4, 14, 4), spacing=4)
        fill(line, self._offer, (self._correction, 1), self._link, (self._rest, 1))
        self.hide()

    @property
    def text(self) -> str:
        """The shown text, or "" while hidden."""
        return "" if self.isHidden() else self.accessibleName()

    def show_results(self, results: SearchResults | None) -> None:
        """Show the suggestion or correction of results, if there is one."""
        self._results = results
        if results is None or not (results.is_corrected or results.offered):
            self.hide()
            return
        if results.is_corrected:
            correction = self.tr("Showing results for “{0}”.").format(quoted(results.query))
            link = self.tr("Search for “{0}” instead").format(_short(results.original_query))
        else:
            correction = ""
            link = _short(results.offered)
        suggestion = results.suggestion
        is_filter = suggestion is not None and suggestion.is_filter
        if suggestion is not None and is_filter:
            link = f"{link} ({grouped(suggestion.documents)})"
        self._offer.setText(self.tr("With filters:") if is_filter else self.tr("Did you mean:"))
        self._correction.set_text(correction)
        self._correction.setVisible(bool(correction))
        self._offer.setVisible(not correction)
        self._rest.setVisible(not correction)
        self._link.setText(link.replace("&", "&&"))
        question = self.tr("With filters: {0}") if is_filter else self.tr("Did you mean “{0}”?")
        spoken = correction or question.format(link)
        self._link.setAccessibleName(link if correction else spoken)
        is_news = spoken != self.accessibleName() or self.isHidden()
        self.setAccessibleName(spoken)
        self.show()
        if is_news:
            announce(self, spoken)

    def _choose(self) -> None:
        if self._results is None:
            return
        if self._results.is_corrected:
            self.exactly_wanted.emit()
        else:
            self.chosen.emit(self._results.offered)
