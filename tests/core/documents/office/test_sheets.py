from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.office.sheets import BUILT_IN, format_number, format_plain


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        # As they are
        (89.0, "General", "89"), (0.1 + 0.2, "General", "0.3"), (1e20, "General", "1E+20"),
        (-0.5, "GENERAL", "-0.5"), (5.0, "@", "5"), (123456789012.0, "General", "123456789012"),
        # Digits
        (1 / 3, "0.00", "0.33"), (1234.5, "#,##0.00", "1,234.50"), (42, "00000", "00042"),
        (2.5, "0.##", "2.5"), (2, "0.##", "2"), (2, "0.0#", "2.0"), (1234567, "0.0,,", "1.2"),
        (12345.678, "0.00E+00", "1.23E+04"), (0.25, "0%", "25%"), (0.1234, "0.0%", "12.3%"),
        (0, "#", ""), (0, "0", "0"), (-7, "0", "-7"), (0.5, "# ?/?", "0.5"),
        (5551234, "000-0000", "5551234"),
        # Text around them
        (1234.5, '#,##0.00 "EUR"', "1,234.50 EUR"), (12, "[$€-407] #,##0.00", "€ 12.00"),
        (12, '_-* #,##0.00\\ "€"_-', "12.00 €"), (3, r"\Q0", "Q3"), (9, "$#,##0", "$9"),
        (3.14, "[Red]0.0", "3.1"), (5, '0 "days', "5 days"),
        (2.5, "0.0 g", "2.5 g"),
        # Sections
        (-3, "0;(0)", "(3)"), (3, "0;(0)", "3"), (0, '0;-0;"none"', "none"), (0, "0;-0", "0"),
        (5, ";;;", ""), (0, '#,##0_);(#,##0);"-"??', "-"), (-2, '"up";"down"', "down"),
        # Dates and times
        (45473, "dd/mm/yyyy", "2024-06-30 (30/06/2024)"),
        (45473.5, "d mmm yyyy h:mm", "2024-06-30 12:00"),
        (45473, "[$-409]mmmm d, yyyy;@", "2024-06-30 (June 30, 2024)"),
        (0.75, "h:mm AM/PM", "18:00"),
        (0.75, "hh:mm:ss", "18:00:00"), (45473, "mmm-yy", "2024-06-30"),
        (1.75, "[h]:mm", "42:00"), (-0.5, "[h]:mm", "-12:00"), (1 / 24, "[mm]:ss", "60:00"),
        (125 / 86400, "mm:ss", "02:05"), (0.999999999, "h:mm", "00:00"),
        (1, "yyyy-mm-dd", "1900-01-01"), (61, "yyyy-mm-dd", "1900-03-01"),
        (-1, "yyyy", "-1"), (1e9, "yyyy", "1000000000"),
        (1e308, "[h]", "1E+308"),
    ],
)  # fmt: skip
def test_a_number_is_shown_as_a_person_reads_it(value: float, code: str, text: str) -> None:
    assert format_number(value, code) == text


def test_days_are_counted_from_1904_where_the_workbook_does() -> None:
    assert format_number(0, "yyyy-mm-dd", is_1904=True) == "1904-01-01"
    assert format_number(44011, "yyyy-mm-dd", is_1904=True) == format_number(45473, "yyyy-mm-dd")


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "45474"), (10, "4547350.00%"), (14, "2024-06-30"), (20, "12:00"), (22, "2024-06-30 12:00"),
     (44, "45,473.50"), (46, "1091364:00:00"), (49, "45473.5")],
)  # fmt: skip
def test_formats_that_have_a_number_for_a_name_are_known(number: int, text: str) -> None:
    assert format_number(45473.5, BUILT_IN[number]) == text


def test_a_format_without_end_is_no_format() -> None:
    assert format_number(5, "0." + "0" * 100_000) == "5"


_CODES = st.text(alphabet=st.sampled_from('0#?.,%;"\\_*[]$-hmsydgeEAP/@ €abGeneral'), max_size=40)


@given(st.floats(), _CODES, st.booleans())
def test_any_number_under_any_format_is_some_text(value: float, code: str, is_1904: bool) -> None:
    text = format_number(value, code, is_1904=is_1904)
    assert text == text.strip()
    assert len(text) < 1000


@given(st.floats(-1e300, 1e300))
def test_a_plain_number_keeps_its_value(value: float) -> None:
    assert math.isclose(float(format_plain(value)), value, rel_tol=1e-14)
