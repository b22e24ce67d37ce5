"""Raised runs on a PDF page, found by the positions of their characters."""

from __future__ import annotations

import ctypes
import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

# Runs that may be a note's mark: after a letter or the mark that ends a word, or before a word.
_AFTER_WORD: Final = re.compile(
    r"(?:(?<=[^\W\d_])|(?<=[^\W\d_][.,;:!?)”\"’»\]])|(?<=\d{4}))"
    r"(?P<run>[\[(]?\d{1,3}[a-z]?(?:[ ]?[,;–-][ ]?\d{1,3}[a-z]?)*+[\])]?|[*†‡]{1,3})"
)
_BEFORE_WORD: Final = re.compile(r"(?:(?<=[\r\n])|\A)(?P<run>\d{1,3}|[*†‡]{1,3})(?=[^\W\d_]{2})")
# Runs per page whose positions are measured.
_MOST: Final = 2_000
# Distances above the base line of raised characters, in heights of a character.
_LOWEST, _HIGHEST = 0.12, 1.0


class RaisedRuns:
    """The raised runs of a page.

    Args:
        text_page: PDFium's page of text.
        raw: All its characters.
    """

    def __init__(self, text_page: Any, raw: str) -> None:
        self._text_page = text_page
        self._runs: list[tuple[int, int]] = []
        last = -1
        for count, match in enumerate(_candidates(raw)):
            if count == _MOST:
                break
            start, end, neighbour = match
            if start > last and self._is_raised(start, neighbour):
                while end > start + 1 and not self._is_raised(end - 1, neighbour):
                    end -= 1
                self._runs.append((start, end))
                last = end - 1

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """Yield the parts of a range of characters, each with whether it is raised."""
        for first, stop in self._runs[bisect_left(self._runs, (start, 0)) :]:
            if first >= end:
                break
            if stop <= end:
                if start < first:
                    yield start, first, False
                yield first, stop, True
                start = stop
        if start < end:
            yield start, end, False

    def _is_raised(self, character: int, neighbour: int) -> bool:
        """Return whether a character is above the base line of its neighbour on the line."""
        import pypdfium2.raw as pdfium
        from pypdfium2 import PdfiumError

        page = self._text_page.raw
        at, base = self._origin(character), self._origin(neighbour)
        if at is None or base is None:
            return False
        angle: float = pdfium.FPDFText_GetCharAngle(page, neighbour)
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


def _candidates(raw: str) -> Iterator[tuple[int, int, int]]:
    """Yield the start and end of each run, and the character whose base line counts, in order."""
    found = [
        *(
            (match.start(), match.end(), _letter_before(raw, match.start()))
            for match in _AFTER_WORD.finditer(raw)
        ),
        *((match.start(), match.end(), match.end()) for match in _BEFORE_WORD.finditer(raw)),
    ]
    yield from sorted(found)


def _letter_before(raw: str, start: int) -> int:
    """Return the place of the letter or digit before a run, without the mark between them."""
    return start - 1 if raw[start - 1].isalnum() else start - 2
