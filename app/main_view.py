"""The central part of the window: side bar, results and reader, or a hint without results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from app import texts
from app.filters.pane import FilterPane
from app.search.answer_box import AnswerBox
from app.search.empty_lists import FilterLists, StartLists
from app.search.results_header import NamedFiles, ResultsHeader, SpellingLine, in_order, ordered_as
from app.text_size import px, text_scale
from app.widgets.layouts import fill, vertical
from app.widgets.notices import EmptyState
from app.widgets.window_geometry import scrolled
from core.progress import Stage
from core.settings import Order

if TYPE_CHECKING:
    from app.reader.reader import ReaderView
    from app.search.limits import Limits
    from app.search.results_view import ResultsView
    from app.search.rows import Answer, PassageRow
    from core.catalog.reports import Status

# The minimum width of the reader in pixels.
_READER_WIDTH: Final = 320


class MainView(QWidget):
    """Shows results, or a hint that depends on the state of library, query and response."""

    add_wanted = Signal()
    retry_wanted = Signal()
    # The person replaces a damaged library with a new one.
    beginning_wanted = Signal()
    # A query has no results; carries the query if it has filters, else "".
    nothing_found = Signal(str)

    # Set by `take_reader`: results are shown before the reader is built.
    reader: ReaderView

    def __init__(self, results: ResultsView) -> None:
        super().__init__()
        self.setObjectName("body")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._problem = ""
        self._is_damaged = False
        self._status: Status | None = None
        # The stage of the running sync.
        self._stage: Stage | None = None
        self._query = ""
        self._answer: Answer | None = None
        self._is_whole = True
        self.header = ResultsHeader()
        self.header.order_chosen.connect(self._reorder)
        self.order = Order.RELEVANCE
        self.results = results
        self.filters = FilterPane()
        self._splitter = QSplitter(handleWidth=1, childrenCollapsible=False)
        listed = QWidget()
        fill(vertical(listed, margins=(0, 0, 0, 0), spacing=0), self.header, (self.results, 1))
        self._splitter.addWidget(listed)
        # A placeholder for the reader.
        room = QWidget(minimumWidth=_READER_WIDTH)
        self._splitter.addWidget(room)
        self._splitter.setStretchFactor(0, 2)
        self._splitter.setStretchFactor(1, 3)
        self.empty = EmptyState()
        self.empty.acted.connect(self._act)
        self.start_lists = StartLists()
        self.filter_lists = FilterLists()
        for lists in (self.start_lists, self.filter_lists):
            self.empty.add_below(lists)
        self._page = scrolled(self.empty)
        self._page.setObjectName("emptyPage")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._page)
        self._stack.addWidget(self._splitter)
        self.named = NamedFiles()
        self.spelling = SpellingLine()
        self.answer = AnswerBox()
        middle = QWidget()
        column = vertical(middle, margins=(0, 0, 0, 0), spacing=0)
        fill(column, self.spelling, self.named, self.answer, (self._stack, 1))
        self._sides = QSplitter(handleWidth=1, childrenCollapsible=False)
        self._sides.addWidget(self.filters)
        self._sides.addWidget(middle)
        self._sides.setStretchFactor(0, 0)
        self._sides.setStretchFactor(1, 1)
        fill(vertical(self, margins=(0, 1, 0, 0)), self._sides)
        self.arrangement = Arrangement(self._sides, self._splitter, self.filters, room, self)
        self._update()

    def take_reader(self, reader: ReaderView) -> None:
        """Connect the reader, which then shows the selected passage."""
        self.reader = reader
        self.reader.setMinimumWidth(_READER_WIDTH)
        self.arrangement.take_reader(reader)
        self.results.passage_chosen.connect(self._read)
        self.results.look_wanted.connect(self._toggle_quick_look)
        self.results.page_turned.connect(reader.view.turn)
        self._read(self.results.chosen)

    @property
    def shows_results(self) -> bool:
        return self._stack.currentWidget() is self._splitter

    def show_problem(self, sentence: str, *, is_damaged: bool = False) -> None:
        """Show why the library cannot be opened; "" if it is open."""
        self._problem = sentence
        self._is_damaged = is_damaged
        self._update()

    def show_status(self, status: Status) -> None:
        self._status = status
        self._update()

    def show_stage(self, stage: Stage | None) -> None:
        """Show the stage of the running sync; None if none is running."""
        if stage is not self._stage:
            self._stage = stage
            self._update()

    def show_query(self, query: str) -> None:
        """Store the query; the last response stays visible until the next one arrives."""
        self._query = query.strip()
        if not self._query:
            self._answer = None
            self.results.clear()
            self.named.show_named(())
            self.spelling.show_results(None)
            self.answer.show_answer(None)
        self._update()

    def set_order(self, order: Order) -> None:
        """Sort later responses by `order`."""
        self.order = order
        self.header.show_order(order)

    def show_answer(self, answer: Answer, *, is_whole: bool) -> None:
        """Show a response; unless it `is_whole`, there may be more results."""
        self._answer = in_order(answer, self.order)
        self._is_whole = is_whole
        self.header.show_answer(self._answer, is_whole=is_whole)
        self.results.show_answer(self._answer)
        self.named.show_named(answer.results.named)
        self.spelling.show_results(answer.results)
        self.answer.show_answer(answer)
        self.nothing_found.emit(answer.results.original_query if answer.limits is not None else "")
        self._update()

    def _reorder(self, order: Order) -> None:
        self.order = order
        if self._answer is not None:
            self._answer = in_order(self._answer, order)
            self.results.show_answer(self._answer)
            self.results.show_first()

    def update_highlights(self, answer: Answer) -> None:
        """Show a response that differs from the current one only in its highlights."""
        if self._answer is not None:
            # The response with the highlights is in order of relevance.
            self._answer = ordered_as(answer, self._answer)
            self.results.update_highlights(self._answer)
            self.answer.show_answer(answer)

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of one word of the query; None for all."""
        self.results.show_only(word)
        self.reader.show_only(word)

    def _toggle_quick_look(self) -> None:
        if not self.end_quick_look():
            self.results.is_covered = True
            self.arrangement.cover(is_covered=True)

    def end_quick_look(self) -> bool:
        """Put the reader back next to the list; return whether it covered the list."""
        was_covered, self.results.is_covered = self.results.is_covered, False
        if was_covered:
            self.arrangement.cover(is_covered=False)
            self.results.setFocus()
        return was_covered

    def _read(self, row: PassageRow | None) -> None:
        if row is None:
            self.reader.clear()
            return
        assert self.results.answer is not None
        document = self.results.answer.of_document(row.document.document_id)
        self.reader.show_passage(row, document.rows, self.results.answer.words)

    def _act(self) -> None:
        if self._problem and self._is_damaged:
            self.beginning_wanted.emit()
        elif self._problem:
            self.retry_wanted.emit()
        else:
            self.add_wanted.emit()

    def _update(self) -> None:
        self.empty.setToolTip("")
        is_start = not self._problem and self._answer is None and bool(self._documents)
        self.start_lists.set_wanted(is_wanted=is_start)
        self.filter_lists.set_wanted(is_wanted=not self._problem and self._answer is not None)
        has_folders = self._status is None or bool(self._status.folders)
        if self._problem:
            headline = self.tr("The library cannot be opened")
            button = self.tr("Rebuild library") if self._is_damaged else self.tr("Try again")
            sentence = self._problem
            if self._is_damaged:
                headline = self.tr("The library is damaged")
                sentence = self.tr(
                    "Your files are not affected. Winnow can read them again and rebuild the "
                    "library."
                )
            self.empty.setToolTip(texts.hint(self._problem))
            self.empty.say("warning", headline, sentence, button)
        elif self._answer is not None and self._answer.documents:
            self._stack.setCurrentWidget(self._splitter)
            return
        elif not has_folders:
            self.empty.say(
                "folder-add",
                self.tr("Add a folder to get started"),
                self.tr(
                    "Winnow never moves or changes your files.\nYou can also "
                    "drop folders onto this window."
                ),
                self.tr("Add folder…"),
            )
        elif self._answer is not None:
            self._say_no_matches(self._answer)
        else:
            self._say_ready()
        self._stack.setCurrentWidget(self._page)

    @property
    def _documents(self) -> int:
        return 0 if self._status is None else self._status.documents

    def _say_no_matches(self, answer: Answer) -> None:
        query, limits = answer.results.original_query, answer.limits
        has_filters = limits is not None and limits.has_filters
        if self.named.isVisibleTo(self):
            headline = self.tr("Only file names match “{0}”")
        elif has_filters:
            headline = self.tr("No results with these filters")
        else:
            headline = self.tr("No results for “{0}”")
        # A query that is one phrase has its quotes already.
        is_phrase = query.count('"') == 2 and query.startswith('"') and query.endswith('"')
        shown = headline.format(query[1:-1] if is_phrase else query)
        self.empty.say("search", shown, "\n".join(self._hints(limits)))

    def _hints(self, limits: Limits | None) -> list[str]:
        """Return sentences on what to try; only those that apply to the query."""
        hints = []
        if self._stage in (Stage.SCANNING, Stage.READING):
            hints.append(
                self.tr("Your folders are still being read. New results will appear here.")
            )
        elif self._stage is not None and limits is not None and _may_match_by_meaning(limits):
            hints.append(self.tr("Search by meaning is still being prepared and may find more."))
        if limits is None:
            return hints
        if limits.has_phrases:
            hints.append(self.tr("Remove the quotation marks to find the words anywhere."))
        if limits.words and not limits.has_filters:
            many = self.tr("Try fewer or different words.")
            hints.append(many if limits.words > 1 else self.tr("Try different words."))
        return hints

    def _say_ready(self) -> None:
        if self._status is None:
            self.empty.say("search", *texts.opening())
            return
        advice = self.tr(
            "Type a question or a few words.\nPress Enter to open a document, "
            "Ctrl+Enter to open its folder."
        )
        if self._status.documents:
            ready = self.tr("{0} ready to search").format(texts.documents(self._status.documents))
        else:
            ready = self.tr("Ready to search")
            if self._stage is not None:
                advice = self.tr("Your folders are being read. You can already search.")
        self.empty.say("search", ready, advice)

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            # Later: it may delete the handle of a splitter, while Qt visits all widgets.
            QTimer.singleShot(0, self, self.arrangement.rescale)

    def minimumSizeHint(self) -> QSize:
        # Less than the parts need next to each other: `Arrangement` changes their layout.
        return QSize(340, 240)


def _may_match_by_meaning(limits: Limits) -> bool:
    """Return whether passages may match once they have vectors; a phrase needs its words."""
    return limits.words > 0 and not limits.has_phrases


# Sizes in heights of a line of text, so that large text gets the same room.
_DOCKED_FROM: Final = 60
_SIDE_BY_SIDE_FROM: Final = 44
_TALL_FROM: Final = 30
_DRAWER: Final = 18
# Pixels of the window that the drawer leaves visible.
_EDGE: Final = 48


class Arrangement(QObject):
    """Places side bar, results and reader next to each other if there is room.

    In a narrow window the reader is below the results, or hidden if the window is also low, and the
    side bar is a drawer over them.
    """

    # Whether the window has become too narrow for the side bar.
    narrowed = Signal(bool)

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
        # The placeholder of the reader while that covers all parts.
        self._placeholder: QWidget | None = None
        # Whether the side bar is a drawer.
        self.is_narrow = self._is_fitted = False
        self._is_open = not filters.isHidden()
        # The chosen widths of results and reader next to each other.
        self.widths: tuple[int, ...] = (480, 720)
        # The chosen width of the side bar, for a text size of 100 %.
        self.filters_width = round(filters.sizeHint().width() / text_scale())
        for splitter in (sides, shown):
            splitter.splitterMoved.connect(self._note_widths)

    def take_reader(self, reader: QWidget) -> None:
        """Replace the placeholder with the reader."""
        room, self._reader = self._reader, reader
        reader.setHidden(room.isHidden())
        self._shown.replaceWidget(self._shown.indexOf(room), reader)
        room.deleteLater()
        self._shown.setStretchFactor(1, 3)
        self._restore_widths()

    def cover(self, *, is_covered: bool) -> None:
        """Lay the reader over all parts, or put it back to its place."""
        if is_covered:
            self._placeholder = QWidget()
            self._shown.replaceWidget(self._shown.indexOf(self._reader), self._placeholder)
            self._reader.setParent(self._room)
            self._reader.show()
            self._reader.raise_()
        elif self._placeholder is not None:
            room, self._placeholder = self._placeholder, None
            self._shown.replaceWidget(self._shown.indexOf(room), self._reader)
            room.deleteLater()
            self._shown.setStretchFactor(1, 3)
            self._restore_widths()
        self.fit()

    def set_widths(self, widths: tuple[int, ...]) -> None:
        if len(widths) == self._shown.count():
            self.widths = widths
            self._restore_widths()

    def set_filters_width(self, width: int) -> None:
        self.filters_width = width
        self._restore_widths()

    def _note_widths(self) -> None:
        """Store the widths that the person dragged, not those from a narrow window."""
        if self._shown.orientation() == Qt.Orientation.Horizontal:
            self.widths = tuple(self._shown.sizes())
        if not self.is_narrow and not self._filters.isHidden():
            self.filters_width = round(self._sides.sizes()[0] / text_scale())

    def rescale(self) -> None:
        """Adapt the layout to another text size."""
        self._is_fitted = False
        self.fit()

    def fit(self) -> None:
        """Adapt the layout to the size of the window and the visibility of the side bar."""
        line, size = self._room.fontMetrics().height(), self._room.size()
        is_narrow = size.width() < _DOCKED_FROM * line
        is_open = not self._filters.isHidden()
        if not self._is_fitted or is_open != self._is_open:
            self._is_fitted, self._is_open = True, is_open
            QTimer.singleShot(0, self, self._restore_widths)
        if is_narrow != self.is_narrow:
            self.is_narrow = is_narrow
            self._move_filters()
            self.narrowed.emit(is_narrow)
            # The splitters get their own new sizes after this.
            QTimer.singleShot(0, self, self._restore_widths)
        side_bar_width = px(self.filters_width) if is_open and not is_narrow else 0
        self._fit_reader(QSize(size.width() - side_bar_width, size.height()), line)
        if is_narrow:
            self._position_drawer(line)

    def _fit_reader(self, room: QSize, line: int) -> None:
        is_side_by_side = room.width() >= _SIDE_BY_SIDE_FROM * line
        if self._placeholder is not None:
            self._reader.setGeometry(self._room.rect())
            return
        self._reader.setVisible(is_side_by_side or room.height() >= _TALL_FROM * line)
        wanted = Qt.Orientation.Horizontal if is_side_by_side else Qt.Orientation.Vertical
        if wanted == self._shown.orientation():
            return
        self._shown.setOrientation(wanted)
        QTimer.singleShot(0, self, self._restore_widths)

    def _restore_widths(self) -> None:
        if not self.is_narrow:
            width = px(self.filters_width)
            self._sides.setSizes([width, max(self._room.width() - width, 1)])
        is_side_by_side = self._shown.orientation() == Qt.Orientation.Horizontal
        self._shown.setSizes(list(self.widths) if is_side_by_side else [1, 1])

    def _move_filters(self) -> None:
        is_hidden = self._filters.isHidden()
        if self.is_narrow:
            self._filters.setParent(self._room)
        else:
            self._sides.insertWidget(0, self._filters)
            self._sides.setStretchFactor(0, 0)
            self._sides.setStretchFactor(1, 1)
        self._filters.show_as_drawer(is_drawer=self.is_narrow)
        self._filters.setHidden(is_hidden)

    def _position_drawer(self, line: int) -> None:
        area = QRect(self._room.rect())
        area.setWidth(min(_DRAWER * line, area.width() - _EDGE))
        if self._room.isRightToLeft():
            area.moveRight(self._room.rect().right())
        self._filters.setGeometry(area)
        self._filters.raise_()
