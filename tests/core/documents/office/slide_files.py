"""Writes PowerPoint 97 presentations for tests: the parts of [MS-PPT] for slides with text."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tests.core.documents.office.compound_files import compound_bytes, summary_stream

TITLE, BODY, NOTES, OTHER = 0, 1, 2, 4


@dataclass(frozen=True)
class Shape:
    """Text on a slide: its kind, its placeholder, and how it is stored."""

    text: str
    kind: int = OTHER
    placeholder: int = 0
    is_in_outline: bool = False
    styles: bytes = b""


@dataclass(frozen=True)
class Slide:
    shapes: Sequence[Shape]
    notes: str = ""
    is_grouped: bool = False


def record(kind: int, data: bytes, *, instance: int = 0, version: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4 | version, kind, len(data)) + data


def container(kind: int, *records: bytes, instance: int = 0) -> bytes:
    return record(kind, b"".join(records), instance=instance, version=0xF)


def text_atom(text: str) -> bytes:
    if text.isascii():
        return record(0x0FA8, text.encode("latin-1"))
    return record(0x0FA0, text.encode("utf-16-le"))


def styles_of(*runs: tuple[str, int]) -> bytes:
    """The styles of a text: each of its runs with its position, and paragraphs with tab stops."""
    length = sum(len(run) for run, _ in runs) + 1
    # A bullet, an alignment, a margin, and one tab stop.
    fields = struct.pack("<HHhHHH", 2, 0, 120, 1, 576, 0)
    paragraphs = struct.pack("<IHI", length, 0, 0x100902) + fields
    last = struct.pack("<II", 1, 0)
    return paragraphs + b"".join(map(_styled, runs)) + last


def _styled(run: tuple[str, int]) -> bytes:
    text, position = run
    # Bold, in 24 points, in a colour; and raised or lowered.
    fields = struct.pack("<HHI", 1, 24, 0xFE000000)
    if not position:
        return struct.pack("<II", len(text), 0x60001) + fields
    return struct.pack("<II", len(text), 0xE0001) + fields + struct.pack("<h", position)


def slides_bytes(
    slides: Sequence[Slide],
    *,
    title: str = "",
    author: str = "",
    mark: int = 0xE391C05F,
    session: int = 0,
    within: str = "",
    has_older_edit: bool = False,
    link: str = "",
) -> bytes:
    """A presentation.

    Args:
        slides: in their order; the file stores them in reverse.
        title: that the file says it has.
        author: likewise.
        mark: whether it is encrypted.
        session: of its encryption.
        within: the storage that contains it, with a slash.
        has_older_edit: whether the first slide was saved before, as "An older one".
        link: the target of a link of the outline's last text.
    """
    content = b""
    offsets: dict[int, int] = {}
    listed, noted = b"", b""
    for number, slide in enumerate(slides, 1):
        outline = [shape for shape in slide.shapes if shape.is_in_outline]
        listed += record(0x03F3, struct.pack("<IIiI4x", 10 + number, 0, len(outline), 256 + number))
        for shape in outline:
            listed += record(0x0F9F, struct.pack("<I", shape.kind)) + text_atom(shape.text)
            listed += record(0x0FA1, shape.styles) if shape.styles else b""
        if slide.notes:
            noted += record(0x03F3, struct.pack("<IIiI4x", 50 + number, 0, 0, 512 + number))
    if link:
        listed += container(0x0FF2, record(0x0FF3, struct.pack("<II8x", 0, 1)))
    old: dict[int, int] = {}
    if has_older_edit:
        old[11] = len(content)
        content += _slide(Slide([Shape("An older one")]), 1)
    for number, slide in reversed(list(enumerate(slides, 1))):
        offsets[10 + number] = len(content)
        content += _slide(slide, number)
        if slide.notes:
            offsets[50 + number] = len(content)
            content += container(0x03F0, _drawing([Shape(slide.notes, NOTES)], is_grouped=False))
    offsets[1] = len(content)
    lists = container(0x0FF0, listed), container(0x0FF0, noted, instance=2)
    links = b""
    if link:
        address = record(0x0FBA, link.encode("utf-16-le"), instance=1)
        links = container(0x0409, container(0x0FD7, record(0x0FD3, struct.pack("<I", 1)), address))
    content += container(0x03E8, record(0x03E9, bytes(40)), links, *lists)
    edit = 0
    if has_older_edit:
        content, edit = _with_edit(content, old, 0, session)
    content, edit = _with_edit(content, offsets, edit, session)
    user = record(0x0FF6, struct.pack("<III", 0x14, mark, edit))
    return compound_bytes(
        {
            f"{within}PowerPoint Document": content,
            f"{within}Current User": user,
            "\x05SummaryInformation": summary_stream(title, author),
        }
    )


def _with_edit(
    content: bytes, offsets: dict[int, int], last: int, session: int
) -> tuple[bytes, int]:
    directory = len(content)
    entries = b"".join(struct.pack("<II", 1 << 20 | n, offset) for n, offset in offsets.items())
    content += record(0x1772, entries)
    edit = len(content)
    atom = struct.pack("<I4xIIIII", 256, last, directory, 1, 99, 0)
    if session:
        atom += struct.pack("<I", session)
    return content + record(0x0FF5, atom), edit


def _slide(slide: Slide, number: int) -> bytes:
    notes_id = 512 + number if slide.notes else 0
    atom = record(0x03EF, struct.pack("<I8xIIHH", 0, 0, notes_id, 0, 0))
    return container(0x03EE, atom, _drawing(slide.shapes, is_grouped=slide.is_grouped))


def _drawing(shapes: Sequence[Shape], *, is_grouped: bool) -> bytes:
    containers = []
    outlined = 0
    for shape in shapes:
        parts = []
        if shape.placeholder:
            place = record(0x0BC3, struct.pack("<iBBH", 0, shape.placeholder, 0, 0))
            parts.append(container(0xF011, place))
        if shape.is_in_outline:
            text = record(0x0F9E, struct.pack("<I", outlined))
            outlined += 1
        else:
            text = record(0x0F9F, struct.pack("<I", shape.kind)) + text_atom(shape.text)
            text += record(0x0FA1, shape.styles) if shape.styles else b""
        containers.append(container(0xF004, *parts, container(0xF00D, text)))
    group = container(0xF003, *containers)
    if is_grouped:
        group = container(0xF003, group)
    return container(0x040C, container(0xF002, group))
