"""Answers a library's requests by its background service, whose model is loaded already."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from core.daemon_client import client
from core.daemon_client.address import existing_addresses

if TYPE_CHECKING:
    from pathlib import Path

    from core.progress import Job
    from core.requests import Request, Response

# A service that has just started loads its model before it responds.
_TIMEOUT_S: Final = 60.0


class ServiceAnswerer:
    """Answers `Search` and `Explain` by the service of the library in `home`, if one is running.

    Args:
        home: the library's folder.
        only_if_warm: whether a service that has not loaded its model is left alone.
    """

    def __init__(self, home: Path, *, only_if_warm: bool = False) -> None:
        self._home = home
        self._only_if_warm = only_if_warm

    def answer_if_running(
        self, request: Request[Response], job: Job | None = None
    ) -> Response | None:
        """Return the service's response; None if the caller must answer instead.

        That is so if no service is running, if it ended before it responded, and if the request is
        invalid, which the caller then finds out, too.

        Raises:
            Cancelled: the job was cancelled.
        """
        if not existing_addresses(self._home):
            return None
        # Loads numpy.
        from core.progress import Job
        from core.wire.codec import FormError, encoded, read

        job = job or Job()
        value = client.request(
            self._home,
            type(request).__name__,
            encoded(request),
            timeout_s=_TIMEOUT_S,
            on_cancel=job.on_cancel,
            only_if_warm=self._only_if_warm,
        )
        job.checkpoint()
        if value is None:
            return None
        response_type: type[Response] = response_types()[type(request)]
        try:
            return read(response_type, value)
        except FormError:
            # From another build of the same version.
            return None


@cache
def response_types() -> Mapping[type[Request[Any]], type[Any]]:
    """Return the requests that the service answers, each with the type of its response."""
    from core.requests import Explain, Search
    from core.responses import SearchResults
    from core.token_comparison import Explanation

    return {Search: SearchResults, Explain: Explanation}
