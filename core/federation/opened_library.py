"""A source's open library, closed when replaced and unused, and sanitising of its names."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import singledispatch
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from core.catalog.copies import Copy
from core.catalog.documents import NamedDocument, ReadDocument
from core.catalog.foreign import wrap_data_errors
from core.library.library import Library
from core.printable import label, labelled
from core.progress import Job
from core.requests import Request, Response
from core.responses import DocumentHit, Facets, Passage, Reading, SearchResults

Mark = TypeVar("Mark")


@dataclass(eq=False)
class Opened(Generic[Mark]):
    """An open library.

    Attributes:
        library: untrusted: others may have written it.
        mark: identifies the opened state.
        users: number of requests under way.
        is_replaced: whether it is closed after the last of them.
    """

    library: Library
    mark: Mark
    users: int = 0
    is_replaced: bool = False

    def answer(self, name: str, request: Request[Response], job: Job | None) -> Response:
        """Return the library's response with sanitised names.

        Raises:
            WinnowError: raised by the library, or for damaged data; the message names the source.
        """
        with wrap_data_errors(name), self.library.with_job(job):
            return sanitise(self.library.answer(request, job))


class OpenedLibrary(Generic[Mark]):
    """The library that a source has open at the moment; thread-safe.

    A library is never closed during a request: closed SQLite connections and unmapped files would
    crash the program.

    Args:
        on_end: called with each library that was closed.
    """

    def __init__(self, on_end: Callable[[Opened[Mark]], None] | None = None) -> None:
        self.current: Opened[Mark] | None = None
        self._on_end = on_end
        self._guard = threading.Lock()

    @contextlib.contextmanager
    def using(self) -> Iterator[Opened[Mark] | None]:
        """Keep the open library open during the block; None if there is none."""
        with self._guard:
            opened = self.current
            if opened is not None:
                opened.users += 1
        try:
            yield opened
        finally:
            if opened is not None:
                with self._guard:
                    opened.users -= 1
                    is_over = opened.is_replaced and opened.users == 0
                if is_over:
                    self._end(opened)

    def replace(self, opened: Opened[Mark] | None) -> None:
        """Replace the open library; None closes it."""
        with self._guard:
            before, self.current = self.current, opened
            if before is not None:
                before.is_replaced = True
            is_over = before is not None and before.users == 0
        if before is not None and is_over:
            self._end(before)

    def _end(self, opened: Opened[Mark]) -> None:
        opened.library.close()
        if self._on_end is not None:
            self._on_end(opened)


_Response = TypeVar("_Response")
# Longest path, in characters. A longer one is an error, since a shortened one cannot be opened.
_LONGEST_PATH: Final = 40_000
# Longest passage, in characters. Winnow's own have a few thousand.
_LONGEST_PASSAGE: Final = 1_000_000


def sanitise(response: _Response) -> _Response:
    """Return the response with escaped and shortened titles and names.

    Raises:
        ValueError: A path or a passage is too long.
    """
    return cast("_Response", _sanitise(response))


@singledispatch
def _sanitise(response: Any) -> Any:
    return response


@_sanitise.register
def _(response: SearchResults) -> SearchResults:
    return replace(
        response,
        hits=tuple(_sanitise(hit) for hit in response.hits),
        named=tuple(_sanitise(document) for document in response.named),
    )


@_sanitise.register
def _(response: DocumentHit) -> DocumentHit:
    for hit in response.passages:
        _check_passage(hit.passage)
    _check_path(response.path)
    copies = tuple(_sanitise(copy) for copy in response.copies)
    return replace(labelled(response), copies=copies)


@_sanitise.register(Copy)
@_sanitise.register(NamedDocument)
@_sanitise.register(ReadDocument)
def _(response: Any) -> Any:
    _check_path(response.path)
    return labelled(response)


@_sanitise.register
def _(response: Reading) -> Reading:
    for passage in (response.passage, *response.before, *response.after):
        _check_passage(passage)
    return replace(response, document=_sanitise(response.document))


@_sanitise.register
def _(response: Facets) -> Facets:
    authors: dict[str, int] = {}
    for author, count in response.authors.items():
        authors[label(author)] = authors.get(label(author), 0) + count
    return replace(response, authors=authors)


def _check_passage(passage: Passage) -> None:
    if len(passage.text) + len(passage.context) > _LONGEST_PASSAGE:
        raise ValueError("passage too long")


def _check_path(path: Path) -> None:
    if len(str(path)) > _LONGEST_PATH:
        raise ValueError("path too long")
