"""Reading documents safely: confined processes do it, kept between documents."""

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
from typing import Any, Self, TypeVar

from core import paths
from core.documents.containers.members import Closed, Member, file_of
from core.documents.document import Box, Document, PageImage, PageSize
from core.documents.files import FileIdentity, opened, unreadable
from core.documents.formats import Format, format_of
from core.documents.limits import Limits
from core.documents.pages.recognised import RecognisedPages
from core.documents.recogniser import Recogniser
from core.documents.sandbox import protocol
from core.documents.sandbox.scratch import Scratch
from core.documents.sandbox.worker_handle import Exchange, WorkerHandle
from core.errors import DocumentError
from core.locations import Location, discard_fetched
from core.progress import Job

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)

SCRATCH = ".scratch"
"""The folder in a library's in which members are unpacked."""


class Reader:
    """Reads documents, draws their pages and opens containers, in processes of its own.

    Whatever a file does to such a process (crash it, hang it, fill its memory), the program goes
    on: the failure is a `DocumentError`, and the next document gets a fresh process. One process
    reads and draws; another one unpacks, and so keeps its place in an archive whatever becomes of
    the members. They are started when they are first needed. Threads may share a reader; it
    serves them one by one. What asks a process ends with `Cancelled` where its job was cancelled,
    and with a `WinnowError` where the process cannot be started.

    Args:
        limits: What one document may take.
        ocr: Whether the text of pages that are pictures is recognised.
        files_per_process: After so many documents a process is replaced, for libraries leak.
        scratch: The folder in which members are unpacked; by default one in Winnow's home.
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
        self._make_recogniser = partial(Recogniser, limits, files_per_process, self._scratch)
        self._recogniser = self._make_recogniser() if ocr else None
        self._taking = threading.Lock()
        self._taken: tuple[object, Path] | None = None

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
        """Whether the text of pages that are pictures is recognised."""
        return self._recogniser is not None

    def recognise(self, *, is_on: bool) -> None:
        """Recognise the text of pages that are pictures, or not; never called while reading."""
        if is_on and self._recogniser is None:
            self._recogniser = self._make_recogniser()
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
        """Read the document at `path`, which may lie in a container.

        Args:
            path: of the document.
            recognised: where pages whose text is recognised are kept, and looked for before.
            on_step: called before each page whose text is to be recognised; may raise to stop.
            job: with which it can be cancelled at any moment.
            expected: which file is to be read, where the path may lead to another one by now.

        Raises:
            DocumentError: It cannot be read; the message says why, as the end of a sentence that
                begins with the file's name.
        """
        with self._file(path, job) as file:
            return self._read(_text_format(path), file, recognised, on_step, job, expected)

    def read_with_styles(self, path: Path, job: Job | None = None) -> Document:
        """Read the document at `path`, which may lie in a container, with the styles of its pages.

        Raises:
            DocumentError: It cannot be read, likewise.
        """
        request = {"do": "read", "function": _text_format(path).reader, "styles": True}
        return self._ask_about(path, request, protocol.document_from, job)

    def read_together(
        self, paths: Mapping[Path, FileIdentity | None], job: Job | None = None
    ) -> dict[Path, Document]:
        """Read many small files at once, all within the time that one document may take.

        Gives those that could be read; `read` tells why another one cannot. None may lie in a
        container.

        Args:
            paths: of the files, each with which file is to be read there, as for `read`.
            job: may be cancelled.
        """
        with ExitStack() as stack:
            files: dict[Path, list[int]] = {}
            for path, expected in paths.items():
                if job is not None:
                    job.checkpoint()
                with suppress(DocumentError):  # `read` tells why
                    files[path] = stack.enter_context(opened(path, expected))
            return self._read_together(files, job)

    def _read_together(self, files: dict[Path, list[int]], job: Job | None) -> dict[Path, Document]:
        asked = [{"function": _text_format(path).reader, "path": str(path)} for path in files]
        descriptors = list(chain.from_iterable(files.values()))

        def finish(fields: dict[str, Any]) -> dict[Path, Document]:
            return {
                path: protocol.document_from(answer)
                for path, answer in protocol.answers(fields, list(files))
                if "failure" not in answer
            }

        try:
            with self._reading.exchange(job) as exchange:
                return exchange.ask({"do": "read all", "files": asked}, finish, descriptors)
        except DocumentError as error:
            _log.info("of %d files one could not be read: %s", len(files), error)
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
        """Read the member that a walk has just given, likewise.

        Raises:
            DocumentError: It cannot be read, likewise.
        """
        kind = _text_format(Path(member.place[-1]))
        return self._read(kind, walk.file(), recognised, on_step, job)

    @contextmanager
    def members(
        self,
        path: Path,
        on_step: Callable[[], None] = lambda: None,
        job: Job | None = None,
        expected: FileIdentity | None = None,
    ) -> Iterator[ContainerWalk]:
        """Walk through the container at `path`, which is a file and not inside another container.

        Args:
            path: of the container.
            on_step: called now and then, also between two members; may raise to stop.
            job: with which it can be cancelled at any moment.
            expected: which file is to be opened, where the path may lead to another one by now.
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
        number: int,
        width: int,
        spans: Sequence[tuple[int, int]] = (),
        *,
        recognised: RecognisedPages | None = None,
        job: Job | None = None,
    ) -> PageImage:
        """Draw page `number` (from 1) of the document at `path`, `width` pixels wide.

        Each of `spans` is a pair of offsets into that page's text. A very large page is drawn
        smaller than asked for. The document may lie in a container. Where a page's text was
        recognised, `recognised` has its places.

        Raises:
            DocumentError: It cannot be drawn, or its format has no page images.
        """
        request = {
            "do": "draw",
            "function": _paged_format(path).drawer,
            "number": number,
            "width": width,
            "spans": _plain(spans),
        }
        if width < 1:
            raise ValueError("width must be at least 1 pixel")

        def finish(fields: dict[str, Any]) -> PageImage:
            return protocol.image_from(fields, fields["rgb"])

        image = self._ask_about(path, request, finish, job)
        page = recognised.get(number) if recognised is not None and spans else None
        if page is None:
            return image
        return replace(image, boxes=page.boxes(spans, image.width, image.height))

    def place(
        self,
        path: Path,
        number: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        *,
        recognised: RecognisedPages | None = None,
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        """Return the boxes of `spans` on a picture of a page that `draw` gave in this `size`.

        They are those that it would give, without drawing the page again.

        Raises:
            DocumentError: The document cannot be opened, or its format has no page images.
        """
        format_ = _paged_format(path)
        page = recognised.get(number) if recognised is not None and spans else None
        if page is not None:
            return page.boxes(spans, *size)
        if not format_.placer:
            return tuple(() for _ in spans)
        request = {
            "do": "place",
            "function": format_.placer,
            "number": number,
            "size": list(size),
            "spans": _plain(spans),
        }

        finish = partial(protocol.boxes_from, count=len(spans))
        return self._ask_about(path, request, finish, job)

    def page_sizes(self, path: Path, job: Job | None = None) -> tuple[PageSize, ...]:
        """Return the sizes of the pages of the document at `path`, which may lie in a container.

        They are none where the format does not tell them.

        Raises:
            DocumentError: It cannot be opened.
        """
        format_ = format_of(path)
        if format_ is None or not format_.measurer:
            return ()
        request = {"do": "measure", "function": format_.measurer}
        return self._ask_about(path, request, protocol.sizes_from, job)

    def rest(self) -> None:
        """Give back what text recognition and fetched objects take, until it is needed again."""
        discard_fetched()
        if self._recogniser is not None:
            self._recogniser.rest()

    def forget(self) -> None:
        """Remove what was unpacked or fetched; the reader may be drawing, but not be walking."""
        discard_fetched(copies=True)
        with self._taking:
            self._taken = None
            self._scratch.empty()

    def close(self) -> None:
        """End the processes; the reader cannot be used afterwards."""
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
        """Ask the reading process about the document at `path`, which may lie in a container."""
        with self._file(path, job) as file:
            return self._reading.ask(request | {"path": str(file)}, finish, job)

    def _container(self, path: Path) -> dict[str, str | bool]:
        """Return how the unpacking process is asked for a container."""
        format_ = format_of(path)
        if format_ is None or not format_.members:
            raise DocumentError("is of a kind that Winnow does not open")
        return {
            "function": format_.members,
            "path": str(Location.of(path).absolute()),
            "scratch": str(self._scratch.folder()),
            "pictures": self.recognises,
        }

    @contextmanager
    def _file(self, path: Path, job: Job | None) -> Iterator[Path]:
        """Give the file that the document at `path` is in, unpacked where it is in a container."""
        path = Location.of(path).absolute()
        holder = file_of(path)
        if holder == path:
            yield path
        else:
            with self._taking:
                yield self._take(holder, path.relative_to(holder).parts, job)

    def _take(self, holder: Path, place: tuple[str, ...], job: Job | None) -> Path:
        """Unpack one member; the last one that was asked for is kept."""
        try:
            stamp = Location.of(holder).stamp()
        except OSError as error:
            raise unreadable(error) from error
        key = (holder, stamp, place)
        if self._taken is None or self._taken[0] != key or not self._taken[1].exists():
            self._taken = None
            asked = {"do": "take", "place": list(place), "pictures": True}
            request = self._container(holder) | asked
            try:
                with (
                    opened(holder) as descriptors,
                    self._unpacking.exchange(job) as exchange,
                ):
                    name = exchange.ask(request, _taken_name, descriptors)
                    while not name:
                        name = exchange.ask({"do": "go on"}, _taken_name)
            except OSError as error:
                raise unreadable(error) from error
            folder = self._scratch.folder()
            # Out of the way of whatever is unpacked next.
            self._taken = (key, (folder / name).replace(folder / f"taken-{name}"))
        return self._taken[1]


class ContainerWalk:
    """Gives a container's members in order; those of a container among them follow it at once.

    The end of a container among the members is told by `Closed`.
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
        """Return a file with the content of the member that was just given.

        It is there until the next one is asked for.
        """
        return self._scratch / self._exchange.ask({"do": "write"}, protocol.scratch_name)

    def pass_over(self) -> None:
        """Leave out what lies in the member that was just given."""
        self._enters = False

    def __iter__(self) -> Iterator[Member | Closed]:
        """Walk through it.

        Raises:
            DocumentError: The container is damaged or needs a password, or holds more than it may;
                what was given before is good.
            OSError: It cannot be read, or there is no room to unpack it.
        """
        is_over, found = self._next(self._request, self._descriptors)
        while not is_over:
            self._on_step()
            self._enters = True
            if found is not None:
                yield found
            is_over, found = self._next({"do": "go on", "enters": self._enters})

    def _next(
        self, request: dict[str, Any], descriptors: Sequence[int] = ()
    ) -> tuple[bool, Member | Closed | None]:
        def finish(fields: dict[str, Any]) -> tuple[bool, Member | Closed | None]:
            if trace := protocol.trace_from(fields):
                _log.error("Opening a member of %s failed:\n%s", self._path, trace)
            return "end" in fields, protocol.step_from(fields)

        return self._exchange.ask(request, finish, descriptors)


def _text_format(path: Path) -> Format:
    """Return the format of a document with text of its own.

    Raises:
        DocumentError: It has none, or is none of ours.
    """
    format_ = format_of(path)
    if format_ is None:
        raise DocumentError("is of a kind that Winnow does not read")
    if not format_.reader:
        raise DocumentError("has no text of its own, only documents in it")
    return format_


def _paged_format(path: Path) -> Format:
    """Return the format of a document whose pages can be drawn.

    Raises:
        DocumentError: It is of another kind.
    """
    format_ = format_of(path)
    if format_ is None or not format_.has_page_images:
        raise DocumentError("is of a kind that has no page images")
    return format_


def _plain(spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    return [[int(start), int(end)] for start, end in spans]


def _taken_name(fields: dict[str, Any]) -> str:
    """Return the name of the file that was asked for; "" while it is being looked for."""
    return "" if "going" in fields else protocol.scratch_name(fields)
