"""Measure the model during training: a small, exact search over a sample.

Results are not comparable with `winnow evaluate`: only a sample of the corpus is searched, with
uncompressed vectors and without BM25. They show whether training helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np
import numpy.typing as npt

from core.alignment import pairwise
from core.alignment.pairwise import AlignmentStrategy
from core.alignment.reduction import TokenReduction
from core.arrays import Floats
from core.documents.passages import CountTokens
from core.errors import UsageError
from lab.evaluation import measures
from lab.evaluation.data import DataSet, Judgements
from lab.training.config import DevConfig
from lab.training.corpus import Passage, read_corpus
from lab.training.encoding import TextEncoder, TokenVectors, maxima, most_salient, normalise_typed

_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class DevSet:
    """Queries with their judgements, and the passages of the searched documents.

    `documents` holds the document id of each passage.
    """

    name: str
    ids: tuple[str, ...]
    queries: tuple[str, ...]
    judgements: Judgements
    passages: tuple[Passage, ...]
    documents: tuple[str, ...]


def read_dev(config: DevConfig, folder: Path, count_tokens: CountTokens, seed: int) -> DevSet:
    """Draw a sample of the queries, and of documents in addition to the judged ones.

    Raises:
        UsageError: the data set is malformed.
    """
    data = DataSet(folder)
    split = data.split(config.split)
    corpus = read_corpus(folder, count_tokens, None)
    generator = np.random.default_rng([seed, 3])
    judged = [
        query
        for query in split.queries
        if any(grade > 0 and one in corpus for one, grade in split.judgements[query.id].items())
    ]
    if not judged:
        raise UsageError(f"{folder} has no query in {config.split} that a document answers.")
    count = min(config.queries, len(judged))
    judged = [
        judged[place] for place in sorted(generator.choice(len(judged), count, replace=False))
    ]
    judgements = {query.id: split.judgements[query.id] for query in judged}
    numbers = {
        corpus.number(one) for grades in judgements.values() for one in grades if one in corpus
    }
    unjudged_documents = [
        number for number in generator.permutation(len(corpus)) if number not in numbers
    ]
    numbers.update(unjudged_documents[: max(config.documents - len(numbers), 0)])
    passages = [
        (number, passage) for number in sorted(numbers) for passage in corpus.passages(number)
    ]
    return DevSet(
        f"{data.name}-{config.split}",
        tuple(query.id for query in judged),
        tuple(query.text for query in judged),
        judgements,
        tuple(one for _, one in passages),
        tuple(corpus.id(number) for number, _ in passages),
    )


@dataclass(frozen=True, slots=True)
class EncodedDev:
    """A sample with the token vectors of its queries and passages, in their order."""

    dev: DevSet
    queries: TokenVectors
    passages: TokenVectors


def encode_dev(dev: DevSet, encoder: TextEncoder) -> EncodedDev:
    """Encode the queries and passages of a sample: the slow part of measuring it."""
    passages = [(passage.context, passage.text) for passage in dev.passages]
    return EncodedDev(dev, encoder.queries(dev.queries), encoder.passages(passages))


def measure(
    encoded: EncodedDev,
    share: float | None = None,
    keeping: TokenReduction | None = None,
    bits: int = 1,
) -> dict[str, float]:
    """Return the means over the queries of `measure_queries`, with the same arguments."""
    return {
        name: fmean(values)
        for name, values in measure_queries(encoded, share, keeping, bits).items()
    }


def measure_queries(
    encoded: EncodedDev,
    share: float | None = None,
    keeping: TokenReduction | None = None,
    bits: int = 1,
) -> dict[str, list[float]]:
    """Return nDCG@10 of each query; a document scores as its best passage.

    Args:
        encoded: the sample.
        share: share of each passage's tokens kept by salience for the second figure.
        keeping: token reduction for the third figure.
        bits: bits per dimension of the reduced vectors' codes.

    Returns:
        `ndcg@10`, with equal weights of all passage tokens; `ndcg@10 pruned` if `share` is given;
        and `ndcg@10 kept` if `keeping` is given. The last two need a model with saliences where
        they use these.
    """
    dev, passages = encoded.dev, encoded.passages
    searched: dict[str, tuple[TokenVectors, npt.NDArray[np.bool_] | None]] = {
        "ndcg@10": (passages, None)
    }
    if share is not None and passages.salience is not None:
        searched["ndcg@10 pruned"] = passages, most_salient(passages, share)
    if keeping and not (keeping.policy.needs_salience and passages.ungated is None):
        searched["ndcg@10 kept"] = normalise_typed(passages, keeping, bits), None
    figures = {}
    for name, (vectors, mask) in searched.items():
        scored = zip(dev.ids, _scores(encoded.queries, vectors, mask), strict=True)
        rankings = {identifier: _first(dev, identifier, scores) for identifier, scores in scored}
        figures[name] = measures.each(measures.ndcg, rankings, dev.judgements, _DEPTH)
    return figures


def _scores(
    queries: TokenVectors, passages: TokenVectors, mask: npt.NDArray[np.bool_] | None = None
) -> Iterator[Floats]:
    """Yield each query's scores of all passages by top-1, among the passages' tokens in `mask`."""
    for number in range(len(queries.starts) - 1):
        yield maxima(queries.text(number), passages, mask, queries.weights(number))


def measure_alignments(
    encoded: EncodedDev, strategies: Sequence[AlignmentStrategy]
) -> dict[str, float]:
    """Return nDCG@10 by alignment, keyed by the alignment's name.

    Args:
        encoded: the sample.
        strategies: alignments of the search, independent of training.

    Source: ALIGNER, section 4.2 and figure 4.
    """
    dev, queries, passages = encoded.dev, encoded.queries, encoded.passages
    tokens = passages.vectors.astype(np.float32)
    rankings: dict[str, dict[str, list[str]]] = {str(one): {} for one in strategies}
    for number, identifier in enumerate(dev.ids):
        pairs = queries.text(number) @ tokens.T
        weights = queries.weights(number)
        scores = np.array(
            [
                pairwise.scores(
                    pairs[:, start:end], strategies, weights, has_summary=queries.has_summaries
                )
                for start, end in zip(passages.starts[:-1], passages.starts[1:], strict=True)
            ]
        )
        for name, column in zip(rankings, scores.T, strict=True):
            rankings[name][identifier] = _first(dev, identifier, column)
    return {
        name: measures.mean(measures.ndcg, of_queries, dev.judgements, _DEPTH)
        for name, of_queries in rankings.items()
    }


def first_found(encoded: EncodedDev, count: int) -> list[list[int]]:
    """Return the indices of the best passages of each query, best first.

    Args:
        encoded: the sample; all its vectors are compared.
        count: maximum number of passages per query.
    """
    return [
        np.argsort(-scores, kind="stable")[:count].tolist()
        for scores in _scores(encoded.queries, encoded.passages)
    ]


def best_documents(dev: DevSet, query: str, indices: Iterable[int]) -> list[str]:
    """Return the documents of ranked passages, without the query itself."""
    ranking: dict[str, None] = {}
    for place in indices:
        if dev.documents[place] != query:
            ranking.setdefault(dev.documents[place])
        if len(ranking) == _DEPTH:
            break
    return list(ranking)


def _first(dev: DevSet, query: str, scores: Floats) -> list[str]:
    return best_documents(dev, query, np.argsort(-scores, kind="stable").tolist())
