"""Reduction of a passage's token vectors to a share of them, by pruning or pooling.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, "Pruning multi-vector
retrieval"; Clavié et al., "Token Pooling", 2024.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Self

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
    PRUNED_POOLING = "pruned pooling"
    """The same of the more salient tokens; the least salient ones have no vector."""

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

    Shares are of all tokens of the passage, also of those that are pruned.

    Attributes:
        policy: the method.
        listed: the share in the inverted lists. A share of 1 keeps all vectors unchanged, with any
            policy.
        stored: the share in the refinement store, which is larger; 0 without a store.
        beta_d: for pruned pooling, the share of tokens that are pooled, the most salient ones;
            otherwise 1.

    Source: ALIGNER, section 3.2, "Pruning Multi-vector Retrieval" (beta_d).

    >>> TokenReduction.parse("weighted-pooling:0.4").listed
    0.4
    >>> str(TokenReduction(ReductionPolicy.SALIENCE, 0.2)), str(TokenReduction())
    ('salience:0.2', 'all')
    >>> reduction = TokenReduction.parse("pruned-pooling:0.8:0.2+0.3")
    >>> reduction.beta_d, reduction.listed, reduction.stored
    (0.8, 0.2, 0.3)
    """

    policy: ReductionPolicy = ReductionPolicy.POOLING
    listed: float = 1.0
    stored: float = 0.0
    beta_d: float = 1.0

    def __post_init__(self) -> None:
        for share in (self.listed, self.stored or 1.0, self.beta_d):
            if not 0 < share <= 1:
                raise UsageError(
                    f"The share of tokens must be above 0 and at most 1, not {share:g}."
                )
        if self.stored and self.stored <= self.listed:
            raise UsageError(
                f"The second share of tokens must be larger than the first, not {self.stored:g}."
            )
        if self.policy is not ReductionPolicy.PRUNED_POOLING and self.beta_d != 1:
            raise ValueError(f"{self.policy} has no share of pooled tokens")
        if max(self.shares) > self.beta_d:
            raise UsageError(
                f"At most {self.beta_d:g} of the tokens have vectors after pruning, so their share "
                f"cannot be {max(self.shares):g}."
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `all` or `WAY:SHARE`, with `+SHARE` for a refinement store.

        Pruned pooling has the share of the pooled tokens first: `pruned-pooling:SHARE:SHARE`.

        Raises:
            UsageError: it is neither.
        """
        if text == EVERYTHING:
            return cls()
        share = r"(\d+(?:\.\d+)?|\.\d+)"
        match = re.fullmatch(rf"([a-z-]+):(?:{share}:)?{share}(?:\+{share})?", text)
        policy = _POLICIES.get(match[1]) if match is not None else None
        is_pruned = policy is ReductionPolicy.PRUNED_POOLING
        if match is None or policy is None or is_pruned != bool(match[2]):
            ways = ", ".join(
                f"{name}:0.8:0.4" if way is ReductionPolicy.PRUNED_POOLING else f"{name}:0.4"
                for name, way in _POLICIES.items()
            )
            raise UsageError(f"'{text}' is not a token reduction. Use all, or for example {ways}.")
        return cls(policy, float(match[3]), float(match[4] or 0), float(match[2] or 1))

    @property
    def is_everything(self) -> bool:
        """Whether all vectors are kept unchanged."""
        return self.listed == 1

    @property
    def pruned_to(self) -> float:
        """The share of tokens with a part in any vector; the least salient others have none."""
        if self.is_everything or self.policy is not ReductionPolicy.SALIENCE:
            return self.beta_d
        return max(self.shares)

    @property
    def is_pooling(self) -> bool:
        """Whether the kept vectors are means of several tokens."""
        return not self.is_everything and self.policy is not ReductionPolicy.SALIENCE

    def __str__(self) -> str:
        if self.is_everything:
            return EVERYTHING
        pooled = f"{self.beta_d:g}:" if self.policy is ReductionPolicy.PRUNED_POOLING else ""
        stored = f"+{self.stored:g}" if self.stored else ""
        return f"{_NAMES[self.policy]}:{pooled}{self.listed:g}{stored}"

    @property
    def shares(self) -> tuple[float, ...]:
        """The share in the inverted lists, then that in the refinement store, if there is one."""
        return (self.listed, self.stored) if self.stored else (self.listed,)


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
    positions = np.arange(len(order)) - np.repeat(offsets[:-1], lengths)
    is_highest = np.zeros(len(order), dtype=np.bool_)
    is_highest[order] = positions < np.repeat(counts, lengths)
    return is_highest


def reduce(
    vectors: Vectors,
    offsets: Numbers,
    share: float,
    policy: ReductionPolicy,
    saliences: Scores | None = None,
    beta_d: float = 1.0,
) -> Reduced:
    """Reduce the vectors of each of many passages to a `share`; see `reduce_to_each`.

    >>> vectors = np.eye(2, dtype=np.float32)[[0, 1, 1]]
    >>> reduced = reduce(vectors, np.array([0, 3]), 0.5, ReductionPolicy.POOLING)
    >>> reduced.vectors.tolist(), [group.tolist() for group in reduced.groups]
    ([[1.0, 0.0], [0.0, 1.0]], [[0], [1, 2]])
    """
    (reduced,) = reduce_to_each(vectors, offsets, [share], policy, saliences, beta_d)
    return reduced


def reduce_to_each(
    vectors: Vectors,
    offsets: Numbers,
    shares: Sequence[float],
    policy: ReductionPolicy,
    saliences: Scores | None = None,
    beta_d: float = 1.0,
) -> list[Reduced]:
    """Reduce the vectors of each of many passages to each of some shares, clustering them once.

    Args:
        vectors: (t, d) unit vectors of all passages' tokens, concatenated.
        offsets: (p + 1,) the start of each passage, and t.
        shares: each above 0 and up to 1; ceil(share m) of m tokens are kept.
        policy: the method.
        saliences: (t,) of the tokens, at least 0. None for plain pooling.
        beta_d: only the most salient ceil(beta_d m) of m tokens are pooled; not below a share.

    Raises:
        ValueError: saliences are missing or unexpected, or a share is out of range.

    >>> vectors, saliences = np.eye(3, dtype=np.float32), np.array([0.1, 0.0, 0.2])
    >>> [reduced] = reduce_to_each(vectors, np.array([0, 3]), [0.5],
    ...     ReductionPolicy.PRUNED_POOLING, saliences, beta_d=0.6)
    >>> reduced.labels.tolist()
    [0, -1, 1]
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
    is_pooled = np.ones(len(vectors), dtype=np.bool_)
    if saliences is not None and beta_d < 1:
        is_pooled = highest(saliences, offsets, budget(lengths, beta_d))
    pooled, masses = (
        (vectors, saliences)
        if is_pooled.all()
        else (
            vectors[is_pooled],
            None if saliences is None else saliences[is_pooled],
        )
    )
    starts = pooling.offsets_of(is_pooled)[offsets]
    forest = pooling.grow(pooled, starts, masses, np.minimum.reduce(budgets))
    reductions = []
    for counts in budgets:
        labels = np.full(len(vectors), DROPPED, dtype=np.int64)
        labels[is_pooled] = forest.cut(counts)
        means = pooling.pool(vectors, labels, saliences)
        stored_counts = np.minimum(counts, np.diff(starts))
        reductions.append(Reduced(means, pooling.offsets_of(stored_counts), labels))
    return reductions


def _most_salient(
    vectors: Vectors, offsets: Numbers, counts: Numbers, saliences: Scores
) -> Reduced:
    is_kept = highest(saliences, offsets, counts)
    labels = np.where(is_kept, np.cumsum(is_kept) - 1, DROPPED)
    return Reduced(vectors[is_kept], pooling.offsets_of(counts), labels)
