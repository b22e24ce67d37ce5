from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.documents.document import Document, Heading
from core.documents.office import excel
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, read_all
from tests.core.documents.office.compound_files import compound_bytes, summary_stream
from tests.core.documents.office.records import biff, cell, text, workbook

_NUMBER, _RK, _MULRK, _LABELSST, _LABEL, _BOOLERR = 0x203, 0x27E, 0xBD, 0xFD, 0x204, 0x205
_FORMULA, _STRING, _CONTINUE = 0x06, 0x207, 0x3C
_DOUBLE = struct.Struct("<d")


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Document]:
    def read_stream(stream: bytes, name: str = "Workbook") -> Document:
        path = tmp_path / "costs.xls"
        path.write_bytes(compound_bytes({name: stream}))
        return excel.read(path)

    return read_stream


def _styles(*codes: str) -> bytes:
    formats = b"".join(
        biff(0x041E, struct.pack("<H", 164 + number) + text(code))
        for number, code in enumerate(codes)
    )
    numbers = [0, *(164 + number for number in range(len(codes)))]
    return formats + b"".join(biff(0xE0, struct.pack("<HH16x", 0, number)) for number in numbers)


def _strings(*strings: bytes, continued: Sequence[bytes] = ()) -> bytes:
    contents = struct.pack("<II", len(strings), len(strings)) + b"".join(strings)
    return biff(0xFC, contents) + b"".join(biff(_CONTINUE, more) for more in continued)


def _rk(value: int, *, is_percent: bool = False) -> bytes:
    return struct.pack("<i", value << 2 | 2 | is_percent)


def test_each_sheet_is_a_page_with_its_name_as_heading(tmp_path: Path) -> None:
    before = _styles("dd.mm.yyyy", "0.0%") + _strings(text("oak"), text("дуб", wide=True))
    nests = (
        cell(_LABELSST, 0, 0, struct.pack("<I", 0))
        + cell(_LABELSST, 0, 1, struct.pack("<I", 1))
        + cell(_NUMBER, 1, 1, _DOUBLE.pack(45473), style=1)
        + cell(_NUMBER, 1, 2, _DOUBLE.pack(0.125), style=2)
        # The rows need not be in order.
        + cell(_RK, 4, 0, _rk(-7))
        + cell(_RK, 3, 0, _rk(1234, is_percent=True))
    )
    stream = workbook([("Nests", nests), ("Empty", b""), ("Вороны", nests[:14])], before=before)
    path = tmp_path / "costs.xls"
    summary = summary_stream("Costs 2003", "Ann Rook")
    path.write_bytes(compound_bytes({"Workbook": stream, "\x05SummaryInformation": summary}))
    document = excel.read(path)
    assert (document.title, document.author) == ("Costs 2003", "Ann Rook")
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "Nests\n\noak | дуб\n2024-06-30 (30.06.2024) | 12.5%\n12.34\n-7"),
        (2, "Empty"),
        (3, "Вороны\n\noak"),
    ]
    assert document.pages[0].headings == (Heading(0, 1, "Nests"),)


@pytest.mark.parametrize(
    ("records", "line"),
    [
        (cell(_LABEL, 0, 0, text("label")), "label"),
        (cell(_BOOLERR, 0, 0, b"\1\0"), "TRUE"),
        (cell(_BOOLERR, 0, 0, b"\0\0"), "FALSE"),
        (cell(_BOOLERR, 0, 0, b"\x2a\1"), "#N/A"),
        (cell(_FORMULA, 0, 0, _DOUBLE.pack(2.5) + bytes(8)), "2.5"),
        (cell(_FORMULA, 0, 0, b"\1\0\1\0\0\0\xff\xff"), "TRUE"),
        (cell(_FORMULA, 0, 0, b"\2\0\7\0\0\0\xff\xff"), "#DIV/0!"),
        (cell(_FORMULA, 0, 0, b"\0\0\0\0\0\0\xff\xff") + biff(_STRING, text("sum")), "sum"),
        (biff(_MULRK, struct.pack("<HHHiHiH", 0, 3, 0, 6, 0, 10, 4)), "1 | 2"),
        (cell(_RK, 0, 0, struct.pack("<I", 0x40040000)), "2.5"),
        (cell(_LABELSST, 0, 0, struct.pack("<I", 99)), ""),
        (cell(_NUMBER, 0, 0, _DOUBLE.pack(5), style=99), "5"),
    ],
)
def test_each_kind_of_cell_is_shown(read, records: bytes, line: str) -> None:
    assert read(workbook([("S", records)])).pages[0].text.removeprefix("S").strip() == line


def test_strings_go_on_over_several_records(read) -> None:
    # Split within the characters; the rest has another encoding.
    first = struct.pack("<HB", 8, 0) + b"crow"
    second = b"\1" + "нест".encode("utf-16-le") + text("next")
    # With formatting runs and phonetic readings.
    rich = struct.pack("<HBHI", 4, 0x0C, 1, 3) + b"rich" + bytes(4) + bytes(3) + text("last")
    before = _strings(first, continued=[second, rich])
    cells = b"".join(cell(_LABELSST, n, 0, struct.pack("<I", n)) for n in range(4))
    assert read(workbook([("S", cells)], before=before)).pages[0].text == (
        "S\n\ncrowнест\nnext\nrich\nlast"
    )


def test_workbooks_of_1995_are_read_in_their_code_page(read) -> None:
    label = cell(_LABEL, 0, 0, struct.pack("<H", 6) + "Вороны".encode("cp1251"))
    before = biff(0x42, struct.pack("<H", 1251))
    stream = workbook([("Гнёзда", label)], version=0x0500, before=before)
    assert read(stream, "Book").pages[0].text == "Гнёзда\n\nВороны"


def test_boxes_comments_and_charts_come_after_the_cells(read) -> None:
    box = biff(0x01B6, struct.pack("<10xHH4x", 5, 16)) + biff(_CONTINUE, b"\0a box")
    chart = (
        biff(0x0809, struct.pack("<HH12x", 0x0600, 0x20))
        + cell(_NUMBER, 0, 0, _DOUBLE.pack(99))
        + biff(0x100D, b"\0\0" + text("Where they nest", "<B"))
        + biff(0x0A)
    )
    records = box + chart + cell(_LABEL, 0, 0, text("oak"))
    stream = workbook([("S", records), ("C", chart[20:-4])], kinds=[(0, 0), (0, 2)])
    first, second = read(stream).pages
    assert first.text == "S\n\noak\n\na box\n\nWhere they nest"
    assert second.text == "C\n\nWhere they nest"


def test_sheets_that_only_programs_see_and_days_since_1904(read) -> None:
    day = cell(_NUMBER, 0, 0, _DOUBLE.pack(44011), style=1)
    before = _styles("d/m/yy") + biff(0x22, b"\1\0")
    sheets = [("Hidden", day), ("Deep", day)]
    stream = workbook(sheets, before=before, kinds=[(1, 0), (2, 0)])
    (page,) = read(stream).pages
    assert page.text == "Hidden\n\n2024-06-30 (30/6/24)"


def test_a_format_that_is_cut_short_loses_no_cells(read) -> None:
    before = biff(0x041E, struct.pack("<HH", 164, 50) + b"\0dd")
    stream = workbook([("S", cell(_NUMBER, 0, 0, _DOUBLE.pack(5)))], before=before)
    assert read(stream).pages[0].text == "S\n\n5"


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (workbook([("S", b"")], before=biff(0x2F, bytes(4))), "^Password required$"),
        (workbook([("S", cell(_NUMBER, 0, 0, b"\0"))]), "^Damaged: a part cannot be"),
        (workbook([], before=biff(0xFC, struct.pack("<IIH", 1, 1, 9))), "^Damaged: "),
    ],
)
def test_an_unreadable_file_has_a_reason(read, stream: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(stream)


def test_damage_of_any_kind_has_a_reason(tmp_path: Path) -> None:
    before = _styles("0.0%") + _strings(text("oak"), text("дуб", wide=True))
    cells = b"".join(
        cell(_LABELSST, row, 0, struct.pack("<I", row % 2))
        + cell(_NUMBER, row, 1, _DOUBLE.pack(row / 7), style=1)
        + cell(_FORMULA, row, 2, b"\0\0\0\0\0\0\xff\xff")
        + biff(_STRING, text("sum"))
        + biff(_MULRK, struct.pack("<HHHiHiH", row, 3, 0, 6, 0, 10, 4))
        for row in range(20)
    )
    stream = workbook([("S", cells), ("T", cells)], before=before)
    data = compound_bytes({"Workbook": stream, "\x05SummaryInformation": summary_stream("Costs")})
    count, reasons = read_all(excel.read, tmp_path / "damaged.xls", mutations(data))
    assert count
    # Most mutations hit the container, so the stream is damaged separately, too.
    more, other_reasons = read_all(
        excel.read,
        tmp_path / "damaged.xls",
        (compound_bytes({"Workbook": damaged[:50_000]}) for damaged in mutations(stream, seed=2)),
    )
    assert more
    assert reasons | other_reasons


@pytest.mark.parametrize(
    ("country", "shown"),
    [(49, " (30.06.2024)"), (1, " (6/30/2024)"), (81, " (2024/6/30)"), (999, "")],
)
def test_the_date_of_the_system_is_that_of_the_country(read, country: int, shown: str) -> None:
    styles = b"".join(biff(0xE0, struct.pack("<HH16x", 0, number)) for number in (0, 14))
    before = biff(0x8C, struct.pack("<HH", 1, country)) + styles
    day = cell(_NUMBER, 0, 0, _DOUBLE.pack(45473), style=1)
    assert read(workbook([("S", day)], before=before)).pages[0].text == f"S\n\n2024-06-30{shown}"
