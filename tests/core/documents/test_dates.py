from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.metadata import iso_date


@pytest.mark.parametrize(
    ("raw", "date"),
    [
        ("2024-06-30", "2024-06-30"),
        ("2024/6/3", "2024-06-03"),
        ("2024-06-30T10:20:30.123456Z", "2024-06-30T10:20:30+00:00"),
        ("2024-06-30 10:20 +0100", "2024-06-30T10:20:00+01:00"),
        ("[2024-06-30 Sun 10:20]", "2024-06-30T10:20:00"),
        ("$Date: 2024-06-30 $", "2024-06-30"),
        ("D:20240630", "2024-06-30"),
        ("D:20240630120500Z", "2024-06-30T12:05:00+00:00"),
        ("D:20240630120500-05'30'", "2024-06-30T12:05:00-05:30"),
        ("Sun, 30 Jun 2024 12:05:00 +0200", "2024-06-30T12:05:00+02:00"),
        ("30. Juni 2024", "2024-06-30"),
        ("June 30th, 2024", "2024-06-30"),
        ("30.6.2024", "2024-06-30"),
        ("2024-06-30T99:99", "2024-06-30"),
    ],
)
def test_dates_as_documents_write_them(raw: str, date: str) -> None:
    assert iso_date(raw) == date
    datetime.fromisoformat(date)


@pytest.mark.parametrize(
    "raw", [None, "", "2024", "today", "03/04/2024", "2024-13-40", "D:99999999", "31 Feb 2024"]
)
def test_what_names_no_day_is_none(raw: str | None) -> None:
    assert iso_date(raw) == ""


@given(st.text(alphabet="0123456789 :+-TZDJunSat,./'") | st.text())
def test_no_words_make_it_fail(raw: str) -> None:
    found = iso_date(raw)
    assert not found or datetime.fromisoformat(found)
