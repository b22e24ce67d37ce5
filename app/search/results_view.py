"""The results list: its rows, keyboard navigation and context menu."""

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QKeyCombination, QModelIndex, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from app.highlighting import HighlightTips
from app.search.results_delegate import ResultDelegate
from app.search.results_model import RIGHT_ROLE, ResultsModel
from app.search.rows import Answer, MoreRow, PassageRow, with_earlier_copies
from app.search.thumbnails import Thumbnails
from app.widgets.menus import Menu, copy_path
from app.widgets.tables import AnyIndex
from core.search.output.match import Highlight, QueryWord

_ALIKE: Final = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_M)


class ResultsView(QListView):
    """Shows an answer; one of its passages is always current."""

    passage_chosen = Signal(object)
    """The current PassageRow, or None."""
    document_opened = Signal(object)
    """The PassageRow whose document to open."""
    folder_opened = Signal(object)
    """The PassageRow whose document's folder to open."""
    copy_wanted = Signal(object)
    """The PassageRow whose passage to copy."""
    copies_wanted = Signal(object)
    """The DocumentHit whose copies and versions to list below it."""
    citation_wanted = Signal(object)
    """The PassageRow whose document's bibliography entry to copy."""
    same_wanted = Signal(object)
    """The PassageRow whose document's copies and versions to search for."""
    alike_wanted = Signal(object)
    """The PassageRow whose passage is the example to search by."""
    judged = Signal(object)
    """The PassageRow whose mark to toggle."""
    view_moved = Signal()
    """Other rows have come into view."""
    end_reached = Signal()
    """The last rows are in view."""
    why_wanted = Signal()
    """An explanation of the current passage was requested."""
    menu_built = Signal(object, object)
    """The menu of a PassageRow, to which entries may be added."""
    left_upwards = Signal()
    typed = Signal(str)
    look_wanted = Signal()
    """The current passage is to be shown large over the list, or no longer."""
    page_turned = Signal(int)
    """The previous (-1) or next (1) page was requested while the list is covered."""

    def __init__(self) -> None:
        super().__init__()
        # The passage shown in the reader.
        self.chosen: PassageRow | None = None
        self._is_own_choice = False
        # The chosen document, while it is missing because its file is read again.
        self._missing: int | None = None
        # Whether the reader covers the list, which keeps the focus.
        self.is_covered = False
        # Whether a change of the current row is the person's choice.
        self._is_choosing = True
        self._results = ResultsModel(self)
        self._painter = ResultDelegate(self._results, self)
        HighlightTips(self, self._highlight_at, self._words)
        self.setObjectName("resultsView")
        self.setAccessibleName(self.tr("Results"))
        self.setModel(self._results)
        self.setItemDelegate(self._painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A scroll bar that appears would change the width and with it the layout of every row.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.verticalScrollBar().setSingleStep(24)
        self.verticalScrollBar().valueChanged.connect(self._check_end)
        self.verticalScrollBar().valueChanged.connect(self.view_moved)
        self._results.rowsInserted.connect(self.view_moved)
        self._results.modelReset.connect(self._painter.forget)

    @property
    def answer(self) -> Answer | None:
        return self._results.answer

    @property
    def is_in_use(self) -> bool:
        """Whether the person has chosen a row or scrolled."""
        return self._is_own_choice or self.verticalScrollBar().value() > 0

    def show_answer(self, answer: Answer) -> None:
        """Show `answer`; the first row of an answer to a new query becomes current.

        In a new answer to the same query, the row that the person chose stays current and in place
        if it is still there. A row that was current only as the first is replaced by the first row
        of the new answer.
        """
        before = self._results.answer
        is_same_query = before is not None and before.results.query == answer.results.query
        stays = is_same_query and (self._is_own_choice or self._missing is not None)
        if not is_same_query:
            self._missing = None
        self._is_choosing = False
        self._show(answer, is_same_query=is_same_query, stays=stays)
        self._is_choosing = True

    def _show(self, answer: Answer, *, is_same_query: bool, stays: bool) -> None:
        offset = self.verticalScrollBar().value()
        current = self._results.row_at(self.currentIndex())
        was_more = isinstance(current, MoreRow)
        if self._results.answer is not None:
            answer = with_earlier_copies(answer, self._results.answer)
        self._results.show_answer(answer)
        index = self._index_to_keep() if stays else QModelIndex()
        if not index.isValid():
            if stays and self._missing is None and self.chosen is not None:
                self._missing = self.chosen.document.document_id
            index = self._results.index(0)
            self._is_own_choice = False
        if is_same_query and was_more and isinstance(current, MoreRow):
            self._choose(index)
            index = self._index_of_more(current) or index
        self.setCurrentIndex(index)
        if is_same_query:
            self.verticalScrollBar().setValue(offset)
        elif index.row() == 0:
            self.scrollToTop()
        self._choose(index)

    def _index_to_keep(self) -> QModelIndex:
        """Return the index of the previous choice; invalid if it no longer exists.

        A document that was read again has new passages, and may be missing for a moment before.
        """
        if self._missing is not None:
            index = self._results.index_of_document(self._missing)
            if index.isValid():
                self._is_own_choice, self._missing = True, None
            return index
        if self.chosen is None:
            return QModelIndex()
        index = self._results.index_of_passage(self.chosen.passage_id)
        if index.isValid():
            return index
        return self._results.index_of_document(self.chosen.document.document_id)

    def update_highlights(self, answer: Answer) -> None:
        """Show `answer`, which differs from the shown one only in its highlights."""
        before = self._results.answer
        if before is not None:
            # Copies may have been expanded since the highlights were requested.
            answer = with_earlier_copies(answer, before)
        self._results.update_highlights(answer)
        if before is None or self.chosen is None:
            return
        document_id, passage_id = self.chosen.document.document_id, self.chosen.passage_id
        document = answer.of_document(document_id)
        if document is not before.of_document(document_id):
            self.chosen = next(row for row in document.rows if row.passage_id == passage_id)
            self.passage_chosen.emit(self.chosen)

    def show_copies(self, answer: Answer, document_id: int) -> None:
        """Show `answer`, which adds the copies of one document."""
        self._results.show_copies(answer, document_id)
        self.view_moved.emit()

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self._painter.show_only(word)
        self.viewport().update()

    def show_pictures(self, pictures: Thumbnails) -> None:
        """Show the pictures of pages next to their passages."""
        self._painter.picture_of = pictures.of
        pictures.drawn.connect(self.viewport().update)

    def show_marks(self, right: frozenset[int]) -> None:
        """Mark the passages with these numbers as right."""
        self._results.show_marks(right)

    def in_view(self) -> set[int]:
        """Return the numbers of the visible passages."""
        area = self.viewport().rect()
        seen: set[int] = set()
        index = self.indexAt(area.topLeft())
        while index.isValid() and self.visualRect(index).top() <= area.bottom():
            if isinstance(row := self._results.row_at(index), PassageRow):
                seen.add(row.passage_id)
            index = self._results.index(index.row() + 1)
        return seen

    def clear(self) -> None:
        self._is_own_choice = False
        self._missing = None
        self._results.clear()
        self._choose(QModelIndex())

    def current_document(self) -> PassageRow | None:
        """Return the row whose document the Enter key opens."""
        row = self._results.row_at(self.currentIndex())
        return row if isinstance(row, PassageRow) else self.chosen

    def show_first(self) -> None:
        self._is_choosing = self._is_own_choice = False
        self._missing = None
        self.setCurrentIndex(self._results.index(0))
        self._is_choosing = True
        self.scrollToTop()

    def _check_end(self, value: int) -> None:
        bar = self.verticalScrollBar()
        if value and value > bar.maximum() - bar.pageStep():
            self.end_reached.emit()

    def _index_of_more(self, row: MoreRow) -> QModelIndex | None:
        for row_index in range(self._results.rowCount()):
            index = self._results.index(row_index)
            other = self._results.row_at(index)
            if (
                isinstance(other, MoreRow)
                and other.document.document_id == row.document.document_id
                and other.is_of_copies == row.is_of_copies
            ):
                return index
        return None

    def _choose(self, index: AnyIndex) -> None:
        row = self._results.row_at(index)
        if isinstance(row, MoreRow) or row is self.chosen:
            return
        self.chosen = row
        self.passage_chosen.emit(row)

    def _activate(self, index: QModelIndex) -> None:
        row = self._results.row_at(index)
        if isinstance(row, MoreRow):
            self._toggle(index)
        elif row is not None:
            self.document_opened.emit(row)

    def _toggle(self, index: AnyIndex) -> None:
        """Expand or collapse a row; copies are loaded when first expanded."""
        self._results.toggle(index)
        row, answer = self._results.row_at(index), self._results.answer
        if not isinstance(row, MoreRow) or not row.is_of_copies or answer is None:
            return
        if row.is_open and not answer.of_document(row.document.document_id).copies:
            self.copies_wanted.emit(row.document)

    def _step(self, step: int) -> None:
        """Make the next (1) or previous (-1) passage current, past the rows that expand others."""
        index = self.model().index(self.currentIndex().row() + step, 0)
        while isinstance(self._results.row_at(index), MoreRow):
            index = index.siblingAtRow(index.row() + step)
        if index.isValid():
            self.setCurrentIndex(index)

    def _expand(self, row: PassageRow, *, is_expanding: bool) -> None:
        """Expand the next hidden rows of a document, or collapse the last expanded ones."""
        rows = map(self._results.index, range(self._results.rowCount()))
        changing = [
            index
            for index in rows
            if isinstance(other := self._results.row_at(index), MoreRow)
            and other.document.document_id == row.document.document_id
            and other.is_open is not is_expanding
        ]
        if not changing:
            return
        index = changing[0 if is_expanding else -1]
        if not is_expanding and self.currentIndex().row() > index.row():
            self.setCurrentIndex(self._results.index_of_document(row.document.document_id))
        self._toggle(index)

    def _highlight_at(self, point: QPoint) -> Highlight | None:
        index = self.indexAt(point)
        row = self._results.row_at(index)
        if not isinstance(row, PassageRow):
            return None
        return self._painter.highlight_at(row, QPointF(point - self.visualRect(index).topLeft()))

    def _words(self) -> tuple[QueryWord, ...]:
        return self._results.answer.words if self._results.answer is not None else ()

    # Qt's names

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            if self._is_choosing:
                self._is_own_choice, self._missing = True, None
            self._choose(current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, index = event.key(), self.currentIndex()
        row = self._results.row_at(index)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_plain = modifiers == Qt.KeyboardModifier.NoModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if modifiers == Qt.KeyboardModifier.ControlModifier:
                if (document := self.current_document()) is not None:
                    self.folder_opened.emit(document)
            else:
                self._activate(index)
        elif event.matches(QKeySequence.StandardKey.Copy) and isinstance(row, PassageRow):
            self.copy_wanted.emit(row)
        elif event.keyCombination() == _ALIKE and isinstance(row, PassageRow):
            self.alike_wanted.emit(row)
        elif key == Qt.Key.Key_Up and is_plain and index.row() <= 0 and not self.is_covered:
            self.left_upwards.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and is_plain:
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Space and is_plain and isinstance(row, PassageRow):
            self.look_wanted.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and is_plain and self.is_covered:
            self.page_turned.emit(1 if key == Qt.Key.Key_Right else -1)
        elif (
            key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and is_plain and isinstance(row, PassageRow)
        ):
            self._expand(row, is_expanding=key == Qt.Key.Key_Right)
        elif isinstance(row, MoreRow) and is_plain and _toggles(key, row):
            self._toggle(index)
        elif (
            event.text().isprintable()
            and event.text().strip()
            and not modifiers
            & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        ):
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(
            self._results.row_at(index), MoreRow
        ):
            self._toggle(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(
            self._results.row_at(index), PassageRow
        ):
            self._activate(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        row = self._results.row_at(index)
        if not isinstance(row, PassageRow):
            return
        # Created on each use, because it depends on the row.
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        opening = menu.addAction(self.tr("Open document"), partial(self.document_opened.emit, row))
        opening.setShortcut(QKeySequence(Qt.Key.Key_Enter))
        looking = menu.addAction(self.tr("Quick look"), self.look_wanted.emit)
        looking.setShortcut(QKeySequence(Qt.Key.Key_Space))
        showing = menu.addAction(self.tr("Show in folder"), partial(self.folder_opened.emit, row))
        showing.setShortcut(QKeySequence("Ctrl+Enter"))
        # This is the current row: the click that opens the menu has selected it.
        why_this = menu.addAction(self.tr("Why this result?"), self.why_wanted.emit)
        why_this.setShortcut(QKeySequence("Ctrl+I"))
        if row.document.copies or row.is_copy:
            menu.addAction(self.tr("Show copies and versions"), partial(self.same_wanted.emit, row))
        menu.addSeparator()
        copy = menu.addAction(self.tr("Copy with source"), partial(self.copy_wanted.emit, row))
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        menu.addAction(self.tr("Copy path"), partial(copy_path, row.document.path))
        if row.document.path.suffix.lower() == ".pdf":
            menu.addAction(self.tr("Copy as BibTeX"), partial(self.citation_wanted.emit, row))
        alike = menu.addAction(
            self.tr("Find similar passages"), partial(self.alike_wanted.emit, row)
        )
        alike.setShortcut(QKeySequence(_ALIKE))
        menu.addSeparator()
        right = menu.addAction(self.tr("Mark as correct"), partial(self.judged.emit, row))
        right.setShortcut(QKeySequence("Ctrl+D"))
        right.setCheckable(True)
        right.setChecked(bool(index.data(RIGHT_ROLE)))
        self.menu_built.emit(menu, row)
        point = self.visualRect(index).center() if is_by_key else event.pos()
        menu.popup(self.viewport().mapToGlobal(point))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._painter.forget()
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 120)


def _toggles(key: int, row: MoreRow) -> bool:
    return (
        key == Qt.Key.Key_Space
        or (key == Qt.Key.Key_Right and not row.is_open)
        or (key == Qt.Key.Key_Left and row.is_open)
    )
