from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Box
from core.documents.pages.recognised import (
    Line,
    PlacedLine,
    RecognisedPage,
    pack_page,
    page_fields,
    page_from,
    unpack_page,
)


def _line(text: str, left: float, top: float, right: float, bottom: float) -> Line:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Line(text, corners, tuple(place / len(text) for place in range(len(text) + 1)))


_PAGE = RecognisedPage(
    "Crows are\nclever.",
    (
        PlacedLine(0, _line("Crows are", 0.1, 0.1, 1.0, 0.2)),
        PlacedLine(10, _line("clever.", 0.1, 0.3, 0.8, 0.4)),
    ),
)


def test_a_span_has_a_box_for_each_line_it_is_on() -> None:
    crows, both, gap, nothing = _PAGE.boxes([(0, 5), (6, 16), (9, 10), (30, 40)], 1000, 500)
    assert crows == (Box(100, 50, 600, 100),)
    are, clever = both
    assert (round(are.left), round(are.right)) == (700, 1000)
    assert (round(clever.left), round(clever.right), clever.top) == (100, 700, 150)
    assert gap == nothing == ()


def test_the_blanks_at_a_span_s_ends_have_no_place() -> None:
    ((box,),) = _PAGE.boxes([(5, 7)], 1000, 500)
    assert (round(box.left), round(box.right)) == (700, 800)


def test_a_line_that_runs_down_the_picture_has_boxes_too() -> None:
    turned = Line("ab", ((1.0, 0.0), (1.0, 1.0), (0.9, 1.0), (0.9, 0.0)), (0.0, 0.5, 1.0))
    page = RecognisedPage("ab", (PlacedLine(0, turned),))
    assert page.boxes([(1, 2)], 100, 100) == ((Box(90, 50, 100, 100),),)


_SHARES = st.floats(0, 1).map(lambda share: round(share, 3))


@given(st.lists(st.text(alphabet="ab 罪é🐦", min_size=1, max_size=9)), st.data())
def test_pages_pass_unchanged(texts: list[str], data: st.DataObject) -> None:
    placed = []
    start = 0
    for text in texts:
        corners = tuple(data.draw(st.tuples(_SHARES, _SHARES)) for _ in range(4))
        edges = tuple(data.draw(_SHARES) for _ in range(len(text) + 1))
        line = Line(text, (corners[0], corners[1], corners[2], corners[3]), edges)
        placed.append(PlacedLine(start, line))
        start += len(text) + 1
    page = RecognisedPage("\n".join(texts), tuple(placed))
    assert unpack_page(pack_page(page)) == page


@pytest.mark.parametrize(
    "change",
    [
        {"text": 1},
        {"text": "Crows"},
        {"lines": None},
        {"lines": [5]},
        {"lines": [[0, 5]]},
        {"lines": [["0", 5, [], []]]},
        {"lines": [[-1, 1, [[0, 0]] * 4, [0, 1]]]},
        {"lines": [[0, 1, [[0, 0]] * 3, [0, 1]]]},
        {"lines": [[0, 1, [[0, 0]] * 4, [0]]]},
        {"lines": [[0, 1, [[0, 2]] * 4, [0, 1]]]},
        {"lines": [[0, 1, [[0, float("nan")]] * 4, [0, 1]]]},
    ],
)
def test_an_invalid_page_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no recognised|recognised line"):
        page_from(page_fields(_PAGE) | change)


@pytest.mark.parametrize("packed", [b"", b"x", zlib.compress(b"{"), zlib.compress(b"{}")])
def test_damaged_bytes_are_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"damaged|no recognised|Expecting"):
        unpack_page(packed)
