"""Ranking measures computed from graded judgements; pure functions.

All take a ranking of document ids, best first, and the grades of one query's judged documents. A
document is relevant if its grade is above 0; an unjudged one is not. Documents of equal score
count in the order in which the ranking gives them: nothing is sorted here. A query without any
relevant document scores 0; `mean` leaves it out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from lab.evaluation.data import Judgements

# Signature of every measure: (ranking, grades, k) -> 0 (worst) to 1 (best).
Measure = Callable[[Sequence[str], Mapping[str, int], int], float]


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k` documents.

    The gain is the grade itself, the discount log2(rank + 1), and the ideal ranking is made of all
    judged documents, as in trec_eval's `ndcg_cut`.

    Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.

    >>> ndcg(["a", "b", "c"], {"a": 1, "c": 1}, k=10)  # (1 + 1/2) / (1 + 1/log2(3))
    0.9197207891481876
    >>> ndcg(["c", "a"], {"a": 2, "c": 1}, k=1)
    0.5
    """
    gains = [max(grades.get(document, 0), 0) for document in _first(ranking, k)]
    ideal = _discounted(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _discounted(gains) / ideal if ideal else 0.0


def mrr(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Return the reciprocal rank of the first relevant document, 0 if none is among the first `k`.

    Source: Voorhees, The TREC-8 question answering track report, 1999.

    >>> mrr(["a", "b", "c"], {"b": 1, "c": 3}, k=10)
    0.5
    """
    ranks = (
        rank for rank, document in enumerate(_first(ranking, k), 1) if grades.get(document, 0) > 0
    )
    return 1 / next(ranks, math.inf)


def recall(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Return the share of all relevant documents that are among the first `k`.

    As trec_eval's `recall`: with more than `k` relevant documents even the best ranking stays
    below 1.

    >>> recall(["a", "b", "c"], {"a": 1, "c": 2, "x": 1, "b": 0}, k=2)
    0.3333333333333333
    """
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(_first(ranking, k))) / len(relevant) if relevant else 0.0


def success(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Return 1 if any of the first `k` documents is relevant, else 0.

    Source: Santhanam et al., ColBERTv2, 2022, section 4 (Success@5 on LoTTE).

    >>> success(["a", "b"], {"b": 1}, k=1), success(["a", "b"], {"b": 1}, k=2)
    (0.0, 1.0)
    """
    return float(any(grades.get(document, 0) > 0 for document in _first(ranking, k)))


def mean(
    measure: Measure, rankings: Mapping[str, Sequence[str]], judgements: Judgements, k: int
) -> float:
    """Return the mean of a measure over the queries that have a relevant document.

    A query that `rankings` lacks scores 0, as with trec_eval's `-c`: an empty ranking must not
    raise the mean. 0 if no query has a relevant document.

    >>> judgements = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
    >>> mean(mrr, {"q1": ["x", "a"]}, judgements, k=10)
    0.25
    """
    values = each(measure, rankings, judgements, k)
    return math.fsum(values) / len(values) if values else 0.0


def each(
    measure: Measure, rankings: Mapping[str, Sequence[str]], judgements: Judgements, k: int
) -> list[float]:
    """Return a measure of each query that has a relevant document, in the judgements' order.

    >>> judgements = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
    >>> each(mrr, {"q1": ["x", "a"]}, judgements, k=10)
    [0.5, 0.0]
    """
    return [
        measure(rankings.get(query, ()), grades, k)
        for query, grades in judgements.items()
        if any(grade > 0 for grade in grades.values())
    ]


def _first(ranking: Sequence[str], k: int) -> Sequence[str]:
    if k < 1:
        raise ValueError(f"k is {k}, not at least 1")
    first = ranking[:k]
    if len(set(first)) < len(first):
        raise ValueError("a document occurs twice in the ranking")
    return first


def _discounted(gains: Iterable[int]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
