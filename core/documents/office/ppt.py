"""Reads PowerPoint presentations of 1997 to 2003 (.ppt, .pps): a page per slide, with notes."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from core.documents.damage import OtherKindError
from core.documents.document import Document, Page
from core.documents.files import start_of
from core.documents.metadata import with_topics
from core.documents.office.kinds import by_content
from core.documents.office.ole import OLE_MAGIC, compound_file, stream, summary_of
from core.documents.office.ppt_styles import with_raised
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_STREAM: Final = "PowerPoint Document"
_DUAL_STORAGE, _OLDER = "PP97_DUALSTORAGE", "PersistentStorage Directory"
_NUMBERED: Final = re.compile(r"\S+ \d+")  # default titles: "Slide 1" in any language
_SLIDES, _NOTES_LIST = 0, 2  # instances of lists
_TITLES: Final = frozenset({0, 6})  # kinds of text: title, centred title
# Placeholders that are the same on all slides: date, number, footer, header.
_FURNITURE: Final = frozenset({0x07, 0x08, 0x09, 0x0A})
_NOTES_OFFSET: Final = 16  # SlideAtom.notesIdRef


@dataclass(slots=True)
class _ListedSlide:
    """An entry in the list of slides: its record's id, and the outline's texts and links."""

    saved: int
    id: int
    texts: list[_Text] = field(default_factory=list)
    clicks: list[_PptRecord] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    is_title: bool


@by_content
def read(path: Path) -> Document:
    """Read a presentation: a page per slide, its title first, its notes last.

    Raises:
        DocumentError: It is damaged, encrypted, or older than PowerPoint 97.
    """
    start = start_of(path, len(OLE_MAGIC))
    if not start:
        raise DocumentError("Empty file")
    if start != OLE_MAGIC:
        raise OtherKindError("Damaged, or not a PowerPoint presentation")
    with compound_file(path) as ole:
        if stream(ole, "EncryptedPackage"):
            raise DocumentError("Password required")
        # Some files contain the presentation twice, for PowerPoint 95 and for newer versions.
        storage = (_DUAL_STORAGE,) if ole.exists(_DUAL_STORAGE) else ()
        content = stream(ole, *storage, _STREAM)
        if not content or (not storage and ole.exists(_OLDER)):
            raise OtherKindError("No slides in PowerPoint 97 format or newer")
        presentation = _Presentation(content, stream(ole, *storage, "Current User"))
        summary = summary_of(ole)
        pages = tuple(_pages(presentation))
    first = next((heading.text for page in pages for heading in page.headings), "")
    title = "" if _NUMBERED.fullmatch(summary.title) else summary.title
    pages = with_topics(pages, summary.topics)
    return Document(title or first, pages, author=summary.author, date=summary.date)


def _pages(presentation: _Presentation) -> Iterator[Page]:
    notes = {item.id: item for item in _listed(presentation.document, _NOTES_LIST)}
    targets = dict(_targets(presentation.document))
    seen: set[str] = set()
    for slide_number, item in enumerate(_listed(presentation.document, _SLIDES), 1):
        slide = presentation.record(item.saved, _SLIDE)
        texts = list(_texts(slide, item.texts, seen)) if slide else item.texts
        page = PageText()
        # The title comes first, whatever its place among the shapes.
        for text in sorted(texts, key=lambda text: not text.is_title):
            if text.is_title:
                page.heading(1, one_line(text.text))
            else:
                page.lines(text.text.split("\r"))
        if slide is not None and (noted := notes.get(_notes_id(slide))):
            saved = presentation.record(noted.saved, NOTES)
            for text in _texts(saved, noted.texts, seen) if saved else noted.texts:
                page.lines(text.text.split("\r"))
        clicks = [*item.clicks, *(slide.all_of(_CLICK) if slide is not None else ())]
        for click in clicks:
            page.link(targets.get(click.integer(4)))
        content, headings = page.finish()
        yield Page(slide_number, content, headings)


def _targets(document: _PptRecord) -> Iterator[tuple[int, str]]:
    """Yield the id and the target of each link of a presentation."""
    for link in document.all_of(_LINK):
        ids = [atom.integer() for atom in link.records() if atom.kind == _LINK_ID]
        for atom in link.records():
            if atom.kind == _STRING and atom.instance == _TARGET and ids:
                yield ids[0], bytes(atom.data).decode("utf-16-le", errors="replace")


def _listed(document: _PptRecord, kind: int) -> Iterator[_ListedSlide]:
    """Yield the listed slides or notes in order, with their texts in the outline."""
    for record in document.records():
        if record.kind != _LIST or record.instance != kind:
            continue
        item: _ListedSlide | None = None
        is_title = False
        for atom in record.records():
            if atom.kind == _LIST_ITEM:
                if item is not None:
                    yield item
                item = _ListedSlide(saved=atom.integer(), id=atom.integer(12))
            elif atom.kind == _TEXT_KIND:
                is_title = atom.integer() in _TITLES
                if item is not None:
                    item.texts.append(_Text("", is_title))
            elif atom.kind in {_TEXT_WIDE, _TEXT_NARROW} and item is not None and item.texts:
                item.texts[-1] = _Text(atom.text(), is_title)
            elif atom.kind == _CLICKS and item is not None:
                item.clicks += atom.all_of(_CLICK)
            elif atom.kind == _TEXT_STYLES and item is not None and item.texts:
                item.texts[-1] = _Text(with_raised(item.texts[-1].text, atom.data), is_title)
        if item is not None:
            yield item


def _texts(slide: _PptRecord, outline: Sequence[_Text], seen: set[str]) -> Iterator[_Text]:
    """Yield the texts of the shapes on a slide; texts of placeholders only if not yet `seen`."""
    for shape in slide.all_of(_SHAPE):
        placeholder = next(shape.all_of(_PLACEHOLDER), None)
        is_furniture = placeholder is not None and placeholder.integer(4) % 256 in _FURNITURE
        is_title = False
        atoms = list(shape.all_of(*_TEXT_ATOMS))
        for atom, styles in zip_longest(atoms, atoms[1:]):
            if atom.kind == _TEXT_KIND:
                is_title = atom.integer() in _TITLES
            elif atom.kind == _TEXT_STYLES:
                continue
            elif atom.kind == _TEXT_REFERENCE:
                if atom.integer() < len(outline):
                    yield outline[atom.integer()]
            elif not is_furniture:
                text = atom.text()
                if styles is not None and styles.kind == _TEXT_STYLES:
                    text = with_raised(text, styles.data)
                yield _Text(text, is_title)
            elif (text := atom.text().strip()) not in seen | {"*"}:
                seen.add(text)
                yield _Text(text, is_title=False)


def _notes_id(slide: _PptRecord) -> int:
    atom = next(slide.all_of(_SLIDE_ATOM), None)
    return 0 if atom is None else atom.integer(_NOTES_OFFSET)


_HEADER: Final = struct.Struct("<HHI")  # version and instance, type, size of the content
_IS_CONTAINER: Final = 0xF
_DEEPEST: Final = 100

# CurrentUserAtom, UserEditAtom, PersistDirectoryAtom
_ENCRYPTED: Final = 0xF3D1C4DF
_USER_EDIT, _DIRECTORY = 0x0FF5, 0x1772
_WITH_ENCRYPTION_BYTES: Final = 0x20

DOCUMENT, _SLIDE, _SLIDE_ATOM, NOTES = 0x03E8, 0x03EE, 0x03EF, 0x03F0
_LIST, _LIST_ITEM = 0x0FF0, 0x03F3  # SlideListWithText, SlidePersistAtom
_SHAPE, _PLACEHOLDER = 0xF004, 0x0BC3
_TEXT_KIND, _TEXT_WIDE, _TEXT_NARROW, _TEXT_REFERENCE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E
_TEXT_STYLES: Final = 0x0FA1  # StyleTextPropAtom, after a text
# ExHyperlinkContainer, its atom and strings, InteractiveInfo and its atom
_LINK, _LINK_ID, _STRING, _CLICKS, _CLICK = 0x0FD7, 0x0FD3, 0x0FBA, 0x0FF2, 0x0FF3
_TARGET: Final = 1  # the instance of the string with the target
_TEXT_ATOMS: Final = (_TEXT_KIND, _TEXT_WIDE, _TEXT_NARROW, _TEXT_REFERENCE, _TEXT_STYLES)


class _PptRecord(NamedTuple):
    """A record: its type, instance and content."""

    kind: int
    instance: int
    is_container: bool
    data: memoryview

    def records(self) -> Iterator[_PptRecord]:
        if self.is_container:
            yield from _records(self.data)

    def all_of(self, *kinds: int) -> Iterator[_PptRecord]:
        """Yield the records of some kinds at any depth, but not those inside one another."""
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

    def integer(self, offset: int = 0) -> int:
        """Return the 32-bit number at an offset; 0 past the end of the record."""
        return int.from_bytes(self.data[offset : offset + 4], "little")

    def text(self) -> str:
        """Decode the text of a text atom."""
        return bytes(self.data).decode(
            "utf-16-le" if self.kind == _TEXT_WIDE else "latin-1", errors="replace"
        )


class _Presentation:
    """A PowerPoint 97 presentation.

    Args:
        content: The "PowerPoint Document" stream.
        current_user: The "Current User" stream.

    Raises:
        DocumentError: The presentation is encrypted or damaged.
    """

    def __init__(self, content: bytes, current_user: bytes) -> None:
        self._content = memoryview(content)
        # After the header: the size of the atom, a mark, and the offset of the last edit.
        mark, edit = struct.unpack_from("<12xII", current_user)
        if mark == _ENCRYPTED:
            raise DocumentError("Password required")
        self._offsets: dict[int, int] = {}
        document_id = self._read_edits(edit)
        document = self.record(document_id, DOCUMENT)
        if document is None:
            raise DocumentError("Damaged: the slides cannot be found")
        self.document = document

    def record(self, record_id: int, kind: int) -> _PptRecord | None:
        """Return a record by its number in the directory; None if it is missing."""
        offset = self._offsets.get(record_id)
        if offset is None:
            return None
        record = next(_records(self._content[offset:]), None)
        return record if record is not None and record.kind == kind else None

    def _read_edits(self, offset: int) -> int:
        """Read the directories from the last edit to the first; return the document's number."""
        document_id = 0
        seen: set[int] = set()
        while offset not in seen:
            seen.add(offset)
            edit = next(_records(self._content[offset:]), None)
            if edit is None or edit.kind != _USER_EDIT:
                raise DocumentError("Damaged: the slides cannot be found")
            if len(edit.data) >= _WITH_ENCRYPTION_BYTES and edit.integer(28):
                raise DocumentError("Password required")
            document_id = document_id or edit.integer(16)
            self._read_directory(edit.integer(12))
            # 0 for the first edit.
            if not (offset := edit.integer(8)):
                break
        return document_id

    def _read_directory(self, offset: int) -> None:
        directory = next(_records(self._content[offset:]), None)
        if directory is None or directory.kind != _DIRECTORY:
            raise DocumentError("Damaged: the slides cannot be found")
        at = 0
        while at + 4 <= len(directory.data):
            run = directory.integer(at)
            first, count = run & 0xFFFFF, run >> 20
            for record_id in range(first, first + count):
                at += 4
                # The offsets of later edits, which were read before, take precedence.
                self._offsets.setdefault(record_id, directory.integer(at))
            at += 4


def _records(data: memoryview) -> Iterator[_PptRecord]:
    """Yield consecutive records; a truncated last one is left out."""
    at = 0
    while at + _HEADER.size <= len(data):
        first, kind, size = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        if at + size > len(data):
            return
        is_container = first & 0xF == _IS_CONTAINER
        yield _PptRecord(kind, first >> 4, is_container, data[at : at + size])
        at += size
