"""A word is found however it is written: with marks, in parts, joined, in other letters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.scope import find_names
from core.library.library import Library
from core.requests import NO_REWRITE, Search
from core.responses import Mode
from core.search import desktop_query
from tests.core.search.test_search import fill, names


def found(library: Library, query: str) -> list[str]:
    request = Search(query, Mode.WORDS, rewrites=NO_REWRITE)
    return names(library.answer(request))


# Pairs of which each finds the other.
MARKED = [
    ("مُحَمَّدٌ", "محمد"),
    ("ܡܰܠܟܳܐ", "ܡܠܟܐ"),
    ("בְּרֵאשִׁית", "בראשית"),
    ("ἀρχή", "αρχη"),
    ("Δημοκρατία", "ΔΗΜΟΚΡΑΤΙΑ"),
    ("Bo\u0320\u0338gen", "Bogen"),
]
LETTERS = [
    ("1000 cm³", "1000 cm3"),
    ("CO₂", "CO2"),
    ("１２３番地", "123番地"),
    ("ﾃﾞｰﾀ", "データ"),
    ("ﬂuﬀy", "fluffy"),
    ("Karl Ⅷ", "Karl VIII"),
]
JOINED = [
    ("FR76 3000 6000 0112 3456 7890 189", "FR7630006000011234567890189"),
    ("01 23 45 67 89", "0123456789"),
    ("555-123-4567", "5551234567"),
    ("вице-президент", "вицепрезидент"),
    ("co-operation", "cooperation"),
    ("می\u200cروم", "میروم"),
    ("N.A.T.O.", "NATO"),
    ("2.500.000", "2500000"),
    ("12’345.60", "12345.60"),
    ("B-52", "B52"),
    ("+44 (0)20/7946-0958", "02079460958"),
    ("0041 44 668 18 00", "+41446681800"),
    ("030 901820", "+49 30 901820"),
    ("+1 555 123 4567", "(555) 123-4567"),
]
# Numbers with their units and words, apart and joined.
IN_PARTS = [
    ("12kg", "12 kg"),
    ("180°F", "180 °F"),
    ("£75", "75 £"),
    ("8%", "8 %"),
    ("GTX1080", "GTX 1080"),
    ("Fig.4", "Fig. 4"),
    ("§12", "§ 12"),
    ("2½ h", "2 1/2 h"),
    ("n° 5", "nº 5"),
]


@pytest.mark.parametrize(("one", "other"), [*MARKED, *LETTERS, *JOINED])
def test_both_forms_find_both(one: str, other: str, open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, first=f"It says {one} here.", second=f"It says {other} here.", owl="Owls hunt.")
    for form in (one, other):
        for query in (form, f'"{form}"', f'"says {form} here"'):
            assert sorted(found(library, query)) == ["first", "second"], query


@pytest.mark.parametrize(("one", "other"), [*MARKED, *LETTERS, *JOINED])
def test_all_of_a_form_is_highlighted(
    one: str, other: str, open_library: Callable[..., Library]
) -> None:
    library = open_library()
    fill(library, first=f"It says {one} here.", owl="Owls hunt.")
    (document,) = library.search(other, mode=Mode.WORDS).hits
    (hit,) = document.passages
    start, end = hit.words[0][0], hit.words[-1][1]
    assert hit.passage.text[start:end] in {one, one.rstrip("."), one.lstrip("+")}


@pytest.mark.parametrize(("one", "other"), IN_PARTS)
def test_phrases_find_numbers_apart_and_joined(
    one: str, other: str, open_library: Callable[..., Library]
) -> None:
    library = open_library()
    fill(library, first=f"It says {one} here.", second=f"It says {other} here.", owl="Owls hunt.")
    for form in (one, other):
        for query in (f'"{form}"', f'"says {form} here"'):
            assert sorted(found(library, query)) == ["first", "second"], query


@pytest.mark.parametrize(
    "query", ["ueberholt*", "Ueberh*", "überh*", "oeko*", "4e7a91c", "4e7a91c0d"]
)
def test_prefixes_are_found_as_typed(query: str, open_library: Callable[..., Library]) -> None:
    library = open_library()
    sha = "4e7a91c0d2b84f5566778899aabbccddeeff0011"
    fill(library, first=f"Überholte Ökologie, {sha}", other="Uhrwerk und Okular, 4e7a91cx")
    assert found(library, query) == ["first"]


def test_joined_forms_do_not_lengthen_a_passage(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(
        library,
        parted="An owl by e-mail, Wi-Fi, X-ray and T-shirt.",
        spaced="An owl by e mail, Wi Fi, X ray and T shirt.",
    )
    request = Search("owl", Mode.WORDS, rewrites=NO_REWRITE)
    scores = {hit.path.stem: hit.score for hit in library.answer(request).hits}
    assert scores["parted"] == pytest.approx(scores["spaced"])


def test_alternatives_are_found_in_any_form(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, joined="A cooperation.", parted="A co-operation.", other="A letter.")
    for query in ("co-operation OR zebra", "cooperation OR zebra", '"co-operation" OR zebra'):
        assert sorted(found(library, query)) == ["joined", "parted"], query


def test_a_note_does_not_hide_its_word(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, book="Wie Löwenzahn² zeigt, sind 30 m² genug.", owl="Owls hunt.")
    for query in ("Löwenzahn", '"Löwenzahn"', "m2", '"30 m2"', '"30 m²"'):
        assert found(library, query) == ["book"], query


def test_words_in_parts_are_excluded_in_any_form(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, joined="An email came.", parted="An e-mail came.", other="A letter came.")
    assert found(library, "came -email") == ["other"]
    assert found(library, 'came -"e-mail"') == ["other"]


def test_a_phrase_of_separate_words_is_no_joined_word(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, joined="The greenhouse is warm.", parted="The green house is warm.")
    assert found(library, '"green house"') == ["parted"]
    assert found(library, '"greenhouse"') == ["joined"]


def test_the_desktop_finds_the_other_form(open_library: Callable[..., Library]) -> None:
    library = open_library()
    numbers = fill(library, mail="Send an email to Mary.", owl="Owls hunt.")
    with library._catalog.reading() as db:
        results = desktop_query.find(db, "e-mail mary", 5)
    assert [result.document_id for result in results] == [numbers["mail"]]


def test_a_file_is_found_by_the_joined_form_of_its_name(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "R2-D2 plan.txt").write_text("Droids.", "utf-8")
    library = open_library()
    library.add_folder(folder)
    library.sync()
    with library._catalog.reading() as db:
        assert [named.path.name for named in find_names(db, ["r2d2"], 5)] == ["R2-D2 plan.txt"]


@pytest.mark.parametrize(("joined", "separate"), [("X-ray", "X ray"), ("K-12", "K 12")])
def test_words_in_parts_count_once_as_typed(
    joined: str, separate: str, open_library: Callable[..., Library]
) -> None:
    with open_library() as library:
        fill(
            library,
            old=f"Old {joined} pictures of crows.",
            new=f"Pictures of {joined}s.",
            owl="Owls hunt at night.",
        )
        ranked, expected = (
            [score for _, score in library.rank(query, mode=Mode.WORDS)]
            for query in (joined, separate)
        )
        assert len(ranked) == 2
        assert ranked == pytest.approx(expected)
