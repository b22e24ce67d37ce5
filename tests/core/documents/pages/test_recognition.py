"""Text recognition with the real models, in the real process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.arrays import Floats
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


class PageCache(dict[int, RecognisedPage]):
    """Recognised pages, in memory."""

    def put(self, number: int, page: RecognisedPage) -> None:
        self[number] = page


@pytest.fixture(scope="module")
def ocr() -> Iterator[Reader]:
    with Reader(ocr=True) as reader:
        yield reader


@pytest.fixture
def scan(write_pdf: Callable[..., Path]) -> Image.Image:
    """A simulated scan of a printed page."""
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


def _sureness(*blocks: tuple[int, int, int, int]) -> Floats:
    sureness = np.zeros((600, 600), np.float32)
    for left, top, right, bottom in blocks:
        sureness[top:bottom, left:right] = 0.9
    return sureness


def test_a_line_is_found_as_much_larger_as_the_model_shrinks_it() -> None:
    (quad,) = recognition._quads(_sureness((100, 50, 199, 59)))
    # One pixel more to the right and below, from centre to centre: 99 by 9, plus the margin.
    growth = 99 * 9 * 1.6 / (99 + 9) / 2
    left, top, right, bottom = 100 - growth, 50 - growth, 199 + growth, 59 + growth
    wanted = [(left, top), (right, top), (right, bottom), (left, bottom)]
    assert quad == pytest.approx(np.array(wanted), abs=1e-3)


def test_thin_unsure_and_hollow_regions_are_no_lines() -> None:
    assert not recognition._quads(_sureness((100, 50, 400, 52)))
    assert not recognition._quads(_sureness((100, 50, 400, 70)) / 2)
    frame = _sureness((100, 50, 400, 150))
    frame[55:145, 105:395] = 0
    assert not recognition._quads(frame)
    aslant = np.zeros((600, 600), np.float32)
    np.fill_diagonal(aslant, 0.9)
    assert not recognition._quads(aslant)
    assert not recognition._quads(np.zeros((600, 600), np.float32))


def test_the_largest_of_many_specks_are_read() -> None:
    specks = [(x, y, x + 5, y + 5) for x in range(0, 600, 10) for y in range(0, 560, 10)]
    quads = recognition._quads(_sureness(*specks, (20, 575, 500, 590)))
    assert len(quads) == 1_500 < len(specks)
    assert sum(recognition._size(quad)[0] > 100 for quad in quads) == 1
    noise = np.random.default_rng(0).random((600, 600), np.float32)
    assert len(recognition._quads(noise)) <= 1_500


@pytest.fixture
def shades() -> recognition.Picture:
    """A picture, 20 pixels wide and 10 high, of which no two pixels are alike."""
    return np.arange(20 * 10 * 3).reshape(10, 20, 3).astype(np.uint8)


def test_a_straight_line_is_cut_out_as_it_is(shades: recognition.Picture) -> None:
    quad = np.array([[3, 2], [15, 2], [15, 7], [3, 7]], np.float32)
    assert (recognition._crop(shades, quad) == shades[2:7, 3:15]).all()


def test_a_rotated_line_is_turned(shades: recognition.Picture) -> None:
    # From below upwards, as np.rot90 with -1 has it.
    quad = np.array([[3, 7], [3, 2], [15, 2], [15, 7]], np.float32)
    assert (recognition._crop(shades, quad) == np.rot90(shades[3:8, 3:15], -1)).all()


def test_beyond_the_edges_a_picture_goes_on_as_its_edges_are(shades: recognition.Picture) -> None:
    quad = np.array([[-4, -3], [24, -3], [24, 13], [-4, 13]], np.float32)
    around = np.pad(shades, ((3, 3), (4, 4), (0, 0)), mode="edge")
    assert (recognition._crop(shades, quad) == around).all()


def test_interpolation_between_two_pixels_is_their_mean() -> None:
    picture = np.zeros((6, 8, 3), np.uint8)
    picture[:, 4:] = 100
    quad = np.array([[1.5, 1], [6.5, 1], [6.5, 4], [1.5, 4]], np.float32)
    assert recognition._crop(picture, quad)[0, :, 0].tolist() == [0, 0, 50, 100, 100]


@installed
@pytest.mark.parametrize("size", [8, 9])
def test_small_print_has_separate_words(write_pdf: Callable[..., Path], size: int) -> None:
    # As on a page of a screen: a point is a pixel.
    lines = [(20, 500 - 14 * n, size, line) for n, line in enumerate(_SMALL)]
    image = pdf.draw_page(write_pdf([lines], "small.pdf"), 1, 400)
    read = recognition.recognise(image).text.split()
    wanted = " ".join(_SMALL).split()
    assert len(read) == len(wanted)
    assert sum(word in wanted for word in read) >= len(wanted) - 2


@installed
@pytest.mark.parametrize("turn", [0, 90, 180, 270, 3])
def test_a_scan_is_read_in_any_orientation(scan: Image.Image, turn: int) -> None:
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
    cache = PageCache()
    (page,) = ocr.read(tmp_path / f"scan{suffix}", recognised=cache).pages
    assert (page.text, page.unread) == (_TEXT, "")
    start = page.text.index("cooperate")
    drawn = ocr.draw(
        tmp_path / f"scan{suffix}", 1, 400, [(start, start + 9), (0, 0)], recognised=cache
    )
    ((above, below), nothing) = drawn.boxes
    assert nothing == ()
    spans, size = [(start, start + 9), (0, 0)], (drawn.width, drawn.height)
    path = tmp_path / f"scan{suffix}"
    assert ocr.locate_spans(path, 1, size, spans, recognised=cache) == drawn.boxes
    assert ocr.locate_spans(path, 1, size, spans) == ((), ())
    # "co-" ends the first line, the rest begins the second one.
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
    requests: list[None] = []
    cache = PageCache()
    document = ocr.read(
        tmp_path / "mixed.pdf", recognised=cache, on_step=lambda: requests.append(None)
    )
    assert [page.text for page in document.pages] == ["Printed words", _TEXT, ""]
    assert [page.unread for page in document.pages] == ["", "", ""]
    assert (list(cache), len(requests)) == ([2], 1)
    # Recognised text has the places of the drawn page, the rest has PDFium's own.
    start = document.pages[1].text.index("Owls")
    ((box,),) = ocr.draw(
        tmp_path / "mixed.pdf", 2, 400, [(start, start + 4)], recognised=cache
    ).boxes
    assert (round(box.left, -1), round(box.top, -1)) == (60, 180)
    assert ocr.draw(tmp_path / "mixed.pdf", 1, 400, [(0, 7)], recognised=cache).boxes[0]


@installed
def test_a_cached_page_is_not_recognised_again(
    ocr: Reader, scan: Image.Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan.save(tmp_path / "scan.png")
    cache = PageCache({1: RecognisedPage("kept")})

    def refuse(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(recogniser.Recogniser, "_recognised", refuse)
    assert ocr.read(tmp_path / "scan.png", recognised=cache).pages[0].text == "kept"


@installed
def test_a_page_that_takes_too_long_costs_itself_only(scan: Image.Image, tmp_path: Path) -> None:
    scan.save(tmp_path / "scan.tif", save_all=True, append_images=[scan])
    limits = Limits(recognition=RecognitionLimits(timeout_s=0.01))
    with Reader(limits, ocr=True) as reader:
        document = reader.read(tmp_path / "scan.tif")
    assert [(page.text, page.unread) for page in document.pages] == [
        ("", "Took longer than 0.01 s")
    ] * 2


@installed
def test_a_person_may_stop_between_two_pages(
    ocr: Reader, scan: Image.Image, tmp_path: Path
) -> None:
    scan.save(tmp_path / "scan.tif", save_all=True, append_images=[scan])
    cache = PageCache()

    def stop() -> None:
        if cache:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ocr.read(tmp_path / "scan.tif", recognised=cache, on_step=stop)
    assert list(cache) == [1]
    document = ocr.read(tmp_path / "scan.tif", recognised=cache)
    assert [page.text for page in document.pages] == [_TEXT, _TEXT]


@installed
def test_the_models_memory_is_released(scan: Image.Image, tmp_path: Path) -> None:
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


def test_without_recognition_a_page_is_reported_as_a_picture(
    reader: Reader, scan: Image.Image, tmp_path: Path
) -> None:
    scan.save(tmp_path / "scan.pdf")
    (page,) = reader.read(tmp_path / "scan.pdf").pages
    assert (page.text, page.unread) == ("", IS_PICTURE)
    assert not reader.recognises


@pytest.mark.parametrize("missing", ["rapidocr", "PIL", "models"])
def test_a_missing_installation_is_reported_and_never_fetched(
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
    with pytest.raises(UsageError, match=r"not installed\. Run: pip install"):
        Reader(ocr=True)
