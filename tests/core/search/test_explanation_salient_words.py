"""The words by which passages like another are looked for."""

from __future__ import annotations

import dataclasses

import pytest

from core.encoders.encoder import Encoder
from core.errors import LibraryError
from core.library.library import Library
from core.requests import GetSalientWords
from core.responses import Mode
from core.search.encodings import EncodedPassage
from core.search.explanation import salient_words
from core.search.query.language import parse

TEXT = "The dipper walks on the bed of fast streams and looks for larvae under the stones."


def words_of(encoder: Encoder, context: str, text: str, count: int) -> tuple[str, ...]:
    (tokens,) = encoder.passage_tokens([(context, text)])
    (vectors,) = encoder.encode_passages([tokens])
    return salient_words(EncodedPassage(tokens, vectors), text, count)


def test_the_salient_words_are_in_passage_order(encoder: Encoder) -> None:
    words = words_of(encoder, "", TEXT, 4)
    assert len(words) == 4
    assert "dipper" in words
    assert not {"the", "on", "of", "and", "for"} & set(words)
    places = [TEXT.lower().index(word) for word in words]
    assert places == sorted(places)


def test_each_word_comes_once_and_none_is_an_operator(encoder: Encoder) -> None:
    words = words_of(encoder, "Title", 'OWL owl "owl" type:owl -owl OR (mice)', 20)
    assert words.count("owl") == 1
    assert parse(" ".join(words)).text == " ".join(words)
    assert "title" not in words
    assert words_of(encoder, "Title", "", 5) == ()


def test_header_lines_of_a_mail_give_no_words(encoder: Encoder) -> None:
    headers = (
        "From: Ottilie Quast <quast@kingfisher.example>\nTo: Bertram Zauner\nDate: 2024-05-06\n"
    )
    words = words_of(encoder, "Weir", f"{headers}\n{TEXT}", 30)
    assert {"dipper", "larvae"} <= set(words)
    of_headers = {"ottilie", "quast", "kingfisher", "bertram", "zauner", "weir", "2024"}
    assert of_headers.isdisjoint(words)


def test_without_learned_salience_the_first_words_are_returned(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = dataclasses.replace(encoder.checkpoint, saliences=None)
    monkeypatch.setattr(encoder, "checkpoint", plain)
    assert words_of(encoder, "", TEXT, 3) == ("the", "dipper", "walks")


def test_they_find_the_passage_again(birds: Library) -> None:
    (hit, *_) = birds.search("larvae", mode=Mode.WORDS).hits
    number = hit.passages[0].passage.id
    words = birds.answer(GetSalientWords(number, 5))
    assert birds.search(" ".join(words)).hits[0].document_id == hit.document_id
    with pytest.raises(LibraryError, match="no longer in the library"):
        birds.answer(GetSalientWords(10**9))
