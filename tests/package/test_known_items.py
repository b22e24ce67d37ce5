"""Tests of `dev.py bench known_items`: the files, the questions, and what is counted."""

from __future__ import annotations

import importlib
import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.documents.formats import format_of, load_function

ROOT = Path(__file__).resolve().parents[2]
QUERIES = ROOT / "benchmarks" / "queries"
TODAY = date(2026, 2, 14)
Load = Callable[[str], Any]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Load:
    def load(name: str) -> ModuleType:
        return importlib.import_module(f"known_items.{name}")

    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return load


def test_the_folder_has_many_files_of_many_kinds(module: Load) -> None:
    folder = module("folder")
    items = folder.files_with_questions(TODAY, 1)
    assert len({item.file.path for item in items}) == len(items) >= 400
    assert len(folder.kinds_of_files(items)) >= 20
    assert folder.files_with_questions(TODAY, 1) == items
    assert folder.files_with_questions(TODAY, 2) != items


@pytest.mark.parametrize("today", [TODAY, date(2027, 12, 31), date(2025, 1, 1)])
def test_each_kind_of_question_exists_on_any_day(today: date, module: Load) -> None:
    folder = module("folder")
    items = folder.files_with_questions(today, 1)
    questions = folder.questions(items, 1)
    counts = Counter(question.kind for question in questions)
    assert set(counts) == set(folder.KINDS)
    assert len(questions) >= 300
    assert min(counts.values()) >= 20
    assert len({(question.kind, question.text) for question in questions}) == len(questions)
    paths = {item.file.path for item in items}
    assert all(question.answers and question.answers <= paths for question in questions)
    assert sum(len(question.answers) == 1 for question in questions) >= 0.97 * len(questions)


def test_a_paraphrase_shares_no_word_with_its_note(module: Load) -> None:
    for topic in module("slots").TOPICS:
        sections = (text for section in topic["sections"] for text in section)
        note = " ".join([topic["title"], *sections]).lower()
        question = topic["paraphrase"].lower()
        if topic["language"] == "zh":  # pairs of signs stand for words
            shared = {pair for pair in map("".join, pairwise(question)) if pair in note}
        else:
            shared = set(re.findall(r"\w{4,}", question)).intersection(re.findall(r"\w+", note))
        assert not shared, topic["name"]


def test_written_files_can_be_read(module: Load, tmp_path: Path) -> None:
    folder, writers = module("folder"), module("writers")
    by_suffix = {
        Path(item.file.path).suffix: item.file for item in folder.files_with_questions(TODAY, 1)
    }
    assert len(by_suffix) >= 10
    for file in by_suffix.values():
        writers.write(file, tmp_path)
        path = tmp_path / file.path
        format_ = format_of(path)
        assert format_ is not None
        document = load_function(format_.reader)(path)
        words = re.findall(r"\w+", " ".join(page.text for page in document.pages))
        written = re.findall(r"\w+", " ".join(s for part in file.sections for s in part.paragraphs))
        assert set(written) <= set(words), file.path
        if file.mail is not None:
            assert document.author.startswith(file.mail.sender)


def test_a_misspelling_is_near_its_word(module: Load) -> None:
    misspelt = module("words").misspelt
    for seed in range(200):
        text = misspelt("the dishwasher of grandmother", random.Random(seed))
        assert text != "the dishwasher of grandmother"
        assert len(text.split()) == 4
        assert abs(len(text) - len("the dishwasher of grandmother")) <= 2


def test_questions_by_hand_name_files_and_known_kinds(module: Load) -> None:
    rows = (QUERIES / "real_documents.tsv").read_text(encoding="utf-8").splitlines()
    kinds = set(module("folder").KINDS)
    assert len(rows) >= 60
    for row in rows:
        kind, text, paths = row.split("\t")
        assert kind in kinds
        assert text.strip() == text
        assert all(format_of(Path(path)) is not None for path in paths.split("|"))
    nothing = (QUERIES / "nothing.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(nothing)) == len(nothing) == 60


def test_a_third_of_each_part_is_held_back(module: Load) -> None:
    folder = module("folder")
    questions = folder.questions(folder.files_with_questions(TODAY, 1), 1)
    share = sum(question.is_held_back for question in questions) / len(questions)
    assert 0.25 < share < 0.45


def test_ranks_are_counted_by_part_and_kind(module: Load) -> None:
    items, measuring = module("items"), module("measuring")

    def outcome(kind: str, rank: int) -> Any:
        question = items.Question("part", kind, f"{kind} {rank}", frozenset({"a"}))
        return measuring.Outcome(question, rank, "b", 1, "")

    rows = measuring.table([outcome("title", 1), outcome("title", 3), outcome("phrase", 0)])
    assert [(row.kind, row.questions) for row in rows] == [("title", 2), ("phrase", 1), ("all", 3)]
    assert (rows[0].first[0], rows[0].in_three[0]) == (0.5, 1.0)
    assert rows[0].reciprocal_rank[0] == pytest.approx(2 / 3)
    assert rows[2].first[0] == pytest.approx(1 / 3)
    printed = "\n".join(measuring.lines(rows))
    assert "| part | title | 2 | 50.0 ± 50.0 % |" in printed


def test_questions_that_are_held_back_are_not_listed(
    module: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        module("__main__").main(["--held-back", "--failures"])
    assert "questions that are held back are not listed" in capsys.readouterr().err


def test_questions_of_judged_sets_have_one_answer(module: Load, tmp_path: Path) -> None:
    judged = module("judged")
    folder = tmp_path / "selqa"
    (folder / "qrels").mkdir(parents=True)
    titles = ["Crows - Nests", "Owls - Nests", "Owls - nests", "Rooks"]
    corpus = (
        f'{{"_id": "{index}", "title": "{title}", "text": "They build high."}}\n'
        for index, title in enumerate(titles)
    )
    (folder / "corpus.jsonl").write_text("".join(corpus))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "crows"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t0\t1\n")
    (selqa,) = (derived for derived in judged.SETS if derived.name == "selqa")
    documents, questions = selqa.read(tmp_path)
    assert len(documents) == 4
    assert [(question.text, question.answers) for question in questions] == [
        ("nests crows", frozenset({"0"}))
    ]
