"""The few vectors that an index stores for a passage's tokens, and which tokens each stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.alignment import pruning
from core.alignment.keeping import Keeping
from core.alignment.pooling import DROPPED, offsets_of, parts
from core.encoders.encoder import TokenVectors

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Members:
    """Which tokens of a passage each of its k stored vectors stands for.

    Attributes:
        positions: (c,) the tokens' places in the passage, vector by vector, and for each vector
            the one first that had the most part in it. No token occurs twice; one that was
            dropped does not occur.
        counts: (k,) how many of them are of each vector, at least 1.
    """

    positions: Numbers
    counts: Numbers

    @property
    def first(self) -> Numbers:
        """(k,) for each vector the token that had the most part in it.

        >>> Members(np.array([4, 1, 0]), np.array([2, 1])).first.tolist()
        [4, 0]
        """
        found: Numbers = self.positions[np.cumsum(self.counts) - self.counts]
        return found


@dataclass(frozen=True, slots=True)
class StandIns:
    """The k vectors that stand for the tokens of one passage.

    Attributes:
        vectors: (k, d) float32 of about unit length.
        members: None where each token has its own vector, in their order.
    """

    vectors: Floats
    members: Members | None = None

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def first(self) -> Numbers:
        """(k,) for each vector the token that had the most part in it."""
        return np.arange(len(self.vectors)) if self.members is None else self.members.first


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(StandIns):
    """Vectors that are to be stored, with the number of `tokens` that the passage has."""

    tokens: int


def keep(texts: Sequence[TokenVectors], keeping: Keeping, *, has_summary: bool) -> list[Kept]:
    """The vectors of passages that are to be stored.

    Args:
        texts: of the passages, with saliences where `keeping` needs them.
        keeping: what is kept of their tokens' vectors.
        has_summary: whether the first vector of each is its summary, which is kept as it is and
            counted in no share.

    Raises:
        ValueError: saliences are needed and missing.

    >>> text = TokenVectors(np.eye(4, dtype=np.float32)[[0, 1, 1, 2]])
    >>> (kept,) = keep([text], Keeping(share=0.5), has_summary=True)
    >>> len(kept), kept.tokens, kept.members.positions.tolist(), kept.members.counts.tolist()
    (3, 4, [0, 1, 2, 3], [1, 2, 1])
    """
    if keeping.is_everything or not texts:
        return [Kept(one.vectors, tokens=len(one)) for one in texts]
    first = int(has_summary)
    own = [one.vectors[first:] for one in texts]
    offsets = offsets_of([len(one) for one in own])
    saliences = None
    if keeping.way.needs_salience:
        saliences = np.concatenate([_saliences(one)[first:] for one in texts])
    vectors = np.concatenate(own)
    reduced = pruning.reduce(vectors, offsets, keeping.share, keeping.way, saliences)
    positions, counts = _members(vectors, reduced, saliences)
    places = positions - np.repeat(offsets[:-1], np.diff(offsets))[positions] + first
    begins = offsets_of(counts)
    kept = []
    for number, text in enumerate(texts):
        rows = slice(int(reduced.offsets[number]), int(reduced.offsets[number + 1]))
        covered = places[begins[rows.start] : begins[rows.stop]]
        kept.append(_with_summary(text, reduced.vectors[rows], covered, counts[rows], first))
    return kept


def _with_summary(
    text: TokenVectors, vectors: Floats, positions: Numbers, counts: Numbers, first: int
) -> Kept:
    """What is kept behind the summary, which is the text's `first` vector, or behind none."""
    summary = text.vectors[:first]
    leading = np.arange(len(summary))
    members = Members(
        np.concatenate([leading, positions]), np.concatenate([np.ones_like(leading), counts])
    )
    return Kept(np.concatenate([summary, vectors]), members, tokens=len(text))


def _saliences(text: TokenVectors) -> Floats:
    if text.saliences is None:
        raise ValueError("the model has no saliences")
    return text.saliences


def _members(
    vectors: Floats, reduced: pruning.Reduced, saliences: Floats | None
) -> tuple[Numbers, Numbers]:
    """The tokens of each kept vector, the one with the most part in it first, and their numbers."""
    is_kept = reduced.labels != DROPPED
    tokens = np.flatnonzero(is_kept)
    labels = reduced.labels[tokens]
    count = len(reduced.vectors)
    strengths = np.einsum("td,td->t", vectors[tokens], reduced.vectors[labels])
    if saliences is not None:
        strengths *= parts(labels, saliences[tokens], count)
    order = np.lexsort((-strengths, labels))
    return tokens[order], np.bincount(labels, minlength=count)
