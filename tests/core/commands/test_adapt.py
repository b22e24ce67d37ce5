"""`winnow adapt`: judging at the terminal and by files, proposals, and plain sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.requests import ReadPages
from core.search.meaning_ranker import MeaningRanker
from tests.core.search.test_teaching import QUERIES, better_with_four
from tests.core.test_cli import assert_sentence, indexed, read

__all__ = ["indexed", "read"]  # fixtures

Run = Callable[..., tuple[int, str, str]]
Read = Callable[..., Any]


def by_path(folder: Path) -> str:
    """The relevant documents for each of QUERIES, as lines of JSON."""
    lines = [{"query": query, "path": name} for query, name in QUERIES.items()]
    path = folder / "judged.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def test_without_judgements_the_output_explains_how_to_begin(indexed: Path, run: Run) -> None:
    status, out, errors = run("adapt")
    assert (status, errors) == (0, "")
    assert "winnow adapt --judge QUERY RANK" in out
    assert "In use: the best token for each query token. Mark the correct result of 5" in out


def test_a_rank_is_that_of_a_search(indexed: Path, run: Run, read: Read) -> None:
    hits = read("search", "birds that hide")["results"]
    found = read("adapt", "--judge", "birds that hide", 2, "--judge", "birds  that hide", 2)
    (one,) = found["judgements"]
    assert (one["query"], one["path"], one["is_there"]) == (
        "birds that hide",
        hits[1]["path"],
        True,
    )
    status, out, _ = run("adapt")
    assert status == 0
    assert f"{one['id']:3}  birds that hide  {hits[1]['path']}, page 1" in out
    assert read("adapt", "--forget", one["id"])["judgements"] == []


def test_without_room_for_improvement_no_change_is_proposed(
    indexed: Path, run: Run, read: Read
) -> None:
    found = read("adapt", "--from", by_path(indexed))
    assert [(one["query"], one["before"], one["right"]) for one in found["queries"]] == [
        (query, [1], 1) for query in QUERIES
    ]
    assert (found["is_proposed"], found["alignment"]) == (False, "topk:1")
    status, out, _ = run("adapt")
    assert status == 0
    assert "already ranks the marked results best" in out
    assert "topk:" not in out
    status, out, errors = run("adapt", "--accept")
    assert (status, out) == (2, "")
    assert_sentence(errors)
    assert "There is no proposal to accept. " in errors


@pytest.fixture
def proposed(indexed: Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Judgements that top-4 ranks best, and the resulting report."""
    compare = MeaningRanker.compare
    monkeypatch.setattr(MeaningRanker, "compare", better_with_four)
    from core.alignment.pairwise import AlignmentStrategy
    from core.library.library import Library

    with Library.open() as library:
        for row, query in enumerate(QUERIES):
            ranker = library._answering.meaning_ranker(library._generations.answering())
            compared = compare(ranker, library._catalog, query, [AlignmentStrategy()])
            numbers = compared.passage_ids.tolist()
            library.teaching.judge(query, numbers[row % len(numbers)])
    found: dict[str, Any] = read("adapt")
    return found


def test_a_proposal_is_shown_adopted_and_reverted(
    proposed: dict[str, Any], run: Run, read: Read
) -> None:
    assert (proposed["is_proposed"], proposed["best"]) == (True, "topk:4")
    assert proposed["ndcg@10"] == {"before": 0.5, "after": 1}
    status, out, _ = run("adapt")
    assert status == 0
    for words in ("now", "topk:4", "0.500", "1.000", "gain on similar queries: 50.0 points"):
        assert words in out
    assert "Proposal: compare the best 4 tokens for each query token instead of" in out
    accepted = read("adapt", "--accept")
    assert (accepted["alignment"], accepted["is_proposed"]) == ("topk:4", False)
    assert read("adapt")["alignment"] == "topk:4"
    status, out, _ = run("adapt", "--undo")
    assert status == 0
    assert "Proposal" in out
    assert read("adapt")["alignment"] == "topk:1"
    status, out, _ = run("adapt", "--accept")
    assert "This library now compares the best 4 tokens" in out


def test_pages_and_words_identify_passages(
    folder: Path, tmp_path: Path, run: Run, read: Read
) -> None:
    sentences = [f"Sentence {number} is of no interest to anybody at all." for number in range(60)]
    sentences[40] = "The Résumé of the quetzal lies in Guatemala."
    (folder / "long.txt").write_text(" ".join(sentences), encoding="utf-8")
    read("index", folder)
    listed = tmp_path / "judged.jsonl"
    entry = {"query": "green bird", "path": str(folder / "long.txt"), "page": 1}
    listed.write_text(json.dumps(entry | {"text": "resume of the  quetzal"}), encoding="utf-8")
    read("adapt", "--from", listed)
    listed.write_text(json.dumps(entry | {"query": "quetzal in Guatemala"}), encoding="utf-8")
    read("adapt", "--from", listed)
    from core.library.library import Library

    with Library.open() as library:
        judged = library.teaching.judgements()
        pages = library.answer(ReadPages(library.documents()[0].id))
    (text,) = {pages[0].text[one.start : one.end] for one in judged}
    assert "quetzal" in text


def test_qrels_judge_too(indexed: Path, tmp_path: Path, read: Read) -> None:
    (indexed / "a crow.txt").write_text("A crow that is no other.", encoding="utf-8")
    read("index", indexed)
    qrels = tmp_path / "qrels.txt"
    lines = (f"1 0 {indexed}/a crow.txt 1", f"2 0 {indexed}/owl.txt 0", f"2 Q0 {indexed}/tax.txt 2")
    qrels.write_text("\n".join(lines), encoding="utf-8")
    queries = tmp_path / "queries.tsv"
    queries.write_text("1\tno other crow\n2\treceipts\n", encoding="utf-8")
    found = read("adapt", "--from", qrels, "--queries", queries)
    assert [(one["query"], Path(one["path"]).name) for one in found["judgements"]] == [
        ("no other crow", "a crow.txt"),
        ("receipts", "tax.txt"),
    ]


WRONG = (
    (("--judge", "night", 1, "--judge", "crow", 0), "rank must be at least 1"),
    (("--judge", "night", 1, "--judge", "crow", 99), "there is no rank 99"),
    (("--judge", "night", 1, "--judge", "", 1), "The query is empty"),
    (("--judge", "night", 1, "--judge", "ext:txt", 1), "filters only has no ranking"),
    (("--judge", "crow", "x"), "not a valid integer"),
    (("--forget", 7), "There is no judgement 7"),
    (("--undo",), "no adapted alignment to undo"),
    (("--accept",), "There is no proposal to accept. Mark the correct result of 5 more queries"),
    (("--accept", "--undo"), "cannot be used together"),
    (("--queries", "q.tsv"), "--queries requires --from"),
    (("--from", "nowhere.jsonl"), "cannot be read"),
    (("--from", "nowhere.txt"), "Add --queries FILE"),
    (("--from", "qrels.txt", "--queries", "nowhere.tsv"), "nowhere.tsv cannot be read"),
)
WRONG_LINES = (
    ("{", "line 2: not valid JSON"),
    ("[]", "line 2: not a JSON object"),
    ('{"query": "a"}', 'line 2: "path" is missing'),
    ('{"path": "owl.txt"}', 'line 2: "query" is missing'),
    ('{"query": "a", "path": "owl.txt", "page": true}', '"page" is not a whole number'),
    ('{"query": "a", "path": "owl.txt", "text": 1}', '"text" is not a string'),
    ('{"query": "a", "path": "no.txt"}', "no.txt is not in the library"),
    ('{"query": "a", "path": "owl.txt", "page": 7}', "No passage of"),
    ('{"query": "", "path": "owl.txt"}', "line 2: The query is empty"),
)
WRONG_QRELS = (
    ("1 0 owl.txt", "1\towl", "expected 4 columns, found 3"),
    ("2 0 owl.txt 1", "1\towl", "has no query '2'"),
    ("1 0 owl.txt one", "1\towl", "grade 'one' is not a whole number"),
    ("1 0 owl.txt 1", "1 owl", "expected a query ID, a tab and the query text"),
)


def test_bad_input_is_reported_in_a_sentence_and_judges_nothing(
    indexed: Path, run: Run, read: Read
) -> None:
    def assert_refused(words: str, *arguments: str | int | Path) -> None:
        status, out, errors = run("adapt", *map(str, arguments))
        assert (status, out) == (2, "")
        assert_sentence(errors)
        assert words in errors

    for arguments, words in WRONG:
        assert_refused(words, *arguments)
    listed = indexed / "judged.jsonl"
    for line, words in WRONG_LINES:
        good = '{"query": "night", "path": "owl.txt"}'
        listed.write_text(f"{good}\n{line}", encoding="utf-8")
        assert_refused(words, "--from", listed)
    qrels, queries = indexed / "qrels.txt", indexed / "queries.tsv"
    for line, query, words in WRONG_QRELS:
        qrels.write_text(line, encoding="utf-8")
        queries.write_text(query, encoding="utf-8")
        assert_refused(words, "--from", qrels, "--queries", queries)
    assert read("adapt")["judgements"] == []
