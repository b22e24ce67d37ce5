"""Reading documents safely, in confined processes that are reused between documents."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from core.documents.containers.members import Closed, Member, file_of
from core.documents.document import Box, Document, PageImage, PageSize
from core.documents.files import FileIdentity, opened, unreadable
from core.documents.formats import Format, format_of
from core.documents.limits import Limits
from core.documents.pages.recognised import RecognisedPages
from core.documents.sandbox import protocol
from core.documents.sandbox.scratch import Scratch
from core.documents.sandbox.worker_handle import Exchange, WorkerHandle
from core.errors import DocumentError
from core.files import paths
from core.files.locations import Location, discard_fetched
from core.progress import Job

if TYPE_CHECKING:
    from core.documents.recogniser import Recogniser

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)

# Folder in a library's folder for unpacked members.
SCRATCH = ".scratch"


class Reader:
    """Reads documents, draws their pages and opens containers, in separate processes.

    A file that crashes, hangs or overfills such a process does not affect the program: the failure
    is a `DocumentError`, and the next document gets a new process. One process reads and draws;
    another one unpacks, so that it keeps its position in an archive if a member fails. They are
    started when first needed. Threads may share a reader; it serves them one by one. Methods that
    use a process raise `Cancelled` if their job was cancelled, and `WinnowError` if the process
    cannot be started.

    Args:
        limits: Limits for one document.
        ocr: Whether to recognise the text of picture pages.
        files_per_process: Documents after which a process is replaced, because libraries leak.
        scratch: Folder for unpacked members; by default one in Winnow's home.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        ocr: bool = False,
        files_per_process: int = 500,
        scratch: Path | None = None,
    ) -> None:
        limits = limits or Limits()
        self._scratch = Scratch(scratch or paths.home() / SCRATCH)
        self._reading = WorkerHandle(limits, files_per_process, self._scratch)
        self._unpacking = WorkerHandle(limits, files_per_process, self._scratch, unpacks=True)
        self._limits = limits
        self._files_per_process = files_per_process
        self._recogniser: Recogniser | None = None
        self.recognise(is_on=ocr)
        self._member_lock = threading.Lock()
        self._unpacked_member: tuple[object, Path] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def recognises(self) -> bool:
        """Whether the text of picture pages is recognised."""
        return self._recogniser is not None

    def recognise(self, *, is_on: bool) -> None:
        """Turn recognition of picture pages on or off. Must not be called while reading."""
        if is_on and self._recogniser is None:
            # Imported here, because most readers recognise nothing.
            from core.documents.recogniser import Recogniser

            self._recogniser = Recogniser(self._limits, self._files_per_process, self._scratch)
        elif not is_on and self._recogniser is not None:
            self._recogniser.close()
            self._recogniser = None

    def read(
        self,
        path: Path,
        *,
        recognised: RecognisedPages | None = None,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
        expected: FileIdentity | None = None,
    ) -> Document:
        """Read the document at `path`, which may be in a container.

        Args:
            path: Path of the document.
            recognised: Cache of recognised pages.
            on_step: Called before the text of each page is recognised; may raise to stop.
            job: Can cancel at any time.
            expected: Identity of the file, if the path may lead to another file by now.

        Raises:
            DocumentError: It cannot be read. The message is the end of a sentence that begins with
                the file's name.
        """
        with self._file(path, job) as file:
            return self._read(_text_format(path), file, recognised, on_step, job, expected)

    def read_with_styles(self, path: Path, job: Job | None = None) -> Document:
        """Read the document at `path`, which may be in a container, with styles.

        Raises:
            DocumentError: It cannot be read.
        """
        request = {"do": "read", "function": _text_format(path).reader, "styles": True}
        return self._ask_about(path, request, protocol.document_from, job)

    def read_together(
        self, paths: Mapping[Path, FileIdentity | None], job: Job | None = None
    ) -> dict[Path, Document]:
        """Read many small files at once, all within the time limit of one document.

        Return those that could be read; use `read` to get the error of another one. None may be in
        a container.

        Args:
            paths: Paths of the files, each with the expected identity, as for `read`.
            job: Can cancel at any time.
        """
        with ExitStack() as stack:
            files: dict[Path, list[int]] = {}
            for path, expected in paths.items():
                if job is not None:
                    job.checkpoint()
                with suppress(DocumentError):  # `read` reports it
                    files[path] = stack.enter_context(opened(path, expected))
            return self._read_together(files, job)

    def _read_together(self, files: dict[Path, list[int]], job: Job | None) -> dict[Path, Document]:
        requests = [{"function": _text_format(path).reader, "path": str(path)} for path in files]
        descriptors = list(chain.from_iterable(files.values()))

        def finish(fields: dict[str, Any]) -> dict[Path, Document]:
            return {
                path: protocol.document_from(answer)
                for path, answer in protocol.answers(fields, list(files))
                if "failure" not in answer
            }

        try:
            with self._reading.exchange(job) as exchange:
                return exchange.ask({"do": "read all", "files": requests}, finish, descriptors)
        except DocumentError as error:
            _log.info("One of %d files could not be read: %s", len(files), error)
            return {}

    def read_member(
        self,
        member: Member,
        walk: ContainerWalk,
        *,
        recognised: RecognisedPages | None = None,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
    ) -> Document:
        """Read the member that a walk has just yielded; see `read`.

        Raises:
            DocumentError: It cannot be read.
        """
        kind = _text_format(Path(*member.inner_path))
        return self._read(kind, walk.file(), recognised, on_step, job)

    @contextmanager
    def members(
        self,
        path: Path,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
        expected: FileIdentity | None = None,
    ) -> Iterator[ContainerWalk]:
        """Walk through the container at `path`, a file that is not inside another container.

        Args:
            path: Path of the container.
            on_step: Called repeatedly, also between two members; may raise to stop.
            job: Can cancel at any time.
            expected: Identity of the file, if the path may lead to another file by now.
        """
        request = {"do": "unpack", **self._container(path)}
        with (
            opened(path, expected) as descriptors,
            self._unpacking.exchange(job) as exchange,
        ):
            yield ContainerWalk(exchange, request, descriptors, on_step)

    def draw(
        self,
        path: Path,
        page_number: int,
        width: int,
        spans: Sequence[tuple[int, int]] = (),
        *,
        recognised: RecognisedPages | None = None,
        job: Job | None = None,
    ) -> PageImage:
        """Draw page `page_number` (from 1) of the document at `path`, `width` pixels wide.

        Each of `spans` is a pair of offsets into that page's text. A very large page is drawn at a
        smaller width. The document may be in a container. `recognised` gives the positions of
        recognised text.

        Raises:
            DocumentError: It cannot be drawn, or its format has no page images.
        """
        request = {
            "do": "draw",
            "function": _paged_format(path).drawer,
            "number": page_number,
            "width": width,
            "spans": _plain(spans),
        }
        if width < 1:
            raise ValueError("width must be at least 1 pixel")

        def finish(fields: dict[str, Any]) -> PageImage:
            return protocol.image_from(fields, fields["rgb"])

        image = self._ask_about(path, request, finish, job)
        page = recognised.get(page_number) if recognised is not None and spans else None
        if page is None:
            return image
        return replace(image, boxes=page.boxes(spans, image.width, image.height))

    def locate_spans(
        self,
        path: Path,
        page_number: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        *,
        recognised: RecognisedPages | None = None,
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        """Return the boxes of `spans` on a page image of this `size` that `draw` returned.

        The boxes are those of `draw`; the page is not drawn again.

        Raises:
            DocumentError: The document cannot be opened, or its format has no page images.
        """
        format_ = _paged_format(path)
        page = recognised.get(page_number) if recognised is not None and spans else None
        if page is not None:
            return page.boxes(spans, *size)
        if not format_.placer:
            return tuple(() for _ in spans)
        request = {
            "do": "place",
            "function": format_.placer,
            "number": page_number,
            "size": list(size),
            "spans": _plain(spans),
        }

        finish = partial(protocol.boxes_from, count=len(spans))
        return self._ask_about(path, request, finish, job)

    def page_sizes(self, path: Path, job: Job | None = None) -> tuple[PageSize, ...]:
        """Return the page sizes of the document at `path`, which may be in a container.

        Return none if the format has no measurer.

        Raises:
            DocumentError: It cannot be opened.
        """
        format_ = format_of(path)
        if format_ is None or not format_.measurer:
            return ()
        request = {"do": "measure", "function": format_.measurer}
        return self._ask_about(path, request, protocol.sizes_from, job)

    def rest(self) -> None:
        """Free what text recognition and fetched objects use until it is needed again."""
        discard_fetched()
        if self._recogniser is not None:
            self._recogniser.rest()

    def forget(self) -> None:
        """Remove unpacked and fetched files. Must not be called while walking a container."""
        discard_fetched(copies=True)
        with self._member_lock:
            self._unpacked_member = None
            self._scratch.empty()

    def close(self) -> None:
        """End the processes. The reader cannot be used afterwards."""
        if self._recogniser is not None:
            self._recogniser.close()
        self._reading.close()
        self._unpacking.close()
        self._scratch.close()

    def _read(
        self,
        format_: Format,
        file: Path,
        recognised: RecognisedPages | None,
        on_step: Callable[[], None],
        job: Job | None,
        expected: FileIdentity | None = None,
    ) -> Document:
        request = {"do": "read", "function": format_.reader, "path": str(file)}
        document = self._reading.ask(request, protocol.document_from, job, expected)
        if self._recogniser is None or not format_.drawer:
            return document
        return self._recogniser.fill(document, format_.drawer, file, recognised, on_step, job)

    def _ask_about(
        self,
        path: Path,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any]], _Result],
        job: Job | None,
    ) -> _Result:
        """Send a request about the document at `path`, which may be in a container."""
        with self._file(path, job) as file:
            return self._reading.ask(request | {"path": str(file)}, finish, job)

    def _container(self, path: Path) -> dict[str, str | bool]:
        """Return the fields of a request to unpack a container."""
        format_ = format_of(path)
        if format_ is None or not format_.members:
            raise DocumentError("Unsupported file type")
        return {
            "function": format_.members,
            "path": str(Location.of(path).absolute()),
            "scratch": str(self._scratch.folder()),
            "pictures": self.recognises,
        }

    @contextmanager
    def _file(self, path: Path, job: Job | None) -> Iterator[Path]:
        """Yield the file of the document at `path`, unpacked if it is in a container."""
        path = Location.of(path).absolute()
        holder = file_of(path)
        if holder == path:
            yield path
        else:
            with self._member_lock:
                yield self._take(holder, path.relative_to(holder).parts, job)

    def _take(self, holder: Path, inner_path: tuple[str, ...], job: Job | None) -> Path:
        """Unpack one member. The last one is kept for the next call."""
        try:
            stamp = Location.of(holder).stamp()
        except OSError as error:
            raise unreadable(error) from error
        key = (holder, stamp, inner_path)
        if (
            self._unpacked_member is None
            or self._unpacked_member[0] != key
            or not self._unpacked_member[1].exists()
        ):
            self._unpacked_member = None
            selection = {"do": "take", "place": list(inner_path), "pictures": True}
            request = self._container(holder) | selection
            try:
                with (
                    opened(holder) as descriptors,
                    self._unpacking.exchange(job) as exchange,
                ):
                    name = exchange.ask(request, _unpacked_name, descriptors)
                    while not name:
                        name = exchange.ask({"do": "go on"}, _unpacked_name)
            except OSError as error:
                raise unreadable(error) from error
            folder = self._scratch.folder()
            # Renamed, so that the next unpacking does not overwrite it.
            self._unpacked_member = (key, (folder / name).replace(folder / f"taken-{name}"))
        return self._unpacked_member[1]


class ContainerWalk:
    """Iterates over a container's members in order, depth first.

    `Closed` marks the end of a container among the members.
    """

    def __init__(
        self,
        exchange: Exchange,
        request: dict[str, Any],
        descriptors: Sequence[int],
        on_step: Callable[[], None],
    ) -> None:
        self._exchange = exchange
        self._descriptors = descriptors
        self._request = request
        self._scratch = Path(request["scratch"])
        self._on_step = on_step
        self._path = request["path"]
        self._enters = True

    def file(self) -> Path:
        """Return a file with the content of the current member.

        It exists until the next member.
        """
        return self._scratch / self._exchange.ask({"do": "write"}, protocol.scratch_name)

    def pass_over(self) -> None:
        """Skip the contents of the current member."""
        self._enters = False

    def __iter__(self) -> Iterator[Member | Closed]:
        """Yield the members.

        Raises:
            DocumentError: The container is damaged, needs a password, or is over a limit. The
                members yielded before are valid.
            OSError: It cannot be read, or there is no room to unpack it.
        """
        is_over, step = self._next(self._request, self._descriptors)
        while not is_over:
            self._on_step()
            self._enters = True
            if step is not None:
                yield step
            is_over, step = self._next({"do": "go on", "enters": self._enters})

    def _next(
        self, request: dict[str, Any], descriptors: Sequence[int] = ()
    ) -> tuple[bool, Member | Closed | None]:
        def finish(fields: dict[str, Any]) -> tuple[bool, Member | Closed | None]:
            if trace := protocol.trace_from(fields):
                _log.error("Opening a member of %s failed:\n%s", self._path, trace)
            return "end" in fields, protocol.step_from(fields)

        return self._exchange.ask(request, finish, descriptors)


def _text_format(path: Path) -> Format:
    """Return the format of a document that has text.

    Raises:
        DocumentError: It has none, or Winnow does not read it.
    """
    format_ = format_of(path)
    if format_ is None:
        raise DocumentError("Unsupported file type")
    if not format_.reader:
        raise DocumentError("Contains only other documents, no text")
    return format_


def _paged_format(path: Path) -> Format:
    """Return the format of a document whose pages can be drawn.

    Raises:
        DocumentError: Its pages cannot be drawn.
    """
    format_ = format_of(path)
    if format_ is None or not format_.has_page_images:
        raise DocumentError("This file type has no page images")
    return format_


def _plain(spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    return [[int(start), int(end)] for start, end in spans]


def _unpacked_name(fields: dict[str, Any]) -> str:
    """Return the name of the unpacked file; "" while the search goes through other members."""
    return "" if "going" in fields else protocol.scratch_name(fields)
