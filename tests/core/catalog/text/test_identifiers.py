"""Names in code, and the words that they are made of."""

from __future__ import annotations

import pytest

from core.catalog.text.identifiers import name_forms


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("parseXMLFile", {"parse", "xml", "file", "parsexml", "xmlfile"}),
        ("utf8", {"utf"}),
        ("user_name", {"username"}),
        ("a plain sentence, 2024, and 5 kg", set()),
        ("deadbeef01ab23cd45ef67ab89cd01ef", set()),
        ("x" * 50 + "Y", set()),
        ("größeABC", set()),
    ],
)
def test_forms_of_names(text: str, forms: set[str]) -> None:
    assert {form for form, _ in name_forms(text)} == forms


def test_each_form_stands_for_words_of_the_index() -> None:
    assert dict(name_forms("my_HttpRequest")) == {
        "http": "httprequest",
        "request": "httprequest",
        "myhttprequest": "my httprequest",
    }
