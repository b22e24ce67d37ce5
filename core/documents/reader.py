"""Reading documents safely: a process apart does it, kept warm, and replaced when it fails."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from core.documents import wire
from core.documents.document import Document, PageImage
from core.documents.formats import format_of
from core.documents.limits import Limits
from core.documents.process import ProcessDiedError, ReadingProcess
from core.errors import DocumentError

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)
_LARGEST_PICTURE_BYTES = 100_000_000


class Reader:
    """Reads documents and draws their pages in a process of its own.

    Whatever a file does to that process (crash it, hang it, fill its memory), the program goes on:
    the failure is a `DocumentError`, and the next document gets a fresh process. The process is
    started when it is first needed. Threads may share a reader; it serves them one by one.

    Args:
        limits: What one document may take.
        files_per_process: After so many documents the process is replaced, for libraries leak.
    """

    def __init__(self, limits: Limits | None = None, *, files_per_process: int = 500) -> None:
        self._limits = limits or Limits()
        self._files_per_process = files_per_process
        self._lock = threading.Lock()
        self._process: ReadingProcess | None = None
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def read(self, path: Path) -> Document:
        """Read the document at `path`.

        Raises:
            DocumentError: It cannot be read; the message says why, as the end of a sentence that
                begins with the file's name.
            WinnowError: The reading process cannot be started.
        """
        format_ = format_of(path)
        if format_ is None:
            raise DocumentError("is of a kind that Winnow does not read")
        request = {"do": "read", "reader": format_.reader, "path": str(path.absolute())}
        return self._ask(request, lambda fields, _process: wire.document_from(fields))

    def draw(
        self, path: Path, number: int, width: int, spans: Sequence[tuple[int, int]] = ()
    ) -> PageImage:
        """Draw page `number` (from 1) of the document at `path`, `width` pixels wide.

        Each of `spans` is a pair of offsets into that page's text. A very large page is drawn
        smaller than asked for.

        Raises:
            DocumentError: It cannot be drawn, or its format has no page images.
            WinnowError: The reading process cannot be started.
        """
        format_ = format_of(path)
        if format_ is None or not format_.has_page_images:
            raise DocumentError("is of a kind that has no page images")
        if width < 1:
            raise ValueError("width must be at least 1 pixel")
        request = {
            "do": "draw",
            "path": str(path.absolute()),
            "number": number,
            "width": width,
            "spans": [[int(start), int(end)] for start, end in spans],
        }

        def finish(fields: dict[str, Any], process: ReadingProcess) -> PageImage:
            return wire.image_from(fields, process.receive(_LARGEST_PICTURE_BYTES))

        return self._ask(request, finish)

    def close(self) -> None:
        """End the reading process; the reader cannot be used afterwards."""
        with self._lock:
            self._is_closed = True
            self._drop()

    def _ask(
        self,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any], ReadingProcess], _Result],
    ) -> _Result:
        """Return what `finish` makes of the answer to `request`."""
        with self._lock:
            if self._is_closed:
                raise ValueError("the reader is closed")
            process = self._fit_process()
            is_fit = False
            try:
                with process.time_limit(self._limits.timeout_s) as has_passed:
                    process.send(wire.pack_request(request))
                    most = wire.largest_message_bytes(self._limits.characters)
                    fields = wire.unpack(process.receive(most))
                    result = None if "failure" in fields else finish(fields, process)
                process.answered += 1
                is_fit = (
                    not has_passed.is_set()
                    and fields.get("is_spent") is False
                    and process.answered < self._files_per_process
                )
            except (ProcessDiedError, wire.WireError) as error:
                if has_passed.is_set():
                    reason = f"took over {self._limits.timeout_s:g} s"
                else:
                    reason = "crashed the reader"
                raise DocumentError(reason) from error
            finally:
                # Not only after a failure: when a person interrupts, the answer that is still to
                # come must not be taken for that of the next document.
                if not is_fit:
                    self._drop()
        if result is None:
            if trace := fields.get("trace"):
                _log.error("Reading %s failed:\n%s", request["path"], trace)
            raise DocumentError(str(fields["failure"]))
        return result

    def _fit_process(self) -> ReadingProcess:
        """Return the running process, or a new one if there is none or it died while idle."""
        if self._process is not None and not self._process.is_alive:
            self._drop()
        if self._process is None:
            self._process = ReadingProcess(self._limits)
        return self._process

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
