"""Raised runs and separate accents on a PDF page, found by the positions of their glyphs."""

import ctypes
import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

from core.documents import superscripts
from core.documents.pages.known_words import ligatures

# Runs that may be a note's mark: after a letter or the mark that ends a word, or before a word.
_AFTER_WORD: Final = re.compile(
    r"(?:(?<=[^\W\d_])|(?<=[^\W\d_][.,;:!?)”\"’»\]])|(?<=\d{4}))"
    r"(?P<run>[\[(]?\d{1,3}[a-z]?(?:[ ]?[,;–-][ ]?\d{1,3}[a-z]?)*+[\])]?|[*†‡]{1,3})"
)
_BEFORE_WORD: Final = re.compile(r"(?:(?<=[\r\n])|\A)(?P<run>\d{1,3}|[*†‡]{1,3})(?=[^\W\d_]{2})")
# Accents that are glyphs of their own, as in the fonts of TeX, with the combining characters.
_MARKS: Final = {
    "\u00a8": "\u0308",
    "\u00b4": "\u0301",
    "`": "\u0300",
    "\u02c6": "\u0302",
    "^": "\u0302",
    "\u02dc": "\u0303",
    "~": "\u0303",
    "\u00b8": "\u0327",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u02da": "\u030a",
    "\u00b0": "\u030a",
    "\u02dd": "\u030b",
    "\u02db": "\u0328",
}
_DOTLESS: Final = {"ı": "i", "ȷ": "j"}
_ACCENT: Final = re.compile(
    rf"(?P<accent>[{re.escape(''.join(_MARKS))}])(?:[ \r\n]{{0,3}}(?P<after>[^\W\d_]))?"
)
# Runs and accents per page whose positions are measured.
_MOST: Final = 2_000
# Distances above the base line of raised characters, in heights of a character.
_LOWEST, _HIGHEST = 0.12, 1.0


class GlyphEdit(NamedTuple):
    """A change to the characters from `start` to `end` of a page.

    `sources` has the place of a character on the page for each character of `text`.
    """

    start: int
    end: int
    text: str
    sources: Sequence[int]


class Glyphs:
    """The edits of a page that follow from the positions of its glyphs.

    Args:
        text_page: PDFium's page of text.
        raw: All its characters.
    """

    def __init__(self, text_page: Any, raw: str) -> None:
        self._text_page = text_page
        edits = [*islice(self._raised(raw), _MOST), *islice(self._accented(raw), _MOST)]
        edits += (
            GlyphEdit(index, index + 1, letters, [index] * len(letters))
            for index, letters in ligatures(raw).items()
        )
        self._edits: list[GlyphEdit] = []
        for edit in sorted(edits, key=attrgetter("start")):
            if not self._edits or edit.start >= self._edits[-1].end:
                self._edits.append(edit)

    def parts(self, raw: str, start: int, end: int) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the parts of a range of characters, with the place of each character."""
        first = bisect_left(self._edits, start, key=attrgetter("start"))
        for edit in self._edits[first:]:
            if edit.start >= end:
                break
            if edit.end <= end:
                if start < edit.start:
                    yield raw[start : edit.start], range(start, edit.start)
                yield edit.text, edit.sources
                start = edit.end
        if start < end:
            yield raw[start:end], range(start, end)

    def _raised(self, raw: str) -> Iterator[GlyphEdit]:
        """Yield raised runs between their marks."""
        for start, end, neighbour in islice(_candidates(raw), _MOST):
            if not self._is_raised(start, neighbour):
                continue
            while end > start + 1 and not self._is_raised(end - 1, neighbour):
                end -= 1
            sources = [start, *range(start, end), end - 1]
            yield GlyphEdit(start, end, superscripts.marked(raw[start:end]), sources)

    def _accented(self, raw: str) -> Iterator[GlyphEdit]:
        """Yield letters joined with the accents that are drawn over or under them."""
        for match in islice(_ACCENT.finditer(raw), _MOST):
            at, after = match.start("accent"), match.start("after")
            mark = _MARKS[raw[at]]
            joined = _joined(raw[after], mark) if after >= 0 else ""
            if joined and self._is_over(at, after):
                # A space before the accent is PDFium's guess: the gap is that of the letter.
                start = at - (at > 0 and raw[at - 1] == " " and self._is_generated(at - 1))
                yield GlyphEdit(start, after + 1, joined, [after])
            elif at and (joined := _joined(raw[at - 1], mark)) and self._is_over(at, at - 1):
                yield GlyphEdit(at - 1, at + 1, joined, [at - 1])

    def _is_over(self, accent: int, letter: int) -> bool:
        """Return whether the middle of an accent is within the width of a letter."""
        from pypdfium2 import PdfiumError

        try:
            box = self._text_page.get_charbox(accent)
            other = self._text_page.get_charbox(letter)
        except PdfiumError:
            return False
        # Of a turned page, the other coordinates.
        is_level = abs(math.cos(self._angle(letter))) > math.sqrt(0.5)
        low, high = (0, 2) if is_level else (1, 3)
        middle = (box[low] + box[high]) / 2
        return bool(other[low] < middle < other[high])

    def _is_generated(self, character: int) -> bool:
        """Return whether a space is not in the file but PDFium's guess."""
        import pypdfium2.raw as pdfium

        return bool(pdfium.FPDFText_IsGenerated(self._text_page.raw, character) == 1)

    def _angle(self, character: int) -> float:
        import pypdfium2.raw as pdfium

        angle: float = pdfium.FPDFText_GetCharAngle(self._text_page.raw, character)
        return angle

    def _is_raised(self, character: int, neighbour: int) -> bool:
        """Return whether a character is above the base line of its neighbour on the line."""
        from pypdfium2 import PdfiumError

        at, base = self._origin(character), self._origin(neighbour)
        if at is None or base is None:
            return False
        angle = self._angle(neighbour)
        try:
            left, bottom, right, top = self._text_page.get_charbox(neighbour, loose=True)
        except PdfiumError:
            return False
        is_level = abs(math.cos(angle)) > math.sqrt(0.5)
        height: float = top - bottom if is_level else right - left
        # PDFium's angles are clockwise.
        up = (at[1] - base[1]) * math.cos(angle) + (at[0] - base[0]) * math.sin(angle)
        return height > 0 and _LOWEST * height < up < _HIGHEST * height

    def _origin(self, character: int) -> tuple[float, float] | None:
        import pypdfium2.raw as pdfium

        x, y = ctypes.c_double(), ctypes.c_double()
        if not pdfium.FPDFText_GetCharOrigin(self._text_page.raw, character, x, y):
            return None
        return x.value, y.value


def _joined(letter: str, mark: str) -> str:
    r"""Return a letter with a combining character as one character; "" if there is none.

    >>> _joined("u", "\u0308"), _joined("ı", "\u0301"), _joined("q", "\u0308")
    ('ü', 'í', '')
    """
    joined = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + mark)
    return joined if len(joined) == 1 else ""


def _candidates(raw: str) -> Iterator[tuple[int, int, int]]:
    """Yield the start and end of each run, and the character whose base line counts, in order."""
    candidates = [
        *(
            (match.start(), match.end(), _letter_before(raw, match.start()))
            for match in _AFTER_WORD.finditer(raw)
        ),
        *((match.start(), match.end(), match.end()) for match in _BEFORE_WORD.finditer(raw)),
    ]
    yield from sorted(candidates)


def _letter_before(raw: str, start: int) -> int:
    """Return the place of the letter or digit before a run, without the mark between them."""
    return start - 1 if raw[start - 1].isalnum() else start - 2
