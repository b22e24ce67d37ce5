"""Reduction of a passage's token vectors to a share of them, by pruning or pooling.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, "Pruning multi-vector
retrieval"; Clavié et al., "Token Pooling", 2024.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment import pooling
from core.alignment.pooling import DROPPED, Vectors
from core.arrays import Flags, Numbers
from core.errors import UsageError

Scores = npt.NDArray[np.floating[Any]]


class ReductionPolicy(StrEnum):
    """A method of reducing token vectors."""

    SALIENCE = "salience"
    """The most salient tokens (ALIGNER)."""
    POOLING = "pooling"
    """The means of clusters of all tokens."""
    WEIGHTED_POOLING = "weighted pooling"
    """The means of clusters of all tokens, both weighted by salience."""

    @property
    def needs_salience(self) -> bool:
        """Whether the model must provide saliences."""
        return self is not ReductionPolicy.POOLING


_POLICIES: Final[dict[str, ReductionPolicy]] = {
    str(policy).replace(" ", "-"): policy for policy in ReductionPolicy
}
_NAMES: Final = {policy: name for name, policy in _POLICIES.items()}
# The text form of keeping all vectors.
EVERYTHING: Final = "all"


@dataclass(frozen=True, slots=True)
class TokenReduction:
    """The reduction of a passage's vectors: a policy, and the shares that are kept.

    Attributes:
        policy: the method.
        beta_d: the share in the inverted lists. A share of 1 keeps all vectors unchanged, with any
            policy.
        stored: the share in the refinement store, which is larger; 0 without a store.

    >>> TokenReduction.parse("weighted-pooling:0.4").beta_d
    0.4
    >>> str(TokenReduction(ReductionPolicy.SALIENCE, 0.2)), str(TokenReduction())
    ('salience:0.2', 'all')
    >>> TokenReduction.parse("pooling:0.2+0.3").stored
    0.3
    """

    policy: ReductionPolicy = ReductionPolicy.POOLING
    beta_d: float = 1.0
    stored: float = 0.0

    def __post_init__(self) -> None:
        for share in (self.beta_d, self.stored or 1.0):
            if not 0 < share <= 1:
                raise UsageError(
                    f"The share of tokens must be above 0 and at most 1, not {share:g}."
                )
        if self.stored and self.stored <= self.beta_d:
            raise UsageError(
                f"The second share of tokens must be larger than the first, not {self.stored:g}."
            )

    @classmethod
    def parse(cls, text: str) -> TokenReduction:
        """Parse `all`, `WAY:SHARE`, or `WAY:SHARE+SHARE` with a refinement store.

        Raises:
            UsageError: it is neither.
        """
        if text == EVERYTHING:
            return cls()
        share = r"(\d+(?:\.\d+)?|\.\d+)"
        match = re.fullmatch(rf"([a-z-]+):{share}(?:\+{share})?", text)
        if match is None or match[1] not in _POLICIES:
            ways = ", ".join(f"{name}:0.4" for name in _POLICIES)
            raise UsageError(f"'{text}' is not a token reduction. Use all, or for example {ways}.")
        return cls(_POLICIES[match[1]], float(match[2]), float(match[3] or 0))

    @property
    def is_everything(self) -> bool:
        """Whether all vectors are kept unchanged."""
        return self.beta_d == 1

    @property
    def is_pooling(self) -> bool:
        """Whether the kept vectors are means of several tokens."""
        return not self.is_everything and self.policy is not ReductionPolicy.SALIENCE

    def __str__(self) -> str:
        if self.is_everything:
            return EVERYTHING
        stored = f"+{self.stored:g}" if self.stored else ""
        return f"{_NAMES[self.policy]}:{self.beta_d:g}{stored}"

    @property
    def shares(self) -> tuple[float, ...]:
        """The share in the inverted lists, then that in the refinement store, if there is one."""
        return (self.beta_d, self.stored) if self.stored else (self.beta_d,)


@dataclass(frozen=True)
class Reduced:
    """The reduced vectors of passages.

    Attributes:
        vectors: (k, d) of all passages, concatenated: those of single tokens have unit length,
            means are a little longer (`core.alignment.pooling.pool`).
        offsets: (p + 1,) the start of each passage's vectors, and k.
        labels: (t,) the number of each token's vector; DROPPED for none.
    """

    vectors: Vectors
    offsets: Numbers
    labels: Numbers

    @cached_property
    def groups(self) -> list[Numbers]:
        """The tokens of each vector, by their numbers over all passages."""
        return pooling.groups(self.labels)


def budget(lengths: Numbers, share: float) -> Numbers:
    """Return the number of tokens kept of each passage: ceil(share m), as in training.

    Args:
        lengths: (p,) the passages' numbers of tokens, m.
        share: beta, above 0 and up to 1.

    Returns:
        (p,); at least 1, but 0 for a passage without tokens.

    Raises:
        ValueError: `share` is outside its range.

    Source: ALIGNER, section 3.2, k.

    >>> budget(np.array([5, 2, 100, 0]), 0.07).tolist()
    [1, 1, 7, 0]
    """
    if not 0 < share <= 1:
        raise ValueError(f"the share is {share}; it must be above 0 and up to 1")
    # 0.07 * 100 is 7.000000000000001, which must not round up.
    counts: Numbers = np.ceil(lengths * share - 1e-9).astype(np.int64)
    return counts


def highest(scores: Scores, offsets: Numbers, counts: Numbers) -> Flags:
    """Return which tokens are among the highest scores of their passage.

    Args:
        scores: (t,) of all passages' tokens, concatenated.
        offsets: (p + 1,) the start of each passage, and t.
        counts: (p,) number of tokens kept per passage.

    Returns:
        (t,); the first of equal tokens is kept.

    >>> highest(np.array([1, 3, 3, 2, 9]), np.array([0, 4, 5]), np.array([1, 1])).tolist()
    [False, True, False, False, True]
    """
    lengths = np.diff(offsets)
    passages = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((-scores, passages))
    places = np.arange(len(order)) - np.repeat(offsets[:-1], lengths)
    is_highest = np.zeros(len(order), dtype=np.bool_)
    is_highest[order] = places < np.repeat(counts, lengths)
    return is_highest


def reduce(
    vectors: Vectors,
    offsets: Numbers,
    share: float,
    policy: ReductionPolicy,
    saliences: Scores | None = None,
) -> Reduced:
    """Reduce the vectors of each of many passages to a `share`; see `reduce_to_each`.

    >>> vectors = np.eye(2, dtype=np.float32)[[0, 1, 1]]
    >>> reduced = reduce(vectors, np.array([0, 3]), 0.5, ReductionPolicy.POOLING)
    >>> reduced.vectors.tolist(), [group.tolist() for group in reduced.groups]
    ([[1.0, 0.0], [0.0, 1.0]], [[0], [1, 2]])
    """
    (reduced,) = reduce_to_each(vectors, offsets, [share], policy, saliences)
    return reduced


def reduce_to_each(
    vectors: Vectors,
    offsets: Numbers,
    shares: Sequence[float],
    policy: ReductionPolicy,
    saliences: Scores | None = None,
) -> list[Reduced]:
    """Reduce the vectors of each of many passages to each of some shares, clustering them once.

    Args:
        vectors: (t, d) unit vectors of all passages' tokens, concatenated.
        offsets: (p + 1,) the start of each passage, and t.
        shares: each above 0 and up to 1; ceil(share m) of m tokens are kept.
        policy: the method.
        saliences: (t,) of the tokens, at least 0. None for plain pooling.

    Raises:
        ValueError: saliences are missing or unexpected, or a share is out of range.
    """
    if policy.needs_salience != (saliences is not None):
        raise ValueError(
            f"{policy} takes {'saliences' if policy.needs_salience else 'no saliences'}"
        )
    lengths = np.diff(offsets)
    budgets = [budget(lengths, share) for share in shares]
    if policy is ReductionPolicy.SALIENCE:
        assert saliences is not None
        return [_most_salient(vectors, offsets, counts, saliences) for counts in budgets]
    forest = pooling.grow(vectors, offsets, saliences, np.minimum.reduce(budgets))
    found = []
    for counts in budgets:
        labels = forest.cut(counts)
        pooled = pooling.pool(vectors, labels, saliences)
        found.append(Reduced(pooled, pooling.offsets_of(np.minimum(counts, lengths)), labels))
    return found


def _most_salient(
    vectors: Vectors, offsets: Numbers, counts: Numbers, saliences: Scores
) -> Reduced:
    is_kept = highest(saliences, offsets, counts)
    labels = np.where(is_kept, np.cumsum(is_kept) - 1, DROPPED)
    return Reduced(vectors[is_kept], pooling.offsets_of(counts), labels)
