"""Columns of prose are read one after the other, however they are drawn; tables row by row."""

from __future__ import annotations

from itertools import chain

import pytest

from core.documents.pages import pdf
from core.documents.pages.pdf import locate_spans

LEFT = [
    "Along the canal the",
    "herons stand in rows",
    "and wait for the fish",
    "that come up at dusk.",
    "Nobody knows how long",
    "they have been there,",
    "and the lock keeper",
    "never counted them.",
]
RIGHT = [
    "In the town hall the",
    "council talked about",
    "the new bridge again.",
    "It should be ready by",
    "spring, but the money",
    "for the second pillar",
    "is still missing, and",
    "the mayor is silent.",
]
THIRD = [
    "The museum opens late",
    "on Thursdays, and its",
    "garden can be visited",
    "by everyone for free.",
    "Old maps of the river",
    "are on the first floor",
    "with tools of fishers",
    "from the last century.",
]


def rows(*columns: list[str], size: int = 10) -> list[tuple[int, int, int, str]]:
    """Return lines that are drawn row by row, each column next to the one before."""
    return list(
        chain.from_iterable(
            [(40 + 130 * index, 560 - 14 * row, size, text) for index, text in enumerate(texts)]
            for row, texts in enumerate(zip(*columns, strict=True))
        )
    )


@pytest.mark.parametrize("columns", [(LEFT, RIGHT), (RIGHT, THIRD), (LEFT, RIGHT, THIRD)])
def test_columns_drawn_row_by_row_are_read_one_by_one(write_pdf, columns) -> None:
    (page,) = pdf.read(write_pdf([rows(*columns)])).pages
    text = " ".join(page.text.split())
    offsets = [text.index(" ".join(column)) for column in columns]
    assert offsets == sorted(offsets)


def test_headings_across_both_columns_stay_between_them(write_pdf) -> None:
    lines = [(40, 590, 14, "Herons, bridges and a very long heading across")]
    lines += rows(LEFT, RIGHT)
    lines += [(40, 440, 14, "A second heading that is as long as the page")]
    lines += [(x, y - 140, size, text) for x, y, size, text in rows(RIGHT, THIRD)]
    (page,) = pdf.read(write_pdf([lines])).pages
    text = " ".join(page.text.split())
    parts = ["a very long heading", *map(" ".join, (LEFT, RIGHT)), "A second heading"]
    parts += map(" ".join, (RIGHT, THIRD))
    offset = 0
    for part in parts:
        offset = text.index(part, offset) + len(part)


def test_a_word_parted_in_a_column_is_joined(write_pdf) -> None:
    left = ["Over the quiet har-", "bour the gulls cry,", *LEFT[:6]]
    (page,) = pdf.read(write_pdf([rows(left, RIGHT)])).pages
    assert "quiet harbour the" in " ".join(page.text.split())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            ["Apples", "Pears", "Plums", "Figs", "Dates", "Nuts"],
            ["1.20", "3.40", "5", "6", "7", "8"],
        ),
        (
            ["Anna Rook", "Bert Owl", "Cleo Wren", "Dan Crow", "Eve Jay", "Finn Kite"],
            ["12 Mill Lane", "3 High Street", "9 Quay", "44 Long Acre", "1 The Green", "7 Park"],
        ),
        (LEFT[:4], RIGHT[:4]),
    ],
)
def test_rows_of_tables_and_short_columns_stay(write_pdf, left, right) -> None:
    (page,) = pdf.read(write_pdf([rows(left, right)])).pages
    text = " ".join(page.text.split())
    assert " ".join(map(" ".join, zip(left, right, strict=True))) == text


def test_highlights_are_drawn_in_their_column(write_pdf) -> None:
    path = write_pdf([rows(LEFT, RIGHT)])
    (page,) = pdf.read(path).pages
    start = page.text.index("second pillar")
    ((box,),) = locate_spans(path, 1, (400, 600), [(start, start + len("second pillar"))])
    assert 170 < box.left < box.right < 300


def test_a_word_parted_between_pages_is_found(write_pdf) -> None:
    pages = [[(50, 500, 12, "The owl had no expla-")], [(50, 500, 12, "nation for the crow.")]]
    first, second = pdf.read(write_pdf(pages)).pages
    assert first.text == "The owl had no explanation"
    assert second.text == "nation for the crow."


@pytest.mark.parametrize("following", ["42", "The crow.", "- a list"])
def test_a_hyphen_before_other_pages_stays(write_pdf, following: str) -> None:
    pages = [[(50, 500, 12, "An owl of the pre-")], [(50, 500, 12, following)]]
    assert pdf.read(write_pdf(pages)).pages[0].text == "An owl of the pre-"
