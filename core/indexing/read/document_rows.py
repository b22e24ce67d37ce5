"""The catalog's rows of documents that were read, or could not be."""

import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.catalog import documents, recognised_pages, references
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, Metadata, NewPassage
from core.documents.damage import gaps_of
from core.documents.document import IS_PICTURE, METADATA, Document
from core.documents.files import unreadable
from core.documents.formats import format_of
from core.documents.mail.quotes import quoted_length
from core.documents.metadata import shorten
from core.documents.pages.recognised import RecognisedPage, pack_page, unpack_page
from core.documents.passages import CountTokens, split
from core.documents.text import lines_of, one_line
from core.errors import Cancelled, DocumentError, Message, WinnowError
from core.indexing.scan.reconcile import title_of

_log = logging.getLogger(__name__)

Change = Callable[[sqlite3.Connection], object]
OnRefusal = Callable[[str], Change]
# An integer of more than 64 bits, a lone surrogate, a row that violates a constraint.
_UNSTORABLE: Final = (OverflowError, UnicodeEncodeError, sqlite3.IntegrityError)
_STORE_S: Final = 0.5
_MOST_PASSAGES: Final = 2000
_MOST_CHANGES: Final = 5000


class Batch:
    """Pending changes, stored after half a second or when there are many of them.

    With one transaction per document, the disk would be the bottleneck.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._changes: list[tuple[Change, OnRefusal | None]] = []
        self._waiting = 0
        self._stored_s = time.monotonic()
        # Number of passages added so far.
        self.passages = 0

    def add(
        self, change: Change, *, passages: int = 0, on_refusal: OnRefusal | None = None
    ) -> None:
        """Add a change, which adds some passages when the batch is stored.

        Args:
            change: applied when the batch is stored.
            passages: number of passages it adds.
            on_refusal: applied instead, with the reason, if a row contains what SQLite cannot
                store; None for a change without a document's data.
        """
        self._changes.append((change, on_refusal))
        self._waiting += passages
        self.passages += passages

    def store_if_due(self) -> None:
        if (
            time.monotonic() - self._stored_s > _STORE_S
            or self._waiting > _MOST_PASSAGES
            or len(self._changes) > _MOST_CHANGES
        ):
            self.store()

    def store(self) -> None:
        """Store the pending changes in one transaction."""
        if self._changes:
            try:
                with self._catalog.transaction() as db:
                    for change, _ in self._changes:
                        change(db)
            except _UNSTORABLE:
                # One by one, to find the change that failed.
                with self._catalog.transaction() as db:
                    for change, on_refusal in self._changes:
                        _store_or_refuse(db, change, on_refusal)
            self._changes = []
            self._waiting = 0
        self._stored_s = time.monotonic()


def _store_or_refuse(db: sqlite3.Connection, change: Change, on_refusal: OnRefusal | None) -> None:
    """Apply a change, or its alternative, which records why it failed."""
    db.execute("SAVEPOINT change")
    try:
        change(db)
    except _UNSTORABLE as error:
        if on_refusal is None:
            raise
        _log.exception("Cannot store a document")
        db.execute("ROLLBACK TO change")
        on_refusal(Message("An error in Winnow prevented reading it ({0})", type(error).__name__))(
            db
        )
    db.execute("RELEASE change")


_LONGEST_METADATA: Final = dict.fromkeys(METADATA, 2000) | {"author": 300, "date": 40}


@dataclass(frozen=True, slots=True)
class StoredText:
    """A document's text as stored in the catalog, with its number of pages.

    `gaps` describes its unread parts; `pictures` is the number of pages that need text recognition.
    """

    title: str
    pages: int
    passages: tuple[NewPassage, ...]
    gaps: str = ""
    pictures: int = 0
    metadata: Metadata = field(default_factory=Metadata)


def read_text(read: Callable[[], Document], path: Path, count_tokens: CountTokens) -> StoredText:
    """Return the text of the document from `read`; the title defaults to the name in `path`."""
    document = read()
    if not document.title:
        document = replace(document, title=title_of(path))
    kind = format_of(path)
    # A photo is expected to have a name and a caption only; an image with several pages is a scan.
    is_photo = kind is not None and kind.is_picture and len(document.pages) == 1
    is_whole = is_photo and document.pages[0].unread == IS_PICTURE
    return StoredText(
        document.title,
        len(document.pages),
        passage_rows(document, count_tokens),
        "" if is_whole else gaps_of(document),
        sum(page.is_picture for page in document.pages),
        Metadata(
            **{
                name: shorten(one_line(getattr(document, name)), longest)
                for name, longest in _LONGEST_METADATA.items()
            }
        ),
    )


def set_text(
    db: sqlite3.Connection,
    document_id: int,
    text: StoredText,
    content_hash: str | None,
    state: DocumentState = DocumentState.READ,
) -> None:
    """Store a document's text and metadata; see `documents.set_read`."""
    documents.set_read(db, document_id, content_hash, text.title, text.pages, text.passages, state)
    documents.set_metadata(db, document_id, text.metadata, text.gaps, text.pictures)
    references.describe(db, document_id)


def passage_rows(document: Document, count_tokens: CountTokens) -> tuple[NewPassage, ...]:
    """Return the passages of a document as stored in the catalog."""
    pages = {page.number: page for page in document.pages}
    rows = []
    for span in split(document, count_tokens):
        page = pages[span.page]
        lines = lines_of(page.text, page.lines, span.start, span.end)
        text = page.text[span.start : span.tile_end]
        first, last = lines or (None, None)
        length = quoted_length(page.quotes, span.start, span.end)
        is_quoted = 2 * length > span.end - span.start
        row = NewPassage(
            span.page, span.start, span.end, text, span.context, first, last, is_quoted
        )
        rows.append(row)
    return tuple(rows)


def reason_for(error: Exception, path: Path) -> str:
    """Return the reason to record with a document that could not be read.

    Raises:
        WinnowError: the document is not at fault, but for example a full disk.
        Cancelled: the person cancelled.
    """
    if isinstance(error, DocumentError):
        return error.message
    if isinstance(error, OSError):
        return unreadable(error).message
    if isinstance(error, (WinnowError, Cancelled)):
        raise error
    _log.error("Unexpected error while reading %s", path, exc_info=error)
    return Message("An error in Winnow prevented reading it ({0})", type(error).__name__)


class StoredPages:
    """The recognised pages of a content, shared by all files with this content.

    Args:
        catalog: the catalog.
        content_hash: of the file; None if unknown: nothing is stored then.
    """

    def __init__(self, catalog: Catalog, content_hash: str | None) -> None:
        self._catalog = catalog
        self._hash = content_hash

    def get(self, page_number: int) -> RecognisedPage | None:
        """Return page `page_number` (from 1), None if it has not been recognised."""
        if self._hash is None:
            return None
        with self._catalog.reading() as db:
            packed = recognised_pages.recognised_page(db, self._hash, page_number)
        try:
            return None if packed is None else unpack_page(packed)
        except ValueError as error:
            _log.warning(
                "Recognising page %s of content %s again: %s", page_number, self._hash, error
            )
            return None

    def put(self, page_number: int, page: RecognisedPage) -> None:
        """Store page `page_number` at once, so that it is not lost if the program is killed."""
        if self._hash is not None:
            with self._catalog.transaction() as db:
                recognised_pages.put_recognised_page(db, self._hash, page_number, pack_page(page))
