from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document, pack_rows, unpack_rows
from core.documents.office import excel
from core.errors import DocumentError
from tests.core.documents.mutations import package_mutations, packed, read_all
from tests.core.documents.office.records import wide, xlsb

_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_ROW, _RK, _ERROR, _BOOL, _REAL, _TEXT, _SHARED = 0, 2, 3, 4, 5, 6, 7
_FORMULA_TEXT, _FORMULA_REAL, _FORMULA_BOOL, _FORMULA_ERROR = 8, 9, 10, 11


def _links(*targets: tuple[str, str]) -> str:
    entries = "".join(
        f'<Relationship Id="r{number}" Type="{_R}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_RELATIONS}">{entries}</Relationships>'


def _cell(kind: int, column: int, contents: bytes, style: int = 0) -> bytes:
    return xlsb(kind, struct.pack("<II", column, style) + contents)


def _sheet(state: int, link: str, name: str) -> bytes:
    return xlsb(156, struct.pack("<II", state, 1) + wide(link) + wide(name))


def _workbook(sheet: bytes, *, flags: int = 0) -> bytes:
    styles = (
        xlsb(44, struct.pack("<H", 164) + wide("0.0%"))
        + xlsb(47, struct.pack("<HH12x", 0, 9))  # of named styles, which cells do not name
        + xlsb(617, struct.pack("<I", 3))
        + b"".join(xlsb(47, struct.pack("<HH12x", 0, number)) for number in (0, 164, 14))
        + xlsb(618)
    )
    comments = "comments.bin"
    return packed(
        {
            "_rels/.rels": _links(("officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": xlsb(153, struct.pack("<I4x", flags))
            + _sheet(0, "r0", "Nests")
            + _sheet(2, "r0", "Deep"),
            "xl/_rels/workbook.bin.rels": _links(
                ("worksheet", "s.bin"), ("sharedStrings", "t.bin"), ("styles", "y.bin")
            ),
            "xl/s.bin": sheet,
            "xl/_rels/s.bin.rels": _links(("comments", comments)),
            "xl/t.bin": xlsb(19, b"\0" + wide("oak")) + xlsb(19, b"\0" + wide("дуб")),
            "xl/y.bin": styles,
            f"xl/{comments}": xlsb(637, b"\1" + wide("Says who?")),
        }
    )


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Document]:
    def read_cells(sheet: bytes, **options: int) -> Document:
        path = tmp_path / "costs.xlsb"
        path.write_bytes(_workbook(sheet, **options))
        return excel.read(path)

    return read_cells


def test_a_sheet_is_a_page_of_rows_and_comments(read) -> None:
    sheet = (
        xlsb(_ROW, struct.pack("<I", 0))
        + _cell(_SHARED, 1, struct.pack("<I", 1))
        + _cell(_REAL, 3, struct.pack("<d", 0.125), style=1)
        + xlsb(_ROW, struct.pack("<I", 1_048_575))
        + _cell(_REAL, 16_383, struct.pack("<d", 45473), style=2)
    )
    (page,) = read(sheet).pages
    assert page.text == "Nests\n\nдуб |  | 12.5%\n2024-06-30\n\nSays who?"
    assert [heading.text for heading in page.headings] == ["Nests"]


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (_cell(_RK, 0, struct.pack("<i", 7 << 2 | 2)), "7"),
        (_cell(_ERROR, 0, b"\x17"), "#REF!"),
        (_cell(_BOOL, 0, b"\1"), "TRUE"),
        (_cell(_TEXT, 0, wide("text")), "text"),
        (_cell(_SHARED, 0, struct.pack("<I", 99)), ""),
        (_cell(62, 0, b"\0" + wide("rich")), "rich"),
        (_cell(_FORMULA_TEXT, 0, wide("sum") + bytes(9)), "sum"),
        (_cell(_FORMULA_REAL, 0, struct.pack("<d", 2.5) + bytes(9)), "2.5"),
        (_cell(_FORMULA_BOOL, 0, b"\0" + bytes(9)), "FALSE"),
        (_cell(_FORMULA_ERROR, 0, b"\x2a" + bytes(9)), "#N/A"),
        (_cell(_REAL, 0, struct.pack("<d", 5), style=99), "5"),
        (xlsb(500, bytes(300)) + _cell(_TEXT, 0, wide("after a long one")), "after a long one"),
    ],
)
def test_each_kind_of_cell_is_shown(read, record: bytes, text: str) -> None:
    page = read(xlsb(_ROW, bytes(4)) + record).pages[0]
    assert page.text.removeprefix("Nests").removesuffix("Says who?").strip() == text


def test_a_column_of_an_impossible_number_can_be_shown(read) -> None:
    """A damaged file may number them as it likes."""
    (page, *_) = read(
        xlsb(_ROW, struct.pack("<I", 2**32 - 1)) + _cell(_REAL, 2**32 - 1, bytes(8))
    ).pages
    assert page.rows[0].cells[0][0] == 2**31 - 1
    assert page.rows[0].number == 2**31 - 1
    assert unpack_rows(pack_rows(page.rows), len(page.text)).row_at(0) == 0


def test_days_are_counted_from_1904_where_the_workbook_does(read) -> None:
    sheet = _cell(_REAL, 0, struct.pack("<d", 44011), style=2)
    assert read(sheet, flags=1).pages[0].text.startswith("Nests\n\n2024-06-30")


def test_a_record_that_ends_too_early_is_damage(read) -> None:
    with pytest.raises(DocumentError, match=r"^Damaged: a part cannot be read$"):
        read(_cell(_REAL, 0, b"\0"))


def test_damage_of_any_kind_has_a_reason(tmp_path: Path) -> None:
    sheet = b"".join(
        xlsb(_ROW, struct.pack("<I", row))
        + _cell(_SHARED, 0, struct.pack("<I", row % 2))
        + _cell(_REAL, 1, struct.pack("<d", row / 7), style=1)
        + _cell(_FORMULA_TEXT, 2, wide("sum"))
        for row in range(20)
    )
    path = tmp_path / "damaged.xlsb"
    count, reasons = read_all(excel.read, path, package_mutations(_workbook(sheet)))
    assert count
    assert reasons
