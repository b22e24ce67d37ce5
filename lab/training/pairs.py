"""Examples (a query and the passage that answers it), and the source of judged ones."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from core.errors import UsageError
from lab.evaluation.data import DataSet
from lab.training.corpus import Corpus, Passage


@dataclass(frozen=True, slots=True)
class Example:
    """A query, a passage that answers it, and others that do not.

    Attributes:
        query: the text of the query.
        passage: the positive.
        source: the name of its source.
        relevant: `Passage.document` of all documents known to answer the query; their passages are
            never negatives.
        all_words: if not empty, a passage that has all these words answers the query as well.
        negatives: hard negatives.
        teacher: scores of the positive and of each negative; empty if not scored.
    """

    query: str
    passage: Passage
    source: str
    relevant: frozenset[str]
    all_words: frozenset[str] = frozenset()
    negatives: tuple[Passage, ...] = ()
    teacher: tuple[float, ...] = ()


class Source(Protocol):
    """Provides examples by number; deterministic for a number and generator state."""

    @property
    def name(self) -> str:
        """The name in logs and files."""

    def __len__(self) -> int:
        """Return the number of units that examples are made of."""

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return an example of `unit` with up to `ways` - 1 negatives; None if there is none."""


@dataclass(frozen=True, slots=True)
class MinedNegative:
    """A passage, by document and number, with the scores of teacher and model.

    A score is None if not computed.
    """

    document: str
    number: int
    teacher: float | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Mined:
    """The negatives of one query, most likely first, and the teacher's score of its positive.

    `positive` is the scored passage.
    """

    negatives: tuple[MinedNegative, ...]
    positive: MinedNegative | None = None


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query of a data set and the ids of its relevant documents."""

    id: str
    text: str
    documents: tuple[str, ...]


class PairSource:
    """The judged queries of a data set.

    A document of several passages is represented by the one with the largest total weight of words
    shared with the query; the first if equal. Negatives are drawn from the mined ones if available,
    otherwise from the corpus.
    """

    def __init__(
        self,
        name: str,
        corpus: Corpus,
        queries: Sequence[JudgedQuery],
        mined: Mapping[str, Mined] | None = None,
    ) -> None:
        self.name = name
        self.corpus = corpus
        self._queries = queries
        self._mined = mined or {}

    def __len__(self) -> int:
        return len(self._queries)

    def query(self, unit: int) -> JudgedQuery:
        return self._queries[unit]

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return the query with one of its relevant documents; None if that has no text."""
        query = self._queries[unit]
        relevant = frozenset(map(self.corpus.key, query.documents))
        mined = self._mined.get(query.id)
        if mined is not None and mined.positive is not None:
            passage = self._find(mined.positive)
        else:
            document = query.documents[int(generator.integers(len(query.documents)))]
            passages = self.corpus.passages(self.corpus.number(document))
            if not passages:
                return None
            passage = best_passage(self.corpus, query.text, passages)
        if mined is None or not mined.negatives:
            drawn = _drawn(self.corpus, generator, ways - 1, relevant)
            return Example(query.text, passage, self.name, relevant, negatives=drawn)
        count = min(ways - 1, len(mined.negatives))
        places = sorted(generator.choice(len(mined.negatives), size=count, replace=False))
        chosen = [mined.negatives[place] for place in places]
        scores = [one.teacher for one in (mined.positive, *chosen) if one is not None]
        known = tuple(score for score in scores if score is not None)
        return Example(
            query.text,
            passage,
            self.name,
            relevant,
            negatives=tuple(map(self._find, chosen)),
            teacher=known if len(known) == count + 1 else (),
        )

    def _find(self, mined: MinedNegative) -> Passage:
        return self.corpus.passages(self.corpus.number(mined.document))[mined.number]


def best_passage(corpus: Corpus, query: str, passages: Sequence[Passage]) -> Passage:
    """Return the passage with the largest word overlap with the query; the first if equal."""
    if len(passages) == 1:
        return passages[0]
    return max(
        passages,
        key=lambda passage: corpus.words.overlap(query, f"{passage.context} {passage.text}"),
    )


def _drawn(
    corpus: Corpus, generator: np.random.Generator, count: int, relevant: frozenset[str]
) -> tuple[Passage, ...]:
    found: list[Passage] = []
    # Prevents an endless loop in a small corpus of relevant documents only.
    for _ in range(4 * count):
        if len(found) == count:
            break
        passages = corpus.passages(int(generator.integers(len(corpus))))
        if passages and passages[0].document not in relevant:
            found.append(passages[int(generator.integers(len(passages)))])
    return tuple(found)


def judged_queries(data: DataSet, corpus: Corpus, split: str = "train") -> list[JudgedQuery]:
    """Return a split's queries that have relevant documents, with these.

    Raises:
        UsageError: the data set is malformed, a query is empty, or a judgement names a document
            that the corpus does not have; names file and line.
    """
    judged = data.split(split)
    found = []
    for query in judged.queries:
        grades = judged.judgements[query.id]
        relevant = tuple(document for document, grade in grades.items() if grade > 0)
        if not query.text.strip():
            where = _line_of(data.folder / "queries.jsonl", query.id)
            raise UsageError(f"{where}: the query {query.id!r} has no text.")
        for document in relevant:
            if document not in corpus:
                where = _line_of(data.folder / "qrels" / f"{split}.tsv", f"\t{document}\t")
                raise UsageError(f"{where}: corpus.jsonl has no document {document!r}.")
        if relevant:
            found.append(JudgedQuery(query.id, query.text, relevant))
    return found


def _line_of(path: Path, identifier: str) -> str:
    """Describe the location of an id in a file."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if identifier in line:
                return f"{path}, line {number}"
    return str(path)


def read_mined(path: Path, corpus: Corpus, queries: Sequence[JudgedQuery]) -> dict[str, Mined]:
    """Read a file written by `winnow mine`.

    Raises:
        UsageError: the file cannot be read, or a line is malformed or names an unknown query or
            passage; names file and line.
    """
    known = {query.id for query in queries}
    found: dict[str, Mined] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    for number, line in enumerate(lines, 1):
        where = f"{path}, line {number}"
        try:
            entry = json.loads(line)
            query = entry["query"]
            negatives = tuple(_mined(one) for one in entry["negatives"])
            positive = _mined(entry["positive"]) if entry.get("positive") else None
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{where}: this is no line of negatives.") from error
        if query not in known:
            continue  # more queries were mined than the source's limit keeps
        for one in itertools.chain(negatives, [positive] if positive else []):
            if one.document not in corpus or not 0 <= one.number < len(
                corpus.passages(corpus.number(one.document))
            ):
                name = f"{one.document}#{one.number}"
                raise UsageError(f"{where}: the corpus has no passage {name!r}; mine again.")
        found[query] = Mined(negatives, positive)
    return found


def hardest(
    queries: Sequence[JudgedQuery], mined: Mapping[str, Mined], share: float, path: Path
) -> list[JudgedQuery]:
    """Return a share of the queries, those whose negatives score nearest to their positive.

    The scores are those of the model that mined them; pairs that it separates clearly contribute
    little to training.

    Args:
        queries: queries in any order, which is kept.
        mined: negatives by query id; a query without negatives is left out.
        share: above 0, up to 1; 1 returns all, including those without negatives.
        path: the file with the negatives, for errors.

    Raises:
        UsageError: the file has no scores of the positives.

    >>> one, two = JudgedQuery("1", "owl", ("d1",)), JudgedQuery("2", "crow", ("d2",))
    >>> positive, near, far = (MinedNegative("d", 0, score=score) for score in (0.8, 0.7, 0.2))
    >>> mined = {"1": Mined((far,), positive), "2": Mined((far, near), positive)}
    >>> [query.text for query in hardest([one, two], mined, 0.5, Path())]
    ['crow']
    """
    if share == 1:
        return list(queries)
    margins: dict[str, float] = {}
    for query in queries:
        found = mined.get(query.id)
        if found is None or not found.negatives:
            continue
        scores = [one.score for one in (found.positive, *found.negatives) if one is not None]
        known = [score for score in scores if score is not None]
        if len(known) <= len(found.negatives):
            raise UsageError(f"{path} does not say how the positives score; mine again.")
        margins[query.id] = known[0] - max(known[1:])
    first = set(sorted(margins, key=margins.__getitem__)[: math.ceil(share * len(margins))])
    return [query for query in queries if query.id in first]


def _mined(entry: Mapping[str, object]) -> MinedNegative:
    document, number = entry["document"], entry["passage"]
    if not isinstance(document, str) or type(number) is not int:
        raise TypeError
    teacher, score = (_number(entry.get(name)) for name in ("teacher", "score"))
    return MinedNegative(document, number, teacher, score)


def _number(value: object) -> float | None:
    if value is not None and not isinstance(value, int | float):
        raise TypeError
    return None if value is None else float(value)
