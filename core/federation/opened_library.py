"""A source's open library, closed when replaced and unused."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.catalog.integrity.foreign import wrap_data_errors
from core.library.library import Library
from core.library.sanitising import sanitise
from core.progress import Job
from core.requests import Request, Response

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
