from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.documents.pages.reading_order import page_of
from core.documents.pages.recognised import Line, RecognisedPage

_WIDTH, _HEIGHT = 600, 800
_CHARACTER, _LINE = 8, 16


def _line(x: float, y: float, text: str) -> Line:
    """A line of print whose upper left corner is at x and y, in pixels."""
    left, right = x / _WIDTH, min((x + _CHARACTER * len(text)) / _WIDTH, 1.0)
    top, bottom = y / _HEIGHT, (y + _LINE) / _HEIGHT
    edges = tuple(place / len(text) for place in range(len(text) + 1))
    return Line(text, ((left, top), (right, top), (right, bottom), (left, bottom)), edges)


def _read(*lines: Line) -> str:
    return page_of(lines, _WIDTH, _HEIGHT).text


def _column(x: float, y: float, *texts: str) -> list[Line]:
    return [_line(x, y + 20 * number, text) for number, text in enumerate(texts)]


def test_lines_are_read_from_the_top() -> None:
    assert _read(_line(10, 60, "third"), _line(10, 20, "first"), _line(10, 40, "second")) == (
        "first\nsecond\nthird"
    )


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    left = _column(10, 100, "Left words one.", "left words two.", "left words three")
    right = _column(310, 105, "go on at the top.", "right words two.", "right words end.")
    title = _line(60, 20, "A title across both of the columns here")
    foot = _line(20, 300, "A line below that crosses both of the columns")
    assert _read(*right, foot, *left, title) == (
        "A title across both of the columns here\n\nLeft words one.\nleft words two.\n"
        "left words three\ngo on at the top.\nright words two.\nright words end.\n\n"
        "A line below that crosses both of the columns"
    )


def test_a_table_is_read_row_by_row() -> None:
    names = _column(10, 20, "Soup", "Bread", "Coffee", "Total")
    prices = _column(410, 21, "4.50", "2.00", "3.20", "9.70")
    assert _read(*prices, *names) == "Soup 4.50\nBread 2.00\nCoffee 3.20\nTotal 9.70"


def test_a_word_that_is_parted_is_joined_and_keeps_its_places() -> None:
    page = page_of(_column(10, 20, "a long docu-", "ment of Jean-", "Paul"), _WIDTH, _HEIGHT)
    assert page.text == "a long document of Jean-\nPaul"
    start = page.text.index("document")
    ((above, below),) = page.boxes([(start, start + 8)], _WIDTH, _HEIGHT)
    assert (round(above.left), round(above.right), round(above.top)) == (66, 98, 20)
    assert (round(below.left), round(below.right), round(below.top)) == (10, 42, 40)


def test_gaps_and_larger_letters_begin_paragraphs() -> None:
    lines = _column(10, 20, "one", "two") + _column(10, 90, "three", "four")
    assert _read(*lines) == "one\ntwo\n\nthree\nfour"


def test_a_rotated_page_is_read_in_its_own_orientation() -> None:
    def turned(line: Line) -> Line:
        corners = tuple((1 - y, x) for x, y in line.corners)
        return Line(line.text, (corners[0], corners[1], corners[2], corners[3]), line.edges)

    lines = _column(10, 20, "first", "second", "third")
    assert page_of([turned(line) for line in lines[::-1]], _HEIGHT, _WIDTH).text == (
        "first\nsecond\nthird"
    )


def test_no_lines_are_an_empty_page() -> None:
    assert page_of([], 100, 100) == RecognisedPage("")
    assert _read(_line(10, 10, " "), _line(10, 30, "\u200b")) == ""


@given(
    st.lists(
        st.tuples(st.integers(0, 500), st.integers(0, 780), st.text("ab- .\u00ad罪", min_size=1))
    )
)
def test_any_lines_make_a_page_whose_lines_know_their_place(
    found: list[tuple[int, int, str]],
) -> None:
    page = page_of([_line(x, y, text[:12]) for x, y, text in found], _WIDTH, _HEIGHT)
    assert page.text == page.text.strip()
    assert "\n\n\n" not in page.text
    for placed in page.lines:
        text = placed.line.text
        assert page.text[placed.start : placed.start + len(text)] == text
        assert len(placed.line.edges) == len(text) + 1
