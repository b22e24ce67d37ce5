"""PDF: the text of each page, and where each of its characters stands on the page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from core.documents.document import IS_PICTURE, Document, Heading, Page
from core.documents.pages.compounds import Compounds, without_broken
from core.documents.pages.garbled import mended
from core.documents.pages.pdf_file import open_page, open_pdf, written_on
from core.documents.properties import properties
from core.documents.text import normalise_with_map, one_line
from core.errors import DocumentError

MOST_PAGES = 20_000
_MOST_BOOKMARKS = 5_000
# PDFium's mark for a hyphen at a line's end; the line end itself it then mostly leaves out.
HYPHENS = "\x02\ufffe"
_LINE = re.compile(rf"[^\r\n{HYPHENS}]*(?:[{HYPHENS}](?:\r\n|\r|\n)?|\r\n|\r|\n|\Z)")
# Glyphs of fonts that do not say which characters they stand for.
_MEANINGLESS = re.compile(r"[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\ufffd\ue000-\uf8ff]")
_MOST_MEANINGLESS = 0.2
_SENTENCE_END = tuple('.!?:…"”’)。！？')


@dataclass(frozen=True, slots=True)
class PdfText:
    """A page's `text`, and for each of its characters the index PDFium knows it by."""

    text: str
    characters: list[int]


def read(path: Path) -> Document:
    """Read a PDF's pages; those without text (scans) and those that are broken are unread.

    Headings come from the bookmarks, where their words are found on the page they lead to.

    Raises:
        DocumentError: It is damaged, needs a password, or has more than 20,000 pages.
    """
    from pypdfium2 import PdfiumError

    with open_pdf(path) as pdf:
        count = len(pdf)
        if count == 0:
            raise DocumentError("is damaged: it has no pages")
        if count > MOST_PAGES:
            raise DocumentError(f"has {count:,} pages, more than the {MOST_PAGES:,} that are read")
        title, author, changed, made = (
            _decoded(partial(pdf.get_metadata_value, key))
            for key in ("Title", "Author", "ModDate", "CreationDate")
        )
        bookmarks = _bookmarks(pdf)
        pages = []
        broken = 0
        for index in range(count):
            try:
                text, unread = _read_page(pdf, index)
            except PdfiumError:
                # The other pages are worth having; a document of broken pages only is not.
                broken += 1
                text, unread = "", "is damaged"
            headings = _find_headings(text, bookmarks.get(index, []))
            pages.append(Page(index + 1, text, headings, unread))
    if broken == count:
        raise DocumentError("is damaged: none of its pages can be read")
    said = properties(title, [author], [changed, made])
    return Document(said.title, tuple(pages), said.author, said.date)


def _read_page(pdf: Any, index: int) -> tuple[str, str]:
    """Return a page's text, and why it has none though something is on it."""
    import pypdfium2.raw as pdfium

    with open_page(pdf, index) as page:
        text = page_text(page).text
        fields, notes = written_on(pdf, page)
        # A scan, a drawing, or words in a font that does not say which letters it shows.
        if not text and not fields and pdfium.FPDFPage_CountObjects(page) > 0:
            return "", IS_PICTURE
    # Behind the text, so that the places of its characters stay what they are.
    seen = one_line(text)
    written = [words for words in (*fields, *notes) if one_line(words) not in seen]
    return "\n\n".join(filter(None, [text, *written])), ""


def page_text(page: Any) -> PdfText:
    """Return the text that stands on a page.

    Raises:
        pypdfium2.PdfiumError: The page is broken.
    """
    text_page = page.get_textpage()
    try:
        return _extract(text_page)
    finally:
        text_page.close()


def _extract(text_page: Any) -> PdfText:
    import pypdfium2.raw as pdfium

    handle = text_page.raw
    count = text_page.count_chars()
    # PDFium can also give the text in one call, but leaves characters out and puts others in.
    raw = mended("".join(character(pdfium.FPDFText_GetUnicode(handle, i)) for i in range(count)))
    if len(_MEANINGLESS.findall(raw)) > _MOST_MEANINGLESS * count:
        return PdfText("", [])

    pieces: list[str] = []
    sources: list[int] = []
    lines = [match for match in _LINE.finditer(raw) if match.group()]
    rotation = text_page.page.get_rotation()
    starts = [_line_start(text_page, raw, match.start(), rotation) for match in lines]
    step = _usual_step(starts)
    compounds = _compounds([match.group() for match in lines])
    for number, match in enumerate(lines):
        line = match.group().rstrip("\r\n")
        end = match.start() + len(line)
        following = lines[number + 1].group() if number + 1 < len(lines) else ""
        if line.endswith(tuple(HYPHENS)) and following[:1].isalnum():
            # A word parted at the line's end is joined; before a capital or a digit the hyphen is
            # the word's own ("Jean-Paul"), and in a compound that the page knows.
            is_own = not following[0].islower() or compounds.keeps_hyphen(line[:-1], following)
            own = "-" if is_own else ""
            pieces.append(line[:-1] + own)
            sources.extend(range(match.start(), end - 1 + len(own)))
            continue
        pieces.append(line)
        sources.extend(range(match.start(), end))
        if following:
            is_new = _begins_paragraph(line, starts[number], starts[number + 1], step)
            gap = "\n\n" if is_new else "\n"
            pieces.append(gap)
            sources.extend([end] * len(gap))
    text, offsets = normalise_with_map("".join(pieces).translate({0x02: "-", 0xFFFE: "-"}))
    return PdfText(text, [sources[offset] for offset in offsets])


def _compounds(lines: list[str]) -> Compounds:
    ends = tuple(HYPHENS)
    broken = ((line, line.endswith(ends)) for line in (line.rstrip("\r\n") for line in lines))
    return Compounds(without_broken(broken))


def character(code: int) -> str:
    """Return the character that PDFium tells by `code`; broken fonts have it tell any number."""
    return chr(code) if code <= sys.maxunicode else "\ufffd"


@dataclass(frozen=True, slots=True)
class _LineStart:
    """Where a line begins on the page as it is shown, and how high its font is.

    All are in points; y grows upwards, and the origin is wherever the page's turning puts it.
    """

    x: float
    y: float
    height: float


def _line_start(text_page: Any, raw: str, index: int, rotation: int) -> _LineStart | None:
    from pypdfium2 import PdfiumError

    while index < len(raw) and raw[index] in " \t\xa0":
        index += 1
    if index >= len(raw) or raw[index] in "\r\n":
        return None
    try:
        left, bottom, right, top = text_page.get_charbox(index, loose=True)
    except PdfiumError:
        return None
    x, y, height = {
        0: (left, bottom, top - bottom),
        90: (bottom, -right, right - left),
        180: (-right, -top, top - bottom),
        270: (-top, left, right - left),
    }[rotation]
    return _LineStart(x, y, height) if height > 0 else None


def _usual_step(starts: list[_LineStart | None]) -> float:
    """Return the usual distance of a line from the one above it, in heights of its font."""
    steps = [
        (above.y - below.y) / below.height
        for above, below in pairwise(starts)
        if above and below and 0.5 < (above.y - below.y) / below.height < 3
    ]
    return median(steps) if steps else 1.2


def _begins_paragraph(
    line: str, above: _LineStart | None, below: _LineStart | None, usual_step: float
) -> bool:
    """Say whether a line begins a paragraph, from where it and the `line` above it begin."""
    if above is None or below is None:
        return False
    if not 0.8 < below.height / above.height < 1.25:
        return True
    step = (above.y - below.y) / below.height
    if step > 1.3 * usual_step:
        return True
    is_sentence = line.rstrip().endswith(_SENTENCE_END)
    if step < -1:  # up: the next column
        return is_sentence
    is_indented = below.x - above.x > 0.6 * below.height
    return is_indented and is_sentence and step > 0.5


def _decoded(get: Callable[[], str]) -> str:
    """Return what `get` gives, or "" for words that are no valid Unicode."""
    try:
        return get()
    except UnicodeDecodeError:
        return ""


def _bookmarks(pdf: Any) -> dict[int, list[tuple[int, str]]]:
    """Return for each page index the levels and titles of the bookmarks that lead to it."""
    found: dict[int, list[tuple[int, str]]] = {}
    for bookmark in islice(pdf.get_toc(max_depth=8), _MOST_BOOKMARKS):
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        title = one_line(_decoded(bookmark.get_title))
        if index is not None and title:
            found.setdefault(index, []).append((bookmark.level + 1, title))
    return found


def _find_headings(text: str, bookmarks: list[tuple[int, str]]) -> tuple[Heading, ...]:
    """Return the bookmarks whose words stand at the start of a line, in the text's order."""
    headings: list[Heading] = []
    start = 0
    for level, title in bookmarks:
        words = r"\s+".join(re.escape(word) for word in title.split())
        # A chapter's number is often on the page and not in the bookmark.
        line = re.compile(rf"^[\dIVX.]*[ \t]*{words}[ \t]*$", re.IGNORECASE | re.MULTILINE)
        match = line.search(text, start)
        if match:
            headings.append(Heading(match.start(), level, match.group().rstrip()))
            start = match.end()
    return tuple(headings)
