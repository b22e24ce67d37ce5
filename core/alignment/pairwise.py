"""Similarity of two sets of token vectors, and alignment of their pairs.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), sections 2.2 and 3.1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import Floats
from core.errors import UsageError

Doubles = npt.NDArray[np.float64]


def similarity(query: Floats, passage: Floats) -> Floats:
    """Return the dot product of every query token with every passage token.

    Args:
        query: (n, d) token vectors of the query.
        passage: (m, d) token vectors of the passage.

    Returns:
        (n, m) matrix S with S[i, j] = query[i] . passage[j]; the cosine for unit vectors.

    Raises:
        ValueError: the vectors differ in their number of dimensions.

    Source: ALIGNER, section 2.2, the similarity matrix S.

    >>> similarity(np.eye(2, dtype=np.float32), np.array([[3, 4]], dtype=np.float32)).tolist()
    [[3.0], [4.0]]
    """
    if query.shape[1] != passage.shape[1]:
        raise ValueError(f"query has {query.shape[1]} dimensions, passage {passage.shape[1]}")
    product: Floats = query @ passage.T
    return product


def align_top_k(similarity: Floats, k: int = 1) -> Floats:
    """Align each query token with the `k` most similar passage tokens.

    Args:
        similarity: (n, m).
        k: at least 1; a shorter passage is aligned with all of its tokens.

    Returns:
        (n, m) matrix of zeros and ones; each row has min(k, m) ones. The first of equal tokens
        is aligned.

    Raises:
        ValueError: `k` is less than 1.

    Source: ALIGNER, section 3.1, "Top-k"; k = 1 is ColBERT's sum of maxima.

    >>> align_top_k(np.array([[0.1, 0.9, 0.5]], dtype=np.float32), k=2).tolist()
    [[0.0, 1.0, 1.0]]
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1")
    n, m = similarity.shape
    aligned = np.zeros((n, m), dtype=np.float32)
    if m:
        best = np.argsort(-similarity, axis=1, kind="stable")[:, :k]
        np.put_along_axis(aligned, best, 1, axis=1)
    return aligned


def align_top_p(similarity: Floats, p: float) -> Floats:
    """Align each query token with a share `p` of the passage's tokens.

    Args:
        similarity: (n, m).
        p: the share of the passage's m tokens, from 0 to 1.

    Returns:
        (n, m) matrix of zeros and ones; each row has max(floor(p m), 1) ones.

    Raises:
        ValueError: `p` is outside 0 to 1.

    Source: ALIGNER, section 3.1, "Top-p".

    >>> align_top_p(np.array([[0.1, 0.9, 0.5, 0.7]], dtype=np.float32), p=0.5).tolist()
    [[0.0, 1.0, 0.0, 1.0]]
    >>> align_top_p(np.array([[0.1, 0.9, 0.5, 0.7]], dtype=np.float32), p=0.01).tolist()
    [[0.0, 1.0, 0.0, 0.0]]
    """
    return align_top_k(similarity, tokens_for_share(p, similarity.shape[1]))


def tokens_for_share(p: float, m: int) -> int:
    """Return the number of tokens in a share `p` of `m`: max(floor(p m), 1).

    Raises:
        ValueError: `p` is outside 0 to 1.

    Source: ALIGNER, section 3.1, "Top-p".

    >>> tokens_for_share(0.015, 200), tokens_for_share(0.29, 100), tokens_for_share(0, 10)
    (3, 29, 1)
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}; it must be from 0 to 1")
    # 0.29 * 100 is 28.999999999999996: compute with the decimal value, not the binary one.
    return max(int(np.floor(p * m + 1e-9)), 1)


def score(similarity: Floats, alignment: Floats) -> float:
    """Return the mean similarity of the aligned pairs: how well the passage answers the query.

    Args:
        similarity: (n, m).
        alignment: (n, m), from 0 to 1.

    Returns:
        sum(S * A) / Z with Z = sum(A); 0 if nothing is aligned.

    Raises:
        ValueError: the two matrices differ in shape.

    Source: ALIGNER, eq. 1.

    >>> s = np.array([[0.2, 0.8], [0.6, 0.4]], dtype=np.float32)
    >>> round(score(s, align_top_k(s)), 4)
    0.7
    """
    if similarity.shape != alignment.shape:
        raise ValueError(f"shapes differ: {similarity.shape} and {alignment.shape}")
    z = float(alignment.sum())
    return float((similarity * alignment).sum()) / z if z else 0.0


def contributions(similarity: Floats, alignment: Floats) -> Doubles:
    """Return the contribution of each pair to the score; their sum is the score.

    Args:
        similarity: (n, m).
        alignment: (n, m), from 0 to 1, or weighted by saliences.

    Returns:
        (n, m) float64 S * A / Z with Z = sum(A); zeros if nothing is aligned. Their sum equals
        `score`, up to rounding in float32.

    Raises:
        ValueError: the two matrices differ in shape.

    Source: ALIGNER, eq. 1, term by term.

    >>> s = np.array([[0.2, 0.8], [0.6, 0.4]], dtype=np.float32)
    >>> contributions(s, align_top_k(s)).round(3).tolist()
    [[0.0, 0.4], [0.3, 0.0]]
    """
    if similarity.shape != alignment.shape:
        raise ValueError(f"shapes differ: {similarity.shape} and {alignment.shape}")
    aligned = alignment.astype(np.float64)
    z = float(aligned.sum())
    terms: Doubles = similarity.astype(np.float64) * aligned / z if z else np.zeros_like(aligned)
    return terms


class AlignmentKind(StrEnum):
    """A rule for the number of aligned pairs."""

    TOP_K = "topk"
    TOP_P = "topp"


@dataclass(frozen=True, slots=True)
class AlignmentStrategy:
    """The passage tokens aligned with each query token: the best `value`, or a share of them.

    A share of 1 aligns every pair.

    >>> AlignmentStrategy.parse("topp:0.01")
    AlignmentStrategy(kind=<AlignmentKind.TOP_P: 'topp'>, value=0.01)
    >>> str(AlignmentStrategy())
    'topk:1'
    """

    kind: AlignmentKind = AlignmentKind.TOP_K
    value: float = 1

    def __post_init__(self) -> None:
        is_count = self.kind is AlignmentKind.TOP_K
        if is_count and (self.value < 1 or self.value % 1 != 0):
            raise UsageError(f"topk requires an integer of at least 1, not {self.value:g}.")
        if not is_count and not 0 < self.value <= 1:
            raise UsageError(f"topp requires a share above 0 and at most 1, not {self.value:g}.")

    @classmethod
    def parse(cls, text: str) -> AlignmentStrategy:
        """Return the strategy that is written `topk:K` or `topp:P`.

        Raises:
            UsageError: the text is neither.
        """
        match = re.fullmatch(r"(topk|topp):(\d+(?:\.\d+)?|\.\d+)", text)
        if match is None:
            raise UsageError(
                f"'{text}' is not an alignment. Use a form such as topk:1 or topp:0.01."
            )
        return cls(AlignmentKind(match[1]), float(match[2]))

    @property
    def is_top_1(self) -> bool:
        """Whether this is ColBERT's sum of maxima."""
        return self.kind is AlignmentKind.TOP_K and self.value == 1

    def count(self, length: int) -> int:
        """Return the number of tokens of a passage aligned with each query token.

        >>> [AlignmentStrategy.parse(one).count(100) for one in ("topk:4", "topp:0.02")]
        [4, 2]
        """
        if self.kind is AlignmentKind.TOP_K:
            return int(self.value)
        return tokens_for_share(self.value, length)

    def align(
        self,
        similarity: Floats,
        weights: Floats | None = None,
        length: int | None = None,
        *,
        has_summary: bool = False,
    ) -> Floats:
        """Return the alignment of an (n, m) similarity.

        Args:
            similarity: (n, m).
            weights: (n,) the weights of the query's tokens; None if all are equal.
            length: the passage's number of tokens if its m vectors are fewer: a share counts
                tokens. None if the m vectors are its tokens.
            has_summary: whether the query's first vector is its summary. It is aligned only with
                the best vector, with the same total weight: a second match could only be a token.

        Returns:
            (n, m), each row weighted by its query token.

        Source: ALIGNER, eq. 2, A = pairwise alignment * (u^q outer u^d), with `weights` for the
        query's saliences u^q; u^d is 1 here, because the model is better without it.
        """
        aligned = align_top_k(
            similarity, self.count(similarity.shape[1] if length is None else length)
        )
        if has_summary and aligned.size:
            count = aligned[0].sum()
            aligned[:1] = count * align_top_k(similarity[:1])
        return aligned if weights is None else aligned * weights[:, None]

    def __str__(self) -> str:
        return f"{self.kind}:{self.value:g}"


def scores(
    similarity: Floats,
    strategies: Sequence[AlignmentStrategy],
    weights: Floats | None = None,
    length: int | None = None,
    *,
    has_summary: bool = False,
) -> Floats:
    """Return the score of one passage under each of s strategies, at the cost of one.

    Args:
        similarity: (n, m).
        strategies: s of them.
        weights: (n,) the weights of the query's tokens; None if all are equal.
        length: as in `AlignmentStrategy.align`.
        has_summary: as in `AlignmentStrategy.align`.

    Returns:
        (s,) the `score` of each strategy's weighted alignment; 0 if nothing is aligned.

    Source: ALIGNER, eq. 1 and section 3.1.

    >>> s = np.array([[0.1, 0.9, 0.5]], dtype=np.float32)
    >>> scores(s, [AlignmentStrategy(), AlignmentStrategy.parse("topk:2")]).round(4).tolist()
    [0.8999999761581421, 0.699999988079071]
    """
    n, m = similarity.shape
    if not n or not m:
        return np.zeros(len(strategies), dtype=np.float32)
    if weights is None:
        weights = np.ones(n, dtype=np.float32)
    # All strategies are means of prefix sums of the same sorted rows, of different lengths.
    ordered = -np.sort(-similarity, axis=1)
    if has_summary:
        ordered[0] = ordered[0, 0]
    sums = np.cumsum(weights @ ordered)
    counts = np.array(
        [strategy.count(m if length is None else length) for strategy in strategies]
    ).clip(max=m)
    means: Floats = (sums[counts - 1] / (weights.sum() * counts)).astype(np.float32)
    return means
