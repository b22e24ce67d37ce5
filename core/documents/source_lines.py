"""Which lines of a file of text a passage is, so that it can be cited: exactly, or not at all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final

from core.documents.document import SourceLines
from core.documents.text import normalise

_MOST: Final = 50_000
"""Runs of lines of one page; a file made to have more is cited without them."""


def by_line(source: str, text: str) -> tuple[SourceLines, ...]:
    r"""Return which lines of `source` those of `text` are, which is the normalised source.

    Of the source only blank lines are missing in the text. Nothing is returned where that cannot
    be said for certain.

    >>> by_line("\n\na\n b\n\n\n\nc\n", "a\n b\n\nc")
    (SourceLines(start=0, end=4, first=3, last=4), SourceLines(start=6, end=7, first=8, last=8))
    """
    numbers = [
        number
        for number, line in enumerate(source.split("\n"), 1)
        for part in line.splitlines()
        if normalise(part)
    ]
    lines = text.split("\n")
    if not text or len(numbers) != sum(map(bool, lines)):
        return ()
    runs = tuple(_runs(lines, numbers))
    return runs if len(runs) <= _MOST else ()


def _runs(lines: Sequence[str], numbers: Sequence[int]) -> Iterator[SourceLines]:
    """Yield the longest runs of lines that follow each other in the text as in the source."""
    places: list[tuple[int, int, int]] = []  # of a line in the text, in the source, and its begin
    start = 0
    for row, line in enumerate(lines):
        if line:
            places.append((row, numbers[len(places)], start))
        start += len(line) + 1
    begin = 0
    borders = [
        place
        for place, (before, here) in enumerate(pairwise(places), 1)
        if here[0] - before[0] != here[1] - before[1]
    ]
    for border in (*borders, len(places)):
        first, last = places[begin], places[border - 1]
        yield SourceLines(first[2], last[2] + len(lines[last[0]]), first[1], last[1])
        begin = border


def lines_of(
    text: str, lines: Sequence[SourceLines], start: int, end: int
) -> tuple[int, int] | None:
    r"""Return the first and the last line of the file that `text[start:end]` stands in, if known.

    Args:
        text: a page's.
        lines: as the page has them.
        start: where it begins, not with white space.
        end: where it ends, likewise.

    >>> set_from_two = SourceLines(0, 9, 4, 5)
    >>> lines_of("one, two.", [set_from_two], 0, 9), lines_of("one, two.", [set_from_two], 5, 9)
    ((4, 5), None)
    """
    first = _line_at(text, lines, start, is_end=False)
    last = _line_at(text, lines, end, is_end=True)
    return None if first is None or last is None else (first, last)


def _line_at(text: str, lines: Sequence[SourceLines], place: int, *, is_end: bool) -> int | None:
    """Return the line of the character that begins, or ends, at a place of the text."""
    character = place - is_end
    number = bisect_right(lines, character, key=attrgetter("start")) - 1
    if number < 0 or character >= lines[number].end:
        return None
    run = lines[number]
    if run.first == run.last:
        return run.first
    if "\n" in text[run.start : run.end]:
        return run.first + text.count("\n", run.start, character)
    # A line that was set from several: only its ends are known.
    if is_end:
        return run.last if place == run.end else None
    return run.first if place == run.start else None
