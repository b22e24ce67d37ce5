from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pptx
import pytest
import xlsxwriter
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from core.documents.damage import gaps_of
from core.documents.formats import format_of, load_function
from core.errors import DocumentError
from tests.core.documents.mutations import packed
from tests.core.documents.office.records import wide, xlsb

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_DRAW = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def _docx() -> bytes:
    office_file, out = docx.Document(), io.BytesIO()
    for number in range(400):
        run = office_file.add_paragraph(f"Crow {number} is clever.").runs[0]
    office_file.add_comment(run, text="Says who?")
    office_file.sections[0].header.paragraphs[0].text = "Birds"
    office_file.save(out)
    return out.getvalue()


def _pptx() -> bytes:
    office_file, out = pptx.Presentation(), io.BytesIO()
    for title in ("one", "two", "three"):
        slide = office_file.slides.add_slide(office_file.slide_layouts[5])
        slide.shapes.title.text = title
        slide.notes_slide.notes_text_frame.text = f"Speak of {title}."
    office_file.save(out)
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


def _odt_with_a_chart() -> bytes:
    chart = f'<o:chart><t:p xmlns:t="{_TEXT}">Eggs</t:p></o:chart>'
    return packed(
        {
            "content.xml": f'<o:document-content xmlns:o="{_OFFICE}" xmlns:t="{_TEXT}" '
            f'xmlns:d="{_DRAW}" xmlns:x="http://www.w3.org/1999/xlink"><o:body><o:text>'
            '<t:p>Crows<d:frame><d:object x:href="./Object 1"/></d:frame></t:p>'
            '<t:p>Owls<d:frame><d:object x:href="../costs.ods"/></d:frame></t:p>'
            "</o:text></o:body></o:document-content>",
            "styles.xml": f'<o:document-styles xmlns:o="{_OFFICE}"/>',
            "Object 1/content.xml": f'<o:document-content xmlns:o="{_OFFICE}"><o:body>{chart}'
            "</o:body></o:document-content>",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{_MANIFEST}">'
            '<m:file-entry m:full-path="styles.xml"/></m:manifest>',
        }
    )


def _pptx_with_charts() -> bytes:
    office_file, out = pptx.Presentation(), io.BytesIO()
    slide = office_file.slides.add_slide(office_file.slide_layouts[5])
    slide.shapes.title.text = "Nests"
    for name in ("Oaks", "Elms"):
        data = CategoryChartData()
        data.categories = ["2023"]
        data.add_series(name, (1,))
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 9, 9, data)
    office_file.save(out)
    return out.getvalue()


def _xlsx_with_charts() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet("Nests")
        sheet.write(0, 0, "crow")
        for name in ("Oaks", "Elms"):
            chart = book.add_chart({"type": "pie"})
            chart.add_series({"name": name, "values": "=Nests!$A$1"})
            sheet.insert_chart("C1", chart)
    return out.getvalue()


def _xlsb() -> bytes:
    def links(*targets: tuple[str, str]) -> str:
        entries = "".join(
            f'<Relationship Id="r{number}" Type="x/{kind}" Target="{target}"/>'
            for number, (kind, target) in enumerate(targets)
        )
        return f'<Relationships xmlns="{_RELATIONS}">{entries}</Relationships>'

    def sheet(number: int, name: str) -> bytes:
        return xlsb(156, struct.pack("<II", 0, 1) + wide(f"r{number}") + wide(name))

    row = xlsb(0, bytes(4)) + xlsb(6, struct.pack("<II", 0, 0) + wide("crow"))
    shared = xlsb(7, struct.pack("<III", 1, 0, 0))
    return packed(
        {
            "_rels/.rels": links(("officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": sheet(0, "Nests") + sheet(1, "Eggs"),
            "xl/_rels/workbook.bin.rels": links(
                *(("worksheet", "s1.bin"), ("worksheet", "s2.bin")),
                *(("sharedStrings", "t.bin"), ("styles", "y.bin")),
            ),
            "xl/s1.bin": row,
            "xl/s2.bin": row + shared,
            "xl/t.bin": xlsb(19, b"\0" + wide("oak")),
            "xl/y.bin": b"",
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


def _is_text(_content: bytes) -> bytes:
    return b"application/vnd.oasis.opendocument.text"


@pytest.mark.parametrize(
    ("name", "make", "part", "damage", "there", "gap"),
    [
        (
            *("a.docx", _docx, "word/document.xml", _cut, ["Crow 7 is", "Birds"]),
            "Some damaged text was skipped",
        ),
        (
            *("a.docx", _docx, "word/comments.xml", _nothing, ["Crow 399 is", "Birds"]),
            "Damaged comments were skipped",
        ),
        (
            *("a.docx", _docx, "word/header1.xml", _nothing, ["Crow 399 is", "Says who?"]),
            "Damaged headers and footers were skipped",
        ),
        (
            *("a.docx", _docx, "word/styles.xml", _nothing, ["Crow 399 is", "Says who?", "Birds"]),
            "Damaged styles were skipped",
        ),
        (
            *("a.docx", _docx, "word/_rels/document.xml.rels", _nothing, ["Crow 399 is"]),
            "Notes, comments and drawings were skipped: their list is damaged",
        ),
        (
            *("a.pptx", _pptx, "ppt/slides/slide2.xml", _nothing, ["one", "three"]),
            "Incomplete. Page 2: Damaged",
        ),
        (
            *("a.pptx", _pptx, "ppt/notesSlides/notesSlide2.xml", _nothing, ["two", "of three"]),
            "Incomplete. Page 2: Damaged notes were skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/worksheets/sheet2.xml", _cut, ["Nests 1999", "Eggs 7"]),
            "Incomplete. Page 2: Some damaged text was skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/sharedStrings.xml", _cut, ["Nests 1999", "Eggs 7", "1999"]),
            "Incomplete. Page 2: Some damaged text was skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/comments1.xml", _nothing, ["Nests 1999", "Eggs 1999"]),
            "Incomplete. Page 1: Damaged comments were skipped",
        ),
        (
            *("a.xlsx", _xlsx_with_charts, "xl/charts/chart1.xml", _nothing, ["crow", "Elms"]),
            "A damaged chart or drawing was skipped",
        ),
        (
            *("a.odt", _odt, "content.xml", _cut, ["Crow 7 is"]),
            "Some damaged text was skipped",
        ),
        (
            *("a.odt", _odt, "styles.xml", _nothing, ["Crow 399 is"]),
            "Damaged styles were skipped",
        ),
        (
            *("a.epub", _epub, "c2.xhtml", _nothing, ["Crow 399 of 1"]),
            "Incomplete. Page 2: Damaged",
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
        (
            *("a.docx", _docx, "word/comments.xml", ["Crow 399 is", "Birds"]),
            "Damaged comments were skipped",
        ),
        (
            *("a.docx", _docx, "word/header1.xml", ["Crow 399 is", "Says who?"]),
            "Damaged headers and footers were skipped",
        ),
        (
            *("a.docx", _docx, "word/styles.xml", ["Crow 399 is", "Says who?", "Birds"]),
            "Damaged styles were skipped",
        ),
        (
            *("a.docx", _docx, "word/_rels/document.xml.rels", ["Crow 399 is"]),
            "Notes, comments and drawings were skipped: their list is damaged",
        ),
        (
            *("a.pptx", _pptx, "ppt/slides/slide2.xml", ["one", "three"]),
            "Incomplete. Page 2: Missing from the file",
        ),
        (
            *("a.pptx", _pptx, "ppt/notesSlides/notesSlide2.xml", ["two", "of three"]),
            "Incomplete. Page 2: Damaged notes were skipped",
        ),
        (
            *("a.pptx", _pptx_with_charts, "ppt/slides/_rels/slide1.xml.rels", ["Nests"]),
            "A damaged chart or drawing was skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/worksheets/sheet2.xml", ["Nests 1999", "Eggs"]),
            "Incomplete. Page 2: Missing from the file",
        ),
        (
            *("a.xlsx", _xlsx, "xl/sharedStrings.xml", ["1999"]),
            "Incomplete. Pages 1-2: Some damaged text was skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/styles.xml", ["Nests 1999", "Eggs 1999"]),
            "Incomplete. Page 1: Damaged styles were skipped",
        ),
        (
            *("a.xlsx", _xlsx, "xl/comments1.xml", ["Nests 1999", "Eggs 1999"]),
            "Incomplete. Page 1: Damaged comments were skipped",
        ),
        (
            *("a.xlsx", _xlsx_with_charts, "xl/drawings/drawing1.xml", ["crow"]),
            "A damaged chart or drawing was skipped",
        ),
        (
            *("a.xlsx", _xlsx_with_charts, "xl/charts/chart1.xml", ["crow", "Elms"]),
            "A damaged chart or drawing was skipped",
        ),
        (
            *("a.xlsb", _xlsb, "xl/s2.bin", ["crow", "Eggs"]),
            "Incomplete. Page 2: Missing from the file",
        ),
        (
            *("a.xlsb", _xlsb, "xl/t.bin", ["crow"]),
            "Incomplete. Page 2: Some damaged text was skipped",
        ),
        (
            *("a.xlsb", _xlsb, "xl/y.bin", ["crow", "oak"]),
            "Incomplete. Page 1: Damaged styles were skipped",
        ),
        (
            *("a.odt", _odt_with_a_chart, "Object 1/content.xml", ["Crows", "Owls"]),
            "A damaged chart or drawing was skipped",
        ),
        (
            *("a.odt", _odt_with_a_chart, "styles.xml", ["Crows", "Owls", "Eggs"]),
            "Damaged styles were skipped",
        ),
        (
            *("a.epub", _epub, "c2.xhtml", ["Crow 399 of 1"]),
            "Incomplete. Page 2: Missing from the file",
        ),
    ],
)
def test_the_rest_of_a_package_without_a_part_is_read(
    tmp_path: Path, name: str, make: Callable[[], bytes], part: str, there: list[str], gap: str
) -> None:
    path = tmp_path / name
    whole = make()
    path.write_bytes(whole)
    assert _read(path)[1] == ""
    path.write_bytes(_without(whole, part))
    text, gaps = _read(path)
    assert [phrase for phrase in there if phrase not in text] == []
    assert gaps == gap


@pytest.mark.parametrize(
    ("name", "make", "parts"),
    [
        ("a.pptx", _pptx, [f"ppt/slides/slide{number}.xml" for number in (1, 2, 3)]),
        ("a.pptx", _pptx, ["ppt/_rels/presentation.xml.rels"]),
        ("a.xlsx", _xlsx, [f"xl/worksheets/sheet{number}.xml" for number in (1, 2)]),
        ("a.xlsx", _xlsx, ["xl/_rels/workbook.xml.rels"]),
        ("a.xlsb", _xlsb, ["xl/s1.bin", "xl/s2.bin"]),
        ("a.odt", lambda: _with(_odt(), "mimetype", _is_text), ["content.xml"]),
        ("a.epub", _epub, ["c1.xhtml", "c2.xhtml"]),
    ],
)
def test_a_package_of_which_all_is_missing_has_the_reason(
    tmp_path: Path, name: str, make: Callable[[], bytes], parts: list[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(_without(make(), *parts))
    with pytest.raises(DocumentError, match=r"^Damaged: a part is missing$"):
        _read(path)


def test_strings_that_no_cell_names_are_not_missed(tmp_path: Path) -> None:
    """Some programs list a part that they do not write."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet("Nests").write_number(0, 0, 1999)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    link = f'<Relationship Id="s" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'

    def with_link(links: bytes) -> bytes:
        return links.replace(b"</Relationships>", link.encode())

    path = tmp_path / "a.xlsx"
    path.write_bytes(_with(out.getvalue(), "xl/_rels/workbook.xml.rels", with_link))
    assert _read(path) == ("Nests\n\n1999", "")


@pytest.mark.parametrize(
    ("name", "make", "part", "there", "gap"),
    [
        (*("a.docx", _docx, "word/document.xml"), "Crow 7 is", "Some damaged text was skipped"),
        (
            *("a.xlsx", _xlsx, "xl/worksheets/sheet2.xml"),
            "Eggs 7",
            "Page 2: Some damaged text was skipped",
        ),
        (*("a.odt", _odt, "content.xml"), "Crow 7 is", "Some damaged text was skipped"),
        (*("a.epub", _epub, "c2.xhtml"), "Crow 7 of 2", "Page 2: Some damaged text was skipped"),
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
    with pytest.raises(DocumentError, match=r"^Damaged: a part is not well-formed$"):
        _read(path)


def test_a_package_that_lacks_bytes_at_its_beginning_has_the_reason(tmp_path: Path) -> None:
    data = _odt()
    path = tmp_path / "a.odt"
    path.write_bytes(data[:2] + data[62:])
    with pytest.raises(DocumentError, match=r"^Damaged: a part cannot be unpacked$"):
        _read(path)


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def _with(data: bytes, part: str, damage: Callable[[bytes], bytes]) -> bytes:
    parts = _parts(data)
    return packed({**parts, part: damage(parts.get(part, b""))})


def _without(data: bytes, *lost: str) -> bytes:
    parts = _parts(data)
    assert set(lost) <= set(parts)
    return packed({name: content for name, content in parts.items() if name not in lost})


def _read(path: Path) -> tuple[str, str]:
    kind = format_of(path)
    assert kind is not None
    document = load_function(kind.reader)(path)
    return "\n\n".join(page.text for page in document.pages), gaps_of(document)
