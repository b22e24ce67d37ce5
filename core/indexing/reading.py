"""From documents that were found to passages in the catalog."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.catalog.documents import FileStamp, KnownDocument, PassageRow
from core.documents.document import Document
from core.documents.files import check_file, unreadable
from core.documents.passages import CountTokens, split
from core.documents.reader import Reader
from core.errors import DocumentError, WinnowError
from core.indexing.reconcile import content_hash, title_of
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)

_FLUSH_S: Final = 0.5
_FLUSH_PASSAGES: Final = 2000


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of reading one document: its text, the reason why not, or neither (unchanged)."""

    known: KnownDocument
    hash: str | None
    title: str = ""
    pages: int = 0
    passages: tuple[PassageRow, ...] = ()
    reason: str = ""
    is_unchanged: bool = False
    changed: FileStamp | None = None


def read_waiting(catalog: Catalog, reader: Reader, count_tokens: CountTokens, job: Job) -> int:
    """Read all documents that wait to be read; gives how many were.

    What has been read is stored every half second, so that it can be found, and so that a program
    that is killed has lost no more. One document's failure is recorded with it. One whose file is
    gone goes on waiting: the next scan tells whether it was deleted or its drive unplugged.

    Raises:
        Cancelled: the person cancelled; what was read stays.
        WinnowError: no reading process can be started.
    """
    waiting = documents.waiting(catalog.connection())
    outcomes: list[_Outcome] = []
    began_s = flushed_s = time.monotonic()
    passages = read = 0
    try:
        for done, known in enumerate(waiting):
            job.checkpoint()
            left_s = (time.monotonic() - began_s) / done * (len(waiting) - done) if done else None
            job.report(
                Progress(
                    Stage.READING, done, len(waiting), str(known.path), passages, left_s=left_s
                )
            )
            outcome = _read(reader, known, count_tokens)
            if outcome is None:
                continue
            read += 1
            outcomes.append(outcome)
            passages += len(outcome.passages)
            pending = sum(len(one.passages) for one in outcomes)
            if time.monotonic() - flushed_s > _FLUSH_S or pending > _FLUSH_PASSAGES:
                _store(catalog, outcomes)
                outcomes = []
                flushed_s = time.monotonic()
    finally:
        # Also when the person cancels: what was read is kept.
        _store(catalog, outcomes)
    if waiting:
        job.report(Progress(Stage.READING, len(waiting), len(waiting), "", passages, 0))
    return read


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


def _read(reader: Reader, known: KnownDocument, count_tokens: CountTokens) -> _Outcome | None:
    """What comes of reading a document; None if its file is gone."""
    found_hash = None
    try:
        check_file(known.path)
        found_hash = content_hash(known.path)
        if found_hash == known.hash and known.has_text:
            return _Outcome(known, found_hash, is_unchanged=True)
        document = _titled(reader.read(known.path), known.path)
        rows = passage_rows(document, count_tokens)
        status = known.path.stat()
    except DocumentError as error:
        return None if _is_gone(known.path) else _Outcome(known, found_hash, reason=str(error))
    except OSError as error:
        reason = str(unreadable(error))
        return None if _is_gone(known.path) else _Outcome(known, None, reason=reason)
    except WinnowError:
        raise  # not the document's fault: no process to read it in
    except Exception as error:  # noqa: BLE001 - the boundary round one document
        _log.exception("an error of ours while reading %s", known.path)
        return _Outcome(
            known, found_hash, reason=f"met an error in Winnow ({type(error).__name__})"
        )
    stamp = FileStamp(status.st_size, status.st_mtime_ns)
    if stamp != known.stamp:
        # Written to meanwhile: half of the old and half of the new may have been read.
        return _Outcome(known, None, changed=stamp)
    return _Outcome(known, found_hash, document.title, len(document.pages), rows)


def _is_gone(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _titled(document: Document, path: Path) -> Document:
    """The document with its file's name for a title where it names none itself."""
    if document.title:
        return document
    return replace(document, title=title_of(path))


def _store(catalog: Catalog, outcomes: list[_Outcome]) -> None:
    if not outcomes:
        return
    with catalog.transaction() as db:
        for outcome in outcomes:
            number = outcome.known.id
            if outcome.is_unchanged:
                documents.set_unchanged(db, number)
            elif outcome.changed is not None:
                documents.set_changed(db, [(number, outcome.changed)])
            elif outcome.reason:
                documents.set_failed(db, number, outcome.hash, outcome.reason)
            else:
                documents.set_read(
                    db, number, outcome.hash, outcome.title, outcome.pages, outcome.passages
                )
