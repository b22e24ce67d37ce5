"""Document metadata as a BibTeX entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.responses import DocumentHit
from core.search.output.export import authors_of, bibtex, doi_in


def document(title: str, author: str = "", date: str = "") -> DocumentHit:
    return DocumentHit(1, Path("/docs/owls.pdf"), True, (), title=title, author=author, date=date)


def test_an_entry_contains_the_known_fields() -> None:
    hit = document("On the Owls & mice\nof 100 %", "Müller, Jürgen; Rat, Bo", "2024-06-30")
    assert bibtex(hit, "10.1000/ab_c") == (
        "@misc{muller2024owls,\n"
        "  title = {On the Owls \\& mice of 100 \\%},\n"
        "  author = {Müller, Jürgen and Rat, Bo},\n"
        "  year = {2024},\n"
        "  doi = {10.1000/ab_c},\n"
        "  url = {https://doi.org/10.1000/ab_c},\n"
        "}\n"
    )


def test_unknown_fields_are_left_out() -> None:
    assert bibtex(document(""), "") == "@misc{owls,\n  title = {owls},\n}\n"
    assert bibtex(document("東京"), "").startswith("@misc{document,\n  title = {東京},")


def test_unsafe_characters_are_removed() -> None:
    entry = bibtex(document("On \x1b[31m\u202eowls", "A.\nMouse"), "")
    assert "\x1b" not in entry
    assert "\u202e" not in entry
    assert "author = {A. Mouse}" in entry


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("DOI: 10.1000/182, p. 7", "10.1000/182"),
        ("https://doi.org/10.48550/arXiv.2211.01267v2", "10.48550/arXiv.2211.01267v2"),
        ("<10.1002/(SICI)1097-4571(199806)49:8>", "10.1002/(SICI)1097-4571(199806)49:8"),
        ("version 110.1000/182 and 10.1/2", ""),
    ],
)
def test_a_doi_is_extracted_from_a_text(text: str, doi: str) -> None:
    assert doi_in(text) == doi


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=12))
def test_braces_are_closed_whatever_a_document_contains(title: str, author: str, date: str) -> None:
    entry = bibtex(document(title, author, date), "")
    bare = entry.replace("\\{", "").replace("\\}", "")
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert authors_of(author) == [name for name in authors_of(author) if name.strip()]
