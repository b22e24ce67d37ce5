"""Columns of a PDF page that are drawn line by line: they are read one after the other."""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean, median
from typing import Any, Final, NamedTuple

# Lines of a page that are measured first; nearly all pages have no wide gaps in them.
_SAMPLE: Final = 5
# Lines of the shortest column.
_FEWEST: Final = 5
# Smallest gap between columns, and how far a line's start may be from its column's, in heights of
# a character.
_GAP: Final = 1.0
_INDENT: Final = 3.0
# Columns of prose, and not of a table, have lines of this many words and characters on average, and
# of similar length.
_WORDS: Final = 3.4
_CHARACTERS: Final = 15
_FILLED: Final = 0.7
_SPACES: Final = re.compile(r"(?<=[^ \xa0])[ \xa0]+(?=[^ \xa0])")
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\b[^\W\d_]\b")


class Line(NamedTuple):
    """A line, or the part of one in a column, as a range of a page's characters."""

    start: int
    end: int


class _Gap(NamedTuple):
    """A wide gap in a line, between its characters, and between points on the page."""

    start: int
    end: int
    left: float
    right: float
    height: float


def by_column(text_page: Any, raw: str, lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of an upright page in reading order, parted between columns of prose."""
    long = [line for line in lines if line.end - line.start > 2 * _CHARACTERS]
    if len(long) < _FEWEST:
        return lines
    page = _Page(text_page, raw)
    misses = 0
    for line in long[:: -(-len(long) // _SAMPLE)]:
        misses += not any(page.gaps(line))
        if 2 * misses > _SAMPLE:
            return lines
    return [*page.ordered(lines)]


class _Page:
    def __init__(self, text_page: Any, raw: str) -> None:
        import pypdfium2.raw as pdfium

        self._box_of = pdfium.FPDFText_GetCharBox
        self._handle = text_page.raw
        self._raw = raw
        self._sides = [ctypes.c_double() for _ in range(4)]

    def gaps(self, line: Line) -> Iterator[_Gap]:
        """Yield the wide gaps in a line."""
        for match in _SPACES.finditer(self._raw, line.start, line.end):
            before, after = self._box(match.start() - 1), self._box(match.end())
            if before and after:
                height = max(before[3] - before[1], after[3] - after[1])
                if after[0] - before[2] > _GAP * max(height, 1.0):
                    yield _Gap(*match.span(), before[2], after[0], height)

    def ordered(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Yield lines in reading order."""
        gaps = [[*self.gaps(line)] for line in lines]
        border = _border([gap for of_line in gaps for gap in of_line])
        if border is None:
            yield from lines
            return
        parted = [self._parts(line, own, border) for line, own in zip(lines, gaps, strict=True)]
        pairs = zip(lines, parted, strict=True)
        for is_parted, block in groupby(pairs, lambda pair: pair[1] is not None):
            rows = [*block]
            left = [part[0] for _, part in rows if part and part[0]]
            right = [part[1] for _, part in rows if part and part[1]]
            both = [part for _, part in rows if part and part[0] and part[1]]
            if is_parted and all(map(self._is_prose, zip(*both, strict=True))) and both:
                yield from self.ordered(left)
                yield from self.ordered(right)
            else:
                yield from (line for line, _ in rows)

    def _parts(
        self, line: Line, gaps: Sequence[_Gap], border: _Border
    ) -> tuple[Line | None, Line | None] | None:
        """Return a line's parts on both sides of a border; None if it crosses it."""
        for gap in gaps:
            if gap.left < border.x and border.is_near(gap.right):
                return Line(line.start, gap.start), Line(gap.end, line.end)
        inner = self._raw[line.start : line.end]
        if not inner.strip():
            return None
        first = self._box(line.start + len(inner) - len(inner.lstrip()))
        last = self._box(line.start + len(inner.rstrip()) - 1)
        if first and last and first[0] > border.x - 1:
            return None, line
        return (line, None) if last and last[2] < border.x else None

    def _is_prose(self, column: Sequence[Line | None]) -> bool:
        """Return whether a column is of prose, rather than of a table."""
        if len(column) < _FEWEST:
            return False
        texts = [self._raw[line.start : line.end].strip() for line in column if line]
        lengths = [len(text) for text in texts]
        return (
            fmean(len(_WORD.findall(text)) for text in texts) >= _WORDS
            and fmean(lengths) >= _CHARACTERS
            and median(lengths) >= _FILLED * sorted(lengths)[-2]
        )

    def _box(self, index: int) -> tuple[float, float, float, float] | None:
        """Return the left, bottom, right and top of a character."""
        left, right, bottom, top = self._sides
        if not self._box_of(self._handle, index, left, right, bottom, top):
            return None
        return left.value, bottom.value, right.value, top.value


class _Border(NamedTuple):
    """Where the lines of a column begin, in points, with the most that one is indented."""

    x: float
    indent: float

    def is_near(self, x: float) -> bool:
        """Return whether a line that begins here belongs to the column."""
        return self.x - 1 <= x <= self.x + self.indent


def _border(gaps: Sequence[_Gap]) -> _Border | None:
    """Return where most lines continue after a gap, if these are enough."""
    if len(gaps) < _FEWEST:
        return None
    xs = sorted(gap.right for gap in gaps)
    near = [bisect_right(xs, x + 2) - index for index, x in enumerate(xs)]
    if max(near) < _FEWEST:
        return None
    return _Border(xs[near.index(max(near))], _INDENT * median(gap.height for gap in gaps))
