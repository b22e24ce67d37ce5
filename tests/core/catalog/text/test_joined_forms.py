"""Joined forms of words and numbers in parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.text.joined_forms import joined_forms, name_text, with_joined_forms


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("GB29 NWBK 6016 1331 9268 19", ["GB29NWBK60161331926819"]),
        ("FR76 3000 6000 0112 3456 7890 189.", ["FR7630006000011234567890189"]),
        ("Tél. 01 23 45 67 89", ["0123456789"]),
        ("+39 06 6982 (ufficio)", ["066982"]),
        ("0049 170 5551234", ["01705551234"]),
        ("+491705551234", ["01705551234"]),
        ("+351 213 880 000", ["213880000"]),
        ("(555) 123-4567", ["5551234567"]),
        ("card 4111 1111 1111 1111", ["4111111111111111"]),
        ("1,50,000 rupees", ["150000"]),
        ("1 234 567 couronnes", ["1234567"]),
        ("CHF 12’345.60", ["12345.60"]),
        ("ISBN 978-3-16-148410-0", ["9783161484100"]),
        ("вице-президент", ["вицепрезидент"]),
        ("μ-chip, co‑operate", ["μchip", "cooperate"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("т.е. and z.B.", ["те", "zB"]),
        ("Miss O’Hara", ["OHara"]),
        # Not joined.
        ("pages 12-15, 1914-1918, 3 5 7", []),
        ("0.12 0.34 0.56 and 2019 2020 2021", []),
        ("東京-大阪 -- a - b", []),
        ("one-two-three-four-five-six", []),
        ("Don't.", []),
    ],
)
def test_joined_forms(text: str, forms: list[str]) -> None:
    assert [one.form for one in joined_forms(text)] == forms


@given(
    st.text(st.sampled_from("a1b 0-.,'’+()\u200c/éи") | st.characters(codec="utf-8"), max_size=60)
)
def test_a_joined_form_has_the_letters_of_its_span(text: str) -> None:
    end = 0
    for one in joined_forms(text):
        assert end <= one.start < one.end <= len(text)
        letters = "".join(filter(str.isalnum, text[one.start : one.end]))
        # National telephone numbers are without the country's code.
        assert letters == one.form or letters.endswith(one.form.removeprefix("0"))
        end = one.end
    if all(not one.others for one in joined_forms(text)):
        assert [*filter(str.isalnum, with_joined_forms(text))] == [*filter(str.isalnum, text)]


def test_a_file_is_named_in_both_forms() -> None:
    assert name_text("/docs/e-Rechnung.pdf").endswith("e-Rechnung.pdf erechnung")


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Hawai'i", ["Hawaii"]),
        ("Qur\u2019an, Qur'anic", ["Quran", "Quranic"]),
        ("O'Brien's", ["OBrien"]),
        ("the Ka'ab's walls", ["Kaab"]),
        ("don't we'll they've Ann's I'm he'd you're", []),
        ("qu'une dell'anno un'altra", []),
        ("the dogs' tails, 'quoted text'", []),
    ],
)
def test_an_apostrophe_within_a_name_is_no_border(text: str, forms: list[str]) -> None:
    assert [joined.form for joined in joined_forms(text)] == forms
