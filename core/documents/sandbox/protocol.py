"""Messages between the program and its reading process: JSON, and raw bytes of page images.

Nothing is unpickled in the program: a process that read a hostile file is not trusted, and every
value that it sends is checked.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from core.documents import fields as schema
from core.documents.containers.members import Closed, Member, is_part
from core.documents.document import (
    METADATA,
    Box,
    Document,
    Heading,
    Page,
    PageImage,
    PageSize,
    SourceLines,
    Style,
    StyledSpan,
    pack_rows,
    unpack_rows,
)
from core.documents.pages.recognised import RecognisedPage, page_from
from core.errors import Message, packed_text
from core.printable import quoted_lines

# JSON text takes at most 4 bytes per character, or 6 if it is escaped.
_BYTES_PER_CHARACTER = 6
_OVERHEAD_BYTES = 64_000_000
_Item = TypeVar("_Item")
# File names in the scratch folder; none leads to another folder.
_SCRATCH_NAME: Final = re.compile(r"[0-9]{1,3}(\.[a-z0-9_]{1,10}){0,2}")
_HASH: Final = re.compile("[0-9a-f]{0,128}")
# Deeper headings are limited to this level: all levels above a passage are searched.
_DEEPEST_LEVEL: Final = 100
_LONGEST_PART: Final = 300
_LARGEST_ERRNO: Final = 4095
_LONGEST_TRACE: Final = 20_000


_PAPER: Final = PageSize(595.0, 842.0)


class ProtocolError(Exception):
    """The reading process sent an invalid message."""


@contextmanager
def _expecting(what: str) -> Iterator[None]:
    """Turn errors about invalid fields into a `ProtocolError`."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolError(f"no {what}: {error}") from error


def largest_message_bytes(most_characters: int) -> int:
    """Return the size in bytes of the largest valid response with this many characters of text.

    >>> largest_message_bytes(1_000_000)
    70000000
    """
    return _BYTES_PER_CHARACTER * most_characters + _OVERHEAD_BYTES


def pack_request(fields: dict[str, Any]) -> bytes:
    """Return a request as bytes. File names may be invalid Unicode."""
    return json.dumps(fields).encode("ascii")


def pack(fields: dict[str, Any]) -> bytes:
    # Halves of surrogate pairs cannot be encoded. They are replaced one for one, so offsets stay.
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", errors="replace")


def unpack(message: bytes) -> dict[str, Any]:
    """Return the fields of a message.

    Raises:
        ProtocolError: It is not a JSON object.
    """
    with _expecting("message"):
        return schema.parse(message)


def walls_from(fields: dict[str, Any]) -> list[str]:
    """Return the sandbox mechanisms in the first message of a process.

    Raises:
        ProtocolError: The message is invalid.
    """
    with _expecting("walls"):
        return [schema.line(wall) for wall in schema.items(fields["walls"])]


def document_fields(document: Document, *, with_styles: bool = False) -> dict[str, Any]:
    """Return a document as JSON fields, `with_styles` with the styles of its pages."""
    styles = {"styles": [_styles_fields(page) for page in document.pages]} if with_styles else {}
    return styles | {
        "title": document.title[: schema.LONGEST_LINE],
        **{name: getattr(document, name)[: schema.LONGEST_LINE] for name in METADATA},
        "pages": [
            [
                page.number,
                page.text,
                [[h.start, min(h.level, _DEEPEST_LEVEL), h.text] for h in page.headings],
                packed_text(page.unread),
                [[line.start, line.end, line.first, line.last] for line in page.lines],
                [list(span) for span in page.quotes],
            ]
            for page in document.pages
        ],
    }


def _styles_fields(page: Page) -> list[Any]:
    styles = [[span.start, span.end, span.style.value, span.level] for span in page.styles]
    return [styles, pack_rows(page.rows) if page.rows else []]


def document_from(fields: dict[str, Any]) -> Document:
    """Return the document in `fields`.

    Raises:
        ProtocolError: The fields are invalid.

    >>> document = Document("Birds", (Page(1, "Crows", (Heading(0, 1, "Crows"),)),), "A. Rook")
    >>> document_from(unpack(pack(document_fields(document)))) == document
    True
    """
    with _expecting("document"):
        pages = tuple(_page(*page) for page in schema.items(fields["pages"]))
        if len({page.number for page in pages}) < len(pages):
            raise ProtocolError("duplicate page number")
        if "styles" in fields:
            both = zip(pages, schema.items(fields["styles"]), strict=True)
            pages = tuple(_with_styles(page, *styles) for page, styles in both)
        title, *about = (schema.line(fields[name]) for name in ("title", *METADATA))
        return Document(title, pages, *about)


def _page(page_number: Any, text: Any, headings: Any, unread: Any, lines: Any, quotes: Any) -> Page:
    schema.text(text)
    return Page(
        schema.integer(page_number, least=1),
        text,
        tuple(_heading(text, *heading) for heading in schema.items(headings)),
        Message.unpacked(schema.line(unread)),
        lines=tuple(_source_lines(len(text), *run) for run in schema.items(lines)),
        quotes=tuple(_span(len(text), *span) for span in schema.items(quotes)),
    )


def failure_from(fields: dict[str, Any]) -> Message | OSError | None:
    """Return the failure, as the document's message or the system's error; None for a result.

    Raises:
        ProtocolError: The failure is invalid.
    """
    if "failure" not in fields:
        return None
    with _expecting("failure"):
        failure = schema.line(fields["failure"])
        if "errno" in fields:
            return OSError(schema.integer(fields["errno"], _LARGEST_ERRNO, least=1), failure)
        return Message.unpacked(failure)


def trace_from(fields: dict[str, Any]) -> str:
    """Return the traceback of a bug, quoted for the log; "" for none."""
    trace = fields.get("trace")
    return quoted_lines(trace[-_LONGEST_TRACE:]) if isinstance(trace, str) else ""


def answers(
    fields: dict[str, Any], requests: Sequence[_Item]
) -> list[tuple[_Item, dict[str, Any]]]:
    """Return each request with its response.

    Raises:
        ProtocolError: There is not one response to each.
    """
    replies = fields.get("answers")
    if not isinstance(replies, list) or len(replies) != len(requests):
        raise ProtocolError("wrong number of answers")
    if not all(isinstance(answer, dict) for answer in replies):
        raise ProtocolError("an answer is missing")
    return list(zip(requests, replies, strict=True))


def sizes_fields(sizes: Sequence[PageSize]) -> dict[str, Any]:
    return {"sizes": [[size.width, size.height] for size in sizes]}


def sizes_from(fields: dict[str, Any]) -> tuple[PageSize, ...]:
    """Return the page sizes in `fields`; A4 for a page without a size.

    Raises:
        ProtocolError: The fields are invalid.
    """
    with _expecting("sizes"):
        values = schema.items(fields["sizes"])
        sizes = [(schema.coordinate(width), schema.coordinate(height)) for width, height in values]
    return tuple(PageSize(*size) if min(size) > 0 else _PAPER for size in sizes)


def boxes_fields(boxes: Sequence[Sequence[Box]]) -> dict[str, Any]:
    return {"boxes": [[[b.left, b.top, b.right, b.bottom] for b in of_span] for of_span in boxes]}


def boxes_from(fields: dict[str, Any], count: int) -> tuple[tuple[Box, ...], ...]:
    """Return the boxes in `fields` for `count` spans.

    Raises:
        ProtocolError: The fields are invalid, or for another number of spans.
    """
    with _expecting("boxes"):
        boxes = _boxes(fields["boxes"])
    if len(boxes) != count:
        raise ProtocolError("boxes do not match the spans")
    return boxes


def image_fields(image: PageImage) -> dict[str, Any]:
    """Return the fields of a page image without its pixels, which are a separate message."""
    return {
        "width": image.width,
        "height": image.height,
        **boxes_fields(image.boxes),
    }


def image_from(fields: dict[str, Any], rgb: bytes) -> PageImage:
    """Return the page image of `fields` and `rgb`.

    Raises:
        ProtocolError: They are invalid.
    """
    with _expecting("picture"):
        width, height = (schema.integer(fields[side], least=1) for side in ("width", "height"))
        boxes = _boxes(fields["boxes"])
    if len(rgb) != width * height * 3:
        raise ProtocolError("wrong image size")
    return PageImage(width, height, rgb, boxes)


def _boxes(values: Any) -> tuple[tuple[Box, ...], ...]:
    return tuple(
        tuple(Box(*map(schema.coordinate, schema.items(box))) for box in schema.items(of_span))
        for of_span in schema.items(values)
    )


def recognised_from(fields: dict[str, Any]) -> RecognisedPage:
    """Return the recognised page in `fields`.

    Raises:
        ProtocolError: The fields are invalid.
    """
    with _expecting("recognised page"):
        return page_from(fields)


def member_fields(member: Member) -> dict[str, Any]:
    return {
        "member": list(member.inner_path),
        "size_bytes": member.size_bytes,
        "mtime_ns": member.mtime_ns,
        "hash": member.hash,
        "reason": packed_text(member.reason),
    }


def closed_fields(closed: Closed) -> dict[str, Any]:
    return {"closed": list(closed.inner_path), "reason": packed_text(closed.reason)}


def step_from(fields: dict[str, Any]) -> Member | Closed | None:
    """Return the member or the closed container in `fields`; None at the end, or for progress.

    Raises:
        ProtocolError: The fields are invalid.

    >>> member = Member(("2024", "letter.docx"), 12, None, "00ff")
    >>> step_from(unpack(pack(member_fields(member)))) == member
    True
    """
    with _expecting("member"):
        if "closed" in fields:
            return Closed(_inner_path(fields["closed"]), _reason(fields))
        if "member" not in fields:
            return None
        mtime_ns = fields["mtime_ns"]
        if not _HASH.fullmatch(schema.line(fields["hash"])):
            raise ProtocolError("not a hash")
        return Member(
            _inner_path(fields["member"]),
            schema.integer(fields["size_bytes"], schema.MOST_STORED),
            None if mtime_ns is None else schema.integer(mtime_ns, schema.MOST_STORED),
            fields["hash"],
            _reason(fields),
        )


def _reason(fields: dict[str, Any]) -> Message:
    return Message.unpacked(schema.line(fields["reason"]))


def scratch_name(fields: dict[str, Any]) -> str:
    """Return the name of a file in the scratch folder.

    Raises:
        ProtocolError: The name is invalid, or leads out of that folder.
    """
    with _expecting("file"):
        name = schema.line(fields["file"])
    if not _SCRATCH_NAME.fullmatch(name):
        raise ProtocolError("not a file of the scratch folder")
    return name


def _inner_path(value: Any) -> tuple[str, ...]:
    inner_path = tuple(schema.text(part, _LONGEST_PART) for part in schema.items(value))
    if (
        not inner_path
        or not all(map(is_part, inner_path))
        or sum(map(len, inner_path)) > schema.LONGEST_LINE
    ):
        raise ProtocolError("not a path in a container")
    return inner_path


def _with_styles(page: Page, styles: Any, rows: Any) -> Page:
    most = len(page.text)
    spans = tuple(_styled_span(most, *span) for span in schema.items(styles))
    if not rows:
        return replace(page, styles=spans)
    tables = [schema.text(table) for table in schema.items(rows)]
    return replace(page, styles=spans, rows=unpack_rows(tables, most))


def _styled_span(most: int, start: Any, end: Any, style: Any, level: Any) -> StyledSpan:
    return StyledSpan(*_span(most, start, end), Style(style), schema.integer(level))


def _source_lines(most: int, start: Any, end: Any, first: Any, last: Any) -> SourceLines:
    is_run = schema.integer(start) < schema.integer(end, most)
    if not is_run or schema.integer(first, least=1) > schema.integer(last):
        raise ProtocolError("lines are outside their page")
    return SourceLines(start, end, first, last)


def _span(most: int, start: Any, end: Any) -> tuple[int, int]:
    if schema.integer(start) > schema.integer(end, most):
        raise ProtocolError("a span is outside its page")
    return start, end


def _heading(page: str, start: Any, level: Any, words: Any) -> Heading:
    if not page.startswith(schema.text(words), schema.integer(start, len(page))):
        raise ProtocolError("a heading is out of order")
    return Heading(start, schema.integer(level, _DEEPEST_LEVEL), words)
