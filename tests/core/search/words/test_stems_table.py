"""Five words in each of 22 languages are found and highlighted in another form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from core.library.library import Library
from core.responses import Mode
from tests.core.search.test_search import fill

# A sentence with a gap, and five words with other forms that fill it.
TABLE: Final = {
    "german": (
        "Das {} und die anderen sind nicht zu sehen.",
        "Haus Häuser, Buch Bücher, Apfel Äpfel, Garten Gärten, Kind Kindern",
    ),
    "french": (
        "Voici {} et les autres dans le jardin de la ville.",
        "cheval chevaux, maison maisons, journal journaux, acteur acteurs, livre livres",
    ),
    "spanish": (
        "Estos {} de la casa no son los de las niñas.",
        "canción canciones, árbol árboles, ciudad ciudades, mujer mujeres, viaje viajes",
    ),
    "italian": (
        "Ecco {} della città che non sono nel giardino.",
        "ragazza ragazze, libro libri, strada strade, amico amici, fiume fiumi",
    ),
    "portuguese": (
        "Os {} estão no jardim com uma mulher e não são meus.",
        "menino meninos, cidade cidades, carta cartas, livro livros, amigo amigas",
    ),
    "dutch": (
        "De {} staan aan het water van een rivier en zijn niet van ons.",
        "huis huizen, boek boeken, brief brieven, hond honden, straat straten",
    ),
    "swedish": (
        "De {} är i skogen och det är inte kallt.",
        "hund hundarna, häst hästar, bil bilar, flicka flickor, stad städer",
    ),
    "danish": (
        "De {} er på marken og det er ikke koldt efter regnen.",
        "hest hestene, bil biler, hus husene, bog bøger, dreng drengene",
    ),
    "norwegian": (
        "De {} ligger i havnen og det er ikke kaldt etter regnet.",
        "båt båtene, bil biler, hus husene, bok bøkene, gutt guttene",
    ),
    "finnish": (
        "Ne {} ovat joen varrella ja se on kaunis kun on kesä.",
        "talo talot, kirja kirjat, auto autossa, järvi järvet, koira koiralla",
    ),
    "hungarian": (
        "A {} nem a folyó mellett vannak, és ez jó, ha meg is marad.",
        "ház házak, könyv könyvek, város városban, asztal asztalok, kutya kutyák",
    ),
    "turkish": (
        "Bu {} bir masa için çok güzel ve daha iyi.",
        "kitap kitaplar, kalem kalemler, yol yollar, çocuk çocuklar, okul okulda",
    ),
    "polish": (
        "Tych {} nie jest dużo, ale jest to piękna wieś od lat.",
        "dom domów, kobieta kobiety, szkoła szkoły, samochód samochody, książka książki",
    ),
    "romanian": (
        "Aceste {} sunt pe masa din casă și nu este altceva.",
        "carte cărțile, prieten prieteni, pădure păduri, roman romanele, munte munți",
    ),
    "catalan": (
        "Els {} són al carrer amb els nens i no a la casa.",
        "gat gats, llibre llibres, ciutat ciutats, amic amics, cotxe cotxes",
    ),
    "russian": (
        "Там {} и всё остальное.",
        "пчела пчёлы, книга книги, дом дома, город города, письмо письма",
    ),
    "greek": (
        "Τα {} είναι στο χωριό.",
        "σπίτι σπίτια, φίλος φίλοι, βουνό βουνά, δρόμος δρόμοι, γυναίκα γυναίκες",
    ),
    "arabic": (
        "هذه {} مغلقة اليوم.",
        "المكتبة المكتبات, السيارة السيارات, المعلم المعلمين, الجامعة الجامعات, كتاب الكتاب",
    ),
    "armenian": (
        "Մեծ {} կան այնտեղ։",
        "քաղաք քաղաքներ, ուսուցիչ ուսուցիչներ, աղջիկ աղջիկներ, ծաղիկ ծաղիկներ, ընկեր ընկերներ",
    ),
    "indonesian": (
        "Yang {} itu tidak untuk anak dan dalam rumah ini.",
        "baca dibaca, minum diminum, makan makanan, jalan berjalan, kerja pekerjaan",
    ),
    "hindi": (
        "यहाँ {} हैं और कुछ नहीं।",
        "किताब किताबें, लड़का लड़के, शहर शहरों, सड़क सड़कें, पेड़ पेड़ों",
    ),
    "tamil": (
        "இங்கே {} உள்ளன.",
        "புத்தகம் புத்தகங்கள், வீடு வீடுகள், பறவை பறவைகள், நாள் நாள்கள், நகரம் நகரங்கள்",
    ),
}


@pytest.mark.parametrize("language", TABLE)
def test_words_are_found_in_their_other_forms(
    language: str, open_library: Callable[..., Library]
) -> None:
    sentence, listed = TABLE[language]
    pairs = [pair.split() for pair in listed.split(", ")]
    library = open_library()
    fill(library, **{f"text{row}": sentence.format(form) for row, (_, form) in enumerate(pairs)})
    highlighted = {}
    for typed, _ in pairs:
        found = library.search(typed, mode=Mode.WORDS)
        passages = [passage for hit in found.hits for passage in hit.passages]
        highlighted[typed] = [
            passage.passage.text[start:end] for passage in passages for start, end in passage.words
        ]
    assert highlighted == {typed: [form] for typed, form in pairs}
