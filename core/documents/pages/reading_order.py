"""Joining recognised lines in reading order."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from core.documents.hyphens import Compounds, without_broken
from core.documents.pages.recognised import Line, PlacedLine, Point, RecognisedPage
from core.documents.text import normalise_with_map

_SENTENCE_END = tuple('.!?:…"”’)。！？')
_HYPHENS = ("-", "‐")
# Columns of prose are read one after the other, those of a table row by row. A line of prose has at
# least this many characters, and a column of prose at least this many lines.
_PROSE_CHARACTERS = 12
_PROSE_LINES = 3
# Positions across the page that are tried for a gap between columns.
_POSITIONS = 120


@dataclass(frozen=True, slots=True)
class _StraightLine:
    """A line with its position on the deskewed page."""

    line: Line
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def is_prose(self) -> bool:
        return len(self.line.text) >= _PROSE_CHARACTERS


_Row = list[_StraightLine]


def page_of(lines: Sequence[Line], width: int, height: int) -> RecognisedPage:
    """Return the text of a page from the lines on a picture of this size, in reading order.

    Columns of prose are read one after the other. Words that are split at a line's end are joined.
    The picture may be rotated.
    """
    items = _straight(lines, width / height)
    broken = ((line.text, line.text.endswith(_HYPHENS)) for line in lines)
    page = _Page(Compounds(without_broken(broken)))
    for block in _blocks(items):
        page.add(block)
    return RecognisedPage("".join(page.pieces), tuple(page.placed))


def _straight(lines: Sequence[Line], aspect: float) -> list[_StraightLine]:
    """Rotate the coordinates so that the lines run to the right on average."""
    across = down = 0.0
    for line in lines:
        (x0, y0), (x1, y1), *_ = line.corners
        across += (x1 - x0) * aspect
        down += y1 - y0
    length = math.hypot(across, down) or 1.0
    cosine, sine = across / length, down / length

    def turned(point: Point) -> Point:
        x, y = point[0] * aspect, point[1]
        return x * cosine + y * sine, y * cosine - x * sine

    items = []
    for line in lines:
        if not normalise_with_map(line.text)[0]:
            continue
        points = [turned(corner) for corner in line.corners]
        items.append(
            _StraightLine(
                line,
                (points[0][0] + points[3][0]) / 2,
                (points[0][1] + points[1][1]) / 2,
                (points[1][0] + points[2][0]) / 2,
                (points[2][1] + points[3][1]) / 2,
            )
        )
    return items


def _blocks(items: Sequence[_StraightLine]) -> Iterator[list[_Row]]:
    """Yield blocks of rows in reading order."""
    gutter = _gutter(items)
    if gutter is None:
        if items:
            yield _rows(items)
        return
    for zone in _zones(items, gutter):
        left = [item for item in zone if item.right <= gutter]
        right = [item for item in zone if item.left >= gutter]
        if _are_columns(left, right):
            yield from _blocks(left)
            yield from _blocks(right)
        else:
            yield _rows(zone)


def _gutter(items: Sequence[_StraightLine]) -> float | None:
    """Return the position of a gap between columns of prose; None if there is none."""
    if sum(item.is_prose for item in items) < 2 * _PROSE_LINES:
        return None
    start = min(item.left for item in items)
    width = max(item.right for item in items) - start
    counts: list[tuple[int, float]] = []
    for step in range(1, _POSITIONS):
        position = start + width * step / _POSITIONS
        count = 0
        for zone in _zones(items, position):
            left = [item for item in zone if item.right <= position]
            right = [item for item in zone if item.left >= position]
            if _are_columns(left, right):
                count += min(sum(line.is_prose for line in side) for side in (left, right))
        counts.append((count, position))
    most = max(count for count, _ in counts)
    if not most:
        return None
    best = [position for count, position in counts if count == most]
    return best[len(best) // 2]


def _zones(items: Sequence[_StraightLine], position: float) -> Iterator[list[_StraightLine]]:
    """Yield runs of lines, from the top, of which all or none cross a position."""
    zone: list[_StraightLine] = []
    crosses = False
    for item in sorted(items, key=lambda item: item.top):
        does = item.left < position < item.right
        if zone and does != crosses:
            yield zone
            zone = []
        crosses = does
        zone.append(item)
    if zone:
        yield zone


def _are_columns(left: Sequence[_StraightLine], right: Sequence[_StraightLine]) -> bool:
    return all(sum(item.is_prose for item in side) >= _PROSE_LINES for side in (left, right))


def _rows(items: Sequence[_StraightLine]) -> list[_Row]:
    """Group lines at the same height into rows, from the top; each row from the left."""
    rows: list[_Row] = []
    for item in sorted(items, key=lambda item: item.top + item.bottom):
        if rows:
            above = rows[-1][-1]
            shared = min(above.bottom, item.bottom) - max(above.top, item.top)
            if shared > 0.5 * min(above.height, item.height):
                rows[-1].append(item)
                continue
        rows.append([item])
    return [sorted(row, key=lambda item: item.left) for row in rows]


class _Page:
    """Builds the page's text, and records the offset of each line."""

    def __init__(self, compounds: Compounds) -> None:
        self.pieces: list[str] = []
        self.placed: list[PlacedLine] = []
        self._length = 0
        self._compounds = compounds

    def add(self, rows: Sequence[_Row]) -> None:
        steps = [below[0].top - above[0].top for above, below in pairwise(rows)]
        usual = median(steps) if steps else 0.0
        above: _Row | None = None
        for row in rows:
            if above is None:
                is_new = not self._continues_sentence(row[0].line)
            else:
                is_new = _begins_paragraph(above, row, usual)
            for index, item in enumerate(row):
                self._put(item.line, " " if index else "\n\n" if is_new else "\n")
            above = row

    def _continues_sentence(self, line: Line) -> bool:
        """Return whether a sentence continues from the end of a column to the next one."""
        last = self.placed[-1].line.text if self.placed else "."
        return line.text.strip()[:1].islower() and not last.endswith(_SENTENCE_END)

    def _put(self, line: Line, gap: str) -> None:
        text, sources = normalise_with_map(line.text)
        last = self.placed[-1].line if self.placed else None
        if last is not None and gap != " " and _is_parted(last.text, text):
            gap = ""
            if not self._compounds.keeps_hyphen(last.text[:-1], text):
                self._drop_hyphen(last)
        if self.pieces:
            self.pieces.append(gap)
            self._length += len(gap)
        edges = (*(line.edges[source] for source in sources), line.edges[sources[-1] + 1])
        self.pieces.append(text)
        self.placed.append(PlacedLine(self._length, Line(text, line.corners, edges)))
        self._length += len(text)

    def _drop_hyphen(self, last: Line) -> None:
        self.pieces[-1] = self.pieces[-1][:-1]
        self._length -= 1
        shortened = Line(last.text[:-1], last.corners, last.edges[:-1])
        self.placed[-1] = replace(self.placed[-1], line=shortened)


def _is_parted(above: str, below: str) -> bool:
    """Return whether a word is split between two lines.

    >>> _is_parted("a long docu-", "ment"), _is_parted("Jean-", "Paul"), _is_parted("3 -", "four")
    (True, False, False)
    """
    return (
        len(above) > 2 and above.endswith(_HYPHENS) and above[-2].isalpha() and below[0].islower()
    )


def _begins_paragraph(above: _Row, row: _Row, usual_step: float) -> bool:
    first, last = above[0], row[0]
    if not 0.75 < last.height / max(first.height, 1e-9) < 1.33:
        return True
    if last.top - first.top > 1.3 * usual_step:
        return True
    is_indented = last.left - first.left > 0.6 * last.height
    return is_indented and above[-1].line.text.endswith(_SENTENCE_END)
