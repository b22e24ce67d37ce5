"""The reading process: handles requests to read, draw or unpack, one after another.

A request is JSON: `{"do": …, "function": "module:function", "path": …}`, and in addition

- to "read", `"styles": true` to include the styles of the pages;
- to "draw" a page, its `number`, the `width`, and `spans`; to "recognise" its text, the number;
- to "place" spans on a drawn page, its `number`, the image's `size`, and `spans`;
- to "measure" all pages, nothing;
- to "unpack", the `scratch` folder, and whether to include `pictures`; to "take" a single member,
  also its `place`;
- to "read all", only `files`, each with a function and a path; the response has `answers` to each.

A response is JSON with the result, or with `failure`. The response to "draw" is followed by a
message with the pixels. Unpacking responds with each member, and with `going` at intervals, and
each time waits for a request to "write" the member's content, or to "go on"; its last response has
`end`.
"""

from __future__ import annotations

import socket
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from core.documents.containers.members import Closed, Member
from core.documents.containers.unpacking import NoRoomError, Pass, StopError
from core.documents.document import Document, PageImage
from core.documents.files import (
    HANDS_OVER,
    check_file,
    check_size,
    copy_handed,
    handed,
    is_of_the_drive,
)
from core.documents.formats import is_own, load_function, reads_little
from core.documents.limits import Limits
from core.documents.sandbox import confinement, protocol
from core.documents.sandbox.confinement import COPIES_FOLDER, WorkerTask
from core.errors import DocumentError, Message

# Beyond this size a process is replaced, because Python returns little memory.
_GROWN_BYTES = 700_000_000
# How much later than the parent's clock the process's alarm goes off.
_ALARM_DELAY_S = 5.0


def serve(
    requests: Connection,
    answers: Connection,
    files: socket.socket | None,
    task: WorkerTask,
    walls: Sequence[str],
) -> None:
    """Answer requests until there are no more. `walls` are the applied sandbox mechanisms."""
    limits = task.limits
    answers.send_bytes(protocol.pack({"walls": list(walls)}))
    while True:
        try:
            request = protocol.unpack(requests.recv_bytes())
        except EOFError:
            return
        confinement.set_alarm(limits.timeout_s + _ALARM_DELAY_S)
        with handed(_received(files, request)):
            reporter = _PassReporter(requests, answers, limits)
            fields = _answered(request, task, reporter)
        confinement.set_alarm(0)
        rgb = fields.pop("rgb", None)
        fields["is_spent"] = confinement.memory_bytes() > _GROWN_BYTES + limits.retained_bytes
        try:
            answers.send_bytes(protocol.pack(fields))
            if rgb is not None:
                answers.send_bytes(rgb)
        except BrokenPipeError:
            return


def _received(files: socket.socket | None, request: dict[str, Any]) -> dict[Path, int]:
    """Return the descriptors that came with a request, by path."""
    count = request.get("descriptors", 0)
    if files is None or not count:
        return {}
    _, descriptors, _, _ = socket.recv_fds(files, 1, count)
    requests = request["files"] if request["do"] == "read all" else [request]
    return dict(zip((Path(file["path"]) for file in requests), descriptors, strict=True))


def _answered(request: dict[str, Any], task: WorkerTask, reporter: _PassReporter) -> dict[str, Any]:
    """Return the final response to a request: its fields, with the pixels of an image as `rgb`."""
    limits = task.limits
    if request["do"] == "read all":
        requests = ({"do": "read", **file} for file in request["files"])
        return {"answers": [_answered(each, task, reporter) for each in requests]}
    try:
        path = Path(request["path"])
        if not HANDS_OVER:
            check_file(path)
        is_whole = request["do"] in {"read", "draw", "place", "recognise", "measure"}
        if is_whole and not reads_little(path):
            check_size(path)
        request = _by_name(request, task)
        match request["do"]:
            case "draw":
                return _drawn(request)
            case "read":
                return _read(request, limits)
            case "place":
                return _placed(request)
            case "recognise":
                return _recognised(request)
            case "measure":
                return protocol.sizes_fields(load_function(request["function"])(path))
            case _:
                return _unpacked(request, limits, reporter)
    except DocumentError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and is_of_the_drive(cause):
            return _refused(cause)
        return {"failure": error.message.packed}
    except NoRoomError as error:
        cause = error.__cause__
        assert isinstance(cause, OSError)
        return _refused(cause)
    except MemoryError:
        return {"failure": Message("Not enough memory").packed}
    except Exception as error:  # noqa: BLE001 - the boundary around one document
        if isinstance(error, OSError) and is_of_the_drive(error):
            return _refused(error)
        trace = traceback.format_exc(limit=-20)
        message = Message("Cannot be read ({0})", type(error).__name__)
        return {"failure": message.packed, "trace": trace}


def _by_name(request: dict[str, Any], task: WorkerTask) -> dict[str, Any]:
    """Point a request to a copy of its file if another package reads it.

    Only Winnow's readers use handed-over descriptors; other packages open files by name.
    """
    if task.scratch is None or is_own(request["function"]):
        return request
    try:
        copy = copy_handed(Path(request["path"]), task.scratch / COPIES_FOLDER)
    except OSError as error:
        raise NoRoomError from error
    return request | {"path": str(copy)}


def _read(request: dict[str, Any], limits: Limits) -> dict[str, Any]:
    document: Document = load_function(request["function"])(Path(request["path"]))
    limits.check_characters(sum(len(page.text) for page in document.pages))
    return protocol.document_fields(document, with_styles=request.get("styles") is True)


def _drawn(request: dict[str, Any]) -> dict[str, Any]:
    spans = [(start, end) for start, end in request["spans"]]
    draw_page = load_function(request["function"])
    image: PageImage = draw_page(Path(request["path"]), request["number"], request["width"], spans)
    return protocol.image_fields(image) | {"rgb": image.rgb}


def _placed(request: dict[str, Any]) -> dict[str, Any]:
    spans = [(start, end) for start, end in request["spans"]]
    width, height = request["size"]
    locate_spans = load_function(request["function"])
    path = Path(request["path"])
    return protocol.boxes_fields(locate_spans(path, request["number"], (width, height), spans))


def _recognised(request: dict[str, Any]) -> dict[str, Any]:
    from core.documents.pages.recognised import page_fields
    from core.documents.pages.recognition import recognise

    draw_page = load_function(request["function"])
    image = draw_page(Path(request["path"]), request["number"], None, ())
    return page_fields(recognise(image))


def _unpacked(request: dict[str, Any], limits: Limits, reporter: _PassReporter) -> dict[str, Any]:
    reporter.wanted = tuple(request.get("place", ()))
    scratch, pictures = Path(request["scratch"]), request.get("pictures") is True
    through = Pass(scratch, limits.containers, reporter, reporter.wanted, pictures=pictures)
    try:
        through.run(Path(request["path"]), load_function(request["function"]))
    except StopError:
        return {"end": True, "file": reporter.unpacked_name}
    except OSError as error:
        return _refused(error)
    if reporter.wanted:
        raise DocumentError("No longer in its archive")
    return {"end": True}


def _refused(error: OSError) -> dict[str, Any]:
    """Return a failure of the system, which may be temporary."""
    return {"failure": error.strerror or str(error), "errno": error.errno}


class _PassReporter:
    """Reports the progress of a pass to the parent, and waits for its reply.

    If a single member is wanted, it stops the pass once that has been unpacked.
    """

    def __init__(self, requests: Connection, answers: Connection, limits: Limits) -> None:
        self._requests = requests
        self._answers = answers
        self._limits = limits
        self.wanted: tuple[str, ...] = ()
        self.unpacked_name = ""

    def offer(self, member: Member, write: Callable[[], str]) -> bool:
        """Report a member. Return whether to open it."""
        if not self.wanted:
            request = self._send(protocol.member_fields(member))
            while request.get("do") == "write":
                request = self._send({"file": write()})
            return request.get("enters") is True
        if member.reason:
            raise DocumentError(member.reason)
        if member.inner_path == self.wanted:
            self.unpacked_name = write()
            raise StopError
        return True

    def close(self, closed: Closed, trace: str) -> None:
        if not self.wanted:
            self._send(protocol.closed_fields(closed) | {"trace": trace})

    def go_on(self) -> None:
        """Report that this process is alive."""
        self._send({"going": True})

    def _send(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a response and return the next request."""
        # No clock runs while the parent works.
        confinement.set_alarm(0)
        try:
            self._answers.send_bytes(protocol.pack(fields))
            request = protocol.unpack(self._requests.recv_bytes())
        except (BrokenPipeError, EOFError) as error:
            raise StopError from error
        confinement.set_alarm(self._limits.timeout_s + _ALARM_DELAY_S)
        return request
