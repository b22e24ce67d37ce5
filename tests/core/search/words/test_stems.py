"""Words are found in the forms that the text's own language gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from core.library.library import Library
from core.responses import Mode
from core.search.words.languages import languages_among
from tests.core.search.test_search import fill, names

# The typed word, a text with another form of it, and that form.
PAIRS: Final = {
    "german": ("Haus", "Die Häuser stehen am Fluss.", "Häuser"),
    "german, spelt": ("Häuser", "Das Haeusermeer ist in den Haeusern.", "Haeusern"),
    "german, a compound": ("Beitrag", "Die Beitragssätze sind nicht hoch.", "Beitragssätze"),
    "german, its end": (
        "Beitrag",
        "Die Krankenversicherungsbeiträge sind nicht hoch.",
        "Krankenversicherungsbeiträge",
    ),
    "french": ("cheval", "Les chevaux sont dans le pré.", "chevaux"),
    "spanish": ("canción", "Las canciones de los niños son bonitas.", "canciones"),
    "italian": ("ragazza", "Le ragazze della scuola sono in giardino.", "ragazze"),
    "portuguese": ("menino", "Os meninos estão no jardim com uma bola.", "meninos"),
    "dutch": ("huis", "De huizen staan aan het water van een rivier.", "huizen"),
    "swedish": ("hund", "Hundarna är i skogen och det är inte kallt.", "Hundarna"),
    "danish": ("hest", "Hestene er på marken og de har det godt.", "Hestene"),
    "norwegian": ("båt", "Båtene ligger i havnen og det er ikke kaldt.", "Båtene"),
    "finnish": ("talo", "Talot ovat joen varrella ja se on kaunis.", "Talot"),
    "hungarian": ("ház", "A házak nem a folyó mellett vannak, és ez jó.", "házak"),
    "turkish": ("kitap", "Kitaplar bir masa için çok güzel.", "Kitaplar"),
    "polish": ("dom", "Domów nie jest dużo, ale jest to piękna wieś.", "Domów"),
    "romanian": ("carte", "Cărțile sunt pe masa din casă.", "Cărțile"),
    "catalan": ("gat", "Els gats són al carrer amb els nens.", "gats"),
    "russian": ("пчела", "Пчёлы живут в улье.", "Пчёлы"),
    "greek": ("σπίτι", "Τα σπίτια είναι στο χωριό.", "σπίτια"),
    "arabic": ("المكتبة", "المكتبات مغلقة اليوم.", "المكتبات"),
    "persian": ("کتاب", "این کتابها خوب است.", "کتابها"),
    "armenian": ("քաղաք", "Մեծ քաղաքներ կան այնտեղ։", "քաղաքներ"),
    "indonesian": ("baca", "Buku itu dibaca oleh anak dan untuk semua.", "dibaca"),
}


MERGED: Final = {"spanish", "portuguese", "catalan"}


@pytest.mark.parametrize("name", PAIRS)
def test_another_form_is_found_and_highlighted(
    name: str, open_library: Callable[..., Library]
) -> None:
    typed, text, form = PAIRS[name]
    library = open_library()
    fill(library, text=text, other="The owl was seen.", exact=f"{text} {typed}.")
    found = library.search(typed, mode=Mode.WORDS)
    assert set(names(found)) == {"text", "exact"}
    (hit,) = next(one for one in found.hits if one.path.stem == "text").passages
    assert form in [hit.passage.text[start:end] for start, end in hit.words]


@pytest.mark.parametrize("name", PAIRS)
def test_the_word_itself_ranks_first_and_quotes_mean_it(
    name: str, open_library: Callable[..., Library]
) -> None:
    typed, text, form = PAIRS[name]
    library = open_library()
    fill(library, form=text, itself=text.replace(form, typed))
    found = names(library.search(typed, mode=Mode.WORDS))
    # Where the word index knows both by one English stem, they are equal to it.
    assert found == ["itself", "form"] or (name in MERGED and set(found) == {"itself", "form"})
    assert names(library.search(f'"{typed}"', mode=Mode.WORDS)) == ["itself"]
    either = names(library.search(f"{typed} OR zebra", mode=Mode.WORDS))
    assert set(either) == {"itself", "form"}


def test_english_libraries_are_searched_as_ever(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, owl="The owl is in the barn.", bees="Bees are kept by the monks of the house.")
    assert names(library.search("house", mode=Mode.WORDS)) == ["bees"]
    with library._catalog.reading() as db:
        vocabulary = library._caches.vocabulary.forms.words.current(db)
    assert vocabulary is not None
    assert (vocabulary.languages, vocabulary.bare) == ((), [])


def test_text_added_later_is_found_in_other_forms(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, owl="The owl is in the barn.")
    assert names(library.search("Haus", mode=Mode.WORDS)) == []
    fill(library, owl="The owl is in the barn.", de="Die Häuser stehen am Fluss.")
    assert names(library.search("Haus", mode=Mode.WORDS)) == ["de"]
    assert names(library.search('Fluss "Haus"', mode=Mode.WORDS)) == []


def test_a_library_is_in_the_languages_of_which_it_holds_more_than_chance() -> None:
    english = ["The owl is in the barn, and it was not seen by the people."] * 60
    german = "Die Häuser sind nicht in der Stadt, und das ist gut."
    assert languages_among([*english, german]) == {"english"}
    assert languages_among([*english, german, german]) == {"english", "german"}
