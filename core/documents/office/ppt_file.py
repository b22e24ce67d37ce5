"""The binary PowerPoint 97 format: its records, and where the newest of each slide's lies.

Source: [MS-PPT] PowerPoint (.ppt) Binary File Format, whose names of records stand in the comments.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from core.errors import DocumentError

_HEADER: Final = struct.Struct("<HHI")  # version and instance, type, size of what follows
_IS_CONTAINER: Final = 0xF
_DEEPEST: Final = 100

# CurrentUserAtom, UserEditAtom, PersistDirectoryAtom
_ENCRYPTED: Final = 0xF3D1C4DF
_USER_EDIT, _DIRECTORY = 0x0FF5, 0x1772
_WITH_ENCRYPTION_BYTES: Final = 0x20

DOCUMENT, SLIDE, SLIDE_ATOM, NOTES = 0x03E8, 0x03EE, 0x03EF, 0x03F0
LIST, LIST_ITEM = 0x0FF0, 0x03F3  # SlideListWithText, SlidePersistAtom
SHAPE, PLACEHOLDER = 0xF004, 0x0BC3
TEXT_KIND, TEXT_WIDE, TEXT_NARROW, TEXT_REFERENCE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E


class Record(NamedTuple):
    """A record: its type, what tells it from its like, and what is in it."""

    kind: int
    instance: int
    is_container: bool
    data: memoryview

    def records(self) -> Iterator[Record]:
        """Give the records in this one, if it is a container."""
        if self.is_container:
            yield from _records(self.data)

    def all_of(self, *kinds: int) -> Iterator[Record]:
        """Give the records of some kinds in this one, at any depth; none within another."""
        waiting = [(self.records(), 0)]
        while waiting:
            records, depth = waiting[-1]
            record = next(records, None)
            if record is None:
                waiting.pop()
            elif record.kind in kinds:
                yield record
            elif record.is_container and depth < _DEEPEST:
                waiting.append((record.records(), depth + 1))

    def number(self, offset: int = 0) -> int:
        """Return the number of 32 bits at an offset; 0 where the record is shorter."""
        return int.from_bytes(self.data[offset : offset + 4], "little")

    def text(self) -> str:
        """Return the text of an atom that has some."""
        return bytes(self.data).decode(
            "utf-16-le" if self.kind == TEXT_WIDE else "latin-1", errors="replace"
        )


class Presentation:
    """A PowerPoint 97 presentation.

    Args:
        content: its stream "PowerPoint Document".
        current_user: its stream "Current User".

    Raises:
        DocumentError: It needs a password, or is damaged.
    """

    def __init__(self, content: bytes, current_user: bytes) -> None:
        self._content = memoryview(content)
        # Behind the header: the atom's size, a mark, and where the last edit is.
        mark, edit = struct.unpack_from("<12xII", current_user)
        if mark == _ENCRYPTED:
            raise DocumentError("needs a password")
        self._offsets: dict[int, int] = {}
        document_id = self._read_edits(edit)
        document = self.record(document_id, DOCUMENT)
        if document is None:
            raise DocumentError("is damaged: its slides cannot be found")
        self.document = document

    def record(self, number: int, kind: int) -> Record | None:
        """Return one of the records that are saved apart from each other; None if it is gone."""
        offset = self._offsets.get(number)
        if offset is None:
            return None
        record = next(_records(self._content[offset:]), None)
        return record if record is not None and record.kind == kind else None

    def _read_edits(self, offset: int) -> int:
        """Read where everything is, from the last edit to the first; give the document's number."""
        document_id = 0
        seen: set[int] = set()
        while offset not in seen:
            seen.add(offset)
            edit = next(_records(self._content[offset:]), None)
            if edit is None or edit.kind != _USER_EDIT:
                raise DocumentError("is damaged: its slides cannot be found")
            if len(edit.data) >= _WITH_ENCRYPTION_BYTES and edit.number(28):
                raise DocumentError("needs a password")
            document_id = document_id or edit.number(16)
            self._read_directory(edit.number(12))
            # Zero for the first edit of all.
            if not (offset := edit.number(8)):
                break
        return document_id

    def _read_directory(self, offset: int) -> None:
        directory = next(_records(self._content[offset:]), None)
        if directory is None or directory.kind != _DIRECTORY:
            raise DocumentError("is damaged: its slides cannot be found")
        at = 0
        while at + 4 <= len(directory.data):
            run = directory.number(at)
            first, count = run & 0xFFFFF, run >> 20
            for number in range(first, first + count):
                at += 4
                # What a later edit saved anew has been found before.
                self._offsets.setdefault(number, directory.number(at))
            at += 4


def _records(data: memoryview) -> Iterator[Record]:
    """Give the records that lie one behind the other; a last one that is cut off is left out."""
    at = 0
    while at + _HEADER.size <= len(data):
        first, kind, size = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        if at + size > len(data):
            return
        is_container = first & 0xF == _IS_CONTAINER
        yield Record(kind, first >> 4, is_container, data[at : at + size])
        at += size
