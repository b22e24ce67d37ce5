"""Where the model cannot read a query, its words alone rank."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.documents.document import Document, Page
from core.encoders.encoder import Encoder
from core.library.library import Library
from core.responses import MEANING, WORDS, Mode

TEXTS = {
    "russian": "Пчёлы живут в ульях и собирают мёд.",
    "greek": "Οι μέλισσες ζουν σε κυψέλες και μαζεύουν μέλι.",
    "chinese": "蜜蜂住在蜂箱里，采集花蜜。",
    "german": "Bienen leben in Stöcken und sammeln Honig.",
    "english": "Bees live in hives and gather honey.",
}


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    library = open_library()
    documents = [(name, Document("", (Page(1, text),))) for name, text in TEXTS.items()]
    library.add_collection("made", documents)
    library.sync()
    return library


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("where do bees live", 1),
        ("Wo leben Bienen, über den Wäldern?", 1),
        ("Ω3 100 %", 0),
        ("где живут пчёлы", 0),
        ("蜜蜂", 0),
        ("ผึ้ง", 0),
        ("bees пчёлы", 4 / 9),
        ("42 + 1 = ?", 1),
        ("", 1),
        ("ｂｅｅｓ", 1),
    ],
)
def test_how_much_of_a_text_the_model_can_read(text: str, share: float, encoder: Encoder) -> None:
    assert encoder.tokenizer.readable_share(text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("query", "name"), [("мёд", "russian"), ("μέλι", "greek"), ("蜜蜂", "chinese")]
)
def test_an_unreadable_query_is_found_by_words_alone(
    query: str, name: str, library: Library
) -> None:
    found = library.search(query)
    assert [hit.path.stem for hit in found.hits] == [name]
    assert found.hits == library.search(query, mode=Mode.WORDS).hits
    # A search by meaning still works.
    assert len(library.search(query, mode=Mode.MEANING).hits) == len(TEXTS)


def test_in_a_query_of_two_scripts_the_meaning_counts_by_its_readable_share(
    library: Library,
) -> None:
    hit = library.search("bees gather honey мёд").hits[0].passages[0]
    read, every = len("beesgatherhoney"), len("beesgatherhoneyмёд")
    meaning, words, similar, *_ = hit.terms
    assert (meaning.name, words.name) == (MEANING, WORDS)
    plain, *_ = library.search("bees gather honey").hits[0].passages[0].terms
    assert meaning.weight == pytest.approx(plain.weight * read / every)
    assert meaning.weight + words.weight + similar.weight == pytest.approx(1)
