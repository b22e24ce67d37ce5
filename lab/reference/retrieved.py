"""Ranking quality of retrieved tokens, by their number and by the imputation.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 5.2:
table 5, figures 5 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.pooling import Vectors
from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder
from core.progress import Job, Progress, Stage
from lab.evaluation import measures
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, encode_set
from lab.evaluation.results import QueryTokens, Variant
from lab.evaluation.variants import weights_of
from lab.reference.imputation import Imputation, score_retrieved
from lab.reference.scoring_cost import ScoringCost, mean_cost, scoring_cost

# Scores the same candidates by all their tokens: XTR's eq. 1, f_ColBERT in its figure 5.
ALL_TOKENS: Final = "all tokens"
_STEPS: Final = (10, 40, 100, 400, 1000, 4000, 10_000, 40_000)
_DEPTH: Final = 100
_ROWS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class RetrievedFigure:
    """Ranking quality of one scoring method with k' tokens retrieved per query token.

    Attributes:
        missing: the value of similarities that were not retrieved, an `Imputation`; or ALL_TOKENS.
        retrieved: k'.
        mrr_at_10: mean over the queries that have a relevant document, like the other figures.
        recall_at_100: share of relevant documents.
        ndcg_at_10: with graded judgements.
    """

    missing: str
    retrieved: int
    mrr_at_10: float
    recall_at_100: float
    ndcg_at_10: float


@dataclass(frozen=True, slots=True)
class RetrievedStudy:
    """Measurements of retrieved tokens.

    Attributes:
        figures: grouped by scoring method, k' ascending.
        costs: mean cost of scoring per query, k' ascending.
    """

    figures: tuple[RetrievedFigure, ...]
    costs: tuple[ScoringCost, ...]


def steps(most: int) -> tuple[int, ...]:
    """Return the measured values of k', up to `most`.

    >>> steps(500)
    (10, 40, 100, 400, 500)
    """
    return (*(one for one in _STEPS if one < most), most)


def measure_retrieved(
    encoder: Encoder,
    data: DataSet,
    *,
    split: str = "test",
    queries: int | None = None,
    retrieved: int = 4000,
    seed: int = 0,
    is_weighted: bool = True,
    job: Job | None = None,
) -> RetrievedStudy:
    """Rank a set's documents by retrieved tokens only, with each method and number of tokens.

    A document scores as its best passage.

    Args:
        encoder: the encoder of the vectors.
        data: the judged set.
        split: the split whose queries are used.
        queries: maximum number of queries, drawn at random; None for all.
        retrieved: the highest k' (see `steps`); there may be fewer tokens.
        seed: for sampling queries.
        is_weighted: whether query tokens and the summary are weighted as in the program; else all
            have equal weights, as in the paper.
        job: can be cancelled.

    Raises:
        UsageError: the data set is malformed; names file and line.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    encoded = encode_set(encoder, data, split=split, queries=queries, seed=seed, job=job)
    weights: Floats | None = None
    if is_weighted:
        weights = weights_of(encoded.encoded_queries, Variant())[QueryTokens.ALL]
    ways = (*Imputation, ALL_TOKENS)
    rankings: dict[tuple[str, int], dict[str, list[str]]] = {
        (way, count): {} for way in ways for count in steps(retrieved)
    }
    costs: dict[int, list[ScoringCost]] = {count: [] for count in steps(retrieved)}
    lengths, d = encoded.passages.lengths, encoded.passages.vectors.shape[1]
    for number, query in enumerate(encoded.queries):
        job.checkpoint()
        n = int(encoded.encoded_queries.lengths[number])
        for way, count, passages, scores in ranked(encoded, number, steps(retrieved), weights):
            found = documents_of(encoded, passages, scores)
            rankings[way, count][query.id] = [name for name in found if name != query.id][:_DEPTH]
            if way == ALL_TOKENS and len(passages):
                tokens = min(count, len(encoded.passages.ids))
                m = float(lengths[passages].mean())
                costs[count].append(scoring_cost(tokens, n, m, d, len(passages)))
        job.report(Progress(Stage.MEASURING, number + 1, len(encoded.queries), encoded.name))
    figures = (
        RetrievedFigure(
            way,
            count,
            measures.mean(measures.mrr, of_query, encoded.judgements, 10),
            measures.mean(measures.recall, of_query, encoded.judgements, 100),
            measures.mean(measures.ndcg, of_query, encoded.judgements, 10),
        )
        for (way, count), of_query in rankings.items()
    )
    means = (mean_cost(of_queries) for of_queries in costs.values() if of_queries)
    return RetrievedStudy(tuple(figures), tuple(means))


def ranked(
    encoded: EncodedSet, query: int, counts: Sequence[int], weights: Floats | None = None
) -> Iterator[tuple[str, int, Numbers, Floats]]:
    """Yield a query's passages, best first, and their scores, by method and each of `counts`.

    All methods rank the same candidates: the passages with a retrieved token (eq. 3). `weights`
    (t,) are those of all queries' tokens in the scores; None for equal weights.
    """
    texts, tokens = encoded.encoded_queries, encoded.passages
    own = slice(int(texts.offsets[query]), int(texts.offsets[query + 1]))
    pairs = _similarities(texts.vectors[own].astype(np.float32), tokens.vectors)
    most = min(max(counts), pairs.shape[1])
    nearest = np.argpartition(-pairs, most - 1, axis=1)[:, :most]
    order = np.argsort(-np.take_along_axis(pairs, nearest, axis=1), axis=1, kind="stable")
    nearest = np.take_along_axis(nearest, order, axis=1)
    similarities = np.take_along_axis(pairs, nearest, axis=1)
    owners = np.searchsorted(tokens.offsets, nearest, side="right") - 1
    of_query = np.ones(len(pairs), dtype=np.float32) if weights is None else weights[own]
    best = np.maximum.reduceat(pairs, tokens.offsets[:-1], axis=1)
    total = float(of_query.sum())
    maxima = of_query @ best / (total or 1.0)
    for count in counts:
        found = list(owners[:, :count]), list(similarities[:, :count])
        for imputation in Imputation:
            yield imputation, count, *score_retrieved(*found, imputation, of_query)
        candidates = np.unique(owners[:, :count])
        candidates = candidates[np.argsort(-maxima[candidates], kind="stable")]
        yield ALL_TOKENS, count, candidates, maxima[candidates]


def _similarities(query: Floats, tokens: Vectors) -> Floats:
    """Return (n, t) products, without converting all tokens to float32 at once."""
    found = np.empty((len(query), len(tokens)), dtype=np.float32)
    for start in range(0, len(tokens), _ROWS):
        rows = tokens[start : start + _ROWS].astype(np.float32)
        found[:, start : start + _ROWS] = query @ rows.T
    return found


def documents_of(encoded: EncodedSet, passages: Numbers, scores: Floats) -> list[str]:
    """Return documents by their best passage, best first, ties by name."""
    places = np.searchsorted(encoded.starts, passages, side="right") - 1
    best: dict[str, float] = {}
    for document, value in zip(places.tolist(), scores.tolist(), strict=True):
        name = encoded.documents[document]
        best[name] = max(best.get(name, -np.inf), value)
    return sorted(best, key=lambda name: (-best[name], name))
