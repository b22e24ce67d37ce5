"""Pages of indexed documents, drawn from their files as long as these are as they were read."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.documents.document import PageImage
from core.documents.reader import Reader
from core.errors import DocumentError
from core.indexing.recognised import StoredPages


def draw(
    catalog: Catalog,
    drawer: Reader,
    document_id: int,
    page: int,
    width: int,
    spans: Sequence[tuple[int, int]],
) -> PageImage:
    """Draw a page of a document, `width` pixels wide, with the boxes of spans of its text.

    Raises:
        DocumentError: the file cannot be read, has changed since it was indexed, or is of a format
            without page images.
    """
    with catalog.reading() as db:
        known = documents.fetch(db, document_id)
        holder = documents.holder(db, document_id)
    if known is None or holder is None:
        raise DocumentError("is no longer in the library")
    with contextlib.suppress(OSError):  # the drawer finds out, and says what is wrong
        status = holder.path.stat()
        if documents.FileStamp(status.st_size, status.st_mtime_ns) != holder.stamp:
            raise DocumentError("has changed since it was indexed")
    pages = StoredPages(catalog, known.hash)
    return drawer.draw(known.path, page, width, spans, recognised=pages)
