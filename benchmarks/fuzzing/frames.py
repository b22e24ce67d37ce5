"""Fuzz target: responses of a compromised reading process, parsed and stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.catalog.catalog import Catalog
from core.documents.containers.members import Closed, Member
from core.documents.document import (
    Box,
    Document,
    Heading,
    Page,
    PageImage,
    PageSize,
    SheetRow,
    SourceLines,
    Style,
    StyledSpan,
)
from core.documents.pages.recognised import (
    Line,
    PlacedLine,
    RecognisedPage,
    pack_page,
    page_fields,
    unpack_page,
)
from core.documents.sandbox import protocol
from core.errors import DocumentError
from core.indexing.read.document_rows import read_text, set_text

KIND = "frames"

_TEXT = "Birds\n\nCrows hide food. Rooks too."


def seeds(_folder: Path) -> list[bytes]:
    """Return a valid response of every kind."""
    spans = (StyledSpan(0, 5, Style.STRONG), StyledSpan(7, 12, Style.ROW, 1))
    rows = (SheetRow(7, 3, ((1, 7, 12), (4, 13, 17))),)
    page = Page(
        3,
        _TEXT,
        (Heading(0, 1, "Birds"),),
        "lacks a part",
        styles=spans,
        rows=rows,
        lines=(SourceLines(0, 5, 1, 1), SourceLines(7, 33, 3, 3)),
    )
    document = Document("Birds", (page, Page(4, "Owls.")), "A. Rook", "2024-06-30")
    corners = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.25), (0.0, 0.25))
    recognised = RecognisedPage("ab", (PlacedLine(0, Line("ab", corners, (0.0, 0.5, 1.0))),))
    image = PageImage(2, 1, b"abcdef", ((Box(0, 0.5, 1, 1),),))
    answers: list[dict[str, Any]] = [
        protocol.document_fields(document),
        protocol.document_fields(document, with_styles=True),
        {"answers": [protocol.document_fields(document)]},
        {"failure": '["has {0} pages","7"]', "errno": 28, "trace": "line 1"},
        protocol.sizes_fields([PageSize(595, 842)]),
        protocol.image_fields(image),
        page_fields(recognised),
        protocol.member_fields(Member(("2024", "letter.docx"), 12, 1_700_000_000, "00ff")),
        protocol.closed_fields(Closed(("2024.zip",), "is damaged")),
        {"file": "1.txt"},
        {"walls": ["Landlock 7"]},
    ]
    return [protocol.pack(answer | {"is_spent": False}) for answer in answers]


def attempt(data: bytes, folder: Path) -> None:
    """Parse the data as a response of each kind; store the documents that are valid.

    Raises:
        DocumentError: The data is invalid as at least one kind of response.
    """
    last_error = None
    try:
        fields = protocol.unpack(data)
    except protocol.ProtocolError as error:
        raise DocumentError("gave an invalid response") from error
    for parse in (_document, _answers, _failure, _sizes, _image, _recognised, _step, _name):
        try:
            parse(fields, folder)
        except protocol.ProtocolError as error:
            last_error = error
    if last_error is not None:
        raise DocumentError("gave an invalid response") from last_error


def _document(fields: dict[str, Any], folder: Path) -> None:
    document = protocol.document_from(fields)
    for page in document.pages:
        list(page.rows)
    text = read_text(lambda: document, Path("a.txt"), lambda texts: [len(t) // 4 for t in texts])
    catalog = Catalog(folder / "catalog.sqlite")
    try:
        with catalog.transaction() as db:
            db.execute("INSERT OR IGNORE INTO folders(id, path, is_collection) VALUES (1, '/', 0)")
            db.execute(
                "INSERT OR IGNORE INTO documents(id, folder_id, path, size_bytes, mtime_ns, state)"
                " VALUES (1, 1, '/a.txt', 1, 1, 'found')"
            )
            set_text(db, 1, text, "00ff")
    finally:
        catalog.close()


def _answers(fields: dict[str, Any], _folder: Path) -> None:
    for _, answer in protocol.answers(fields, ["a.txt"]):
        protocol.document_from(answer)


def _failure(fields: dict[str, Any], _folder: Path) -> None:
    failure = protocol.failure_from(fields)
    str(failure).encode()
    protocol.trace_from(fields).encode()


def _sizes(fields: dict[str, Any], _folder: Path) -> None:
    protocol.sizes_from(fields)


def _image(fields: dict[str, Any], _folder: Path) -> None:
    protocol.image_from(fields, b"abcdef")
    protocol.boxes_from(fields, 1)


def _recognised(fields: dict[str, Any], _folder: Path) -> None:
    page = protocol.recognised_from(fields)
    page.boxes([(0, len(page.text))], 1000, 1000)
    unpack_page(pack_page(page))


def _step(fields: dict[str, Any], _folder: Path) -> None:
    step = protocol.step_from(fields)
    if isinstance(step, Member):
        Path("/a.zip").joinpath(*step.inner_path)


def _name(fields: dict[str, Any], _folder: Path) -> None:
    protocol.scratch_name(fields)
    protocol.walls_from(fields)
