"""Results of a study: figures, curves, tables of means, JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class QueryTokens(StrEnum):
    """Which tokens of a query count, and how much."""

    ALL = "all"
    """All, weighted as the model weights them."""
    HALF = "half"
    """The more salient half, weighted as the model does: ALIGNER's beta_q of 50 %."""
    WEIGHTED = "weighted"
    """All, weighted by salience, where the model weights all equally."""
    EQUAL = "equal"
    """All equally, where the model weights them by salience."""


ALL_TOKENS = "all tokens"
ONE_VECTOR = "one vector"
WORDS = "words"


@dataclass(frozen=True, slots=True)
class Variant:
    """A combination of reduction, compression and scoring.

    Attributes:
        reduction: the stored vectors of a passage: a `Reduction`, ALL_TOKENS, ONE_VECTOR (the mean
            of the transformer's own vectors), or WORDS (BM25).
        share: beta_d, the share of vectors stored.
        query: which of the query's tokens count.
        bits: per dimension; 32 for uncompressed.
        retrieved: XTR's k', tokens retrieved for each of the query's; 0 for exact scores.
        refined: number of documents reranked by all their tokens, uncompressed; 0 for none.
        is_passage_weighted: whether a passage's tokens are weighted by salience.
    """

    reduction: str = ALL_TOKENS
    share: float = 1.0
    query: QueryTokens = QueryTokens.ALL
    bits: int = 32
    retrieved: int = 0
    refined: int = 0
    is_passage_weighted: bool = False

    @property
    def name(self) -> str:
        """Describe the variant in words.

        >>> Variant("pooling", 0.2, QueryTokens.HALF, bits=2).name
        'pooling 20 %, half of the query, 2 bits'
        """
        parts = [self.reduction if self.share == 1 else f"{self.reduction} {self.share * 100:g} %"]
        if self.query is QueryTokens.HALF:
            parts.append("half of the query")
        if self.query is QueryTokens.WEIGHTED:
            parts.append("query weighted by salience")
        if self.query is QueryTokens.EQUAL:
            parts.append("query not weighted")
        if self.is_passage_weighted:
            parts.append("passages weighted by salience")
        if self.bits != 32:
            parts.append(f"{self.bits} bit" + "s" * (self.bits > 1))
        if self.retrieved:
            parts.append(f"scored from {self.retrieved} tokens")
        if self.refined:
            parts.append(f"best {self.refined} refined")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Figure:
    """Quality of a variant's ranking on a data set; `vectors` is their total number."""

    dataset: str
    variant: Variant
    ndcg_at_10: float
    vectors: int


@dataclass(frozen=True, slots=True)
class Curve:
    """XTR's curves of a data set: `gold` and `lexical` shares at ranks 1, 2, 3, ..."""

    dataset: str
    gold: tuple[float, ...]
    lexical: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SetSize:
    """Size of a data set; `tokens` counts the passages' tokens."""

    dataset: str
    documents: int
    passages: int
    tokens: int
    queries: int
    query_tokens: int


@dataclass(frozen=True, slots=True)
class Study:
    """All measurements of one model."""

    model: str
    split: str
    sets: tuple[SetSize, ...] = ()
    figures: tuple[Figure, ...] = ()
    curves: tuple[Curve, ...] = ()
    seconds: float = 0.0
    trained: tuple[str, ...] = field(default=())
    """Data sets that the model was trained on; means leave them out."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants in the order in which they were measured."""
        return tuple(dict.fromkeys(figure.variant for figure in self.figures))

    def ndcg(self, dataset: str, variant: Variant) -> float:
        """Return one nDCG@10; NaN if it was not measured."""
        for figure in self.figures:
            if (figure.dataset, figure.variant) == (dataset, variant):
                return figure.ndcg_at_10
        return math.nan

    def mean(self, variant: Variant) -> float:
        """Return the mean over the data sets that the model was not trained on.

        NaN if there are none, or the variant was not measured on all of them.
        """
        return mean(self.ndcg(one, variant) for one in self.counted)

    @property
    def counted(self) -> tuple[str, ...]:
        """The data sets included in the mean."""
        return tuple(one.dataset for one in self.sets if one.dataset not in self.trained)

    def fields(self) -> dict[str, Any]:
        """Return the study as JSON fields; NaN becomes null."""
        return {
            "model": self.model,
            "split": self.split,
            "seconds": round(self.seconds, 1),
            "trained_on": list(self.trained),
            "sets": [asdict(one) for one in self.sets],
            "figures": [
                {
                    "dataset": figure.dataset,
                    **asdict(figure.variant),
                    "ndcg@10": round(figure.ndcg_at_10, 4),
                    "vectors": figure.vectors,
                }
                for figure in self.figures
            ],
            "means": [
                {**asdict(variant), "ndcg@10": _rounded(self.mean(variant))}
                for variant in self.variants
            ],
            "token_retrieval": [
                {
                    "dataset": curve.dataset,
                    "gold": [_rounded(share) for share in curve.gold],
                    "lexical": [_rounded(share) for share in curve.lexical],
                }
                for curve in self.curves
            ],
        }


def mean(values: Iterable[float]) -> float:
    """Return the arithmetic mean; NaN for no values.

    >>> mean([1, 2]), mean([])
    (1.5, nan)
    """
    known: Sequence[float] = list(values)
    return math.fsum(known) / len(known) if known else math.nan


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
