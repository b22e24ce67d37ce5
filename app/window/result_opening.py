"""Opening of results and listed documents with the programs for their files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.widgets.notices import Notice, NoticeBar
from core.printable import quoted

if TYPE_CHECKING:
    from app.desktop.opening import Opener
    from app.library.other_libraries import OtherLibraries
    from app.search.results_view import ResultsView
    from app.search.rows import PassageRow
    from app.search.searcher import Searcher
    from app.session import Session
    from core.requests import Answerer
    from core.responses import DocumentHit


class ResultOpener(QObject):
    """Opens documents and their folders, unless they are on another computer."""

    def __init__(
        self,
        opener: Opener,
        session: Session,
        others: OtherLibraries,
        searcher: Searcher,
        results: ResultsView,
        trouble: NoticeBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self._session = session
        self._others = others
        self._searcher = searcher
        self._results = results
        self._trouble = trouble

    def open_current(self, *, is_folder: bool) -> None:
        """Open the selected result; if it belongs to an older query, search for the new one now."""
        shown = self._results.answer
        is_new = shown is not None and shown.results.original_query == self._searcher.query
        # Results by words only can be opened, too.
        if self._searcher.is_waiting and not is_new:
            self._searcher.ask_now()
        elif (row := self._results.current_document()) is not None:
            (self.open_folder if is_folder else self.open_document)(row)

    def open_document(self, row: PassageRow) -> None:
        """Open a result's document at its passage."""
        if self._is_elsewhere(row.document):
            return
        page = row.hit.passage.page if row.document.has_page_images else None
        library, others = self._session.library, self._others.federation
        line = None if library is None else partial(_line_of, others or library, row.passage_id)
        self._opener.open(row.document.path, page, line)

    def open_folder(self, row: PassageRow) -> None:
        """Open the folder of a result's document."""
        if self._is_elsewhere(row.document):
            return
        self._opener.open_folder(row.document.path)

    def open_listed(self, document: DocumentHit) -> None:
        """Open a document of the lists that are shown without a query."""
        if not self._is_elsewhere(document):
            self._opener.open(document.path)

    def _is_elsewhere(self, document: DocumentHit) -> bool:
        """Return whether a document is on another machine; if so, show a notice."""
        if document.is_elsewhere:
            sentence = self.tr(
                "This document belongs to the library {0}. You can read its text here, but its "
                "file is on another computer."
            )
            library = quoted(document.library)
            self._trouble.show_notice(Notice(sentence.format(library), is_plain=True))
        return document.is_elsewhere


def _line_of(library: Answerer, passage_id: int) -> int | None:
    """Return the line at which a passage begins in its file; None if it is unknown."""
    from core.requests import LocateLines

    lines = library.answer(LocateLines((passage_id,))).get(passage_id)
    return None if lines is None else lines[0]
