"""Pictures of PDF pages, and where on them stretches of the page's text stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.documents.document import Box, PageImage, PageSize
from core.documents.pages.pdf import HYPHENS, MOST_PAGES, page_text
from core.documents.pages.pdf_file import open_page, open_pdf
from core.errors import DocumentError

MOST_PIXELS = 16_000_000
# How finely a page is drawn whose text is to be recognised: 10 points are 28 pixels.
_RECOGNITION_DPI = 200
# PDFium converts to whole pixels; asked for a picture this many times as large, to parts of them.
_FINENESS = 16


def draw_page(
    path: Path, number: int, width: int | None, spans: Sequence[tuple[int, int]] = ()
) -> PageImage:
    """Return page `number` (from 1) of a PDF drawn `width` pixels wide, with boxes for `spans`.

    Without a width it is drawn as finely as text recognition has it.

    A page that would have more than 16 million pixels is drawn smaller. Each span is a pair of
    offsets into the `Page.text` that reading the same file gave; characters that have no place on
    the page are skipped, so that a span may get no boxes at all.

    Raises:
        DocumentError: The file is damaged or needs a password, or has no such page.
    """
    from pypdfium2 import PdfiumError

    if width is not None and width < 1:
        raise ValueError("width must be at least 1 pixel")
    with open_pdf(path) as pdf:
        if not 1 <= number <= len(pdf):
            raise DocumentError(f"has no page {number}")
        try:
            with open_page(pdf, number - 1) as page:
                bitmap = _render(page, width)
                boxes = _boxes(page, (bitmap.width, bitmap.height), spans)
        except PdfiumError as error:
            raise DocumentError(f"is damaged: page {number} cannot be drawn") from error
        row = bitmap.width * 3
        buffer = memoryview(bitmap.buffer).cast("B")
        rgb = b"".join(
            buffer[start : start + row]
            for start in range(0, bitmap.height * bitmap.stride, bitmap.stride)
        )
        return PageImage(bitmap.width, bitmap.height, rgb, boxes)


def place_spans(
    path: Path, number: int, size: tuple[int, int], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[Box, ...], ...]:
    """Return the boxes of `spans` on a picture of page `number` that was drawn before.

    They are those that `draw_page` gives with a picture of this `size`, in a fraction of the time.

    Raises:
        DocumentError: The file is damaged or needs a password, or has no such page.
    """
    from pypdfium2 import PdfiumError

    with open_pdf(path) as pdf:
        if not 1 <= number <= len(pdf):
            raise DocumentError(f"has no page {number}")
        try:
            with open_page(pdf, number - 1) as page:
                return _boxes(page, size, spans)
        except PdfiumError as error:
            raise DocumentError(f"is damaged: page {number} cannot be drawn") from error


def page_sizes(path: Path) -> tuple[PageSize, ...]:
    """Return how large the pages of a PDF are as they are shown, turned and cropped.

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
        raise DocumentError("is damaged: the page has no size")
    scale = _RECOGNITION_DPI / 72 if width is None else width / page_width
    pixels = page_width * page_height * scale * scale
    if pixels > MOST_PIXELS:
        scale *= (MOST_PIXELS / pixels) ** 0.5
    # PDFium rounds sizes up; without this, an error in the last digit would add a column.
    return page.render(scale=scale * (1 - 1e-9), rev_byteorder=True)


def _boxes(
    page: Any, size: tuple[int, int], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[Box, ...], ...]:
    if not spans:
        return ()
    found = page_text(page)
    text_page = page.get_textpage()
    try:
        place = _Place(page, text_page, size)
        result = []
        for start, end in spans:
            characters = [
                found.characters[i]
                for i in range(max(start, 0), min(end, len(found.text)))
                if not found.text[i].isspace()
            ]
            result.append(tuple(_merge(place, characters)))
        return tuple(result)
    finally:
        text_page.close()


class _Place:
    """Tells where on the picture the characters of a page stand."""

    def __init__(self, page: Any, text_page: Any, size: tuple[int, int]) -> None:
        self._page = page
        self._text_page = text_page
        self._size = size

    def box(self, character: int, *, is_tight: bool = False) -> Box | None:
        """Return the box of PDFium's character number `character`, or None if it has none.

        It is as high as the line and as wide as the way to the next character, unless it is to be
        tight round the glyph.
        """
        import ctypes

        import pypdfium2.raw as pdfium
        from pypdfium2 import PdfiumError

        try:
            left, bottom, right, top = self._text_page.get_charbox(character, loose=not is_tight)
            if left == right or bottom == top:
                left, bottom, right, top = self._text_page.get_charbox(character)
        except PdfiumError:
            return None
        # The page's own turn and its crop box are in PDFium's conversion.
        canvas = (0, 0, self._size[0] * _FINENESS, self._size[1] * _FINENESS, 0)
        xs, ys = [], []
        for x, y in ((left, bottom), (right, top)):
            device_x, device_y = ctypes.c_int(), ctypes.c_int()
            if not pdfium.FPDF_PageToDevice(self._page, *canvas, x, y, device_x, device_y):
                return None
            xs.append(min(max(device_x.value / _FINENESS, 0.0), float(self._size[0])))
            ys.append(min(max(device_y.value / _FINENESS, 0.0), float(self._size[1])))
        if xs[0] == xs[1] or ys[0] == ys[1]:
            return None  # no place, or outside the part of the page that is shown
        return Box(min(xs), min(ys), max(xs), max(ys))

    def ends_line(self, before: int, after: int) -> bool:
        """Say whether a line ends between two of PDFium's characters."""
        import pypdfium2.raw as pdfium

        marks = "\r\n" + HYPHENS
        return after < before or any(
            chr(pdfium.FPDFText_GetUnicode(self._text_page, i)) in marks
            for i in range(before + 1, after)
        )


def _merge(place: _Place, characters: Sequence[int]) -> Iterator[Box]:
    """Give one box for each line of text that `characters` stand on."""
    running: Box | None = None
    last, last_box = -1, None
    for character in characters:
        box = place.box(character)
        if box is None:
            continue
        if running is None:
            running = box
        elif place.ends_line(last, character) or _is_apart(running, box):
            yield _clear(place, last, last_box, running)
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
        yield _clear(place, last, last_box, running)


def _clear(place: _Place, last: int, last_box: Box | None, box: Box) -> Box:
    """Return `box`, which ends with character `last`, less what of the next one it covers.

    For a font that is not embedded PDFium tells the size of its substitute's glyphs, and draws
    them as narrow as the font that is meant: what it tells is too wide. That glyphs reach into
    each other a little is usual, and left.
    """
    following, glyph = place.box(last + 1), place.box(last + 1, is_tight=True)
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


def _is_apart(running: Box, box: Box) -> bool:
    """Say whether there is a gutter between two boxes that PDFium counts to one line."""
    across = max(box.left - running.right, running.left - box.right)
    down = max(box.top - running.bottom, running.top - box.bottom)
    # An em at least: boxes of single characters are as long as the line is high, at most.
    em = max(min(box.right - box.left, box.bottom - box.top), 1.0)
    return max(across, down) > 4 * max(
        em, min(running.right - running.left, running.bottom - running.top)
    )
