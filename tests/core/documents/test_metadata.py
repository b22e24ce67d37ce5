"""Titles, authors and dates in metadata: which are real, and how they are normalised."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.metadata import Properties, iso_date, properties


def test_user_written_metadata_is_preserved() -> None:
    parsed = properties(
        " A Theory ", ["Ann  Rook", None, "Bob Crow", "Ann Rook"], ["", "2024-06-30"]
    )
    assert parsed == Properties("A Theory", "Ann Rook; Bob Crow", "2024-06-30")


@pytest.mark.parametrize(
    "name",
    ["", "Administrator", "user", "Microsoft Office User", "Windows User", "python-docx", "Unknown",
     "openpyxl", "None", "Apache POI", "LibreOffice 7.2",
     "https://example.org/people/ann", "ARRAY(0x2c7cf020)", "[object Object]"],
)  # fmt: skip
def test_names_of_programs_are_no_authors(name: str) -> None:
    assert properties(None, [name], []).author == ""


@pytest.mark.parametrize(
    "name", ["Homer", "Paul Office", "Axel Dörfler", "罗贯中", "User Group Ulm"]
)
def test_names_of_people_are_authors(name: str) -> None:
    assert properties(None, [name], []).author == name


@pytest.mark.parametrize(
    "date", ["1601-01-01T00:00:00Z", "1970-01-01", "2013-12-23T23:15:00Z", "0000-00-00", "soon"]
)
def test_a_placeholder_for_an_unknown_date_is_none(date: str) -> None:
    assert properties(None, [], [date]).date == ""
    assert properties(None, [], [date, "2024-06-30"]).date == "2024-06-30"


def test_a_long_list_of_authors_is_shortened() -> None:
    authors = [f"Author Number {number} of Many" for number in range(100)]
    assert len(properties(None, authors, []).author) <= 300


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
def test_an_invalid_day_is_none(raw: str | None) -> None:
    assert iso_date(raw) == ""


@given(st.text(alphabet="0123456789 :+-TZDJunSat,./'") | st.text())
def test_no_words_make_it_fail(raw: str) -> None:
    found = iso_date(raw)
    assert not found or datetime.fromisoformat(found)
