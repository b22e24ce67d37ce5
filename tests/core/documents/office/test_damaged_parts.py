from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pptx
import pytest
import xlsxwriter

from core.documents.formats import format_of, load_reader
from core.documents.gaps import gaps_of
from core.errors import DocumentError
from tests.core.documents.mutations import packed

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"


def _docx() -> bytes:
    made, out = docx.Document(), io.BytesIO()
    for number in range(400):
        run = made.add_paragraph(f"Crow {number} is clever.").runs[0]
    made.add_comment(run, text="Says who?")
    made.sections[0].header.paragraphs[0].text = "Birds"
    made.save(out)
    return out.getvalue()


def _pptx() -> bytes:
    made, out = pptx.Presentation(), io.BytesIO()
    for title in ("one", "two", "three"):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = title
        slide.notes_slide.notes_text_frame.text = f"Speak of {title}."
    made.save(out)
    return out.getvalue()


def _xlsx() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name in ("Nests", "Eggs"):
            sheet = book.add_worksheet(name)
            for row in range(2_000):
                sheet.write_row(row, 0, [row, f"{name} {row}"])
            sheet.write_comment(0, 0, "Says who?")
    return out.getvalue()


def _odt() -> bytes:
    lines = "".join(f"<t:p>Crow {number} is clever.</t:p>" for number in range(400))
    return packed(
        {
            "content.xml": f'<o:document-content xmlns:o="{_OFFICE}" xmlns:t="{_TEXT}"><o:body>'
            f"<o:text>{lines}</o:text></o:body></o:document-content>",
            "styles.xml": f'<o:document-styles xmlns:o="{_OFFICE}"/>',
        }
    )


def _epub() -> bytes:
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in (1, 2)
    )
    chapters = {
        f"c{n}.xhtml": "<html><body>"
        + "".join(f"<p>Crow {line} of {n}.</p>" for line in range(400))
        + "</body></html>"
        for n in (1, 2)
    }
    return packed(
        {
            "META-INF/container.xml": "<container "
            'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="b.opf"/></rootfiles></container>',
            "b.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
            '<spine><itemref idref="c1"/><itemref idref="c2"/></spine></package>',
            **chapters,
        }
    )


def _cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def _nothing(content: bytes) -> bytes:
    return b"\0" * 40


@pytest.mark.parametrize(
    ("name", "make", "part", "damage", "there", "gap"),
    [
        (
            *("a.docx", _docx, "word/document.xml", _cut, ["Crow 7 is", "Birds"]),
            "lacks some of its text, which is damaged",
        ),
        (
            *("a.docx", _docx, "word/comments.xml", _nothing, ["Crow 399 is", "Birds"]),
            "lacks its comments, which are damaged",
        ),
        (
            *("a.docx", _docx, "word/header1.xml", _nothing, ["Crow 399 is", "Says who?"]),
            "lacks its headers and footers, which are damaged",
        ),
        (
            *("a.docx", _docx, "word/styles.xml", _nothing, ["Crow 399 is", "Says who?", "Birds"]),
            "lacks its styles, which are damaged",
        ),
        (
            *("a.docx", _docx, "word/_rels/document.xml.rels", _nothing, ["Crow 399 is"]),
            "lacks its notes, comments and drawings: the list of them is damaged",
        ),
        (
            *("a.pptx", _pptx, "ppt/slides/slide2.xml", _nothing, ["one", "three"]),
            "has gaps: page 2 is damaged",
        ),
        (
            *("a.pptx", _pptx, "ppt/notesSlides/notesSlide2.xml", _nothing, ["two", "of three"]),
            "has gaps: page 2 lacks its notes, which are damaged",
        ),
        (
            *("a.xlsx", _xlsx, "xl/worksheets/sheet2.xml", _cut, ["Nests 1999", "Eggs 7"]),
            "has gaps: page 2 lacks some of its text, which is damaged",
        ),
        (
            *("a.xlsx", _xlsx, "xl/sharedStrings.xml", _cut, ["Nests 7", "1999"]),
            "has gaps: page 1 lacks some of its text, which is damaged",
        ),
        (
            *("a.xlsx", _xlsx, "xl/comments1.xml", _nothing, ["Nests 1999", "Eggs 1999"]),
            "has gaps: page 1 lacks its comments, which are damaged",
        ),
        (
            *("a.odt", _odt, "content.xml", _cut, ["Crow 7 is"]),
            "lacks some of its text, which is damaged",
        ),
        (
            *("a.odt", _odt, "styles.xml", _nothing, ["Crow 399 is"]),
            "lacks its styles, which are damaged",
        ),
        (
            *("a.epub", _epub, "c2.xhtml", _nothing, ["Crow 399 of 1"]),
            "has gaps: page 2 is damaged",
        ),
    ],
)
def test_the_rest_of_a_package_with_a_damaged_part_is_read(
    tmp_path: Path,
    name: str,
    make: Callable[[], bytes],
    part: str,
    damage: Callable[[bytes], bytes],
    there: list[str],
    gap: str,
) -> None:
    path = tmp_path / name
    path.write_bytes(_with(make(), part, damage))
    text, gaps = _read(path)
    assert [phrase for phrase in there if phrase not in text] == []
    assert gaps == gap


@pytest.mark.parametrize(
    ("name", "make", "part", "there", "gap"),
    [
        (*("a.docx", _docx, "word/document.xml"), "Crow 7 is", "lacks some of its text"),
        (*("a.xlsx", _xlsx, "xl/worksheets/sheet2.xml"), "Eggs 7", "page 2 lacks some of its text"),
        (*("a.odt", _odt, "content.xml"), "Crow 7 is", "lacks some of its text"),
        (*("a.epub", _epub, "c2.xhtml"), "Crow 7 of 2", "page 2 lacks some of its text"),
    ],
)
def test_a_part_that_cannot_be_unpacked_to_its_end_is_read_as_far_as_it_goes(
    tmp_path: Path, name: str, make: Callable[[], bytes], part: str, there: str, gap: str
) -> None:
    data = bytearray(make())
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        info = package.getinfo(part)
    at = info.header_offset + 30 + len(part) + info.compress_size * 3 // 4
    data[at : at + 20] = b"\xff" * 20
    path = tmp_path / name
    path.write_bytes(data)
    text, gaps = _read(path)
    assert there in text
    assert gap in gaps


def test_a_package_of_which_nothing_is_left_has_the_reason(tmp_path: Path) -> None:
    data = _pptx()
    for number in (1, 2, 3):
        data = _with(data, f"ppt/slides/slide{number}.xml", _nothing)
    path = tmp_path / "a.pptx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=r"^is damaged: a part of it is not well-formed$"):
        _read(path)


def _with(data: bytes, part: str, damage: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts[part] = damage(parts[part])
    return packed(parts)


def _read(path: Path) -> tuple[str, str]:
    kind = format_of(path)
    assert kind is not None
    document = load_reader(kind.reader)(path)
    return "\n\n".join(page.text for page in document.pages), gaps_of(document)
