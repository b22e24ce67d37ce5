from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.document import Box, PageImage
from core.documents.pages import pdf
from core.documents.reader import Reader
from core.errors import DocumentError

_LINES = [
    (100, 500, 20, "Crows are clever and co-"),
    (100, 470, 20, "operate with others."),
    (100, 400, 20, "Owls hunt."),
]


def _is_dark(image: PageImage, x: int, y: int) -> bool:
    return image.rgb[(y * image.width + x) * 3] < 128


def _dark_edges(image: PageImage) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of all that is printed."""
    dark = [
        (x, y) for y in range(image.height) for x in range(image.width) if _is_dark(image, x, y)
    ]
    xs, ys = [x for x, _ in dark], [y for _, y in dark]
    return min(xs), min(ys), max(xs), max(ys)


def _span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


def _text_under(path, number: int, image: PageImage, box: Box) -> str:
    """Return what PDFium finds inside a box of the picture."""
    with pdf.open_pdf(path) as opened:
        page = opened[number - 1]
        place = (0, 0, image.width, image.height, 0)
        import ctypes

        import pypdfium2.raw as pdfium

        corners = []
        for x, y in ((box.left, box.top), (box.right, box.bottom)):
            page_x, page_y = ctypes.c_double(), ctypes.c_double()
            pdfium.FPDF_DeviceToPage(page, *place, round(x), round(y), page_x, page_y)
            corners.append((page_x.value, page_y.value))
        (x0, y0), (x1, y1) = corners
        text_page = page.get_textpage()
        found: str = text_page.get_text_bounded(
            min(x0, x1) - 1, min(y0, y1) - 1, max(x0, x1) + 1, max(y0, y1) + 1
        )
        text_page.close()
        return found.strip()


@pytest.mark.parametrize(
    ("turn", "entries"),
    [
        (0, ""),
        (90, "/Rotate 90"),
        (180, "/Rotate 180"),
        (270, "/Rotate 270"),
        (90, ""),
        (0, "/CropBox [80 380 380 560]"),
        (90, "/Rotate 90 /CropBox [20 80 230 390]"),
        (0, "/MediaBox [-50 300 400 600]"),
    ],
)
def test_boxes_cover_the_words(write_pdf, turn: int, entries: str) -> None:
    path = write_pdf([_LINES], turn=turn, page_entries=entries)
    text = pdf.read(path).pages[0].text
    words = ["clever", "Owls", "cooperate with"]
    image = pdf.draw_page(path, 1, 800, [_span(text, each) for each in words])
    assert image.width == 800
    size = (image.width, image.height)
    spans = [_span(text, each) for each in words]
    assert pdf.locate_spans(path, 1, size, spans) == image.boxes
    (clever,), (owls,), (first, second) = image.boxes
    assert _text_under(path, 1, image, clever) == "clever"
    assert _text_under(path, 1, image, owls) == "Owls"
    assert _text_under(path, 1, image, first).startswith("co")
    assert _text_under(path, 1, image, second) == "operate with"


def test_a_box_is_as_large_as_what_is_printed(write_pdf) -> None:
    path = write_pdf([[(100, 300, 40, "Hamburg")]])
    image = pdf.draw_page(path, 1, 400, [(0, 7)])
    left, top, right, bottom = _dark_edges(image)
    ((box,),) = image.boxes
    assert box.left <= left + 1
    assert box.top <= top + 1
    assert box.right >= right - 1
    assert box.bottom >= bottom - 1
    assert box.right - box.left < 1.2 * (right - left)
    assert box.bottom - box.top < 2 * (bottom - top)


def test_columns_on_one_line_get_a_box_each(write_pdf) -> None:
    path = write_pdf([[(20, 300, 12, "left"), (300, 300, 12, "right")]])
    text = pdf.read(path).pages[0].text
    image = pdf.draw_page(path, 1, 400, [(0, len(text))])
    assert len(image.boxes[0]) == 2


def test_spans_without_characters_have_no_boxes(write_pdf) -> None:
    image = pdf.draw_page(write_pdf([_LINES]), 1, 100, [(0, 0), (5, 6), (900, 950), (-5, 0)])
    assert image.boxes == ((), (), (), ())


def test_the_picture_is_of_the_page_in_its_shape(write_pdf) -> None:
    image = pdf.draw_page(write_pdf([[], _LINES]), 2, 321)
    assert (image.width, image.height) == (321, 482)
    assert len(image.rgb) == 321 * 482 * 3
    assert image.rgb[:3] == b"\xff\xff\xff"
    assert image.boxes == ()


def test_a_huge_page_is_drawn_smaller(write_pdf) -> None:
    path = write_pdf([_LINES], page_entries="/MediaBox [0 0 200 14000]")
    image = pdf.draw_page(path, 1, 2000)
    assert image.width * image.height <= pdf.MOST_PIXELS * 1.01
    assert image.height / image.width == pytest.approx(70, rel=0.01)


def test_pages_that_are_not_there_are_refused(write_pdf) -> None:
    path = write_pdf([_LINES, []], broken_pages=[1])
    with pytest.raises(DocumentError, match="Has no page 3"):
        pdf.draw_page(path, 3, 100)
    with pytest.raises(DocumentError, match=r"^Damaged: page 2 cannot be displayed"):
        pdf.draw_page(path, 2, 100)


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_box_ends_where_the_next_character_begins(write_pdf, turn: int) -> None:
    # The comma is printed 8 points behind the digit, whose own box is 11 points wide.
    path = write_pdf([[(100, 500, 20, "8"), (108, 500, 20, ",")]], turn=turn)
    assert pdf.read(path).pages[0].text == "8,"
    image = pdf.draw_page(path, 1, 800, [(0, 1)])
    ((box,),) = image.boxes
    assert _text_under(path, 1, image, box) == "8"
    scale = image.width / (400 if turn % 180 == 0 else 600)
    length = (box.right - box.left) if turn % 180 == 0 else (box.bottom - box.top)
    assert 7 * scale < length < 10 * scale


def test_drawing_agrees_with_reading(reader: Reader, write_pdf) -> None:
    path = write_pdf([[(50, 500, 12, "Crows are clever.")]])
    start = reader.read(path).pages[0].text.index("clever")
    image = reader.draw(path, 1, 400, [(start, start + 6), (0, 0)])
    assert (image.width, image.height, len(image.rgb)) == (400, 600, 720_000)
    ((box,), nothing) = image.boxes
    assert 50 < box.left < box.right < 160
    assert nothing == ()
    assert reader.locate_spans(path, 1, (400, 600), [(start, start + 6), (0, 0)]) == image.boxes


def test_only_formats_with_page_images_are_drawn(reader: Reader, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Crows are clever.")
    with pytest.raises(DocumentError, match="has no page images"):
        reader.draw(note, 1, 100)
    with pytest.raises(DocumentError, match="has no page images"):
        reader.locate_spans(note, 1, (100, 100), [(0, 1)])
    with pytest.raises(ValueError, match="width"):
        reader.draw(note.with_suffix(".pdf"), 1, 0)
