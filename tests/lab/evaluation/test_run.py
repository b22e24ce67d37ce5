"""Measurement of the search on a small judged data set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.alignment.pairwise import AlignmentStrategy
from core.alignment.reduction import TokenReduction
from core.errors import Cancelled, UsageError
from core.library.library import LibraryOptions
from core.progress import Job
from core.responses import Mode
from lab.evaluation.data import CorpusDocument
from lab.evaluation.run import as_document, evaluate

DOCUMENTS = {
    "d1": ("Crows", "Crows remember the faces of people."),
    "d2": ("Owls", "Owls hunt mice at night."),
    "d3": ("", "Swifts sleep in the air."),
    "d4": ("Dippers", ""),
}
QUERIES = {"q1": "crows faces", "q2": "owls hunt", "q3": "swifts sleep", "q4": "dippers"}


def write_set(folder: Path, documents: dict[str, tuple[str, str]], queries: dict[str, str]) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        "\n".join(
            json.dumps({"_id": key, "title": title, "text": text})
            for key, (title, text) in documents.items()
        )
    )
    (folder / "queries.jsonl").write_text(
        "\n".join(json.dumps({"_id": key, "text": text}) for key, text in queries.items())
    )
    rows = [f"{query}\td{query[1:]}\t1" for query in queries]
    (folder / "qrels" / "test.tsv").write_text(
        "\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n"
    )
    return folder


def write_lotte(
    folder: Path, documents: dict[str, tuple[str, str]], queries: dict[str, str]
) -> Path:
    """Write the same set in LoTTE's layout: passages and questions are both numbered from 0."""
    folder.mkdir(parents=True)
    passages = [f"{n}\t{text or title}" for n, (title, text) in enumerate(documents.values())]
    (folder / "collection.tsv").write_text("\n".join(passages))
    questions = [f"{n}\t{text}" for n, text in enumerate(queries.values())]
    (folder / "questions.search.tsv").write_text("\n".join(questions))
    answers = (
        json.dumps({"qid": n, "query": text, "answer_pids": [list(documents).index(f"d{key[1:]}")]})
        for n, (key, text) in enumerate(queries.items())
    )
    (folder / "qas.search.jsonl").write_text("\n".join(answers))
    return folder


@pytest.fixture(autouse=True)
def _one_model(open_library: Callable[..., object]) -> None:
    """Let the evaluations' libraries share the loaded model too."""


def test_a_perfect_ranking_scores_1(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    by_mode = {one.mode: one for one in evaluate(folder, modes=tuple(Mode))}
    assert list(by_mode) == list(Mode)
    for one in by_mode.values():
        assert (one.dataset, one.queries, one.documents) == ("birds", 4, 4)
        assert (one.alignment, one.bits, one.beta_q) == ("topk:1", 1, 1)
        assert 0.2 < one.beta_d < 0.5
        assert one.ndcg_at_10 == one.mrr_at_10 == one.recall_at_100 == one.success_at_5 == 1
        assert 0 < one.p50_ms <= one.p95_ms
        # 24 bytes per kept vector, and a bit for each of the file's 4,096 lists.
        tokens = 4096 / 8 / (one.bytes_per_token - 24 * one.beta_d)
        assert 10 < tokens < 40


def test_a_set_in_lottes_layout_has_the_same_figures(tmp_path: Path) -> None:
    """The relevant passage has its question's number, and is not left out for that."""
    folder = write_lotte(tmp_path / "birds" / "test", DOCUMENTS, QUERIES)
    (one,) = evaluate(folder, split="search", modes=(Mode.MEANING,))
    assert (one.dataset, one.queries, one.documents) == ("birds-test", 4, 4)
    assert one.success_at_5 == one.ndcg_at_10 == 1


def test_queries_without_results_score_0(tmp_path: Path) -> None:
    queries = QUERIES | {"q1": "owls", "q3": "nothing holds this"}
    (one,) = evaluate(write_set(tmp_path / "birds", DOCUMENTS, queries), modes=(Mode.WORDS,))
    assert one.recall_at_100 == one.mrr_at_10 == 0.5


def test_the_document_with_the_querys_id_is_excluded(tmp_path: Path) -> None:
    """As in BEIR's ArguAna, whose queries are documents."""
    documents = {"q1": ("", "crows faces"), "d1": ("", "Crows have many other faces.")}
    folder = write_set(tmp_path / "arguments", documents, {"q1": "crows faces"})
    for one in evaluate(folder, modes=tuple(Mode)):
        assert one.mrr_at_10 == 1


@pytest.mark.parametrize("bits", [1, 4, 32])
def test_options_reach_the_index_and_the_search(bits: int, tmp_path: Path) -> None:
    folder = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    options = LibraryOptions(bits, AlignmentStrategy.parse("topk:2"), keeping=TokenReduction())
    (one,) = evaluate(folder, modes=(Mode.MEANING,), options=options)
    assert (one.bits, one.alignment) == (bits, "topk:2")
    assert one.beta_d == 1
    assert one.bytes_per_token > 128 * bits / 8 + 4


def test_an_evaluation_can_be_cancelled_and_needs_an_existing_split(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        evaluate(folder, job=job)
    with pytest.raises(UsageError, match="no split 'dev'"):
        evaluate(folder, split="dev")


def test_a_corpus_document_is_like_a_readers_document() -> None:
    both = as_document(CorpusDocument("1", "A  title", "Some\r\ntext. "))
    assert (both.title, [page.text for page in both.pages]) == ("A title", ["Some\ntext."])
    bare = as_document(CorpusDocument("2", "A title", " "))
    assert (bare.title, [page.text for page in bare.pages]) == ("", ["A title"])
