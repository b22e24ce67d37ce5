from __future__ import annotations

import pytest

from core.documents.hyphens import Compounds, without_broken
from core.documents.pages import pdf
from core.documents.pages.pdf import draw_page
from core.documents.pages.reading_order import page_of
from core.documents.pages.recognised import Line


def _keeps(above: str, below: str, *lines: str) -> bool:
    return Compounds(lines).keeps_hyphen(above, below)


@pytest.mark.parametrize(
    ("above", "below", "line"),
    [
        ("a floating", "point number", "Floating-point numbers are"),
        ("stop-the", "world", "They stop in the whole world."),
        ("language", "independent", "Independent of a language"),
        ("a self", "regulating system", ""),
    ],
)
def test_a_compound_keeps_its_hyphen(above: str, below: str, line: str) -> None:
    assert _keeps(above, below, line)


@pytest.mark.parametrize(
    ("above", "below", "line"),
    [
        ("docu", "ments", "Other words stand here."),
        ("some", "times", "Some times are hard, sometimes."),
        ("in", "deed", "in a deed"),
        ("self", "less", "selfless"),
        ("5", "6", "5-6"),
        ("(", "that", ""),
    ],
)
def test_a_word_that_was_parted_is_whole_again(above: str, below: str, line: str) -> None:
    assert not _keeps(above, below, line)


def test_parts_of_words_are_no_witnesses() -> None:
    lines = [("All other mis-", True), ("match here, con-", True), ("text", False)]
    assert [line.strip() for line in without_broken(lines)] == ["All other", "here,", ""]


# Twelve points high, fourteen apart: the lines of one paragraph.
_PAGE = [
    (50, 500, 12, "A self-"),
    (50, 486, 12, "regulating system of floating-"),
    (50, 472, 12, "point numbers, and docu-"),
    (50, 458, 12, "ments on floating-point numbers."),
]
_TEXT = (
    "A self-regulating system of floating-point numbers, and documents on floating-point numbers."
)


def test_a_pdf_keeps_the_hyphens_of_its_compounds(write_pdf) -> None:
    path = write_pdf([_PAGE])
    (page,) = pdf.read(path).pages
    assert page.text.replace("\n", " ") == _TEXT
    start = page.text.index("regulating")
    drawn = draw_page(path, 1, 100, [(start, start + len("regulating"))])
    # On the second line, and from its beginning.
    ((box,),) = drawn.boxes
    assert box.left < drawn.width * 0.2


def test_so_does_a_picture_of_a_page() -> None:
    lines = []
    for number, (_, _, _, text) in enumerate(_PAGE):
        top, right = 0.1 + number * 0.05, 0.1 + 0.02 * len(text)
        corners = ((0.1, top), (right, top), (right, top + 0.04), (0.1, top + 0.04))
        edges = tuple(0.02 * place for place in range(len(text) + 1))
        lines.append(Line(text, corners, edges))
    assert page_of(lines, 500, 500).text.replace("\n", " ") == _TEXT
