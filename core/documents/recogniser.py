"""Text recognition as the program sees it: page by page, in a process of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.documents.document import IS_PICTURE, Document, Page
from core.documents.limits import Limits
from core.documents.pages.recognised import RecognisedPage, RecognisedPages
from core.documents.pages.recognition import is_installed
from core.documents.sandbox import protocol
from core.documents.sandbox.scratch import Scratch
from core.documents.sandbox.worker_handle import WorkerHandle
from core.errors import DocumentError, UsageError
from core.progress import Job

_log = logging.getLogger(__name__)

NOT_INSTALLED: Final = (
    "Text recognition is not installed; install it with: pip install 'winnow[ocr]'."
)


class Recogniser:
    """Has the text of pages that are pictures recognised.

    Each page has its own time, so that a long document is no matter; a page that fails costs
    itself only.

    Raises:
        UsageError: Text recognition is not installed.
    """

    def __init__(
        self, limits: Limits, pages_per_process: int, scratch: Scratch | None = None
    ) -> None:
        if not is_installed():
            raise UsageError(NOT_INSTALLED)
        own = limits.recognition
        self._characters = limits.characters
        # Apart from the reading process, which so stays small and is not replaced with the models.
        self._process = WorkerHandle(
            replace(
                limits,
                timeout_s=own.timeout_s,
                memory_bytes=own.memory_bytes,
                kept_bytes=own.kept_bytes,
            ),
            pages_per_process,
            scratch,
        )

    def fill(
        self,
        document: Document,
        drawer: str,
        file: Path,
        kept: RecognisedPages | None = None,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
    ) -> Document:
        """Return a document with the text of its pages that are pictures.

        Args:
            document: as it was read.
            drawer: draws its pages; "module:function".
            file: that it lies in.
            kept: where recognised pages are kept, and looked for before.
            on_step: called before each page that is to be recognised; may raise to stop.
            job: with which it can be cancelled, also in the middle of a page.

        Raises:
            Cancelled: The job was cancelled; pages that were recognised are kept.
            DocumentError: It holds too much text.
        """
        pages = tuple(
            self._filled(page, drawer, file, kept, on_step, job)
            if page.unread == IS_PICTURE
            else page
            for page in document.pages
        )
        if sum(len(page.text) for page in pages) > self._characters:
            millions = self._characters / 1e6
            raise DocumentError("holds more than {0} million characters of text", f"{millions:g}")
        return replace(document, pages=pages)

    def rest(self) -> None:
        """Give back the memory that the models take, until the next page."""
        self._process.rest()

    def close(self) -> None:
        """End the process; nothing can be recognised afterwards."""
        self._process.close()

    def _filled(
        self,
        page: Page,
        drawer: str,
        file: Path,
        kept: RecognisedPages | None,
        on_step: Callable[[], None],
        job: Job | None,
    ) -> Page:
        found = None if kept is None else kept.get(page.number)
        if found is None:
            on_step()
            try:
                found = self._recognised(drawer, file, page.number, job)
            except DocumentError as error:
                _log.warning("Page %s of %s was not recognised: it %s", page.number, file, error)
                return replace(page, unread=error.message)
            if kept is not None:
                kept.put(page.number, found)
        # What is said of a picture comes after: the places of what is on it are counted from 0.
        text = "\n\n".join(filter(None, (found.text, page.text)))
        return Page(page.number, text)

    def _recognised(self, drawer: str, file: Path, number: int, job: Job | None) -> RecognisedPage:
        request = {"do": "recognise", "function": drawer, "path": str(file), "number": number}
        return self._process.ask(request, protocol.recognised_from, job)
