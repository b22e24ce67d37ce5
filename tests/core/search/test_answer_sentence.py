"""The sentence that answers a question, extracted from the best passage."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from core.documents.document import Document, Page
from core.library.library import Library, LibraryOptions
from core.requests import Search
from core.responses import Mode, SearchResults
from core.search.answer_sentence import is_question, sentence_spans
from core.search.output.export import Form, exported

LIGHTHOUSE = (
    "The lighthouse stands on a rock off the northern coast. The keeper, Martha Lindqvist, polished"
    " the lamp every evening. A storm destroyed the pier in the winter of 1902. Since then boats "
    "land on the beach."
)
TEXTS = {
    "lighthouse": LIGHTHOUSE,
    "bread": "Bread rises in a warm place for an hour. Then it is baked in a hot oven.",
    "weir": (
        "From: Ottilie Quast <quast@example.org>\nTo: Bertram <b@example.org>\n"
        "Date: 2024-05-06 12:00\n\nThe weir is repaired in October. Bring the plans."
    ),
    "hives": (
        "Month | Food for the bees | Weight\nSeptember | syrup | 41\nNovember | enough | 37\n"
        "January | enough | 33"
    ),
    "train": "The train leaves the station at noon. It comes back from the sea at night.",
}


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("answers"), LibraryOptions(1)) as library:
        documents = [(name, Document("", (Page(1, text),))) for name, text in TEXTS.items()]
        library.add_collection("made", documents)
        library.sync()
        yield library


def ask(library: Library, query: str, **options: object) -> SearchResults:
    return library.answer(Search(query, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who polished the lamp of the lighthouse", "The keeper, Martha Lindqvist, polished"),
        ("When was the pier destroyed by a storm?", "A storm destroyed the pier in the winter"),
        ("how long does bread rise", "Bread rises in a warm place for an hour."),
    ],
)
def test_a_question_is_answered_by_a_sentence_of_the_first_document(
    answering: Library, question: str, answer: str
) -> None:
    results = ask(answering, question)
    assert results.answer.startswith(answer)
    assert results.answer.endswith(".")
    assert results.answer in results.hits[0].passages[0].passage.text
    assert json.loads(exported(results, Form.JSON))["answer"] == results.answer


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("lighthouse lamp keeper", {}),
        ("who polished the lamp of the lighthouse", {"mode": Mode.WORDS}),
        ("who polished the lamp of the lighthouse", {"is_refined": False}),
        ("which parliament passed the law on value added tax", {}),
    ],
)
def test_no_sentence_is_shown_without_question_model_or_close_match(
    answering: Library, query: str, options: dict[str, object]
) -> None:
    assert ask(answering, query, **options).answer == ""


def test_header_lines_of_a_mail_are_no_answer(answering: Library) -> None:
    results = ask(answering, "what did Ottilie Quast write about the weir")
    assert results.hits[0].path.name == "weir"
    assert results.answer in {"", "The weir is repaired in October."}


def test_the_cells_of_a_table_are_no_sentence(answering: Library) -> None:
    results = ask(answering, "what food have the bees in which month")
    assert results.hits[0].path.name == "hives"
    assert results.answer == ""


def test_only_the_first_document_has_an_answer(answering: Library) -> None:
    results = ask(answering, "who polished the lamp of the lighthouse")
    later = [hit.answer for document in results.hits for hit in document.passages][1:]
    assert later == [None] * len(later)


def test_a_question_is_searched_again_for_its_answer_whatever_the_index(answering: Library) -> None:
    """With a refinement store the order is final, and only the answer is still to be found."""
    question = "who polished the lamp of the lighthouse"
    assert not ask(answering, "lighthouse lamp keeper", is_refined=False).can_be_refined
    assert ask(answering, question, is_refined=False).can_be_refined
    assert not ask(answering, question).can_be_refined


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Prof. A. Berg met Mrs. Lund. They sang.", ["Prof. A. Berg met Mrs. Lund.", "They sang."]),
        ("Er kam am 3. Mai. Sie nicht!", ["Er kam am 3. Mai.", "Sie nicht!"]),
        ('He said "Stop!" Then he left.', ['He said "Stop!"', "Then he left."]),
        ("One line\nand the next. Two", ["One line\nand the next.", "Two"]),
        ("Rent\n\nPaid in May", ["Rent", "Paid in May"]),
        ("Bring:\n- bread\n- salt", ["Bring:", "- bread", "- salt"]),
        ("版本 3.14 可用。然后呢？好！", ["版本 3.14 可用。", "然后呢？", "好！"]),
        ("", []),
    ],
)
def test_sentences_end_where_readers_stop(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("when does the lease end", True),
        ("Was kostet die Reparatur?", True),
        ("wie hoch ist die Miete", True),
        ("租金是多少", True),
        ("May 2024 invoice", False),
        ("will and testament of 1998", False),
        ("war diary", False),
        ("who", False),
    ],
)
def test_other_queries_are_no_questions(text: str, expected: bool) -> None:
    assert is_question(text) is expected
