"""A search by another process, which has the model loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.progress import Job
    from core.requests import Search
    from core.responses import SearchResults
    from core.token_comparison import Explanation


class WarmSearch(Protocol):
    """Searches the same library in another process, with the same results; thread-safe.

    Each method returns None if the service is unavailable; the caller then searches locally.
    """

    def search(self, asked: Search, job: Job | None = None) -> SearchResults | None:
        """Return the results of `Library.search`, or raise `Cancelled`."""
        ...

    def explain(self, query: str, passage_id: int) -> Explanation | None:
        """Return the result of `Library.explain`."""
        ...
