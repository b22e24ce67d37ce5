"""Read the stored text of documents and passages."""

from collections.abc import Sequence
from pathlib import Path

from core.catalog import document_queries, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, ReadDocument
from core.errors import GoneError, LibraryError
from core.responses import Passage, Reading


class StoredTexts:
    """The text of documents in the catalog; no file is opened."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def document(self, path: Path) -> ReadDocument:
        """Return the document at a path as in search results.

        Raises:
            LibraryError: it does not exist, could not be read, or has not been read yet.
        """
        with self._catalog.reading() as db:
            stored = document_queries.at(db, path)
        if stored is None:
            raise GoneError("There is no document at {0} in the library.", path)
        state, reason, document = stored
        if state is DocumentState.FAILED:
            raise LibraryError("{0} cannot be read: {1}.", path, reason)
        if state is DocumentState.IN_CLOUD and not document.pages:
            raise LibraryError("{0} has no text yet. {1}.", path, reason)
        if not document.pages:
            raise LibraryError("{0} has no text, or has not been read yet.", path)
        return document

    def numbered(self, document_id: int) -> ReadDocument:
        """Return the document with an id.

        Raises:
            GoneError: it no longer exists, or has no text.
        """
        with self._catalog.snapshot() as db:
            known = document_queries.fetch(db, document_id)
            document = None if known is None else document_queries.at(db, known.path)
        if document is None or document[2].id != document_id or not document[2].pages:
            raise GoneError("This document is no longer in the library. Search again.")
        return document[2]

    def page(self, document: ReadDocument, page_number: int) -> str:
        """Return the text of a page, numbered from 1.

        Raises:
            GoneError: the page does not exist.
        """
        if not 1 <= page_number <= document.pages:
            raise GoneError(
                "{0} has no page {1}; its pages are {2}.",
                document.path,
                page_number,
                document.pages,
            )
        with self._catalog.reading() as db:
            return passages.page_text(db, document.id, page_number)

    def lines(self, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the first and last line in the file of each passage, if known."""
        with self._catalog.reading() as db:
            return passages.lines(db, passage_ids)

    def passage(self, passage_id: int, before: int = 0, after: int = 0) -> Reading:
        """Return a passage with some of its neighbours in the document.

        Raises:
            GoneError: it no longer exists.
        """
        with self._catalog.snapshot() as db:
            stored = passages.fetch(db, [passage_id]).get(passage_id)
            if stored is None:
                raise GoneError("This passage is no longer in the library. Search again.")
            document = document_queries.at(db, stored.path)
            passage_ids = passages.ids_in(db, stored.document_id)
            index = passage_ids.index(passage_id)
            near = passage_ids[max(index - before, 0) : index + after + 1]
            texts = passages.fetch(db, near)
        assert document is not None
        rows = [Passage.of(texts[near_id]) for near_id in near]
        index = near.index(passage_id)
        return Reading(document[2], rows[index], tuple(rows[:index]), tuple(rows[index + 1 :]))
