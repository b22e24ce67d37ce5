"""Recognising the text of picture pages, page by page, in a separate process."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.documents.document import IS_PICTURE, Document, Page
from core.documents.limits import Limits
from core.documents.pages import recognition
from core.documents.pages.recognised import RecognisedPage, RecognisedPages
from core.documents.sandbox import protocol
from core.documents.sandbox.scratch import Scratch
from core.documents.sandbox.worker_handle import WorkerHandle
from core.errors import DocumentError, UsageError
from core.progress import Job

_log = logging.getLogger(__name__)

NOT_INSTALLED: Final = "Text recognition is not installed. Run: pip install 'winnow-search[ocr]'."


class Recogniser:
    """Fills pages that are pictures with recognised text.

    The time limit holds for each page, so a long document is no problem. A page that fails does not
    affect the others.

    Raises:
        UsageError: Text recognition is not installed.
    """

    def __init__(
        self, limits: Limits, pages_per_process: int, scratch: Scratch | None = None
    ) -> None:
        if not recognition.is_installed():
            raise UsageError(NOT_INSTALLED)
        own = limits.recognition
        self._characters = limits.characters
        # Separate from the reading process, which stays small and is replaced without the models.
        self._process = WorkerHandle(
            replace(
                limits,
                timeout_s=own.timeout_s,
                memory_bytes=own.memory_bytes,
                retained_bytes=own.retained_bytes,
            ),
            pages_per_process,
            scratch,
        )

    def fill(
        self,
        document: Document,
        drawer: str,
        file: Path,
        cache: RecognisedPages | None = None,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
    ) -> Document:
        """Return a document with the text of its picture pages.

        Args:
            document: The document as it was read.
            drawer: Function that draws its pages, as "module:function".
            file: File of the document.
            cache: Recognised pages, looked up first and stored afterwards.
            on_step: Called before each page is recognised; may raise to stop.
            job: Can cancel at any time, also during a page.

        Raises:
            Cancelled: The job was cancelled. Pages recognised before are in the cache.
            DocumentError: The document has too much text.
        """
        pages = tuple(
            self._filled(page, drawer, file, cache, on_step, job) if page.is_picture else page
            for page in document.pages
        )
        if sum(len(page.text) for page in pages) > self._characters:
            millions = self._characters / 1e6
            raise DocumentError("More than {0} million characters of text", f"{millions:g}")
        return replace(document, pages=pages)

    def rest(self) -> None:
        """Free the memory of the models until the next page."""
        self._process.rest()

    def close(self) -> None:
        """End the process. Nothing can be recognised afterwards."""
        self._process.close()

    def _filled(
        self,
        page: Page,
        drawer: str,
        file: Path,
        cache: RecognisedPages | None,
        on_step: Callable[[], None],
        job: Job | None,
    ) -> Page:
        losses = [reason for reason in page.unread.split("\n") if reason != IS_PICTURE]
        recognised = None if cache is None else cache.get(page.number)
        if recognised is None:
            on_step()
            try:
                recognised = self._recognised(drawer, file, page.number, job)
            except DocumentError as error:
                _log.warning("Page %s of %s was not recognised: %s", page.number, file, error)
                return replace(page, unread="\n".join([*losses, error.message]))
            if cache is not None:
                cache.put(page.number, recognised)
        # The caption comes second: the positions of recognised lines count from 0.
        text = "\n\n".join(filter(None, (recognised.text, page.text)))
        return Page(page.number, text, unread="\n".join(losses))

    def _recognised(
        self, drawer: str, file: Path, page_number: int, job: Job | None
    ) -> RecognisedPage:
        request = {"do": "recognise", "function": drawer, "path": str(file), "number": page_number}
        return self._process.ask(request, protocol.recognised_from, job)
