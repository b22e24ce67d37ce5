"""Text recognised on a page image, with the positions of its characters."""

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.documents import fields as schema
from core.documents.document import Box

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text on a picture.

    `corners` are the upper left, upper right, lower right and lower left corner in reading
    direction, as shares of the picture's width and height. The character at offset i of `text` is
    between `edges[i]` and `edges[i + 1]`, as shares of the line's length.
    """

    text: str
    corners: tuple[Point, Point, Point, Point]
    edges: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line whose characters begin at `start` in the text of its page."""

    start: int
    line: Line


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A page's text, normalised as `Page.text`, and its lines with their positions."""

    text: str
    lines: tuple[PlacedLine, ...] = ()

    def boxes(
        self, spans: Sequence[tuple[int, int]], width: int, height: int
    ) -> tuple[tuple[Box, ...], ...]:
        """Return the boxes of each span on a picture of this size, one per line."""
        return tuple(tuple(self._boxes(start, end, width, height)) for start, end in spans)

    def _boxes(self, start: int, end: int, width: int, height: int) -> Iterator[Box]:
        for placed in self.lines:
            first = max(start - placed.start, 0)
            last = min(end - placed.start, len(placed.line.text))
            words = placed.line.text[first:last]
            if first >= last or not words.strip():
                continue
            first += len(words) - len(words.lstrip())
            last -= len(words) - len(words.rstrip())
            points = list(_part(placed.line, first, last))
            xs = [x * width for x, _ in points]
            ys = [y * height for _, y in points]
            yield Box(min(xs), min(ys), max(xs), max(ys))


class RecognisedPages(Protocol):
    """Cache of the recognised pages of one document."""

    def get(self, page_number: int) -> RecognisedPage | None:
        """Return page `page_number` (from 1); None if it has not been recognised."""

    def put(self, page_number: int, page: RecognisedPage) -> None:
        """Store page `page_number`."""


def _part(line: Line, first: int, last: int) -> Iterator[Point]:
    """Yield the corners of the characters `first` to `last`."""
    upper_left, upper_right, lower_right, lower_left = line.corners
    for share in (line.edges[first], line.edges[last]):
        for start, end in ((upper_left, upper_right), (lower_left, lower_right)):
            yield (
                start[0] + share * (end[0] - start[0]),
                start[1] + share * (end[1] - start[1]),
            )


def page_fields(page: RecognisedPage) -> dict[str, Any]:
    """Return a recognised page as JSON fields, with positions rounded to pixel precision."""
    return {
        "text": page.text,
        "lines": [
            [
                placed.start,
                len(placed.line.text),
                [[round(x, 4), round(y, 4)] for x, y in placed.line.corners],
                [round(edge, 3) for edge in placed.line.edges],
            ]
            for placed in page.lines
        ],
    }


def page_from(fields: dict[str, Any]) -> RecognisedPage:
    """Return the page in `fields`.

    Raises:
        ValueError: The fields are invalid.

    >>> line = Line("ab", ((0.0, 0.0), (0.5, 0.0), (0.5, 0.25), (0.0, 0.25)), (0.0, 0.5, 1.0))
    >>> page = RecognisedPage("ab", (PlacedLine(0, line),))
    >>> page_from(page_fields(page)) == page
    True
    """
    try:
        text = schema.text(fields["text"])
        lines = tuple(_placed(text, *line) for line in schema.items(fields["lines"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no recognised page: {error}") from error
    return RecognisedPage(text, lines)


def pack_page(page: RecognisedPage) -> bytes:
    return zlib.compress(json.dumps(page_fields(page), ensure_ascii=False).encode("utf-8"))


def unpack_page(packed: bytes) -> RecognisedPage:
    """Unpack the bytes of `pack_page`.

    Raises:
        ValueError: The bytes are damaged.
    """
    try:
        fields = schema.parse(zlib.decompress(packed))
    except (zlib.error, schema.FieldError) as error:
        raise ValueError("missing or damaged recognised page") from error
    return page_from(fields)


def _placed(text: str, start: Any, length: Any, corners: Any, edges: Any) -> PlacedLine:
    end = schema.integer(start) + schema.integer(length)
    points = tuple((schema.coordinate(x), schema.coordinate(y)) for x, y in schema.items(corners))
    shares = tuple(map(schema.coordinate, schema.items(edges)))
    if end > len(text) or len(points) != 4 or len(shares) != length + 1:
        raise ValueError("a recognised line is out of order")
    if not all(0 <= share <= 1 for share in (*shares, *(x for point in points for x in point))):
        raise ValueError("a recognised line is outside the image")
    corners = (points[0], points[1], points[2], points[3])
    return PlacedLine(start, Line(text[start:end], corners, shares))
