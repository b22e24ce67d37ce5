from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter

from core.documents import limits
from core.documents.document import Document, Heading, Page
from core.documents.limits import Limits
from core.documents.office import excel
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, package_mutations, packed, read_all
from tests.core.documents.office.compound_files import compound_bytes

_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write_workbook(build: Callable[..., object], **options: object) -> Path:
        path = tmp_path / "costs.xlsx"
        with xlsxwriter.Workbook(path, options) as book:
            build(book)
        return path

    return write_workbook


@pytest.fixture
def read_sheet(tmp_path: Path) -> Callable[..., Document]:
    """Read a workbook of one sheet, whose rows, strings and styles are given as XML."""

    def read(rows: str, strings: str = "", styles: str = "", book: str = "") -> Document:
        def links(*targets: tuple[str, str]) -> str:
            entries = "".join(
                f'<Relationship Id="{kind}" Type="{_R}/{kind}" Target="{target}"/>'
                for kind, target in targets
            )
            return f'<Relationships xmlns="{_RELATIONS}">{entries}</Relationships>'

        parts = {
            "_rels/.rels": links(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}">{book}<sheets>'
            '<sheet name="One" r:id="worksheet"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": links(
                ("worksheet", "sheet.xml"), ("sharedStrings", "/xl/s.xml"), ("styles", "y.xml")
            ),
            "xl/sheet.xml": f'<worksheet xmlns="{_S}"><sheetData>{rows}</sheetData></worksheet>',
            "xl/s.xml": f'<sst xmlns="{_S}">{strings}</sst>',
            "xl/y.xml": f'<styleSheet xmlns="{_S}">{styles}</styleSheet>',
        }
        path = tmp_path / "one.xlsx"
        path.write_bytes(packed(parts))
        return excel.read(path)

    return read


def test_each_sheet_is_a_page_with_its_name_as_heading(write) -> None:
    def build(book) -> None:
        book.set_properties(
            {
                "title": "Costs 2024",
                "author": "Ann Rook",
                "created": datetime(2024, 6, 30, tzinfo=UTC),
            }
        )
        sheet = book.add_worksheet("Nests")
        sheet.write_row(1, 1, ["tree", "eggs", "since"])
        day = book.add_format({"num_format": "dd.mm.yyyy"})
        sheet.write_row(2, 1, ["oak", 4])
        sheet.write_datetime(2, 3, datetime(2024, 6, 30), day)  # noqa: DTZ001 - cells have no zones
        sheet.write_row(5, 1, ["birch", 3.25])
        book.add_worksheet("Empty")
        book.add_worksheet("More").write_column(0, 0, [True, "=1/0", "x"])

    document = excel.read(write(build))
    assert (document.title, document.author) == ("Costs 2024", "Ann Rook")
    assert document.date == "2024-06-30T00:00:00+00:00"
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "Nests\n\ntree | eggs | since\noak | 4 | 2024-06-30 (30.06.2024)\nbirch | 3.25"),
        (2, "Empty"),
        (3, "More\n\nTRUE\n0\nx"),
    ]
    assert document.pages[0].headings == (Heading(0, 1, "Nests"),)


def test_a_gap_in_a_row_is_one_empty_cell(write) -> None:
    def build(book) -> None:
        sheet = book.add_worksheet("S")
        sheet.write(0, 0, "a")
        sheet.write(0, 2, "b")
        sheet.write(0, 9000, "c")
        # A stray cell in the last row and column does not create a table of 17 billion cells.
        sheet.write(1_048_575, 16_383, "z")

    assert excel.read(write(build)).pages[0].text == "S\n\na |  | b |  | c\nz"


def test_content_over_the_cells_is_read_after_them(write) -> None:
    def build(book) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_row(0, 0, ["a", 1])
        sheet.write_comment(0, 0, "Says who?", {"author": "Ann"})
        sheet.insert_textbox(3, 3, "a box", {"description": "Where a box is"})
        chart = book.add_chart({"type": "column"})
        chart.add_series({"name": "Nests", "categories": "=S!$A$1", "values": "=S!$B$1"})
        chart.set_title({"name": "Where they nest"})
        sheet.insert_chart(5, 5, chart)
        other = book.add_chart({"type": "bar"})
        other.add_series({"values": "=S!$B$1"})
        other.set_title({"name": "On a sheet of its own"})
        book.add_chartsheet("Chart").set_chart(other)

    first, second = excel.read(write(build)).pages
    assert (
        first.text
        == "S\n\na | 1\n\na box\n\nWhere a box is\n\nWhere they nest\nNests\na | 1\n\nSays who?"
    )
    assert second.text == "Chart\n\nOn a sheet of its own\n1"


def test_hidden_sheets_are_read_but_not_those_only_programs_see(write) -> None:
    def build(book) -> None:
        book.add_worksheet("Shown").write(0, 0, "a")
        for name, hide in (("Hidden", "hide"), ("Deep", "very_hidden")):
            sheet = book.add_worksheet(name)
            sheet.write(0, 0, name)
            getattr(sheet, hide)()

    assert [page.text for page in excel.read(write(build)).pages] == [
        "Shown\n\na",
        "Hidden\n\nHidden",
    ]


def test_days_are_counted_from_1904_where_the_workbook_does(write) -> None:
    def build(book) -> None:
        day = book.add_format({"num_format": "d/m/yy"})
        book.add_worksheet("S").write_datetime(0, 0, datetime(2024, 6, 30), day)  # noqa: DTZ001

    assert excel.read(write(build, date_1904=True)).pages[0].text == "S\n\n2024-06-30 (30/6/24)"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('<c t="s"><v>1</v></c>', "rich text"),
        ('<c t="s"/>', ""),
        ('<c t="s"><v>²</v></c>', ""),
        (f'<c t="s"><v>{"9" * 5000}</v></c>', ""),
        ('<c t="inlineStr"><is><t>in</t><rPh><t>x</t></rPh><r><t>line</t></r></is></c>', "inline"),
        ('<c t="str"><v>a_x000D_b</v></c>', "a b"),
        ('<c t="b"><v>0</v></c>', "FALSE"),
        ('<c t="e"><v>#N/A</v></c>', "#N/A"),
        ('<c t="d"><v>2024-06-30T00:00:00</v></c>', "2024-06-30"),
        ('<c t="d"><v>2024-06-30T12:05:00</v></c>', "2024-06-30 12:05:00"),
        ("<c><v>1e999</v></c>", "1e999"),
        ("<c><v>odd</v></c>", "odd"),
        ('<c s="1"><v>0.5</v></c>', "50.0%"),
        ('<c s="2"><v>45473</v></c>', "2024-06-30"),
        ('<c s="77"><v>45473</v></c>', "45473"),
        ("<c/>", ""),
    ],
)
def test_each_kind_of_cell_is_shown(read_sheet, cell: str, text: str) -> None:
    strings = (
        "<si><t>plain</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>x</t></rPh></si>"
    )
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>'
    )
    document = read_sheet(f"<row>{cell}</row>", strings, styles)
    assert document.pages[0].text.removeprefix("One").strip() == text


def test_a_little_file_cannot_unfold_to_text_without_end(
    read_sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEFAULT", Limits(characters=100_000))
    string = f"<si><t>{'x' * 5_000}</t></si>"
    cell = '<c t="s"><v>0</v></c>'
    for rows in (f"<row>{cell}</row>" * 30, f"<row>{cell * 30}</row>"):
        with pytest.raises(DocumentError, match=r"^More than 0\.1 million characters of text$"):
            read_sheet(rows, string)


def test_the_strict_variant_is_read_like_the_usual_one(write) -> None:
    def build(book) -> None:
        book.add_worksheet("S").write_row(0, 0, ["a", 1, 2.5])

    path = write(build)
    before = excel.read(path)
    with zipfile.ZipFile(path) as package:
        strict = {
            name: package.read(name)
            .replace(_S.encode(), b"http://purl.oclc.org/ooxml/spreadsheetml/main")
            .replace(_R.encode(), b"http://purl.oclc.org/ooxml/officeDocument/relationships")
            for name in package.namelist()
        }
    path.write_bytes(packed(strict))
    assert excel.read(path) == before
    assert before.pages[0].text == "S\n\na | 1 | 2.5"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (b"hello", r"^Damaged: not a \.xlsx file$"),
        (b"\x09\x04\x06\x00\x00\x00\x10\x00", "^Unsupported Excel version"),
        (compound_bytes({"EncryptedPackage": b"x"}), "^Password required$"),
        (compound_bytes({"Notes": b"x"}), r"^Damaged, or not a \.xlsx file despite"),
        (packed({"a": "b"}), "^Damaged: a part is missing$"),
    ],
)
def test_an_invalid_workbook_is_called_by_its_kind(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        excel.read(path)


def test_a_table_of_a_web_page_under_excel_s_name_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.xls"
    path.write_text("<html><body><table><tr><td>oak</td><td>4</td></tr></table></body></html>")
    assert excel.read(path).pages[0].text == "oak | 4"


_EXPORT = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Title>Costs</Title>
<Author>Ann Rook</Author><Created>2024-06-30T12:05:00Z</Created></DocumentProperties>
<Worksheet ss:Name="Nests"><Table>
<Row><Cell><Data ss:Type="String">oak <B xmlns="x">tree</B></Data></Cell>
<Cell><Data ss:Type="Number">4.0</Data><Comment><Data>Says who?</Data></Comment></Cell>
<Cell ss:Index="5"><Data ss:Type="Boolean">1</Data></Cell></Row>
<Row><Cell><Data ss:Type="DateTime">2024-06-30T00:00:00.000</Data></Cell>
<Cell><Data ss:Type="DateTime">2024-06-30T12:05:00.000</Data></Cell><Cell/></Row>
</Table></Worksheet><Worksheet ss:Name="Empty"/></Workbook>"""


def test_exports_in_the_xml_of_2003_are_read(tmp_path: Path) -> None:
    path = tmp_path / "export.xls"
    path.write_text(_EXPORT)
    document = excel.read(path)
    assert document == Document(
        "Costs",
        (
            Page(
                1,
                "Nests\n\noak tree | 4 |  | TRUE\n2024-06-30 | 2024-06-30 12:05:00\n\nSays who?",
                (Heading(0, 1, "Nests"),),
            ),
            Page(2, "Empty", (Heading(0, 1, "Empty"),)),
        ),
        "Ann Rook",
        "2024-06-30T12:05:00+00:00",
    )
    count, reasons = read_all(excel.read, path, mutations(_EXPORT.encode()))
    assert count
    assert reasons


def test_damage_of_any_kind_has_a_reason(write, tmp_path: Path) -> None:
    def build(book) -> None:
        sheet = book.add_worksheet("S")
        percent = book.add_format({"num_format": '0.0%;[Red]"x"'})
        for row in range(5):
            sheet.write_row(row, 0, ["oak", row])
            sheet.write_number(row, 2, row / 3, percent)
        sheet.write_comment(0, 0, "Says who?")
        sheet.insert_textbox(3, 3, "a box")

    data = write(build).read_bytes()
    count, reasons = read_all(excel.read, tmp_path / "damaged.xlsx", package_mutations(data))
    assert count
    assert reasons
