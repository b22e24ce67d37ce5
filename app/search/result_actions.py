"""Actions on results: copy, export, and search for similar passages."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app import texts
from app.background import Latest
from app.search.rows import Answer, PassageRow, with_copies
from app.widgets.notices import Notice
from core.addresses import readable_path

if TYPE_CHECKING:
    from app.search.results_header import ResultsHeader
    from app.search.results_view import ResultsView
    from app.session import Session
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import DocumentHit, SearchResults


_WORDS: Final = 12


class ResultActions(QObject):
    """Copies passages, searches for similar ones, and exports the answer."""

    query_created = Signal(object)
    """The query (a str) for passages similar to one."""
    done = Signal(object)
    """A Notice that says what was copied or exported."""
    failed = Signal(object)

    def __init__(
        self, session: Session, results: ResultsView, header: ResultsHeader, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._files = session.files
        self._results = results
        self._library: Answerer | None = None
        self._looking = Latest(session.reads, self, self.query_created, self.failed)
        self._unfolding = Latest(session.reads, self, self._show_copies, self.failed)
        session.opened.connect(self.use)
        self._citing = Latest(session.reads, self, self._put_citation, self.failed)
        results.copy_wanted.connect(self.copy)
        results.citation_wanted.connect(self.copy_citation)
        results.alike_wanted.connect(self.find_alike)
        results.copies_wanted.connect(self.find_copies)
        results.same_wanted.connect(self.list_copies)
        header.export_wanted.connect(self.ask_for_file)

    def copy(self, row: PassageRow, text: str = "") -> None:
        """Copy a passage, or another `text` on its page, with its source to the clipboard."""
        # Imported already, with the answer of this row.
        from core.search.output.export import quotation

        passage = row.hit.passage
        passage = replace(passage, text=text or passage.text)
        self._put(quotation(row.document, passage), self.tr("Copied with its source"))

    def copy_citation(self, row: PassageRow) -> None:
        """Copy a document's bibliography entry to the clipboard."""
        if self._library is not None:
            self._citing.start(partial(_citation, self._library, row.document))

    def _put_citation(self, entry: str) -> None:
        self._put(entry, self.tr("Bibliography entry copied"))

    def _put(self, text: str, sentence: str) -> None:
        """Put a text into the clipboard, and say so."""
        QGuiApplication.clipboard().setText(text)
        self.done.emit(Notice(sentence, is_plain=True))

    def find_alike(self, row: PassageRow) -> None:
        """Search for the words most characteristic of a passage."""
        if self._library is not None:
            self._looking.start(partial(_salient, self._library, row.passage_id))

    def find_copies(self, document: DocumentHit) -> None:
        """Find the copies and versions of a document in the shown answer."""
        answer = self._results.answer
        if self._library is not None and answer is not None:
            self._unfolding.start(partial(_copies, self._library, answer, document))

    def _show_copies(self, copies: tuple[Answer, DocumentHit, list[DocumentHit]]) -> None:
        answered, document, hits = copies
        answer = self._results.answer
        if answer is None or answer.results.query != answered.results.query:
            return
        there = {entry.best.document.document_id for entry in answer.documents}
        if document.document_id in there:
            answer = with_copies(answer, document.document_id, hits)
            self._results.show_copies(answer, document.document_id)

    def list_copies(self, row: PassageRow) -> None:
        """Search for all copies and versions of a document."""
        # Imported already, with the answer of this row.
        from core.search.query.language import Clause

        self.query_created.emit(str(Clause("same", readable_path(row.document.path))))

    def ask_for_file(self, form: str) -> QFileDialog | None:
        """Open a dialog for the file to export to in this format."""
        answer = self._results.answer
        if answer is None:
            return None
        dialog = QFileDialog(self._results.window(), self.tr("Export results"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDirectory(str(Path.home()))
        dialog.setDefaultSuffix(form)
        dialog.setNameFilter(f"*.{form}")
        dialog.selectFile(f"{_file_name(answer.results.query)}.{form}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(partial(self.write, answer, form))
        dialog.open()
        return dialog

    def write(self, answer: Answer, form: str, path: str) -> None:
        """Export the documents of `answer` in their shown order."""
        hits = tuple(document.best.document for document in answer.documents)
        results = replace(answer.results, hits=hits)
        task = self._files.start(partial(_write, results, form, Path(path)))
        count = texts.documents(len(hits))
        sentence = self.tr("{0} exported to {1}.").format(count, texts.shown_path(Path(path)))
        task.succeeded.connect(lambda _: self.done.emit(Notice(sentence, is_plain=True)))
        task.failed.connect(self.failed)

    def use(self, library: Answerer) -> None:
        self._library = library


def _citation(library: Answerer, document: DocumentHit, job: Job) -> str:
    from core.requests import ReadPages
    from core.search.output.export import bibtex, doi_in

    # A DOI on a later page usually belongs to a cited document.
    pages = library.answer(ReadPages(document.document_id), job)[:1]
    return bibtex(document, doi_in(pages[0].text) if pages else "")


def _salient(library: Answerer, passage_id: int, job: Job) -> str:
    from core.requests import GetSalientWords

    words = library.answer(GetSalientWords(passage_id, _WORDS), job)
    return " ".join(words)


def _copies(
    library: Answerer, answer: Answer, document: DocumentHit, job: Job
) -> tuple[Answer, DocumentHit, list[DocumentHit]]:
    """Return the copies of a document, each with its best passage for the query."""
    from core.requests import MOST_DOCUMENTS, Search
    from core.search.query.language import Clause, Query, parse

    same = Clause("same", readable_path(document.path))
    wanted = {copy.document_id for copy in document.copies}
    # A conversation has mails, too, that are results of their own.
    limit = max(MOST_DOCUMENTS, len(wanted) + 1)
    query = str(Query((*parse(answer.results.query).parts, same)))
    request = Search(query, answer.results.mode, limit, is_refined=False)
    hits_by_id = {hit.document_id: hit for hit in library.answer(request, job).hits}
    if not wanted <= hits_by_id.keys():
        # A version may lack the words of the query.
        for hit in library.answer(replace(request, query=str(same)), job).hits:
            hits_by_id.setdefault(hit.document_id, hit)
    hits = [
        hits_by_id[copy.document_id] for copy in document.copies if copy.document_id in hits_by_id
    ]
    return answer, document, hits


def _write(results: SearchResults, form: str, path: Path, _job: Job) -> None:
    from core.search.output.export import Form, write

    write(results, Form(form), path)


def _file_name(query: str) -> str:
    """Return a file name that is valid on every system, made of the words of a query.

    >>> _file_name('in:"/srv" grain/oats?')
    'in srv grain oats'
    """
    words = "".join(
        character if character.isalnum() or character in "-_" else " " for character in query
    ).split()
    return " ".join(words)[:60].strip() or "results"
