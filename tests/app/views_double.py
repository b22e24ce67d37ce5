"""What the documents of a library in memory look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.documents.document import Box, Page, PageSize
from core.errors import DocumentError
from core.responses import Inner

if TYPE_CHECKING:
    from core.progress import Job
    from tests.app.library_double import Book


@dataclass(frozen=True)
class ViewsDouble:
    """Answers from what the books say of themselves."""

    books: Sequence[Book]
    placed: list[tuple[int, int]]

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]:
        """The pages with how they look; a book without any says that it has changed."""
        dressed = self.books[document_id].dressed
        if not dressed:
            raise DocumentError("has changed since it was indexed")
        return dressed

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        """Boxes as `LibraryDouble.page_image` has them."""
        width = size[0]
        self.placed.append((document_id, page))
        return tuple(
            (Box(width * 0.1, 40.0 + 30 * place, width * 0.3, 60.0 + 30 * place),)
            for place, _ in enumerate(spans)
        )

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]:
        book = self.books[document_id]
        return tuple(PageSize(500.0, 700.0) for _ in book.pages if book.has_page_images)

    def inside(self, document_id: int) -> tuple[Inner, ...]:
        return self.books[document_id].inside
