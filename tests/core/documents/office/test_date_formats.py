from __future__ import annotations

import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from core.documents.office import excel
from core.documents.office.date_formats import shown_date
from core.documents.office.sheets import format_number
from tests.core.documents.mutations import packed

_DAY = date(2025, 9, 4)


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        *(("d.m.yyyy", "4.9.2025"), ("DD/MM/YY", "04/09/25"), ("m/d/yyyy", "9/4/2025")),
        *(("d-m-yyyy", "4-9-2025"), ("dd\\.mm\\.yyyy;@", "04.09.2025"), ("yyyy/m/d", "2025/9/4")),
        ('yyyy"年"m"月"d"日"', "2025年9月4日"),
        ("[$-40C]d mmmm yyyy", "4 septembre 2025"),
        ("[$-F400][$-0407]dddd, dd. mmm yyyy", "04. Sep 2025"),
        *(('yyyy/mm/dd"T"hh:mm:ss', "2025/09/04"), ('d.m.yyyy "um" h:mm', "4.9.2025")),
        ("[$-40C]d mmm yyyy", "4 sept 2025"),
        *(("dd.mm.yyyy hh:mm", "04.09.2025"), ("mmm-yy", ""), ("d mmmm yyyy", ""), ("0.00", "")),
    ],
)
def test_a_date_as_its_format_shows_it(code: str, shown: str) -> None:
    assert shown_date(_DAY, code) == shown


def test_short_months_in_french_differ() -> None:
    months = [shown_date(date(2025, month, 1), "[$-40C]mmm d yyyy") for month in range(1, 13)]
    assert len(set(months)) == 12


def test_cells_have_both_forms(tmp_path: Path) -> None:
    workbook = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = workbook.add_worksheet("Miete")
    for column, code in enumerate(("dd.mm.yyyy", "yyyy-mm-dd", "d/m/yy hh:mm")):
        moment = datetime(2026, 3, 15, 9, 30)  # noqa: DTZ001 - cells know no time zones
        sheet.write_datetime(0, column, moment, workbook.add_format({"num_format": code}))
    workbook.close()
    assert excel.read(tmp_path / "a.xlsx").pages[0].text == (
        "Miete\n\n2026-03-15 (15.03.2026) | 2026-03-15 | 2026-03-15 09:30 (15/3/26)"
    )


@given(st.text(alphabet=st.sampled_from('dmyhs./- ;[]$"\\,40@_*')), st.floats(0, 60_000))
def test_any_format_is_read(code: str, value: float) -> None:
    assert isinstance(format_number(value, code), str)


@pytest.mark.parametrize(
    ("sheets", "shown"),
    [
        ("Arbeitsblätter", "2026-03-15 (15.03.2026)"),
        ("Hojas de cálculo", "2026-03-15 (15/03/2026)"),
        ("工作表", "2026-03-15 (2026/3/15)"),
        ("Worksheets", "2026-03-15"),
    ],
)
def test_the_date_of_the_system_is_that_of_the_program(
    tmp_path: Path, sheets: str, shown: str
) -> None:
    path = tmp_path / "a.xlsx"
    workbook = xlsxwriter.Workbook(str(path))
    style = workbook.add_format({"num_format": 14})
    workbook.add_worksheet("S").write_number(0, 0, 46096, style)
    workbook.close()
    with zipfile.ZipFile(path) as package:
        members = {name: package.read(name) for name in package.namelist()}
    members["docProps/app.xml"] = members["docProps/app.xml"].replace(
        b"Worksheets", sheets.encode()
    )
    path.write_bytes(packed(members))
    assert excel.read(path).pages[0].text == f"S\n\n{shown}"
