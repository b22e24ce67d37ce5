"""Showing the answers of searches in the window, with their highlights and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.errors import notice_of
from app.translation import translated
from app.widgets.notices import Notice, NoticeBar

if TYPE_CHECKING:
    from app.library.status_strips import StatusLine
    from app.main_view import MainView
    from app.search.chips import ChipRow
    from app.search.rows import Answer
    from app.search.searcher import Aligner, Searcher


class AnswerDisplay(QObject):
    """Asks for what is typed, and shows the answers in all parts of the window."""

    def __init__(
        self,
        searcher: Searcher,
        aligner: Aligner,
        chips: ChipRow,
        main_view: MainView,
        remark: NoticeBar,
        status_line: StatusLine,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._searcher = searcher
        self._aligner = aligner
        self._chips = chips
        self._main_view = main_view
        self._remark = remark
        self._status_line = status_line
        self._dismissed_notice = ""
        searcher.answered.connect(self._show_answer)
        searcher.settled.connect(self._show_reranked)
        searcher.failed.connect(self._show_error)
        searcher.outdated.connect(aligner.drop)
        aligner.aligned.connect(self._show_highlights)
        aligner.failed.connect(self._show_error)
        remark.dismissed.connect(self._dismiss_notice)

    def ask(self, query: str) -> None:
        """Search for the text in the search box."""
        self._searcher.ask(query)
        self._main_view.show_query(query)
        if not query.strip():
            self._chips.clear()
            self._remark.clear()
            self._status_line.clear_answer()

    def _show_answer(self, answer: Answer) -> None:
        from app.search.rows import with_earlier_highlights

        if (before := self._main_view.results.answer) is not None:
            # Keeps highlights that arrived during this search.
            answer = with_earlier_highlights(answer, before)
        self._chips.show_answer(answer)
        self._status_line.show_answer(answer)
        is_whole = len(answer.documents) < self._searcher.limit
        self._main_view.show_answer(answer, is_whole=is_whole)
        notice = translated(answer.results.notice)
        if notice and notice != self._dismissed_notice:
            self._remark.show_notice(Notice(notice, is_plain=True))
        else:
            self._remark.clear()
        # Reranking returns highlights anyway.
        if not self._searcher.is_settling:
            self._align(answer)

    def _show_reranked(self, answer: Answer) -> None:
        """Show the reranked results, unless the person is using the list."""
        shown = self._main_view.results.answer
        if self._main_view.results.is_in_use and shown is not None:
            self._align(shown)
        else:
            self._show_answer(answer)

    def _align(self, answer: Answer) -> None:
        # It needs the model, and would delay loading it.
        if not self._searcher.has_service:
            self._aligner.align(answer)

    def _show_highlights(self, answer: Answer) -> None:
        self._chips.show_answer(answer)
        self._main_view.update_highlights(answer)

    def _dismiss_notice(self, notice: Notice) -> None:
        """Do not show the notice again with the next key."""
        self._dismissed_notice = notice.text

    def _show_error(self, error: Exception) -> None:
        self._remark.show_notice(notice_of(error))
