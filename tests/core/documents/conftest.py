"""Small documents made on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.limits import ContainerLimits
from core.documents.reader import Reader
from tests.core.documents.passes import Noted, go_through

# A line of text on a PDF page: x and y of its beginning and the font's size in points, and words.
Line = tuple[float, float, float, str]


def pdf_bytes(
    pages: Sequence[Sequence[Line]],
    *,
    title: str | None = None,
    page_entries: str = "",
    catalog_entries: str = "",
    turn: int = 0,
    bookmarks: Sequence[tuple[str, int]] = (),
    info_entries: str = "",
    trailer_entries: str = "",
    broken_pages: Sequence[int] = (),
) -> bytes:
    """Return a PDF with `pages` of lines of text; `bookmarks` are titles and page indices.

    With a `turn` (in degrees, counterclockwise) the page's contents lie turned in it.
    """
    objects: dict[int, bytes] = {}
    first_page = 10
    kids = " ".join(f"{first_page + 2 * i} 0 R" for i in range(len(pages)))
    outlines = " /Outlines 4 0 R" if bookmarks else ""
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R{outlines} {catalog_entries} >>".encode()
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    if title is not None:
        info_entries += f" /Title <{title.encode('utf-16').hex()}>"
    if info_entries:
        objects[5] = f"<< {info_entries} >>".encode()
        trailer_entries += " /Info 5 0 R"
    for i, lines in enumerate(pages):
        number = first_page + 2 * i
        content = b"BT\n"
        a, b = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        width, height = (400, 600) if turn % 180 == 0 else (600, 400)
        box = "" if "MediaBox" in page_entries else f"/MediaBox [0 0 {width} {height}]"
        for x, y, size, words in lines:
            x_turned = a * x - b * y + (width if turn in (90, 180) else 0)
            y_turned = b * x + a * y + (height if turn in (180, 270) else 0)
            escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            content += (
                f"/F1 {size} Tf {a} {b} {-b} {a} {x_turned} {y_turned} Tm ({escaped}) Tj\n".encode(
                    "latin-1"
                )
            )
        content += b"ET"
        objects[number] = (
            b"42"
            if i in broken_pages
            else (
                f"<< /Type /Page /Parent 2 0 R {box} {page_entries} /Contents {number + 1} 0 R"
                " /Resources << /Font << /F1 3 0 R >> >> >>"
            ).encode()
        )
        objects[number + 1] = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)
    if bookmarks:
        first = first_page + 2 * len(pages)
        last = first + len(bookmarks) - 1
        objects[4] = f"<< /First {first} 0 R /Last {last} 0 R >>".encode()
        for i, (name, page) in enumerate(bookmarks):
            following = f"/Next {first + i + 1} 0 R" if first + i < last else ""
            destination = f"/Dest [{first_page + 2 * page} 0 R /Fit]"
            objects[first + i] = f"<< /Title ({name}) {destination} {following} >>".encode()
    data = b"%PDF-1.7\n"
    offsets: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(data)
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    size = max(objects) + 1
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        free = number not in offsets
        data += b"%010d %05d %b \n" % (
            0 if free else offsets[number],
            65535 if free else 0,
            b"f" if free else b"n",
        )
    data += f"trailer\n<< /Size {size} /Root 1 0 R {trailer_entries} >>\n".encode()
    return data + b"startxref\n%d\n%%%%EOF\n" % start


@pytest.fixture
def write_pdf(tmp_path: Path) -> Callable[..., Path]:
    def write(pages: Sequence[Sequence[Line]], name: str = "paper.pdf", **options: object) -> Path:
        path = tmp_path / name
        path.write_bytes(pdf_bytes(pages, **options))  # type: ignore[arg-type]
        return path

    return write


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    """A reader that the tests of one module share; each of them can rely on it."""
    with Reader() as shared:
        yield shared


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Noted]:
    """The results of a pass through an archive, with optional limits."""

    def go(data: bytes, **limits: int) -> Noted:
        path = tmp_path / "a.archive"
        path.write_bytes(data)
        return go_through(path, archives.unpack, tmp_path, ContainerLimits(**limits))

    return go


@pytest.fixture(autouse=True)
def warm_readers() -> None:
    """Here the reading processes themselves are tested: each reader starts its own."""
