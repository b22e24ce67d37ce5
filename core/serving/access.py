"""A library as one person of several may see it: some of its folders, and nothing else of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from core.catalog.documents import ReadDocument
from core.catalog.folders import Folder
from core.catalog.scope import Scope
from core.documents.document import Box, PageImage, PageSize
from core.errors import GoneError
from core.library.library import Library
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import ExactAlignments, Facets, Mode, Reading, ScoreScale, SearchResults
from core.search.query.language import Clause, scope_of
from core.token_comparison import Explanation


class LibraryView:
    """What may be asked of a library, read and no more, within some of its folders.

    The folders are a scope that applies before anything is ranked. A passage or document that lies
    elsewhere is refused in the words for one that is not there. Any thread may ask.

    Args:
        library: what is looked at.
        folders: what may be seen of it; None for all.
        job: cancels what takes long.
    """

    def __init__(
        self, library: Library, folders: Sequence[Path] | None = None, job: Job | None = None
    ) -> None:
        # No folders at all would be a scope without conditions, which holds for everything.
        if folders is not None and not folders:
            raise ValueError("a view without folders sees nothing")
        self._library = library
        self._places = None if folders is None else tuple(folders)
        self._scope = Scope(places=self._places or ())
        self._job = job or Job()

    def with_job(self, job: Job) -> Self:
        """Return the same view, cancelled by another job."""
        return type(self)(self._library, self._places, job)

    def sees(self, path: Path) -> bool:
        """Return whether what lies at a path may be seen, if it is in the library."""
        return self._places is None or any(_lies_in(path, place) for place in self._places)

    def roots(self) -> tuple[Path, ...]:
        """Return the folders that may be seen: the library's own, or the part of one."""
        return tuple(folder.path for folder in self._folders())

    def folders(self) -> tuple[Folder, ...]:
        """Return the folders that may be seen, with what is in them."""
        return tuple(
            replace(folder, documents=held.documents, failed=held.failed, waiting=held.waiting)
            for folder in self._folders()
            for held in [self._library.holdings(Scope(places=(folder.path,)) & self._scope)]
        )

    def descriptions(self) -> dict[Path, str]:
        """Return what the library's owner says of folders, of those that may be seen as a whole.

        Of a folder's other parts it might tell whoever sees but one.
        """
        return {
            path: said for path, said in self._library.descriptions().items() if self.sees(path)
        }

    def model(self) -> str:
        """Return the name of the model that answers."""
        return self._library.model()

    def counts(self) -> tuple[int, int, int]:
        """Return how many documents were read, their passages, and how many wait for vectors."""
        held = self._library.holdings(self._scope)
        return held.documents, held.passages, held.passages_waiting

    def search(
        self,
        query: str,
        *,
        mode: Mode = Mode.HYBRID,
        limit: int = 20,
        scope: Scope | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        """Return the best documents that may be seen; raises what `Library.search` raises."""
        return self._library.search(
            query,
            mode=mode,
            limit=limit,
            scope=self._scope if scope is None else self._scope & scope,
            job=self._job,
            is_refined=is_refined,
            rewrites=rewrites,
        )

    def narrowed(
        self,
        query: str,
        filters: Sequence[Clause],
        *,
        mode: Mode,
        limit: int,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        """Return the best documents that may be seen and fit filters beside those of the query."""
        return self.search(
            query, mode=mode, limit=limit, scope=scope_of(filters), rewrites=rewrites
        )

    def facets(self, query: str, *, mode: Mode = Mode.HYBRID, limit: int = 20) -> Facets:
        """Return how many of the documents that may be seen a query finds, by folder and kind."""
        facets = self._library.facets(
            query, mode=mode, limit=limit, scope=self._scope, job=self._job
        )
        if self._places is None:
            return facets
        seen = {path: count for path, count in facets.folders.items() if self.sees(path)}
        return replace(facets, roots=self.roots(), folders=seen)

    def explain(self, query: str, passage_id: int) -> Explanation:
        """Return a query and one passage compared token by token.

        Raises:
            GoneError: it is gone, or may not be seen.
        """
        self.passage(passage_id)
        explanation = self._library.explain(query, passage_id)
        # Once more: another passage may have been given the number of one that was removed.
        self.passage(passage_id)
        return explanation

    def align(self, query: str, passage_ids: Sequence[int]) -> ExactAlignments:
        """Return the exact alignments of a query with passages; left out are those not to be seen.

        Raises:
            Cancelled: the job was cancelled.
        """
        seen = [number for number in passage_ids if self._sees_passage(number)]
        aligned = self._library.align(query, seen, self._job)
        # Once more, as in `explain`.
        still = {one: pairs for one, pairs in aligned.of.items() if self._sees_passage(one)}
        return replace(aligned, of=still)

    def salient_words(self, passage_id: int, count: int) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about.

        Raises:
            GoneError: it is gone, or may not be seen.
        """
        self.passage(passage_id)
        words = self._library.salient_words(passage_id, count)
        self.passage(passage_id)  # once more, as in `explain`
        return words

    def scale(self) -> ScoreScale | None:
        """Return what scores by meaning are made of; None where the model is not there."""
        return self._library.score_scale()

    def passage(self, number: int, before: int = 0, behind: int = 0) -> Reading:
        """Return a passage with so many of its neighbours.

        Raises:
            GoneError: it is gone, or may not be seen.
        """
        reading = self._library.texts.passage(number, before, behind)
        if not self.sees(reading.document.path):
            raise GoneError("This passage is no longer in the library; search again.")
        return reading

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the file's lines that passages are which this view gave, where that is known."""
        return self._library.texts.lines(numbers)

    def document(self, number: int) -> ReadDocument:
        """Return a document that was read.

        Raises:
            GoneError: it is gone, has no text, or may not be seen.
        """
        document = self._library.texts.numbered(number)
        if not self.sees(document.path):
            raise GoneError("This document is no longer in the library; search again.")
        return document

    def document_at(self, path: Path) -> ReadDocument:
        """Return the document at a path.

        Raises:
            LibraryError: there is none, it could not be read, or may not be seen.
        """
        if not self.sees(path):
            raise GoneError("There is no document at {0} in the library.", path)
        return self._library.texts.document(path)

    def page(self, document: ReadDocument, number: int) -> str:
        """Return the text of a page of a document that this view gave.

        Raises:
            GoneError: it has no such page.
        """
        return self._library.texts.page(document, number)

    def picture(self, number: int, page: int, width: int) -> PageImage:
        """Draw a page of a document, `width` pixels wide.

        Raises:
            GoneError: the document is gone, or may not be seen, or has no such page.
            DocumentError: its file cannot be drawn, or is not as it was.
        """
        self._check_page(number, page)
        image = self._library.page_image(number, page, width, (), self._job)
        self.document(number)  # once more, as for a passage
        return image

    def boxes(
        self, number: int, page: int, size: tuple[int, int], spans: Sequence[tuple[int, int]]
    ) -> tuple[tuple[Box, ...], ...]:
        """Return where spans of a page's text stand in a picture of it; raise as `picture` does."""
        self._check_page(number, page)
        boxes = self._library.views.boxes(number, page, size, spans, self._job)
        self.document(number)
        return boxes

    def sizes(self, number: int) -> tuple[PageSize, ...]:
        """Return how large a document's pages are; raise as `picture` does."""
        self.document(number)
        sizes = self._library.views.sizes(number, self._job)
        self.document(number)
        return sizes

    def _check_page(self, number: int, page: int) -> None:
        document = self.document(number)
        if not 1 <= page <= document.pages:
            raise GoneError("{0} has no page {1}, but {2}.", document.path, page, document.pages)

    def _sees_passage(self, number: int) -> bool:
        try:
            self.passage(number)
        except GoneError:
            return False
        return True

    def _folders(self) -> tuple[Folder, ...]:
        """Return the library's folders as far as they may be seen, without what is in them."""
        every = self._library.folders()
        if self._places is None:
            return every
        return tuple(
            folder if _lies_in(folder.path, place) else replace(folder, path=place, description="")
            for place in self._places
            for folder in every
            if _lies_in(folder.path, place) or _lies_in(place, folder.path)
        )


def _lies_in(path: Path, place: Path) -> bool:
    """Return whether a path is a place or lies in it, by its text as in the catalog's scope."""
    return path == place or str(path).startswith(str(place).rstrip(os.sep) + os.sep)
