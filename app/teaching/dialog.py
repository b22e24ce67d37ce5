"""The proposal bar, and the dialog with the marked results and their ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app import texts
from app.widgets.controls import Button, Label
from app.widgets.icons import IconButton, IconLabel
from app.widgets.layouts import SLACK, SPACE, fill, horizontal, vertical
from app.widgets.notices import NoticeBar, announce
from app.widgets.window_geometry import open_within_screen

if TYPE_CHECKING:
    from core.catalog.judgements import Judgement
    from core.search.teaching import Adaptation, JudgedQuery


_RIGHT_ALIGNED: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# The numbers of the judgements of a line.
_JUDGED_ROLE: Final = Qt.ItemDataRole.UserRole
# The column of the ranks with the proposal.
_THEN: Final = 2


@dataclass(frozen=True, slots=True)
class Lesson:
    """The outcome of the marked results; `can_undo` is set if an earlier lesson is in use."""

    adaptation: Adaptation
    can_undo: bool


class JudgedList(QTreeWidget):
    """A line for each query and, below it, one for each passage marked right for it."""

    removal_wanted = Signal(object)
    """The ids (a tuple) of the judgements to remove."""
    chosen = Signal(bool)
    """Whether the selection can be removed."""

    def __init__(self) -> None:
        super().__init__()
        self._judgements: tuple[Judgement, ...] = ()
        self._queries: tuple[JudgedQuery, ...] = ()
        self.setObjectName("ranks")
        self.setAccessibleName(self.tr("Ranks of marked results"))
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderLabels([self.tr("Query"), self.tr("Current rank"), self.tr("New rank")])
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, _THEN):
            self.headerItem().setTextAlignment(column, _RIGHT_ALIGNED)
        self._closed: set[str] = set()
        self.itemCollapsed.connect(lambda item: self._closed.add(item.text(0)))
        self.itemExpanded.connect(lambda item: self._closed.discard(item.text(0)))
        self.itemSelectionChanged.connect(lambda: self.chosen.emit(bool(self.selectedItems())))

    @property
    def is_empty(self) -> bool:
        return self.topLevelItemCount() == 0

    def show_judgements(self, judgements: tuple[Judgement, ...]) -> None:
        """List these, with the known ranks of their queries."""
        self._judgements = judgements
        self._list()

    def show_ranks(self, queries: tuple[JudgedQuery, ...], *, is_proposed: bool) -> None:
        """Show the ranks of the marked results now and with the proposal."""
        self._queries = queries
        self.setColumnHidden(_THEN, not is_proposed)
        self._list()

    def remove_chosen(self) -> None:
        """Request the removal of the selection: a passage, or a query with all its passages."""
        judgement_ids = [
            judgement_id
            for item in self.selectedItems()
            for judgement_id in item.data(0, _JUDGED_ROLE)
        ]
        if judgement_ids:
            self.removal_wanted.emit(tuple(judgement_ids))

    def _list(self) -> None:
        ranks = {judged_query.query: judged_query for judged_query in self._queries}
        judged: dict[str, list[Judgement]] = {}
        for judgement in self._judgements:
            judged.setdefault(judgement.query, []).append(judgement)
        self.clear()
        for query, passages in judged.items():
            known = ranks.get(query)
            now, then = (known.before, known.after) if known is not None else ((), ())
            line = QTreeWidgetItem([query, _ranks(now), _ranks(then)])
            line.setToolTip(0, texts.hint(query))
            line.setData(0, _JUDGED_ROLE, [judgement.id for judgement in passages])
            for column in (1, _THEN):
                line.setTextAlignment(column, _RIGHT_ALIGNED)
            line.addChildren([self._line_of(judgement) for judgement in passages])
            self.addTopLevelItem(line)
            line.setExpanded(query not in self._closed)

    def _line_of(self, judged: Judgement) -> QTreeWidgetItem:
        parts = [texts.name_of(judged.path), texts.page(judged.page)]
        if not judged.passages:
            parts.append(self.tr("not in the library"))
        line = QTreeWidgetItem([" · ".join(parts)])
        line.setToolTip(0, texts.hint(texts.shown_path(judged.path)))
        line.setData(0, _JUDGED_ROLE, [judged.id])
        return line

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Delete):
            self.remove_chosen()
        else:
            super().keyPressEvent(event)


def _ranks(ranks: tuple[int, ...]) -> str:
    return ", ".join(map(texts.grouped, ranks)) or "–"


class ProposalBar(QFrame):
    """Shown above the results until it is opened or closed."""

    show_wanted = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        # Styled as a notice without a warning.
        self.setObjectName("noticeBar")
        self.setProperty("plain", "true")
        text = Label(self.tr("Winnow can improve the ranking based on the results you marked."))
        self.setAccessibleName(text.text())
        self._text = text.text()
        show = Button(self.tr("Show"), self.show_wanted, "quiet")
        show.setAccessibleDescription(text.text())
        close = IconButton("close", self.tr("Not now"), self.dismissed, size=14)
        layout = horizontal(self, margins=(12, 6, 6, 6), spacing=10)
        fill(layout, IconLabel("right", 18), (text, 1), show, close)
        self.hide()

    def propose(self, *, is_something: bool) -> None:
        """Show the bar if there is a proposal, otherwise hide it."""
        if is_something and self.isHidden():
            announce(self, self._text)
        self.setVisible(is_something)


class TeachingDialog(QDialog):
    """Shows one lesson at a time; stays open next to the window."""

    accept_wanted = Signal(object)
    """The AlignmentStrategy to use."""
    undo_wanted = Signal()
    removal_wanted = Signal(object)
    """The ids of the judgements to remove."""
    restoring_wanted = Signal()
    """Undo of the last removal was requested."""
    put_off = Signal()
    """The proposal was declined for now."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Teach Winnow"))
        open_within_screen(self, 600, 460)
        self._lesson: Lesson | None = None
        self.headline = Label(role="title", wraps=True)
        self.details = Label(role="muted", wraps=True)
        self.notice = NoticeBar()
        self.ranks = JudgedList()
        self.ranks.removal_wanted.connect(self.removal_wanted)
        self.remove_button = Button(self.tr("Remove"), self.ranks.remove_chosen)
        self.remove_button.setAccessibleDescription(self.tr("Remove the selected marks"))
        self.ranks.chosen.connect(self.remove_button.setEnabled)
        self.restore_button = Button(self.tr("Restore"), self.restoring_wanted)
        self.restore_button.setToolTip(self.tr("Restore the last removed marks (Ctrl+Z)"))
        self.restore_button.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
        self.accept_button = Button(self.tr("Use new ranking"), self._want, "main")
        self.undo_button = Button(self.tr("Undo ranking change"), self.undo_wanted)
        self.close_button = Button("", self.reject)
        buttons = fill(horizontal(), self.undo_button, SPACE, self.close_button, self.accept_button)
        of_list = fill(horizontal(), self.remove_button, self.restore_button, SPACE)
        layout = vertical(self, margins=(20, 20, 20, 18), spacing=12)
        fill(layout, self.notice, self.headline, self.details)
        fill(layout, (self.ranks, 1), of_list, SLACK, buttons)
        self.show_waiting()
        self.show_judgements((), can_restore=False)

    def show_waiting(self) -> None:
        """Show that the comparison is running."""
        self._lesson = None
        self._show_message(self.tr("Comparing the marked results…"), "")
        self.accept_button.hide()
        self.undo_button.hide()

    def show_lesson(self, lesson: Lesson) -> None:
        self._lesson = lesson
        adaptation = lesson.adaptation
        if adaptation.is_proposed:
            self._show_message(
                self.tr("A better ranking is available"),
                self.tr(
                    "Each query word would be compared with {0} instead of {1}. Documents "
                    "are not indexed again, and you can undo the change here."
                ).format(
                    texts.compared_words(adaptation.best), texts.compared_words(adaptation.current)
                ),
            )
        elif adaptation.missing:
            self._show_message(
                self.tr("Mark a few correct results"),
                self.tr(
                    "Press Ctrl+D to mark the selected result as correct. After {0}, Winnow "
                    "tests whether another way of comparing words ranks the marked results "
                    "higher."
                ).format(texts.further_queries(adaptation.missing)),
            )
        else:
            self._show_message(
                self.tr("No change suggested"),
                self._reason(lesson)
                + " "
                + self.tr("Each query word is compared with {0}.").format(
                    texts.compared_words(adaptation.current)
                ),
            )
        self.accept_button.setVisible(adaptation.is_proposed)
        self.accept_button.setDefault(adaptation.is_proposed)
        self.undo_button.setVisible(lesson.can_undo)
        self.ranks.show_ranks(adaptation.queries, is_proposed=adaptation.is_proposed)

    def _reason(self, lesson: Lesson) -> str:
        if lesson.adaptation.best == lesson.adaptation.current:
            return self.tr("The marked results already rank best with the current method.")
        return self.tr(
            "Another method may rank the marked results higher, but the difference could be chance."
        )

    def _show_message(self, headline: str, details: str) -> None:
        self.headline.setText(headline)
        self.details.setText(details)
        is_proposed = self._lesson is not None and self._lesson.adaptation.is_proposed
        self.close_button.setText(self.tr("Not now") if is_proposed else self.tr("Close"))

    def show_judgements(self, judgements: tuple[Judgement, ...], *, can_restore: bool) -> None:
        """List the current judgements; `can_restore` if the last removal can be undone."""
        self.ranks.show_judgements(judgements)
        self.ranks.setVisible(bool(judgements))
        self.remove_button.setVisible(bool(judgements))
        self.remove_button.setEnabled(bool(self.ranks.selectedItems()))
        self.restore_button.setVisible(can_restore)

    def _want(self) -> None:
        if self._lesson is not None:
            self.accept_wanted.emit(self._lesson.adaptation.best)

    # Qt's names

    def reject(self) -> None:
        if self._lesson is not None and self._lesson.adaptation.is_proposed:
            self.put_off.emit()
        super().reject()
