"""Boxes on the pages of real PDFs: opt in with WINNOW_TEST_FILES=FOLDER; --log-cli-level=INFO.

Each word of some hundred passages is boxed, and compared with the glyphs that PDFium finds inside
the boxes independently: all glyphs of the page, by the places of their outlines.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.documents.document import Box, PageImage
from core.documents.pages import pdf
from core.documents.pages.pdf import open_page, open_pdf, repaired
from core.documents.passages import PassageSpan, split
from core.documents.text import normalise
from core.errors import DocumentError

FILES = os.environ.get("WINNOW_TEST_FILES", "")
WIDTH = 1000
PASSAGES_PER_FILE = 80
FEWEST_PASSAGES = 200
LEAST_EXACT = 0.999
SLACK = 1.0
FINENESS = 64

pytestmark = [
    pytest.mark.skipif(not FILES, reason="WINNOW_TEST_FILES names no folder"),
    pytest.mark.timeout(600),
]


@dataclass(frozen=True)
class Glyph:
    """A glyph's outline on the picture of its page.

    `is_sure`: for a font that is not embedded PDFium tells another size than it draws.
    """

    text: str
    box: Box
    is_sure: bool

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box.left + self.box.right) / 2, (self.box.top + self.box.bottom) / 2

    def is_covered_by(self, box: Box) -> bool:
        return not self.is_sure or (
            box.left <= self.box.left + SLACK
            and box.top <= self.box.top + SLACK
            and box.right >= self.box.right - SLACK
            and box.bottom >= self.box.bottom - SLACK
        )


def passages_of(path: Path) -> Iterator[tuple[PassageSpan, str]]:
    """Give the first passages of a PDF with their pages' text; none if it cannot be read."""
    try:
        document = pdf.read(path)
    except DocumentError:
        return
    spans = split(document, count_words, limit=120, target=80)
    for span in islice(spans, PASSAGES_PER_FILE):
        yield span, document.pages[span.page - 1].text


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


class Printed:
    """The length of a page's text, and its glyphs."""

    def __init__(self, path: Path, number: int, image: PageImage) -> None:
        with open_pdf(path) as opened, open_page(opened, number - 1) as page:
            self.length = len(pdf.page_text(page).text)
            self.glyphs = glyphs_of(page, image)
        self._middles = np.array([glyph.middle for glyph in self.glyphs]).reshape(-1, 2)

    def inside(self, box: Box) -> list[Glyph]:
        """Return the glyphs whose centres are in a box, in order."""
        low, high = (box.left, box.top), (box.right, box.bottom)
        lie = ((self._middles >= low) & (self._middles <= high)).all(axis=1)
        return [self.glyphs[number] for number in np.flatnonzero(lie)]


def glyphs_of(page: Any, image: PageImage) -> list[Glyph]:
    """Return the glyphs of a page that can be seen, in PDFium's order."""
    import pypdfium2.raw as pdfium
    from pypdfium2 import PdfiumError

    text_page = page.get_textpage()
    numbers = range(text_page.count_chars())
    codes = [pdfium.FPDFText_GetUnicode(text_page, number) for number in numbers]
    text = repaired("".join(pdf.character(code) for code in codes))
    canvas = (0, 0, image.width * FINENESS, image.height * FINENESS, 0)
    found = []
    for number in numbers:
        drawn = pdfium.FPDFText_GetTextObject(text_page, number)
        try:
            left, bottom, right, top = text_page.get_charbox(number)
        except PdfiumError:
            continue
        if not drawn or text[number].isspace() or text[number] in pdf.HYPHENS:
            continue
        xs, ys = [], []
        for corner in ((left, bottom), (right, top)):
            x, y = ctypes.c_int(), ctypes.c_int()
            pdfium.FPDF_PageToDevice(page, *canvas, *corner, x, y)
            xs.append(x.value / FINENESS)
            ys.append(y.value / FINENESS)
        is_sure = pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(drawn)) == 1
        box = Box(min(xs), min(ys), max(xs), max(ys))
        if box.right > 0 and box.bottom > 0 and box.left < image.width and box.top < image.height:
            found.append(Glyph(text[number], box, is_sure))
    text_page.close()
    return found


def letters(text: str) -> str:
    """Return a text without blanks, and without accents that are printed over letters."""
    return "".join(
        one
        for one in normalise(text)
        if not one.isspace() and unicodedata.category(one) not in {"Sk", "Mn"}
    )


def verdict(word: str, boxes: Sequence[Box], page: Printed) -> str:
    """Classify the boxes of a word: "exact", or the kind of error."""
    inside = [(glyph, box) for box in boxes for glyph in page.inside(box)]
    if letters("".join(glyph.text for glyph, _ in inside)) != letters(word):
        return "other words" if boxes else "no box"
    return "exact" if all(glyph.is_covered_by(box) for glyph, box in inside) else "too small"


def test_boxes_cover_the_glyphs_of_their_words() -> None:
    seen: Counter[str] = Counter()
    passages = 0
    wrong: list[str] = []
    for path in sorted(Path(FILES).resolve().rglob("*.pdf")):
        pages: dict[tuple[int, int, int], Printed] = {}
        for passage, text in passages_of(path):
            words = [
                (passage.start + match.start(), passage.start + match.end())
                for match in re.finditer(r"\w+", text[passage.start : passage.end])
            ]
            passages += 1
            image = pdf.draw_page(path, passage.page, WIDTH, words)
            key = passage.page, image.width, image.height
            if key not in pages:
                pages[key] = Printed(path, passage.page, image)
            page = pages[key]
            for (start, end), boxes in zip(words, image.boxes, strict=True):
                # Fields of forms and notes have no place; and pages may be smaller than their text.
                if end > page.length or not (boxes or page.glyphs):
                    continue
                result = verdict(text[start:end], boxes, page)
                seen[result] += 1
                if result != "exact":
                    wrong.append(f"{path.name}, page {passage.page}: {text[start:end]!r}: {result}")

    share = seen["exact"] / seen.total()
    message = (
        f"{share:.2%} of {seen.total():,} words in {passages} passages are boxed exactly: {seen}"
    )
    logging.getLogger(__name__).info(message)
    assert passages >= FEWEST_PASSAGES, message
    assert share >= LEAST_EXACT, "\n".join([message, *wrong])
