"""PDF: the text of each page, page images, and the positions of characters."""

import ctypes
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from core.documents import xmp
from core.documents.document import IS_PICTURE, Box, Document, Heading, Page, PageImage, PageSize
from core.documents.files import mapped, open_file, size_of, start_of, unreadable
from core.documents.hyphens import Compounds, without_broken
from core.documents.links import link_target, unseen
from core.documents.metadata import properties, with_topics
from core.documents.pages import xfa
from core.documents.pages.columns import Line, by_column
from core.documents.pages.glyphs import Glyphs
from core.documents.pages.known_words import has_wrong_letters, is_common
from core.documents.pages.right_to_left import has_reversed_words, reading_order
from core.documents.text import normalise, normalise_with_map, one_line
from core.errors import DocumentError, Message

MOST_PAGES = 20_000
_MOST_BOOKMARKS = 5_000
# Height of a drop cap, in those of the next line.
_LEAST_DROP = 1.6
_ONE_LETTER_WORDS = frozenset("AEIOUYÀÉÈÓØÅ")
# PDFium's mark for a hyphen at a line's end. It mostly omits the line end after it.
HYPHENS = "\x02\ufffe"
_LINE = re.compile(rf"[^\r\n{HYPHENS}]*(?:[{HYPHENS}](?:\r\n|\r|\n)?|\r\n|\r|\n|\Z)")
# Glyphs of fonts without a mapping to characters.
_MEANINGLESS = re.compile(r"[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\ufffd\ue000-\uf8ff]")
_MOST_MEANINGLESS = 0.2
_SENTENCE_END = tuple('.!?:…"”’)。！？')


@dataclass(frozen=True, slots=True)
class _PdfText:
    """A page's `text`, and PDFium's index of each of its characters."""

    text: str
    characters: list[int]


def read(path: Path) -> Document:
    """Read a PDF. Pages without text (scans) and broken ones are unread.

    Headings are the bookmarks whose words are found on the page that they lead to.

    Raises:
        DocumentError: It is damaged, needs a password, or has more than 20,000 pages.
    """
    from pypdfium2 import PdfiumError

    with open_pdf(path) as pdf:
        count = len(pdf)
        if count == 0:
            raise DocumentError("Damaged: no pages")
        if count > MOST_PAGES:
            raise DocumentError("Has {0} pages; the limit is {1}", f"{count:,}", f"{MOST_PAGES:,}")
        title, author, modified, created, *topics = (
            _decoded(partial(pdf.get_metadata_value, key))
            for key in ("Title", "Author", "ModDate", "CreationDate", "Keywords", "Subject")
        )
        bookmarks = _bookmarks(pdf)
        pages = []
        broken = 0
        for index in range(count):
            try:
                text, unread = _read_page(pdf, index)
            except PdfiumError:
                # Keep the other pages; refuse the document only if all are broken.
                broken += 1
                text, unread = "", "Damaged"
            headings = _find_headings(text, bookmarks.get(index, []))
            pages.append(Page(index + 1, text, headings, unread))
        pages = _with_parted_words(pages)
        if form := xfa.text_of(pdf):
            pages[0] = replace(pages[0], text="\n\n".join(filter(None, [pages[0].text, form])))
    if broken == count:
        raise DocumentError("Damaged: no page can be read")
    if not (title and author and any(topics)):
        described = _described(path)
        title = title or "".join(described.get("dc:title", [])[:1])
        author = author or "; ".join(described.get("dc:creator", []))
        created = created or "".join(described.get("xmp:CreateDate", [])[:1])
        if not any(topics):
            topics = [
                ", ".join(described.get("dc:subject", [])),
                *described.get("dc:description", []),
            ]
    about = properties(title, [author], [modified, created], topics)
    # After the text, so that the offsets of its characters do not change.
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


def _described(path: Path) -> dict[str, list[str]]:
    """Return the XMP values of a PDF itself, without those of pictures in it.

    PDF 2.0 has no other properties (ISO 32000-2, 14.3.3). An edited file may have several packets:
    the last is the newest. Those of files too large for memory are not searched for.
    """
    if size_of(path) > _MOST_IN_MEMORY:
        return {}
    of_pdf = (packet for packet in xmp.packets(mapped(path)) if b"application/pdf" in packet)
    return xmp.values_of(next(iter(deque(of_pdf, maxlen=1)), b""))


_WORD_START: Final = re.compile(r"(?<=[^\W\d_]{2})-\Z")
_WORD_END: Final = re.compile(r"[^\W\d_]+")


def _with_parted_words(pages: Sequence[Page]) -> list[Page]:
    """Return pages with the rest of a word that ends on the next page."""
    whole = []
    for page, following in pairwise([*pages, Page(len(pages) + 1, "")]):
        rest = _WORD_END.match(following.text)
        if rest and rest[0][0].islower():
            page = replace(page, text=_WORD_START.sub(rest[0], page.text))
        whole.append(page)
    return whole


def _read_page(pdf: Any, index: int) -> tuple[str, str]:
    """Return a page's text, and the reason if it has none but has other content."""
    import pypdfium2.raw as pdfium

    with open_page(pdf, index) as page:
        text = page_text(page).text
        fields, notes, targets = _written_on(pdf, page)
        # A scan, a drawing, or words in a font without a mapping to letters.
        if not text and not fields and pdfium.FPDFPage_CountObjects(page) > 0:
            return "", IS_PICTURE
    # Text recognition reads the page as well; if it is off, the file is listed.
    unread = IS_PICTURE if has_wrong_letters(text) else ""
    # After the text, so that the offsets of its characters do not change.
    seen = one_line(text)
    written = [words for words in (*fields, *notes) if one_line(words) not in seen]
    return "\n\n".join(filter(None, [text, *written, "\n".join(unseen(targets, text))])), unread


def page_text(page: Any) -> _PdfText:
    """Return the text of a page.

    Raises:
        pypdfium2.PdfiumError: The page is broken.
    """
    text_page = page.get_textpage()
    try:
        return _extract(text_page)
    finally:
        text_page.close()


def _extract(text_page: Any) -> _PdfText:
    import pypdfium2.raw as pdfium

    handle = text_page.raw
    count = text_page.count_chars()
    # PDFium can also return the text in one call, but then omits and inserts characters.
    raw = repaired("".join(character(pdfium.FPDFText_GetUnicode(handle, i)) for i in range(count)))
    order: Sequence[int] = range(count)
    if has_reversed_words(raw):
        order = reading_order(raw, partial(_object_of, handle))
        raw = "".join(raw[index] for index in order)
    if len(_MEANINGLESS.findall(raw)) > _MOST_MEANINGLESS * count:
        return _PdfText("", [])

    pieces: list[str] = []
    sources: list[int] = []
    rotation = text_page.page.get_rotation()
    drawn = [Line(*match.span()) for match in _LINE.finditer(raw) if match.group()]
    lines = drawn if rotation else by_column(text_page, raw, drawn)
    written = [raw[line.start : line.end] for line in lines]
    starts = [_line_start(text_page, raw, line.start, rotation) for line in lines]
    step = _usual_step(starts)
    # In columns that it reads across, PDFium does not know that a line ends after a hyphen.
    written = [
        f"{line[:-1]}{HYPHENS[0]}" if line.endswith("-") and raw[end : end + 1].isspace() else line
        for line, (_, end) in zip(written, lines, strict=True)
    ]
    compounds = _compounds(written)
    glyphs = Glyphs(text_page, raw)
    for line_index, (start, _) in enumerate(lines):
        line = written[line_index].rstrip("\r\n")
        end = start + len(line)
        following = written[line_index + 1] if line_index + 1 < len(lines) else ""
        is_joined = line.endswith(tuple(HYPHENS)) and following[:1].isalnum()
        if is_joined:
            # Join a word that is split at the line's end. Keep the hyphen before a capital or a
            # digit ("Jean-Paul"), and in a compound that occurs elsewhere on the page.
            is_own = not following[0].islower() or compounds.keeps_hyphen(line[:-1], following)
            end -= not is_own
        elif following and _is_drop_cap(line, following, *starts[line_index : line_index + 2]):
            is_joined = True
        for piece, indexes in glyphs.parts(raw, start, end):
            pieces.append(piece)
            sources += indexes
        if is_joined:
            continue
        if following:
            is_new = _begins_paragraph(line, starts[line_index], starts[line_index + 1], step)
            gap = "\n\n" if is_new else "\n"
            pieces.append(gap)
            sources.extend([end] * len(gap))
    text, offsets = normalise_with_map("".join(pieces).translate({0x02: "-", 0xFFFE: "-"}))
    # A line's end may be that of the page.
    order = [*order, count]
    return _PdfText(text, [order[sources[offset]] for offset in offsets])


def _object_of(handle: Any, index: int) -> int | None:
    """Return the address of the text object that draws a character."""
    import pypdfium2.raw as pdfium

    return ctypes.cast(pdfium.FPDFText_GetTextObject(handle, index), ctypes.c_void_p).value


def _compounds(lines: list[str]) -> Compounds:
    ends = tuple(HYPHENS)
    broken = ((line, line.endswith(ends)) for line in (line.rstrip("\r\n") for line in lines))
    return Compounds(without_broken(broken))


def character(code: int) -> str:
    """Return the character for PDFium's `code`. Broken fonts lead to arbitrary numbers."""
    return chr(code) if code <= sys.maxunicode else "\ufffd"


@dataclass(frozen=True, slots=True)
class _LineStart:
    """Position of a line's start on the displayed page, and its font height, in points.

    y grows upwards. The origin depends on the page's rotation.
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


def _is_drop_cap(
    line: str, following: str, cap: _LineStart | None, below: _LineStart | None
) -> bool:
    """Return whether a line is a large initial letter of the word that begins the next one."""
    letter = line.strip()
    if len(letter) != 1 or not letter.isupper() or not following[0].isalpha():
        return False
    if cap is None or below is None or cap.height < _LEAST_DROP * below.height:
        return False
    is_adjacent = 0 < below.x - cap.x < cap.height and cap.y <= below.y <= cap.y + cap.height
    rest = re.split(r"[\W\d_]", following, maxsplit=1)[0]
    # "A" may be a word of its own.
    is_word_start = not is_common(rest) and letter not in _ONE_LETTER_WORDS
    return is_adjacent and (is_word_start or is_common(letter + rest))


def _usual_step(starts: list[_LineStart | None]) -> float:
    """Return the median line spacing, in font heights."""
    steps = [
        (above.y - below.y) / below.height
        for above, below in pairwise(starts)
        if above and below and 0.5 < (above.y - below.y) / below.height < 3
    ]
    return median(steps) if steps else 1.2


def _begins_paragraph(
    line: str, above: _LineStart | None, below: _LineStart | None, usual_step: float
) -> bool:
    """Return whether a line begins a paragraph, from its start and that of the `line` above."""
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
    """Return the result of `get`, or "" for invalid Unicode."""
    try:
        return get()
    except UnicodeDecodeError:
        return ""


def _bookmarks(pdf: Any) -> dict[int, list[tuple[int, str]]]:
    """Return the levels and titles of the bookmarks that lead to each page index."""
    bookmarks: dict[int, list[tuple[int, str]]] = {}
    for bookmark in islice(pdf.get_toc(max_depth=8), _MOST_BOOKMARKS):
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        title = one_line(_decoded(bookmark.get_title))
        if index is not None and title:
            bookmarks.setdefault(index, []).append((bookmark.level + 1, title))
    return bookmarks


def _find_headings(text: str, bookmarks: list[tuple[int, str]]) -> tuple[Heading, ...]:
    """Return the bookmarks whose words begin a line, in the order of the text."""
    headings: list[Heading] = []
    start = 0
    for level, title in bookmarks:
        words = r"\s+".join(re.escape(word) for word in title.split())
        # A chapter's number is often on the page, but not in the bookmark.
        line = re.compile(rf"^[\dIVX.]*[ \t]*{words}[ \t]*$", re.IGNORECASE | re.MULTILINE)
        match = line.search(text, start)
        if match:
            headings.append(Heading(match.start(), level, match.group().rstrip()))
            start = match.end()
    return tuple(headings)


MOST_PIXELS = 16_000_000
# Resolution of page images for text recognition: 10 points are 28 pixels.
_RECOGNITION_DPI = 200
# PDFium converts to whole pixels; this factor gives fractions of pixels.
_FINENESS = 16


def draw_page(
    path: Path, page_number: int, width: int | None, spans: Sequence[tuple[int, int]] = ()
) -> PageImage:
    """Return a page (from 1) of a PDF drawn `width` pixels wide, with boxes for `spans`.

    Without a width it is drawn at the resolution of text recognition.

    A page that would have more than 16 million pixels is drawn smaller. Each span is a pair of
    offsets into the `Page.text` of the same file. Characters without a position on the page are
    skipped, so a span may get no boxes.

    Raises:
        DocumentError: The file is damaged or needs a password, or has no such page.
    """
    if width is not None and width < 1:
        raise ValueError("width must be at least 1 pixel")
    with _page_to_draw(path, page_number) as page:
        bitmap = _render(page, width)
        boxes = _boxes(page, (bitmap.width, bitmap.height), spans)
        row = bitmap.width * 3
        buffer = memoryview(bitmap.buffer).cast("B")
        rgb = b"".join(
            buffer[start : start + row]
            for start in range(0, bitmap.height * bitmap.stride, bitmap.stride)
        )
        return PageImage(bitmap.width, bitmap.height, rgb, boxes)


def locate_spans(
    path: Path, page_number: int, size: tuple[int, int], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[Box, ...], ...]:
    """Return the boxes of `spans` on page `page_number` that `draw_page` returns for this `size`.

    This takes a fraction of the time of drawing.

    Raises:
        DocumentError: The file is damaged or needs a password, or has no such page.
    """
    with _page_to_draw(path, page_number) as page:
        return _boxes(page, size, spans)


@contextmanager
def _page_to_draw(path: Path, page_number: int) -> Iterator[Any]:
    """Open page `page_number` (from 1) of a PDF.

    Raises:
        DocumentError: The file has no such page, or the page is broken.
    """
    from pypdfium2 import PdfiumError

    with open_pdf(path) as pdf:
        if not 1 <= page_number <= len(pdf):
            raise DocumentError("Has no page {0}", page_number)
        try:
            with open_page(pdf, page_number - 1) as page:
                yield page
        except PdfiumError as error:
            raise DocumentError("Damaged: page {0} cannot be displayed", page_number) from error


def page_sizes(path: Path) -> tuple[PageSize, ...]:
    """Return the displayed sizes of the pages of a PDF, rotated and cropped.

    Raises:
        DocumentError: The file is damaged or needs a password.
    """
    from pypdfium2 import PdfiumError

    sizes = []
    with open_pdf(path) as pdf:
        for index in range(min(len(pdf), MOST_PAGES)):
            try:
                width, height = pdf.get_page_size(index)
            except PdfiumError:
                width = height = 0.0
            sizes.append(PageSize(width, height))
    return tuple(sizes)


def _render(page: Any, width: int | None) -> Any:
    """Return an RGB bitmap of the page on white paper."""
    page_width, page_height = page.get_size()
    if page_width <= 0 or page_height <= 0:
        raise DocumentError("Damaged: the page has no size")
    scale = _RECOGNITION_DPI / 72 if width is None else width / page_width
    pixels = page_width * page_height * scale * scale
    if pixels > MOST_PIXELS:
        scale *= (MOST_PIXELS / pixels) ** 0.5
    # PDFium rounds sizes up; without this factor, a rounding error would add a column.
    return page.render(scale=scale * (1 - 1e-9), rev_byteorder=True)


def _boxes(
    page: Any, size: tuple[int, int], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[Box, ...], ...]:
    if not spans:
        return ()
    raw = page_text(page)
    text_page = page.get_textpage()
    try:
        boxes = _CharacterBoxes(page, text_page, size)
        result = []
        for start, end in spans:
            characters = [
                raw.characters[i]
                for i in range(max(start, 0), min(end, len(raw.text)))
                if not raw.text[i].isspace()
            ]
            result.append(tuple(_merge(boxes, characters)))
        return tuple(result)
    finally:
        text_page.close()


class _CharacterBoxes:
    """Boxes of the characters of a page on its image."""

    def __init__(self, page: Any, text_page: Any, size: tuple[int, int]) -> None:
        self._page = page
        self._text_page = text_page
        self._size = size

    def box(self, character: int, *, is_tight: bool = False) -> Box | None:
        """Return the box of a character by PDFium's index, or None if it has none.

        The box has the height of the line and the character's advance width, unless `is_tight`:
        then it is that of the glyph.
        """
        import pypdfium2.raw as pdfium
        from pypdfium2 import PdfiumError

        try:
            left, bottom, right, top = self._text_page.get_charbox(character, loose=not is_tight)
            if left == right or bottom == top:
                left, bottom, right, top = self._text_page.get_charbox(character)
        except PdfiumError:
            return None
        # PDFium's conversion includes the page's rotation and crop box.
        canvas = (0, 0, self._size[0] * _FINENESS, self._size[1] * _FINENESS, 0)
        xs, ys = [], []
        for x, y in ((left, bottom), (right, top)):
            device_x, device_y = ctypes.c_int(), ctypes.c_int()
            if not pdfium.FPDF_PageToDevice(self._page, *canvas, x, y, device_x, device_y):
                return None
            xs.append(min(max(device_x.value / _FINENESS, 0.0), float(self._size[0])))
            ys.append(min(max(device_y.value / _FINENESS, 0.0), float(self._size[1])))
        if xs[0] == xs[1] or ys[0] == ys[1]:
            return None  # no position, or outside the crop box
        return Box(min(xs), min(ys), max(xs), max(ys))

    def ends_line(self, before: int, after: int) -> bool:
        """Return whether a line ends between two of PDFium's characters."""
        import pypdfium2.raw as pdfium

        marks = "\r\n" + HYPHENS
        return after < before or any(
            chr(pdfium.FPDFText_GetUnicode(self._text_page, i)) in marks
            for i in range(before + 1, after)
        )


def _merge(boxes: _CharacterBoxes, characters: Sequence[int]) -> Iterator[Box]:
    """Yield one box for each line of text with `characters`."""
    running: Box | None = None
    last, last_box = -1, None
    for character in characters:
        box = boxes.box(character)
        if box is None:
            continue
        if running is None:
            running = box
        elif boxes.ends_line(last, character) or _has_gutter(running, box):
            yield _clear(boxes, last, last_box, running)
            running = box
        else:
            running = Box(
                min(running.left, box.left),
                min(running.top, box.top),
                max(running.right, box.right),
                max(running.bottom, box.bottom),
            )
        last, last_box = character, box
    if running is not None:
        yield _clear(boxes, last, last_box, running)


def _clear(boxes: _CharacterBoxes, last: int, last_box: Box | None, box: Box) -> Box:
    """Return `box`, which ends with character `last`, cut where it covers the next character.

    For a font that is not embedded, PDFium returns the glyph sizes of the substitute, but draws
    the glyphs with the widths of the original font: the box is too wide. Slight overlaps of glyphs
    are normal, and ignored.
    """
    following, glyph = boxes.box(last + 1), boxes.box(last + 1, is_tight=True)
    if following is None or glyph is None or last_box is None:
        return box
    x, y = _center(glyph)
    if not (box.left < x < box.right and box.top < y < box.bottom):
        return box
    (x, y), (last_x, last_y) = _center(following), _center(last_box)
    if abs(x - last_x) >= abs(y - last_y):
        if following.left > last_x:
            return replace(box, right=following.left)
        return replace(box, left=following.right) if following.right < last_x else box
    if following.top > last_y:
        return replace(box, bottom=following.top)
    return replace(box, top=following.bottom) if following.bottom < last_y else box


def _center(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _has_gutter(running: Box, box: Box) -> bool:
    """Return whether there is a gutter between two boxes that PDFium has on one line."""
    across = max(box.left - running.right, running.left - box.right)
    down = max(box.top - running.bottom, running.top - box.bottom)
    # At least an em: the box of a single character is no longer than its line is high.
    em = max(min(box.right - box.left, box.bottom - box.top), 1.0)
    return max(across, down) > 4 * max(
        em, min(running.right - running.left, running.bottom - running.top)
    )


_PRINTABLE: Final = range(0x20, 0x7F)
# ASCII characters with swapped bytes mostly become Chinese ones.
_SWAPPED: Final = re.compile("[" + "".join(chr(code << 8) for code in _PRINTABLE) + "]{4,}")
_FEWEST_LETTERS: Final = 3
# Glyph numbers instead of characters: in most TrueType fonts the space is number 3.
_SHIFT: Final = 0x20 - 3
_SHIFTED: Final = rf"[^\r\n\x00-\x02{chr(0x7F - _SHIFT)}-\U0010ffff]*"
_SHIFTED_LINE: Final = re.compile(rf"^{_SHIFTED}\x03{_SHIFTED}(?=[\r\n]|\Z)", re.MULTILINE)
_UNSHIFTED: Final = {code - _SHIFT: code for code in _PRINTABLE} | {ord(" "): " "}
_LETTER: Final = re.compile("[A-Za-z]")
# Characters that real capitals become when shifted by mistake.
_UNLIKELY: Final = re.compile(r"[\^_`]")


def repaired(raw: str) -> str:
    r"""Repair text with swapped bytes or with glyph numbers.

    >>> repaired("䴀甀氀琀椀\r\n4:\x03;8")
    'Multi\r\nQW XU'
    """
    return _SHIFTED_LINE.sub(_unshifted, _SWAPPED.sub(_unswapped, raw))


def _unswapped(run: re.Match[str]) -> str:
    text = "".join(chr(ord(character) >> 8) for character in run.group())
    # A ruled line or a row of blanks stays.
    return text if len(set(_LETTER.findall(text))) >= _FEWEST_LETTERS else run.group()


def _unshifted(line: re.Match[str]) -> str:
    raw = line.group()
    text = raw.translate(_UNSHIFTED)
    is_likely = len(_LETTER.findall(text)) >= len(_LETTER.findall(raw))
    return raw if _UNLIKELY.search(text) or not is_likely else text


# Includes encryption that PDFium does not support.
_PASSWORD_ERRORS: Final = frozenset({4, 5})
_MOST_ANNOTATIONS: Final = 5_000
# Larger files are read in parts: mapped memory counts against the limit.
_MOST_IN_MEMORY: Final = 500_000_000


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """Open a `pypdfium2.PdfDocument`, and close it afterwards.

    Raises:
        DocumentError: It is no PDF, is damaged, or needs a password.
    """
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(_content(path))
    except OSError as error:
        raise unreadable(error) from error
    except pypdfium2.PdfiumError as error:
        if error.err_code in _PASSWORD_ERRORS:
            raise DocumentError("Password required") from error
        raise DocumentError("Damaged: {0}", _damage(path)) from error
    try:
        if pdf.get_formtype():
            with suppress(pypdfium2.PdfiumError):  # a broken form; the pages may be intact
                pdf.init_forms()
        yield pdf
    finally:
        pdf.close()


def _content(path: Path) -> Any:
    """Return the content of a file for PDFium, which may not open files by name."""
    size_bytes = size_of(path)
    if not size_bytes:
        raise DocumentError("Damaged: {0}", _damage(path))
    return mapped(path) if size_bytes <= _MOST_IN_MEMORY else open_file(path)


@contextmanager
def open_page(pdf: Any, index: int) -> Iterator[Any]:
    """Open page `index`, from 0.

    Raises:
        pypdfium2.PdfiumError: The page is broken.
    """
    page = pdf[index]
    try:
        yield page
    finally:
        page.close()


class Written(NamedTuple):
    """Form `fields`, annotations (`notes`) and the `targets` of links of a page."""

    fields: list[str]
    notes: list[str]
    targets: list[str]


def _written_on(pdf: Any, page: Any) -> Written:
    """Return the filled form fields, the annotations and the targets of links of a page.

    PDFium can make them part of the page ("flatten"), but that loses the fonts of some pages.
    """
    import pypdfium2.raw as pdfium

    fields: dict[str, None] = {}
    notes: dict[str, None] = {}
    targets: dict[str, None] = {}
    count = pdfium.FPDFPage_GetAnnotCount(page)
    for index in range(min(count, _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                fields[_field_in(annotation, pdf.formenv)] = None
            elif kind == pdfium.FPDF_ANNOT_LINK:
                targets[link_target(_uri(pdf, annotation))] = None
            elif kind != pdfium.FPDF_ANNOT_POPUP:
                get = partial(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
                notes[normalise(_string(get))] = None
            pdfium.FPDFPage_CloseAnnot(annotation)
    return Written(*([words for words in each if words] for each in (fields, notes, targets)))


def _uri(pdf: Any, annotation: Any) -> str:
    """Return the address that a link leads to; "" for a place in the document."""
    import pypdfium2.raw as pdfium

    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(pdf, action, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(pdf, action, buffer, size)
    return buffer.value.decode("utf-8", "replace")


def _field_in(annotation: Any, form: Any) -> str:
    import pypdfium2.raw as pdfium

    of_text = {
        pdfium.FPDF_FORMFIELD_TEXTFIELD,
        pdfium.FPDF_FORMFIELD_COMBOBOX,
        pdfium.FPDF_FORMFIELD_LISTBOX,
    }
    if form is None or pdfium.FPDFAnnot_GetFormFieldType(form, annotation) not in of_text:
        return ""
    # A choice has a value for programs and a label that is shown.
    count = pdfium.FPDFAnnot_GetOptionCount(form, annotation)
    labels = [
        _string(partial(pdfium.FPDFAnnot_GetOptionLabel, form, annotation, index))
        for index in range(min(count, _MOST_ANNOTATIONS))
        if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index)
    ]
    value = _string(partial(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation))
    return normalise("\n".join(filter(None, labels)) or value)


def _string(get: Callable[[Any, int], int]) -> str:
    """Return the string that a function of PDFium writes into a buffer."""
    import pypdfium2.raw as pdfium

    size = get(None, 0)
    buffer = ctypes.create_string_buffer(size)
    get(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _damage(path: Path) -> str:
    start = start_of(path, 1024)
    if not start:
        return Message("the file is empty")
    return Message("its structure is invalid" if b"%PDF" in start else "not a PDF file")
