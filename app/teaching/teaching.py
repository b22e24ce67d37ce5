"""Teaching: mark results as right, and offer a better ranking learned from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background import Latest, Work
from app.errors import notice_of
from app.teaching.dialog import Lesson, ProposalBar, TeachingDialog
from app.widgets.window_geometry import bring_forward
from core.errors import WinnowError
from core.printable import quoted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.search.results_view import ResultsView
    from app.search.rows import PassageRow
    from app.session import Session
    from core.alignment.pairwise import AlignmentStrategy
    from core.catalog.judgements import Forgotten, Judgement
    from core.library.library import Library
    from core.progress import Job


@dataclass(frozen=True, slots=True)
class MarkedPassages:
    """The numbers of the passages marked right for a query."""

    query: str
    passages: frozenset[int]


@dataclass(frozen=True, slots=True)
class Judged:
    """All judgements, and those that were removed by the last change."""

    judgements: tuple[Judgement, ...]
    forgotten: tuple[Forgotten, ...] = ()


def _marked_passages(library: Library, query: str, _job: Job | None = None) -> MarkedPassages:
    judged = library.teaching.judgements(query)
    return MarkedPassages(
        query, frozenset(passage_id for judgement in judged for passage_id in judgement.passages)
    )


def _toggle_mark(library: Library, query: str, passage_id: int, _job: Job) -> MarkedPassages:
    """Mark a passage right for `query`, or remove the mark; return the new marks."""
    teaching = library.teaching
    marked = [
        judgement for judgement in teaching.judgements(query) if passage_id in judgement.passages
    ]
    for judgement in marked:
        teaching.forget(judgement.id)
    if not marked:
        teaching.judge(query, passage_id)
    return _marked_passages(library, query)


def _forget_judgements(library: Library, judgement_ids: tuple[int, ...], _job: Job) -> Judged:
    """Remove judgements; return the rest and the data to restore the removed ones."""
    teaching = library.teaching
    forgotten = tuple(teaching.forget(judgement_id) for judgement_id in judgement_ids)
    return Judged(teaching.judgements(), forgotten)


def _restore_judgements(library: Library, forgotten: tuple[Forgotten, ...], _job: Job) -> Judged:
    """Restore removed judgements; return all judgements."""
    teaching = library.teaching
    for judgement in forgotten:
        teaching.restore(judgement)
    return Judged(teaching.judgements())


def _judgements(library: Library, _job: Job) -> Judged:
    return Judged(library.teaching.judgements())


def _propose(library: Library, job: Job) -> Lesson:
    """Return the proposal learned from the marked results."""
    return Lesson(library.teaching.propose(job), library.teaching.can_undo)


def _adopt(library: Library, alignment: AlignmentStrategy, job: Job) -> Lesson:
    """Adopt the proposed alignment; return the new outcome."""
    library.teaching.adopt(alignment)
    return _propose(library, job)


def _undo_adoption(library: Library, job: Job) -> Lesson:
    """Undo the last adoption; return the new outcome."""
    library.teaching.undo()
    return _propose(library, job)


class TeachingController(QObject):
    """Marks results as right, and learns from them on request.

    Runs in parallel with a sync: a judgement is one small row.
    """

    learned = Signal()
    """The ranking has changed."""
    failed = Signal(object)

    def __init__(self, session: Session, results: ResultsView, window: QWidget) -> None:
        super().__init__(window)
        self.bar = ProposalBar()
        self.dialog = TeachingDialog(window)
        self._results = results
        self._lane = session.reads
        self._library: Library | None = None
        self._marking = 0
        self._looking = Latest(self._lane, self, self._show_marks, self.failed)
        self._learning = Latest(self._lane, self, self._show_lesson, self._show_trouble)
        self._forgotten: tuple[Forgotten, ...] = ()
        self._listing = Latest(self._lane, self, self._show_judged, self._show_trouble)
        self.dialog.removal_wanted.connect(self._remove)
        self.dialog.restoring_wanted.connect(self._restore)
        session.opened.connect(self._use)
        results.model().modelReset.connect(self._look_up)
        results.judged.connect(self.toggle)
        self.bar.show_wanted.connect(self.show_dialog)
        self.bar.dismissed.connect(self.bar.hide)
        self.dialog.put_off.connect(self.bar.hide)
        self.dialog.accept_wanted.connect(self._accept)
        self.dialog.undo_wanted.connect(self._undo)

    def toggle(self, row: PassageRow) -> None:
        """Mark the passage of `row` as right for the current query, or remove the mark."""
        answer = self._results.answer
        if self._library is None or answer is None:
            return
        if row.document.library:
            sentence = self.tr(
                "This result is from the library {0}. Only results from your own library can "
                "be marked."
            )
            self.failed.emit(WinnowError(sentence.format(quoted(row.document.library))))
            return
        query = answer.results.query
        self._looking.drop()
        self._marking += 1
        task = self._lane.start(partial(_toggle_mark, self._library, query, row.passage_id))
        task.succeeded.connect(self._show_marks)
        # The new marks may change the proposal.
        task.succeeded.connect(lambda _: self._learn())
        task.succeeded.connect(lambda _: self._list())
        task.failed.connect(self.failed)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._end_marking)

    def toggle_chosen(self) -> None:
        """Toggle the mark of the passage in the reader."""
        if self._results.chosen is not None:
            self.toggle(self._results.chosen)

    def show_dialog(self) -> None:
        self.bar.hide()
        self.dialog.show_waiting()
        self.dialog.notice.clear()
        bring_forward(self.dialog)
        self._list()
        self._learn()

    def _use(self, library: Library) -> None:
        self._library = library
        self._look_up()

    def _look_up(self) -> None:
        answer = self._results.answer
        if self._library is None or answer is None or self._marking:
            return
        self._looking.start(partial(_marked_passages, self._library, answer.results.query))

    def _show_marks(self, marks: MarkedPassages) -> None:
        answer = self._results.answer
        if answer is not None and answer.results.query == marks.query:
            self._results.show_marks(marks.passages)

    def _end_marking(self) -> None:
        self._marking -= 1

    def _learn(self) -> None:
        if self._library is not None:
            self._learning.start(partial(_propose, self._library))

    def _list(self) -> None:
        if self._library is not None and self.dialog.isVisible():
            self._listing.start(partial(_judgements, self._library))

    def _remove(self, judgement_ids: tuple[int, ...]) -> None:
        if self._library is not None:
            self._relist(partial(_forget_judgements, self._library, judgement_ids))

    def _restore(self) -> None:
        if self._library is not None and self._forgotten:
            self._relist(partial(_restore_judgements, self._library, self._forgotten))

    def _relist(self, change: Work) -> None:
        """Change the marks: update the list at once and the proposal later."""
        self._learning.drop()
        task = self._lane.start(change)
        task.succeeded.connect(self._show_judged)
        task.succeeded.connect(lambda _: self._look_up())
        task.succeeded.connect(lambda _: self._learn())
        task.failed.connect(self._show_trouble)

    def _show_judged(self, judged: Judged) -> None:
        self._forgotten = judged.forgotten
        self.dialog.show_judgements(judged.judgements, can_restore=bool(judged.forgotten))

    def _show_lesson(self, lesson: Lesson) -> None:
        self.dialog.show_lesson(lesson)
        is_shown = self.dialog.isVisible()
        self.bar.propose(is_something=lesson.adaptation.is_proposed and not is_shown)

    def _accept(self, alignment: AlignmentStrategy) -> None:
        if self._library is not None:
            self._change(partial(_adopt, self._library, alignment))

    def _undo(self) -> None:
        if self._library is not None:
            self._change(partial(_undo_adoption, self._library))

    def _change(self, change: Work) -> None:
        self._learning.drop()
        self.dialog.show_waiting()
        task = self._lane.start(change)
        task.succeeded.connect(self._show_lesson)
        task.succeeded.connect(lambda _: self.learned.emit())
        task.failed.connect(self._show_trouble)
        # Refresh the dialog after a failure.
        task.failed.connect(lambda _: self._learn())

    def _show_trouble(self, error: Exception) -> None:
        if self.dialog.isVisible():
            self.dialog.notice.show_notice(notice_of(error))
        else:
            self.failed.emit(error)
