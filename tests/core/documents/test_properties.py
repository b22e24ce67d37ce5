from __future__ import annotations

import pytest

from core.documents.metadata import Properties, properties


def test_what_people_wrote_is_kept() -> None:
    said = properties(" A Theory ", ["Ann  Rook", None, "Bob Crow", "Ann Rook"], ["", "2024-06-30"])
    assert said == Properties("A Theory", "Ann Rook; Bob Crow", "2024-06-30")


@pytest.mark.parametrize(
    "name",
    ["", "Administrator", "user", "Microsoft Office User", "Windows User", "python-docx", "Unknown",
     "openpyxl", "None", "Apache POI", "LibreOffice 7.2",
     "https://example.org/people/ann", "ARRAY(0x2c7cf020)", "[object Object]"],
)  # fmt: skip
def test_what_programs_write_is_no_author(name: str) -> None:
    assert properties(None, [name], []).author == ""


@pytest.mark.parametrize(
    "name", ["Homer", "Paul Office", "Axel Dörfler", "罗贯中", "User Group Ulm"]
)
def test_what_people_are_called_is_an_author(name: str) -> None:
    assert properties(None, [name], []).author == name


@pytest.mark.parametrize(
    "date", ["1601-01-01T00:00:00Z", "1970-01-01", "2013-12-23T23:15:00Z", "0000-00-00", "soon"]
)
def test_what_stands_where_no_date_is_known_is_none(date: str) -> None:
    assert properties(None, [], [date]).date == ""
    assert properties(None, [], [date, "2024-06-30"]).date == "2024-06-30"


def test_a_long_list_of_authors_is_shortened() -> None:
    authors = [f"Author Number {number} of Many" for number in range(100)]
    assert len(properties(None, authors, []).author) <= 300
