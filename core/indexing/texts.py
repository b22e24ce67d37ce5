"""What the catalog stores of a document that was read, and what it says of one that was not."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.catalog import documents
from core.catalog.documents import DocumentState, PassageRow
from core.documents.document import IS_PICTURE, Document
from core.documents.files import unreadable
from core.documents.gaps import gaps_of
from core.documents.passages import CountTokens, split
from core.documents.text import one_line
from core.documents.titles import shorten
from core.errors import Cancelled, DocumentError, WinnowError
from core.indexing.reconcile import title_of

_log = logging.getLogger(__name__)

_LONGEST_AUTHOR: Final = 300
_LONGEST_DATE: Final = 40


@dataclass(frozen=True, slots=True)
class Text:
    """A document's text as the catalog stores it, with its number of pages.

    `gaps` says what of it was not read, `pictures` counts the pages that only text recognition
    could read.
    """

    title: str
    pages: int
    passages: tuple[PassageRow, ...]
    author: str = ""
    date: str = ""
    gaps: str = ""
    pictures: int = 0


def read_text(read: Callable[[], Document], path: Path, count_tokens: CountTokens) -> Text:
    """The text of the document that `read` gives, titled by its `path` if by nothing else."""
    document = read()
    if not document.title:
        document = replace(document, title=title_of(path))
    return Text(
        document.title,
        len(document.pages),
        passage_rows(document, count_tokens),
        shorten(one_line(document.author), _LONGEST_AUTHOR),
        one_line(document.date)[:_LONGEST_DATE],
        gaps_of(document),
        sum(page.unread == IS_PICTURE for page in document.pages),
    )


def set_text(
    db: sqlite3.Connection,
    number: int,
    text: Text,
    content_hash: str | None,
    state: DocumentState = DocumentState.READ,
) -> None:
    """Store a document's text, and what it says of its making; see `documents.set_read`."""
    documents.set_read(db, number, content_hash, text.title, text.pages, text.passages, state)
    documents.set_said(db, number, text.author, text.date)
    documents.set_gaps(db, number, text.gaps, text.pictures)


def passage_rows(document: Document, count_tokens: CountTokens) -> tuple[PassageRow, ...]:
    """The passages of a document as the catalog stores them."""
    texts = {page.number: page.text for page in document.pages}
    return tuple(
        PassageRow(
            page=span.page,
            start=span.start,
            end=span.end,
            text=texts[span.page][span.start : span.tile_end],
            context=span.context,
        )
        for span in split(document, count_tokens)
    )


def reason_for(error: Exception, path: Path) -> str:
    """The reason to record with a document that could not be read.

    Raises:
        WinnowError: it is not the document's fault: there is no process to read it in, no room.
        Cancelled: the person cancelled.
    """
    if isinstance(error, DocumentError):
        return str(error)
    if isinstance(error, OSError):
        return str(unreadable(error))
    if isinstance(error, (WinnowError, Cancelled)):
        raise error
    _log.error("an error of ours while reading %s", path, exc_info=error)
    return f"met an error in Winnow ({type(error).__name__})"
