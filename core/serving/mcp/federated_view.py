"""A library and those that were added to it, as an agent of its owner's sees them: as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from core.catalog.documents import ReadDocument
from core.catalog.scope import Scope
from core.errors import GoneError
from core.federation.federation import Federation
from core.federation.source import SourceState
from core.library.library import Library
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import Mode, Reading, SearchResults
from core.search.query.language import Clause, Either, Part, Query, filters, parse
from core.serving.access import LibraryView
from core.token_comparison import Explanation


class FederatedView(LibraryView):
    """All of one's own library, and what the libraries beside it answer.

    Folders, counts and documents by their paths are those of one's own; passages and documents by
    their numbers are asked of their library, and raise `SourceUnavailableError` where it does not
    answer.

    Args:
        library: one's own.
        federation: that library and the others.
        job: cancels what takes long.
    """

    def __init__(self, library: Library, federation: Federation, job: Job | None = None) -> None:
        super().__init__(library, job=job)
        self._federation = federation

    def with_job(self, job: Job) -> Self:
        """Return the same view, cancelled by another job."""
        return type(self)(self._library, self._federation, job)

    def libraries(self) -> tuple[SourceState, ...]:
        """Return how the libraries beside one's own are."""
        return self._federation.states()

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
        """Return the best documents of all libraries; with a scope only those of one's own."""
        if scope is not None and not scope.is_everything:
            return super().search(
                query, mode=mode, limit=limit, scope=scope, is_refined=is_refined, rewrites=rewrites
            )
        return self._federation.search(
            query, mode=mode, limit=limit, job=self._job, is_refined=is_refined, rewrites=rewrites
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
        """Return the best documents of all libraries that fit filters beside the query's own.

        They are written into the query, which is all that a server takes.
        """
        return self.search(with_filters(query, filters), mode=mode, limit=limit, rewrites=rewrites)

    def explain(self, query: str, passage_id: int) -> Explanation:
        """Return a query and one passage compared token by token, by the passage's library."""
        return self._federation.explain(query, passage_id)

    def passage(self, number: int, before: int = 0, behind: int = 0) -> Reading:
        """Return a passage with so many of its neighbours."""
        return self._federation.passage(number, before, behind)

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the file's lines that passages are which this view gave, where that is known."""
        return self._federation.lines(numbers)

    def document(self, number: int) -> ReadDocument:
        """Return a document that was read."""
        return self._federation.document(number)

    def page(self, document: ReadDocument, number: int) -> str:
        """Return the text of a page of a document that this view gave."""
        if not 1 <= number <= document.pages:
            raise GoneError("{0} has no page {1}, but {2}.", document.path, number, document.pages)
        return self._federation.page_text(document.id, number)


def with_filters(query: str, clauses: Sequence[Clause]) -> str:
    """Return a query within filters that must hold as well as its own.

    >>> from core.search.query.language import given
    >>> with_filters("owls type:pdf", [given("type", "word"), given("type", "text")])
    'owls type:pdf type:word OR type:text'
    """
    if not clauses:
        return query
    return str(Query((*parse(query).parts, *_parts(clauses))))


def _parts(clauses: Iterable[Clause]) -> Iterator[Part]:
    """Yield filters so that of those that are alike one must hold, and all others."""
    operators = filters()
    alike: dict[str, list[Clause]] = {}
    for one in clauses:
        if operators[one.key].is_either:
            alike.setdefault(one.key, []).append(one)
        else:
            yield one
    for same in alike.values():
        # Twice where it is one: beside a filter of the query's own it would be another choice.
        yield Either(tuple((one,) for one in (same if len(same) > 1 else same * 2)))
