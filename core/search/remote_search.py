"""A search by another process: its model is loaded, and this one need not load its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.progress import Job
    from core.requests import Search
    from core.responses import SearchResults
    from core.token_comparison import Explanation


class WarmSearch(Protocol):
    """What searches the same library elsewhere, to the same results; for any number of threads.

    Each method gives None where whoever asks has to do it by itself: nobody is there, they ended
    in the middle, or something is wrong with what is asked, which is then found out here as well.
    """

    def search(self, asked: Search, job: Job | None = None) -> SearchResults | None:
        """Return what `Library.search` does; raises `Cancelled` when the job was cancelled."""
        ...

    def explain(self, query: str, passage_id: int) -> Explanation | None:
        """Return what `Library.explain` does."""
        ...
