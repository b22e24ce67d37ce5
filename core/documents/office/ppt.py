"""PowerPoint presentations of 1997 to 2003 (.ppt, .pps): a page for each slide, with its notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.documents.damage import OtherKindError
from core.documents.document import Document, Page
from core.documents.office.kinds import by_content
from core.documents.office.ole import OLE_MAGIC, compound_file, start_of, stream, summary_of
from core.documents.office.ppt_file import (
    LIST,
    LIST_ITEM,
    NOTES,
    PLACEHOLDER,
    SHAPE,
    SLIDE,
    SLIDE_ATOM,
    TEXT_KIND,
    TEXT_NARROW,
    TEXT_REFERENCE,
    TEXT_WIDE,
    Presentation,
    Record,
)
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_STREAM: Final = "PowerPoint Document"
_BESIDE_OLDER, _OLDER = "PP97_DUALSTORAGE", "PersistentStorage Directory"
_NUMBERED: Final = re.compile(r"\S+ \d+")  # "Slide 1", in any language: a title that nobody wrote
_SLIDES, _NOTES_LIST = 0, 2  # what a list is of
_TITLES: Final = frozenset({0, 6})  # kinds of text: a title, one in the middle
# Places in the layout for what is the same on all slides: date, number, footer, header.
_FURNITURE: Final = frozenset({0x07, 0x08, 0x09, 0x0A})
_NOTES_OFFSET: Final = 16  # SlideAtom.notesIdRef


@dataclass(slots=True)
class _Item:
    """A slide as the document lists it: where it is saved, and the texts of its outline."""

    saved: int
    id: int
    texts: list[_Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Text:
    """What stands in one place on a slide."""

    text: str
    is_title: bool


@by_content
def read(path: Path) -> Document:
    """Read a presentation: a page for each slide, its title first, its notes last.

    Raises:
        DocumentError: It is damaged, needs a password, or is older than PowerPoint 97.
    """
    start = start_of(path)
    if not start:
        raise DocumentError("is empty: not even a presentation without text")
    if start != OLE_MAGIC:
        raise OtherKindError("is damaged, or no PowerPoint presentation")
    with compound_file(path) as ole:
        if stream(ole, "EncryptedPackage"):
            raise DocumentError("needs a password")
        # Some presentations are there twice, for PowerPoint 95 and for newer ones.
        place = (_BESIDE_OLDER,) if ole.exists(_BESIDE_OLDER) else ()
        content = stream(ole, *place, _STREAM)
        if not content or (not place and ole.exists(_OLDER)):
            raise OtherKindError("holds no slides of PowerPoint 97 or a newer one")
        presentation = Presentation(content, stream(ole, *place, "Current User"))
        summary = summary_of(ole)
        pages = tuple(_pages(presentation))
    first = next((heading.text for page in pages for heading in page.headings), "")
    title = "" if _NUMBERED.fullmatch(summary.title) else summary.title
    return Document(title or first, pages, author=summary.author, date=summary.date)


def _pages(presentation: Presentation) -> Iterator[Page]:
    notes = {item.id: item for item in _listed(presentation.document, _NOTES_LIST)}
    seen: set[str] = set()
    for number, item in enumerate(_listed(presentation.document, _SLIDES), 1):
        slide = presentation.record(item.saved, SLIDE)
        texts = list(_texts(slide, item.texts, seen)) if slide else item.texts
        page = PageText()
        # A slide is known by its title, wherever that lies in the pile of shapes.
        for text in sorted(texts, key=lambda text: not text.is_title):
            if text.is_title:
                page.heading(1, one_line(text.text))
            else:
                _add_lines(page, text.text)
        if slide is not None and (noted := notes.get(_notes_id(slide))):
            saved = presentation.record(noted.saved, NOTES)
            for text in _texts(saved, noted.texts, seen) if saved else noted.texts:
                _add_lines(page, text.text)
        content, headings = page.finish()
        yield Page(number, content, headings)


def _listed(document: Record, kind: int) -> Iterator[_Item]:
    """Give the slides of a kind in their order, with what the outline has of their texts."""
    for record in document.records():
        if record.kind != LIST or record.instance != kind:
            continue
        item: _Item | None = None
        is_title = False
        for atom in record.records():
            if atom.kind == LIST_ITEM:
                if item is not None:
                    yield item
                item = _Item(saved=atom.number(), id=atom.number(12))
            elif atom.kind == TEXT_KIND:
                is_title = atom.number() in _TITLES
                if item is not None:
                    item.texts.append(_Text("", is_title))
            elif atom.kind in {TEXT_WIDE, TEXT_NARROW} and item is not None and item.texts:
                item.texts[-1] = _Text(atom.text(), is_title)
        if item is not None:
            yield item


def _texts(slide: Record, outline: Sequence[_Text], seen: set[str]) -> Iterator[_Text]:
    """Give the texts on a slide, shape by shape; what all slides bear, where it is `seen` first."""
    for shape in slide.all_of(SHAPE):
        place = next(shape.all_of(PLACEHOLDER), None)
        is_furniture = place is not None and place.number(4) % 256 in _FURNITURE
        is_title = False
        for atom in shape.all_of(TEXT_KIND, TEXT_WIDE, TEXT_NARROW, TEXT_REFERENCE):
            if atom.kind == TEXT_KIND:
                is_title = atom.number() in _TITLES
            elif atom.kind == TEXT_REFERENCE:
                if atom.number() < len(outline):
                    yield outline[atom.number()]
            elif not is_furniture:
                yield _Text(atom.text(), is_title)
            elif (text := atom.text().strip()) not in seen | {"*"}:
                seen.add(text)
                yield _Text(text, is_title=False)


def _notes_id(slide: Record) -> int:
    atom = next(slide.all_of(SLIDE_ATOM), None)
    return 0 if atom is None else atom.number(_NOTES_OFFSET)


def _add_lines(page: PageText, text: str) -> None:
    """Add a shape's paragraphs, close to each other."""
    gap = 2
    for line in text.split("\r"):
        page.add(line, gap=gap)
        if line.strip():
            gap = 1
