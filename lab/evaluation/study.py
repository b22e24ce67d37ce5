"""Measure methods of pruning, pooling, compression and scoring on vectors encoded once.

`run.evaluate` measures the program. This module measures the methods: nothing is indexed, all
passages are scored, and a variant takes seconds.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.responses import Mode
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, encode_pooled, encode_set, without_head
from lab.evaluation.results import (
    ONE_VECTOR,
    WORDS,
    Curve,
    Figure,
    QueryTokens,
    SetSize,
    Study,
    Variant,
)
from lab.evaluation.run import as_document
from lab.evaluation.scoring import Bags, Collection, kth_highest, retrieve
from lab.evaluation.token_retrieval import (
    NOTHING,
    gold_token_retrieval,
    lexical_token_retrieval,
)
from lab.evaluation.variants import Grid, ReducedSet, reduced_sets, weights_of

_DEPTH: Final = 10
_SAMPLED_TOKENS: Final = 1 << 12  # query tokens sampled for XTR's curves


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Options of a study.

    Attributes:
        split: the split of the data sets.
        queries: maximum number per data set, drawn at random; None for all.
        seed: for sampling queries and for the random reduction.
        grid: the variants to measure.
        with_peers: whether BM25 and the transformer's single vector are measured too.
        ranks: number of ranks in XTR's curves; 0 for none.
        trained: names of data sets that the model was trained on, which means leave out.
    """

    split: str = "test"
    queries: int | None = None
    seed: int = 0
    grid: Grid = field(default_factory=Grid)
    with_peers: bool = True
    ranks: int = 100
    trained: tuple[str, ...] = ()


def study(
    encoder: Encoder,
    folders: Sequence[Path],
    options: StudyOptions | None = None,
    job: Job | None = None,
) -> Study:
    """Measure all variants on each of the data sets in `folders`.

    A document scores as its best passage; one whose id is the query's is left out, as in BEIR.

    Raises:
        UsageError: a data set is malformed; names file and line.
        ModelError: the model cannot be loaded or run.
        Cancelled: the job was cancelled.
    """
    options = options or StudyOptions()
    job = job or Job()
    began_s = time.monotonic()
    sets = [DataSet(folder) for folder in folders]
    sizes: list[SetSize] = []
    figures: list[Figure] = []
    curves: list[Curve] = []
    plain = without_head(encoder) if options.with_peers else None
    for data in sets:
        encoded = encode_set(
            encoder,
            data,
            split=options.split,
            queries=options.queries,
            seed=options.seed,
            job=job,
        )
        sizes.append(_size(encoded))
        done = len(figures)
        refinement = Refinement.of(encoded, options.grid.refined, job)
        for one in reduced_sets(encoded, encoder.checkpoint, options.grid):
            figures += measure(encoded, one, job, refinement)
            job.report(Progress(Stage.MEASURING, len(figures) - done, 0, encoded.name))
        if plain is not None:
            figures.append(measure_one_vector(encoded, plain, job))
            figures.append(measure_words(encoded, data, job))
        if options.ranks:
            curves.append(token_retrieval(encoded, options.ranks, options.seed, job))
    return Study(
        model=encoder.checkpoint.name,
        split=options.split,
        sets=tuple(sizes),
        figures=tuple(figures),
        curves=tuple(curves),
        seconds=time.monotonic() - began_s,
        trained=options.trained,
    )


@dataclass(frozen=True, slots=True)
class Refinement:
    """The second stage: rerank the best `count` of n documents by all their tokens.

    `scores` (q, n) are exact scores with all tokens of the queries.

    Source: ALIGNER, section 3.2.
    """

    count: int
    scores: Floats

    @classmethod
    def of(cls, encoded: EncodedSet, count: int, job: Job) -> Refinement | None:
        """Score a data set's documents by all their tokens; None if nothing is reranked."""
        if not count:
            return None
        texts, passages = encoded.encoded_queries, encoded.passages
        collection = Collection(Bags(passages.vectors, passages.offsets), encoded.starts)
        weights = weights_of(texts, Variant())[QueryTokens.ALL]
        (found,) = collection.scores(Bags(texts.vectors, texts.offsets), [weights], job)
        return cls(count, found)

    def of_ranking(self, ranking: Numbers) -> Numbers:
        """Rerank the first `count` of (q, depth) documents and drop the others.

        >>> refinement = Refinement(2, np.array([[0.1, 0.9, 0.5]], dtype=np.float32))
        >>> refinement.of_ranking(np.array([[0, 1, 2]]))
        array([[1, 0]])
        """
        first = ranking[:, : self.count]
        scores = np.take_along_axis(self.scores, np.maximum(first, 0), axis=1)
        scores = np.where(first == NOTHING, -np.inf, scores)
        order = np.argsort(-scores, axis=1, kind="stable")
        return np.take_along_axis(first, order, axis=1)


def measure(
    encoded: EncodedSet, reduced: ReducedSet, job: Job, refinement: Refinement | None = None
) -> list[Figure]:
    """Return the quality of ranking by the kept vectors, for each choice of query tokens.

    Reduced or compressed vectors are measured with reranking too, if enabled. If saliences are
    given, the mean weighted by them is measured too.
    """
    texts = encoded.encoded_queries
    queries = Bags(texts.vectors, texts.offsets)
    collection = Collection(reduced.passages, encoded.starts)
    choices = weights_of(texts, reduced.variant)
    figures = []
    is_less = reduced.variant != Variant()
    depth = max(_DEPTH, refinement.count if refinement and is_less else 0)
    for retrieved in (0, *reduced.retrieved):
        floors = None
        if retrieved:
            floors = kth_highest(queries.vectors, reduced.passages.vectors, retrieved, job)
        # One more than needed: the query itself may be among the documents.
        rankings = collection.rank(
            queries, list(choices.values()), depth + 1, floors=floors, job=job
        )
        for choice, ranking in zip(choices, rankings, strict=True):
            variant = Variant(
                reduced.variant.reduction,
                reduced.variant.share,
                choice,
                reduced.variant.bits,
                retrieved,
            )
            count = len(reduced.passages.vectors)
            figures.append(Figure(encoded.name, variant, _ndcg(encoded, ranking), count))
            if refinement and is_less and not retrieved:
                ndcg = _ndcg(encoded, refinement.of_ranking(ranking))
                refined = replace(variant, refined=refinement.count)
                figures.append(Figure(encoded.name, refined, ndcg, count))
    if reduced.saliences is not None:
        rankings = collection.rank(
            queries, list(choices.values()), depth + 1, saliences=reduced.saliences, job=job
        )
        for choice, ranking in zip(choices, rankings, strict=True):
            variant = replace(reduced.variant, query=choice, is_passage_weighted=True)
            ndcg = _ndcg(encoded, ranking)
            figures.append(Figure(encoded.name, variant, ndcg, len(reduced.passages.vectors)))
    return figures


def measure_one_vector(encoded: EncodedSet, plain: Encoder, job: Job) -> Figure:
    """Measure ranking by the mean of the transformer's vectors, as in sentence-transformers."""

    def report(done: int) -> None:
        job.checkpoint()
        job.report(Progress(Stage.ENCODING, done, len(encoded.passages), encoded.name))

    vectors = encode_pooled(plain, encoded.passage_tokens, report)
    queries = encode_pooled(plain, encoded.query_tokens)
    ones = np.ones(len(queries), dtype=np.float32)
    collection = Collection(Bags(vectors, np.arange(len(vectors) + 1)), encoded.starts)
    (ranking,) = collection.rank(
        Bags(queries, np.arange(len(queries) + 1)), [ones], _DEPTH + 1, job=job
    )
    return Figure(encoded.name, Variant(ONE_VECTOR), _ndcg(encoded, ranking), len(vectors))


def measure_words(encoded: EncodedSet, data: DataSet, job: Job) -> Figure:
    """Measure the product's keyword search: BM25 over passages."""
    ranked = rank_by_words(encoded, data, _DEPTH + 1, job)
    ndcg = encoded.ndcg([name for name, _ in found] for found in ranked)
    return Figure(encoded.name, Variant(WORDS), ndcg, 0)


def rank_by_words(
    encoded: EncodedSet, data: DataSet, limit: int, job: Job
) -> Iterator[list[tuple[str, float]]]:
    """Yield the best `limit` documents for each query, each with its best passage's BM25 score."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-study-") as home,
        Library.open(Path(home)) as library,
    ):
        documents = ((entry.id, as_document(entry)) for entry in data.documents())
        ids = library.add_collection(data.name, documents)
        for query in encoded.queries:
            job.checkpoint()
            found = library.rank(query.text, mode=Mode.WORDS, limit=limit)
            yield [(ids[number], score) for number, score in found]


def token_retrieval(encoded: EncodedSet, ranks: int, seed: int, job: Job) -> Curve:
    """Return XTR's curves: properties of the tokens that query tokens retrieve at each rank.

    For a set with many queries, the query tokens are sampled.

    Source: XTR, section 5.1 and figure 4.
    """
    texts, passages = encoded.encoded_queries, encoded.passages
    count = min(len(texts.ids), _SAMPLED_TOKENS)
    drawn = np.sort(np.random.default_rng(seed).choice(len(texts.ids), count, replace=False))
    found = retrieve(texts.vectors[drawn], passages.vectors, ranks, job)
    passage_of = np.repeat(np.arange(len(passages)), passages.lengths)
    document_of = np.repeat(np.arange(len(encoded.documents)), np.diff(encoded.starts))
    is_found = found != NOTHING
    documents = np.where(is_found, document_of[passage_of[found]], NOTHING)
    numbers = {name: number for number, name in enumerate(encoded.documents)}
    gold = [
        {
            numbers[name]
            for name, grade in encoded.judgements[query.id].items()
            if grade > 0 and name in numbers
        }
        for query in encoded.queries
    ]
    query_of = np.repeat(np.arange(len(texts)), texts.lengths)[drawn]
    return Curve(
        encoded.name,
        tuple(gold_token_retrieval(documents, [gold[one] for one in query_of]).tolist()),
        tuple(
            lexical_token_retrieval(
                np.where(is_found, passages.ids[found], NOTHING), texts.ids[drawn]
            ).tolist()
        ),
    )


def by_reduction(
    study: Study, query: QueryTokens, *, is_refined: bool = False
) -> dict[str, list[tuple[float, float]]]:
    """Return the curves of ALIGNER's figure 6: share and mean nDCG@10 for each reduction."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for variant in study.variants:
        key = (variant.query, variant.bits, variant.refined > 0)
        if variant.share < 1 and key == (query, 32, is_refined):
            curves.setdefault(variant.reduction, []).append((variant.share, study.mean(variant)))
    return curves


def _ndcg(encoded: EncodedSet, ranking: Numbers) -> float:
    return encoded.ndcg(
        [encoded.documents[number] for number in row.tolist() if number != NOTHING]
        for row in ranking
    )


def _size(encoded: EncodedSet) -> SetSize:
    return SetSize(
        dataset=encoded.name,
        documents=len(encoded.documents),
        passages=len(encoded.passages),
        tokens=len(encoded.passages.ids),
        queries=len(encoded.queries),
        query_tokens=len(encoded.encoded_queries.ids),
    )
