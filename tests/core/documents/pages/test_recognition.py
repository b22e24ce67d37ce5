"""Text recognition with the real models, in the real process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from core.documents import recogniser
from core.documents.document import IS_PICTURE, Box, PageImage
from core.documents.limits import Limits, RecognitionLimits
from core.documents.pages import pdf, recognition
from core.documents.pages.recognised import RecognisedPage
from core.documents.reader import Reader
from core.errors import UsageError

_LINES = [
    (60, 520, 20, "Crows are clever and co-"),
    (60, 490, 20, "operate with others."),
    (60, 400, 20, "Owls hunt in the night."),
]
_TEXT = "Crows are clever and cooperate with others.\n\nOwls hunt in the night."

installed = pytest.mark.skipif(
    not recognition.is_installed(), reason="the extra `ocr` is not installed"
)


class Kept(dict[int, RecognisedPage]):
    """Recognised pages, in memory."""

    def put(self, number: int, page: RecognisedPage) -> None:
        self[number] = page


@pytest.fixture(scope="module")
def ocr() -> Iterator[Reader]:
    with Reader(ocr=True) as reader:
        yield reader


@pytest.fixture
def scan(write_pdf: Callable[..., Path]) -> Image.Image:
    """What a scanner makes of a printed page."""
    image = pdf.draw_page(write_pdf([_LINES], "printed.pdf"), 1, 1100)
    return Image.frombytes("RGB", (image.width, image.height), image.rgb)


_SMALL = [
    "The quick brown fox jumps over the lazy dog while the crows of the",
    "old town sit on the roof and wait for what the baker leaves behind",
    "and all the rooks in the field know when it is time to fly home again",
    "before the night comes in from the sea with rain and wind and cold.",
]


def _blank(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@installed
@pytest.mark.parametrize("size", [8, 9])
def test_small_print_keeps_its_words_apart(write_pdf: Callable[..., Path], size: int) -> None:
    # As on a page of a screen: a point is a pixel.
    lines = [(20, 500 - 14 * n, size, line) for n, line in enumerate(_SMALL)]
    image = pdf.draw_page(write_pdf([lines], "small.pdf"), 1, 400)
    read = recognition.recognise(image).text.split()
    wanted = " ".join(_SMALL).split()
    assert len(read) == len(wanted)
    assert sum(word in wanted for word in read) >= len(wanted) - 2


@installed
@pytest.mark.parametrize("turn", [0, 90, 180, 270, 3])
def test_a_scan_is_read_whichever_way_it_lies(scan: Image.Image, turn: int) -> None:
    turned = scan.rotate(turn, expand=True, fillcolor="white")
    page = recognition.recognise(PageImage(*turned.size, turned.tobytes(), ()))
    assert _blank(page.text) == _blank(_TEXT)
    start = page.text.index("Owls")
    ((box,),) = page.boxes([(start, start + 4)], *turned.size)
    assert _ink(turned, box) > 3 * _ink(turned, Box(0, 0, *turned.size))


@installed
def test_boxes_of_recognised_words_lie_where_these_are_printed(
    scan: Image.Image, write_pdf: Callable[..., Path]
) -> None:
    page = recognition.recognise(PageImage(*scan.size, scan.tobytes(), ()))
    words = [match.span() for match in re.finditer(r"\w+", page.text)]
    recognised = page.boxes(words, *scan.size)
    path = write_pdf([_LINES], "printed.pdf")
    text = pdf.read(path).pages[0].text
    printed = pdf.draw_page(
        path, 1, scan.width, [match.span() for match in re.finditer(r"\w+", text)]
    ).boxes
    assert [len(boxes) for boxes in recognised] == [len(boxes) for boxes in printed]
    for boxes, wanted in zip(recognised, printed, strict=True):
        for one, other in zip(boxes, wanted, strict=True):
            # Half a letter, for the lines' lengths are shared out by what letters usually take.
            assert abs(one.left - other.left) < 14, "half a letter"
            assert abs(one.right - other.right) < 14
            assert one.top < (other.top + other.bottom) / 2 < one.bottom


def _ink(picture: Image.Image, box: Box) -> float:
    """Return how dark a part of a picture is, on average."""
    part = picture.convert("L").crop((box.left, box.top, box.right, box.bottom))
    shades = part.histogram()
    return sum((255 - shade) * count for shade, count in enumerate(shades)) / sum(shades)


@installed
@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tif", ".webp", ".bmp", ".gif"])
def test_pictures_are_documents(
    ocr: Reader, scan: Image.Image, tmp_path: Path, suffix: str
) -> None:
    scan.save(tmp_path / f"scan{suffix}")
    kept = Kept()
    (page,) = ocr.read(tmp_path / f"scan{suffix}", recognised=kept).pages
    assert (page.text, page.unread) == (_TEXT, "")
    start = page.text.index("cooperate")
    drawn = ocr.draw(
        tmp_path / f"scan{suffix}", 1, 400, [(start, start + 9), (0, 0)], recognised=kept
    )
    ((above, below), nothing) = drawn.boxes
    assert nothing == ()
    spans, size = [(start, start + 9), (0, 0)], (drawn.width, drawn.height)
    path = tmp_path / f"scan{suffix}"
    assert ocr.place(path, 1, size, spans, recognised=kept) == drawn.boxes
    assert ocr.place(path, 1, size, spans) == ((), ())
    # "co-" stands at the end of the first line, the rest at the beginning of the second one.
    assert 250 < above.left < above.right < 310
    assert 50 < below.left < 70 < 120 < below.right < 160
    assert above.bottom < below.bottom < 120


@installed
def test_only_pages_without_text_are_recognised(
    ocr: Reader, scan: Image.Image, tmp_path: Path, write_pdf: Callable[..., Path]
) -> None:
    import pypdfium2

    buffer = BytesIO()
    scan.save(buffer, "PDF", resolution=110)
    mixed = pypdfium2.PdfDocument.new()
    for source in (write_pdf([[(50, 500, 12, "Printed words")]]), buffer, write_pdf([[]], "b.pdf")):
        mixed.import_pages(pypdfium2.PdfDocument(source))
    mixed.save(str(tmp_path / "mixed.pdf"))
    asked: list[None] = []
    kept = Kept()
    document = ocr.read(tmp_path / "mixed.pdf", recognised=kept, on_step=lambda: asked.append(None))
    assert [page.text for page in document.pages] == ["Printed words", _TEXT, ""]
    assert [page.unread for page in document.pages] == ["", "", ""]
    assert (list(kept), len(asked)) == ([2], 1)
    # The places of what was recognised are those on the drawn page, the others are PDFium's own.
    start = document.pages[1].text.index("Owls")
    ((box,),) = ocr.draw(
        tmp_path / "mixed.pdf", 2, 400, [(start, start + 4)], recognised=kept
    ).boxes
    assert (round(box.left, -1), round(box.top, -1)) == (60, 180)
    assert ocr.draw(tmp_path / "mixed.pdf", 1, 400, [(0, 7)], recognised=kept).boxes[0]


@installed
def test_a_page_that_is_kept_is_not_recognised_again(
    ocr: Reader, scan: Image.Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan.save(tmp_path / "scan.png")
    kept = Kept({1: RecognisedPage("kept")})

    def refuse(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(recogniser.Recogniser, "_recognised", refuse)
    assert ocr.read(tmp_path / "scan.png", recognised=kept).pages[0].text == "kept"


@installed
def test_a_page_that_takes_too_long_costs_itself_only(scan: Image.Image, tmp_path: Path) -> None:
    scan.save(tmp_path / "scan.tif", save_all=True, append_images=[scan])
    limits = Limits(recognition=RecognitionLimits(timeout_s=0.01))
    with Reader(limits, ocr=True) as reader:
        document = reader.read(tmp_path / "scan.tif")
    assert [(page.text, page.unread) for page in document.pages] == [("", "took over 0.01 s")] * 2


@installed
def test_a_person_may_stop_between_two_pages(
    ocr: Reader, scan: Image.Image, tmp_path: Path
) -> None:
    scan.save(tmp_path / "scan.tif", save_all=True, append_images=[scan])
    kept = Kept()

    def stop() -> None:
        if kept:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ocr.read(tmp_path / "scan.tif", recognised=kept, on_step=stop)
    assert list(kept) == [1]
    document = ocr.read(tmp_path / "scan.tif", recognised=kept)
    assert [page.text for page in document.pages] == [_TEXT, _TEXT]


@installed
def test_the_models_memory_is_given_back(scan: Image.Image, tmp_path: Path) -> None:
    scan.save(tmp_path / "scan.png")
    with Reader(ocr=True) as reader:
        assert reader.recognises
        reader.read(tmp_path / "scan.png")
        assert reader._recogniser is not None
        process = reader._recogniser._process.process
        assert process is not None
        assert process.is_alive
        reader.rest()
        assert reader._recogniser._process.process is None
        assert reader.read(tmp_path / "scan.png").pages[0].text == _TEXT


def test_without_recognition_a_page_says_that_it_is_a_picture(
    reader: Reader, scan: Image.Image, tmp_path: Path
) -> None:
    scan.save(tmp_path / "scan.pdf")
    (page,) = reader.read(tmp_path / "scan.pdf").pages
    assert (page.text, page.unread) == ("", IS_PICTURE)
    assert not reader.recognises


@pytest.mark.parametrize("missing", ["rapidocr", "cv2", "models"])
def test_what_is_not_installed_is_told_and_never_fetched(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = recognition.importlib.util.find_spec
    if missing == "models":
        monkeypatch.setattr(recognition, "_READING", "none.onnx")
    else:
        monkeypatch.setattr(
            recognition.importlib.util,
            "find_spec",
            lambda name: None if name == missing else find(name),
        )
    with pytest.raises(UsageError, match=r"not installed; install it with: pip install"):
        Reader(ocr=True)
