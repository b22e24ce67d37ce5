"""Words of PDF pages whose fonts name letters wrongly, or not at all."""

from __future__ import annotations

import pytest

from core.documents.document import IS_PICTURE
from core.documents.pages import pdf
from core.documents.pages.known_words import has_wrong_letters, ligatures

ENGLISH = """Please note that the members of the committee have agreed to publish these findings
before the next meeting where every question about funding will be discussed with the regional
office and its partners, who asked for more time to read the whole report and the tables in it.
They will write their answer with care after some weeks, when each member has spoken about what
should happen with the money that is left"""
POLISH = """Wszyscy ludzie rodza sie wolni i rowni pod wzgledem swej godnosci i swych praw. Sa oni
obdarzeni rozumem i sumieniem i powinni postepowac wobec innych w duchu braterstwa. Kazdy czlowiek
posiada wszystkie prawa i wolnosci zawarte w niniejszej Deklaracji bez wzgledu na roznice rasy,
koloru, plci, jezyka, wyznania, pogladow politycznych i innych przekonan, narodowosci, pochodzenia
spolecznego, majatku, urodzenia lub jakiegokolwiek innego stanu"""


def shifted(text: str, step: int) -> str:
    """Return a text as a font shows it whose table is wrong by some letters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    other = letters[step:] + letters[:step]
    return text.translate(str.maketrans(letters + letters.upper(), other + other.upper()))


@pytest.mark.parametrize("step", [1, 3, 7])
def test_text_in_wrong_letters_is_left_to_text_recognition(write_pdf, step: int) -> None:
    lines = [
        (50, 560 - 20 * index, 8, shifted(line, step))
        for index, line in enumerate(ENGLISH.splitlines())
    ]
    (page,) = pdf.read(write_pdf([lines])).pages
    assert page.unread == IS_PICTURE
    assert shifted("committee", step) in page.text
    (page,) = pdf.read(write_pdf([[(x, y, s, shifted(t, -step)) for x, y, s, t in lines]])).pages
    assert page.unread == ""


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        POLISH,
        POLISH.upper(),
        "0x1f3a 77be QX-1104 KJH-77 " * 30,
        "Grand total 1,200.00 EUR per unit " * 20,
        shifted("Only a few words", 3),
    ],
)
def test_other_text_is_not_suspected(text: str) -> None:
    assert not has_wrong_letters(text)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("the na\ufffdonal situa\ufffdon", ["ti", "ti"]),
        ("an o\ufffdcer of the sta\ufffd", ["ffi", "ff"]),
        ("le\ue000ers to Ju\ue000xe", ["tt"]),
        ("die Informa\ufffdonen, die Kra\ufffd", ["ti", "ft"]),
        ("\ufffd alone, x\ufffdq, \ufffd\ufffd\ufffd\ufffd", []),
    ],
)
def test_glyphs_without_a_name_are_read_by_their_words(text: str, letters: list[str]) -> None:
    assert [*ligatures(text).values()] == letters
