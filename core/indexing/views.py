"""Page images and layout of documents, from their files if these are unchanged."""

import contextlib
from collections.abc import Sequence

from core.catalog import document_queries
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.catalog.files import folders
from core.documents.document import Box, Page, PageImage, PageSize
from core.documents.formats import format_of
from core.documents.reader import Reader
from core.errors import DocumentError
from core.indexing.read.document_rows import StoredPages
from core.indexing.scan.ignore_rules import Links
from core.progress import Job
from core.responses import Inner


class Views:
    """Draws the documents of a catalog; thread-safe.

    Args:
        catalog: the library's.
        drawer: reads and draws the files.
    """

    def __init__(self, catalog: Catalog, drawer: Reader) -> None:
        self._catalog = catalog
        self._drawer = drawer

    def image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        """Draw a page of a document, `width` pixels wide, with the boxes of spans of its text.

        Raises:
            Cancelled: the job was cancelled.
            DocumentError: the file cannot be read, has changed since it was indexed, or is of a
                format without page images.
        """
        known = self._known(document_id)
        pages = StoredPages(self._catalog, known.hash)
        return self._drawer.draw(known.path, page, width, spans, recognised=pages, job=job)

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        """Return the boxes of spans of a page's text on an image of it with this `size`.

        Raises:
            Cancelled: the job was cancelled.
            DocumentError: the file cannot be read, has changed since it was indexed, or is of a
                format without page images.
        """
        known = self._known(document_id)
        pages = StoredPages(self._catalog, known.hash)
        return self._drawer.locate_spans(known.path, page, size, spans, recognised=pages, job=job)

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]:
        """Return the sizes of a document's pages; empty if its format has none.

        Raises:
            Cancelled: the job was cancelled.
            DocumentError: the file cannot be read, or has changed since it was indexed.
        """
        return self._drawer.page_sizes(self._known(document_id).path, job)

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]:
        """Return the pages of a document with their layout, read from its file again.

        Raises:
            Cancelled: the job was cancelled.
            DocumentError: the file cannot be read, or has changed since it was indexed.
        """
        return self._drawer.read_with_styles(self._known(document_id).path, job).pages

    def inside(self, document_id: int) -> tuple[Inner, ...]:
        """Return the direct members of a document, in the order they were found in."""
        with self._catalog.reading() as db:
            members = document_queries.members_in(db, document_id)
        return tuple(
            Inner(
                member.id,
                member.path,
                member.title,
                member.state in (DocumentState.READ, DocumentState.NO_TEXT),
                member.reason,
                (kind := format_of(member.path)) is not None and kind.has_page_images,
            )
            for member in members
        )

    def _known(self, document_id: int) -> KnownDocument:
        """Return the catalog's entry of a document; raise if its file has changed."""
        with self._catalog.reading() as db:
            known = document_queries.fetch(db, document_id)
            holder = document_queries.holder(db, document_id)
            rules = {root.path: root.rules for root in folders.roots(db)}
        if known is None or holder is None:
            raise DocumentError("No longer in the library")
        with contextlib.suppress(OSError):  # the drawer reports the error
            real = Links(rules).real(holder.path_text)
            if real is None:
                raise DocumentError("Is now a link to another location")
            if real.stamp != holder.stamp:
                raise DocumentError("Changed since it was indexed")
        return known
