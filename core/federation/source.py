"""What can be searched together with one's own library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from core.errors import LibraryError
from core.requests import Answerer, Request, Response
from core.responses import SourceState

if TYPE_CHECKING:
    from core.library.library import Library
    from core.progress import Job


class SourceUnavailableError(LibraryError):
    """Another library does not answer; the message says why and what to do."""


class SourceRefusedError(SourceUnavailableError):
    """Another library refuses this person; the message says what to do."""


class Source(Answerer, Protocol):
    """A library that is searched together with one's own: a snapshot, a server, another folder.

    Its document and passage ids are its own, below 2**40; `Federation` renumbers them. Every method
    may raise `SourceUnavailableError`, and may block: `Federation` stops waiting after a deadline.
    """

    @property
    def name(self) -> str:
        """The person's name for it, shown with its results."""
        ...

    @property
    def is_here(self) -> bool:
        """Whether its documents' files are on this machine."""
        ...

    def state(self) -> SourceState:
        """Return its last known state; makes no connection."""
        ...

    def refresh(self, job: Job | None = None) -> bool:
        """Fetch what is new; return whether anything is. Requests under way use the old state."""
        ...

    def close(self) -> None:
        """Release its resources; requests under way may fail."""
        ...


class LibrarySource:
    """An open library as a source; its owner closes it."""

    is_here = True

    def __init__(self, name: str, library: Library) -> None:
        self.name = name
        self._library = library

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        return self._library.answer(request, job)

    def state(self) -> SourceState:
        status = self._library.status()
        return SourceState(
            self.name,
            str(status.home),
            documents=status.documents,
            passages=status.passages,
            is_here=True,
        )

    def refresh(self, job: Job | None = None) -> bool:  # noqa: ARG002 - required by the protocol
        """Return False: an open library is always current."""
        return False

    def close(self) -> None:
        """Do nothing: its owner closes the library."""
