"""Examples: their contents and order, and rejected data."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from lab.evaluation.data import DataSet
from lab.training.config import DataConfig
from lab.training.corpus import Corpus, read_corpus, words
from lab.training.generators import HeadingSource, KeywordSource, SentenceSource, TitleSource
from lab.training.pairs import Example, PairSource, Source, judged_queries, read_mined
from lab.training.python_code import CodeSource, functions
from lab.training.sources import build_sources
from lab.training.stream import Stream

LONG = (
    "The heron fishes at the lake. " * 12
    + "\n\n"
    + "The dipper dives under stones in the stream. " * 10
    + "\n\n"
    + "The swift sleeps in the air over the town. " * 10
)

MEALS = ("barley", "wheat", "oat", "rye", "maize", "rice", "millet", "spelt")


def count(texts: object) -> list[int]:
    return [len(words(text)) for text in texts]  # type: ignore[attr-defined]


def draw(source: Source, unit: int, seed: int = 1, ways: int = 1) -> Example:
    example = source.example(unit, np.random.default_rng(seed), ways)
    assert example is not None
    return example


@pytest.fixture
def long_data(write_data: Callable[..., Path]) -> Path:
    return write_data(
        "long",
        [
            ("a", "Waters", LONG),
            ("b", "Waters", "Other waters are still. They are deep."),
            *(
                (f"n{n}", f"Note {n}", f"Rook {n} eats {MEALS[n]} at farm{n}0. Then it flies.")
                for n in range(8)
            ),
        ],
        [("q1", "where does the dipper dive"), ("q2", "what eats grain"), ("q3", "still waters")],
        {"train": [("q1", "a"), ("q2", "n0"), ("q2", "n1")], "test": [("q3", "b"), ("q3", "n1")]},
    )


@pytest.fixture
def corpus(long_data: Path) -> Corpus:
    return read_corpus(long_data, count)


def test_documents_judged_only_in_other_splits_are_excluded(
    long_data: Path, corpus: Corpus
) -> None:
    ids = [corpus.id(number) for number in range(len(corpus))]
    assert "b" not in ids
    assert "n1" in ids  # judged for training, but no queries are generated from it
    assert "n7" in ids  # unjudged: it may be a negative
    assert [corpus.id(number) for number in corpus.own] == ["a", "n0"]
    assert len(read_corpus(long_data, count, None)) == 10


def test_the_passage_of_a_long_document_is_the_one_that_shares_most(
    long_data: Path, corpus: Corpus
) -> None:
    source = PairSource("long", corpus, judged_queries(DataSet(long_data), corpus))
    assert len(corpus.passages(0)) > 1
    example = draw(source, 0)
    assert "dipper" in example.passage.text
    assert example.passage.context == "Waters"
    assert example.relevant == {"long/a"}
    assert example.passage.id == f"long/a#{example.passage.number}"
    assert draw(source, 1).relevant == {"long/n0", "long/n1"}


def test_negatives_are_drawn_from_other_documents(long_data: Path, corpus: Corpus) -> None:
    source = PairSource("long", corpus, judged_queries(DataSet(long_data), corpus))
    example = draw(source, 1, ways=6)
    assert len(example.negatives) == 5
    assert not example.relevant & {one.document for one in example.negatives}
    assert example.teacher == ()


def test_titles(corpus: Corpus) -> None:
    source = TitleSource("titles", corpus, range(len(corpus)), keep=0)
    example = draw(source, 0)
    assert example.query == "Waters"
    assert example.passage.context == ""
    assert draw(TitleSource("titles", corpus, [0], keep=1), 0).passage.context == "Waters"


def test_sentences_are_removed_from_passages(corpus: Corpus) -> None:
    source = SentenceSource("sentences", corpus, [0], keep=0)
    example = draw(source, 0)
    passages = {one.number: one for one in corpus.passages(0)}
    whole = passages[example.passage.number].text
    assert example.query in whole
    assert len(words(example.passage.text)) == len(words(whole)) - len(words(example.query))
    assert draw(SentenceSource("s", corpus, [0], keep=1), 0).passage in passages.values()
    # Two sentences are too few to remove one.
    assert SentenceSource("s", corpus, [1]).example(0, np.random.default_rng(1), 1) is None


def test_keywords_are_rare_words_in_their_order(corpus: Corpus) -> None:
    source = KeywordSource("keywords", corpus, range(1, len(corpus)))
    for unit in range(6):
        example = draw(source, unit, seed=unit)
        chosen = example.query.split()
        assert 2 <= len(chosen) <= 5
        assert example.query == example.query.lower()
        text = words(f"{example.passage.context} {example.passage.text}")
        places = [text.index(word) for word in chosen]
        assert places == sorted(places)
        assert "the" not in chosen
        assert example.all_words == frozenset(chosen)


def test_headings(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    body = "It is written here at some length what there is to say of it. " * 8
    (tmp_path / "notes" / "birds.md").write_text(
        f"# Birds\n\n{body}\n\n## Feeding of crows\n\n{body}\n\n### Winter\n\n{body}\n", "utf-8"
    )
    (tmp_path / "notes" / "broken.pdf").write_bytes(b"no pdf")
    corpus = read_corpus(tmp_path / "notes", count)
    source = HeadingSource("headings", corpus, corpus.own, keep=0)
    queries = {draw(source, 0, seed).query for seed in range(30)}
    assert queries
    for query in queries:
        assert query.removeprefix("Birds ") in {"Birds", "Feeding of crows", "Winter"}


def test_code(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "reading.py").write_text(
        textwrap.dedent('''
            class Reader:
                def readCsvFile(self, path):
                    """Read a table from a file. It may be large.

                    More of it.
                    """
                    with open(path) as file:
                        rows = list(file)
                    return rows

            def short(): pass
        '''),
        "utf-8",
    )
    (tmp_path / "broken.py").write_text("def (", "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "some.py").write_text('def f():\n    """Say it."""\n    a\n    b\n')
    source = CodeSource("code", tmp_path, keep=0)
    assert len(source) == 1
    seen = {draw(source, 0, seed).query for seed in range(40)}
    assert seen == {"Read a table from a file.", "read csv file", "readCsvFile"}
    passage = draw(source, 0).passage
    assert passage.context == "package/reading"
    assert passage.text.splitlines()[:2] == [
        "def readCsvFile(self, path):",
        "    with open(path) as file:",
    ]
    assert '"""' in functions(tmp_path / "package" / "reading.py", tmp_path)[0].full
    with pytest.raises(UsageError, match="no Python functions"):
        CodeSource("code", tmp_path / "package" / "none")


def test_streams_are_reproducible_and_addressable_by_step(corpus: Corpus, long_data: Path) -> None:
    def stream(seed: int) -> Stream:
        pairs = PairSource("pairs", corpus, judged_queries(DataSet(long_data), corpus))
        keywords = KeywordSource("keywords", corpus, range(len(corpus)))
        return Stream([pairs, keywords], [1, 3], batch=4, ways=3, seed=seed)

    first, second = stream(3), stream(3)
    batches = [first.batch(step) for step in range(300)]
    assert second.batch(299) == batches[299]
    assert second.batch(4) == batches[4]
    assert stream(4).batch(0) != batches[0]
    sources = [batch[0].source for batch in batches]
    assert 0.65 < sources.count("keywords") / 300 < 0.85


def test_examples_repeat_only_after_a_full_pass(corpus: Corpus, long_data: Path) -> None:
    queries = judged_queries(DataSet(long_data), corpus) * 4
    stream = Stream([PairSource("pairs", corpus, queries)], [1], batch=2)
    drawn = [example.query for step in range(4) for example in stream.batch(step)]
    assert sorted(drawn) == sorted(query.text for query in queries)


def test_empty_sources_are_refused(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="The data titles has no examples"):
        Stream([TitleSource("titles", corpus, [])], [1], batch=2)
    with pytest.raises(UsageError, match="sentences has hardly any"):
        Stream([SentenceSource("sentences", corpus, [1, 2])], [1], batch=2).batch(0)


def test_limits_are_respected(long_data: Path) -> None:
    data = [DataConfig("long", limit=1), DataConfig("long", "keywords", limit=1)]
    built = build_sources(data, long_data.parent, count, seed=1)
    assert [len(source) for source in built.sources] == [1, 1]
    assert len(built.corpora) == 1
    with pytest.raises(UsageError, match=r"There is no folder .*gone with data; .*--data"):
        build_sources([DataConfig("gone")], long_data.parent, count, seed=1)


def test_bad_data_is_refused_with_file_and_line(long_data: Path) -> None:
    def build() -> None:
        build_sources([DataConfig("long")], long_data.parent, count, seed=1)

    qrels = long_data / "qrels" / "train.tsv"
    good = qrels.read_text("utf-8")
    qrels.write_text(good + "q1\tgone\t1\n", "utf-8")
    with pytest.raises(UsageError, match=r"train.tsv, line 5: corpus.jsonl has no document 'gone'"):
        build()
    qrels.write_text(good + "q1\tn5\n", "utf-8")
    with pytest.raises(UsageError, match=r"train.tsv, line 5: there are 2 columns, not 3"):
        build()
    qrels.write_text(good, "utf-8")
    queries = long_data / "queries.jsonl"
    lines = queries.read_text("utf-8").splitlines()
    lines[1] = json.dumps({"_id": "q2", "text": " "})
    queries.write_text("\n".join(lines), "utf-8")
    with pytest.raises(UsageError, match=r"queries.jsonl, line 2: the query 'q2' has no text"):
        build()
    lines[1] = "{"
    queries.write_text("\n".join(lines), "utf-8")
    with pytest.raises(UsageError, match=r"queries.jsonl, line 2: not valid JSON"):
        build()
    queries.unlink()
    with pytest.raises(UsageError, match=r"holds no queries.jsonl"):
        build()


def test_mined_negatives_are_read_and_checked(
    long_data: Path, corpus: Corpus, tmp_path: Path
) -> None:
    queries = judged_queries(DataSet(long_data), corpus)
    path = tmp_path / "negatives.jsonl"
    line = {
        "query": "q2",
        "positive": {"document": "n1", "passage": 0, "teacher": 3.0},
        "negatives": [
            {"document": "n5", "passage": 0, "score": 0.5, "teacher": 1.0},
            {"document": "n6", "passage": 0, "teacher": 2.0},
        ],
    }
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | {"query": "other"}), "utf-8")
    mined = read_mined(path, corpus, queries)
    assert list(mined) == ["q2"]
    example = draw(PairSource("pairs", corpus, queries, mined), 1, ways=4)
    assert example.passage.document == "long/n1"
    assert [one.document for one in example.negatives] == ["long/n5", "long/n6"]
    assert example.teacher == (3.0, 1.0, 2.0)

    for bad, sentence in (
        ("{", "line 1: this is no line of negatives"),
        (json.dumps(line | {"negatives": [{"document": "n5"}]}), "line 1: this is no line"),
        (
            json.dumps(line | {"negatives": [{"document": "n5", "passage": 7}]}),
            "line 1: the corpus has no passage 'n5#7'; mine again",
        ),
    ):
        path.write_text(bad, "utf-8")
        with pytest.raises(UsageError, match=sentence):
            read_mined(path, corpus, queries)
    with pytest.raises(UsageError, match="cannot be read"):
        read_mined(tmp_path / "gone", corpus, queries)


def test_the_tokenizer_counts_as_the_passages_need(tiny_model: Path, birds_data: Path) -> None:
    tokenizer = Tokenizer(tiny_model / "tokenizer.json")
    corpus = read_corpus(birds_data, tokenizer.count)
    assert all(len(corpus.passages(number)) == 1 for number in range(len(corpus)))
