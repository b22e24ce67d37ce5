"""The search as the service in the background answers it to other programs: questions and answers.

A request is an object in the line that is sent to the service (`core/daemon_client/address.py`).
The response is the results as JSON, with all that explains them. After a null response the caller
searches by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.daemon_client import client
from core.daemon_client.address import made
from core.errors import WinnowError
from core.progress import Job
from core.requests import Explain, Search
from core.responses import SearchResults
from core.wire.codec import FormError, encoded, read, written

if TYPE_CHECKING:
    from core.library.library import Library
    from core.token_comparison import Explanation

_Made = TypeVar("_Made")
_PATIENCE_S: Final = 60.0
"""A service that has just begun loads its model first."""
NOTHING: Final = b"null"
"""The answer that has whoever asks go on alone."""


class ServiceSearch:
    """A `WarmSearch` by the service of the library in `home`, as long as there is one.

    Args:
        home: the library's folder.
        is_warm_only: whether a service that has no model loaded yet is to give nothing, at once.
    """

    def __init__(self, home: Path, *, is_warm_only: bool = False) -> None:
        self._home = home
        self._is_warm_only = is_warm_only

    def search(self, asked: Search, job: Job | None = None) -> SearchResults | None:
        return self._told(SearchResults, "search", asked, job)

    def explain(self, query: str, passage_id: int) -> Explanation | None:
        if not made(self._home):
            return None
        # It knows the index, which a search need not load.
        from core.token_comparison import Explanation

        return self._told(Explanation, "explain", Explain(query, passage_id))

    def _told(
        self, kind: type[_Made], ask: str, question: object, job: Job | None = None
    ) -> _Made | None:
        """Return the answer to a question; None for none.

        Raises:
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        value = client.ask(
            self._home,
            ask,
            _PATIENCE_S,
            job.on_cancel,
            asked=encoded(question),
            is_warm_only=self._is_warm_only,
        )
        job.checkpoint()
        if value is None:
            return None
        try:
            return read(kind, value)
        except FormError:
            # Of another form than this program's, though it says to be of its version.
            return None


def searched(library: Library, question: Any, job: Job) -> bytes:
    """Return the answer to a search.

    Raises:
        Cancelled: the job was cancelled.
    """
    try:
        results = library.answer(read(Search, question), job)
    except WinnowError:
        # Whoever asks comes upon it, too, and says it in their own way.
        return NOTHING
    return written(results)


def explained(library: Library, question: Any) -> bytes:
    """Return the answer to the question why a passage is found."""
    try:
        return written(library.answer(read(Explain, question)))
    except WinnowError:
        return NOTHING
