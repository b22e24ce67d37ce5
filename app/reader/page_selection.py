"""The text that is selected by mouse on a printed page, by whole words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from app.reader.marks import Span
from core.documents.document import Box

_WORD: Final = re.compile(r"\S+")
# Words of scripts without spaces are cut into pieces of this many characters.
_LONGEST_WORD: Final = 24
# A distance across a line counts as this many times one along it, so that the nearest word is one
# of the same line.
_ACROSS: Final = 8.0

Point = tuple[float, float]


def words_of(text: str) -> tuple[Span, ...]:
    """Return the spans of the words of a page's text.

    >>> words_of("to be")
    ((0, 2), (3, 5))
    """
    return tuple(
        (start, min(start + _LONGEST_WORD, match.end()))
        for match in _WORD.finditer(text)
        for start in range(match.start(), match.end(), _LONGEST_WORD)
    )


@dataclass(frozen=True, slots=True)
class PageSelection:
    """A selection on one page, from a point to another, in shares of the page's width.

    Attributes:
        page: the number of the page.
        text: the text of the page.
        words: the spans of its words.
        start: the point where the mouse was pressed.
        end: where it was released, or is.
        is_whole: whether all of the page is selected.
    """

    page: int
    text: str
    words: tuple[Span, ...]
    start: Point
    end: Point
    is_whole: bool = False

    @classmethod
    def on(cls, page: int, text: str, point: Point, *, is_whole: bool = False) -> Self:
        """Return a selection of the word at a point, or of the whole page."""
        return cls(page, text, words_of(text), point, point, is_whole)

    def to(self, point: Point) -> Self:
        """Return the selection extended or reduced to a point."""
        return replace(self, end=point)

    def span(self, boxes: Mapping[Span, Sequence[Box]], page_width: float) -> Span | None:
        """Return the selected span of the text; None before the boxes of the words are known.

        `boxes` are in pixels of a page of this width.
        """
        if self.is_whole:
            return (0, len(self.text)) if self.text else None
        placed = [(word, box) for word in self.words for box in boxes.get(word, ())]
        if not placed or any(word not in boxes for word in self.words):
            return None
        ends = [
            min(placed, key=lambda item: _distance(item[1], x * page_width, y * page_width))[0]
            for x, y in (self.start, self.end)
        ]
        return min(ends)[0], max(ends)[1]

    def boxes(self, span: Span, boxes: Mapping[Span, Sequence[Box]]) -> list[Box]:
        """Return the boxes of the selected lines."""
        start, end = span
        inside = (word for word in self.words if start <= word[0] and word[1] <= end)
        return joined_lines(box for word in inside for box in boxes.get(word, ()))


def joined_lines(boxes: Iterable[Box]) -> list[Box]:
    """Return boxes with those that follow each other on a line as one.

    >>> joined_lines([Box(0, 0, 9, 5), Box(12, 1, 20, 5), Box(0, 10, 9, 15)])
    [Box(left=0, top=0, right=20, bottom=5), Box(left=0, top=10, right=9, bottom=15)]
    """
    lines: list[Box] = []
    for box in boxes:
        last = lines[-1] if lines else None
        if (
            last is not None
            and box.left >= last.left
            and box.left - last.right < 2 * (box.bottom - box.top)
            and min(last.bottom, box.bottom) - max(last.top, box.top) > (box.bottom - box.top) / 2
        ):
            top, bottom = min(last.top, box.top), max(last.bottom, box.bottom)
            lines[-1] = Box(last.left, top, max(last.right, box.right), bottom)
        else:
            lines.append(box)
    return lines


def _distance(box: Box, x: float, y: float) -> float:
    """Return how far a point is from a box; 0 inside it."""
    across = max(box.top - y, 0.0, y - box.bottom)
    return max(box.left - x, 0.0, x - box.right) + _ACROSS * across
