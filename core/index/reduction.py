"""Reduction of a passage's token vectors to fewer, and the main token of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.alignment import reduction
from core.alignment.pooling import DROPPED, offsets_of, parts
from core.alignment.reduction import TokenReduction
from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder, TokenVectors


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The k stored vectors of one passage.

    Attributes:
        vectors: (k, d) float32 of about unit length.
        positions: (k,) the position of the token that contributed most to each vector; unique.
    """

    vectors: Floats
    positions: Numbers

    def __len__(self) -> int:
        return len(self.vectors)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReducedPassage(StoredVectors):
    """The reduced vectors of a passage.

    Attributes:
        tokens: number of the passage's tokens.
        refined: the vectors for the refinement store; None without one.
    """

    tokens: int
    refined: StoredVectors | None = None


def reduce_passages(
    texts: Sequence[TokenVectors], keeping: TokenReduction, *, has_summary: bool
) -> list[ReducedPassage]:
    """Return the reduced vectors of passages.

    Args:
        texts: of the passages, with saliences if `keeping` needs them.
        keeping: how token vectors are pooled and pruned.
        has_summary: whether the first vector of each is its summary, which is unchanged and
            not counted.

    Raises:
        ValueError: saliences are needed and missing.

    >>> text = TokenVectors(np.eye(4, dtype=np.float32)[[0, 1, 1, 2]])
    >>> (kept,) = reduce_passages([text], TokenReduction(listed=0.5), has_summary=True)
    >>> len(kept), kept.tokens, kept.positions.tolist()
    (3, 4, [0, 1, 3])
    """
    if keeping.is_everything or not texts:
        return [
            ReducedPassage(text.vectors, np.arange(len(text)), tokens=len(text)) for text in texts
        ]
    first = int(has_summary)
    own = [text.vectors[first:] for text in texts]
    offsets = offsets_of([len(text) for text in own])
    saliences = None
    if keeping.policy.needs_salience:
        saliences = np.concatenate([_saliences(text)[first:] for text in texts])
    vectors = np.concatenate(own)
    stored, *refined = [
        _with_summaries(texts, reduced, _strongest(vectors, reduced, saliences), offsets, first)
        for reduced in reduction.reduce_to_each(
            vectors, offsets, keeping.shares, keeping.policy, saliences, keeping.beta_d
        )
    ]
    of_store: Sequence[StoredVectors | None] = refined[0] if refined else [None] * len(texts)
    return [
        ReducedPassage(pruned.vectors, pruned.positions, tokens=len(text), refined=more)
        for text, pruned, more in zip(texts, stored, of_store, strict=True)
    ]


def _with_summaries(
    texts: Sequence[TokenVectors],
    reduced: reduction.Reduced,
    strongest: Numbers,
    offsets: Numbers,
    first: int,
) -> list[StoredVectors]:
    """Return the summary, if any, and the reduced vectors of each passage.

    Args:
        texts: the p passages.
        reduced: their k vectors, without summaries.
        strongest: (k,) the main token of each vector, of all passages.
        offsets: (p + 1,) the start of each passage's tokens, without summaries.
        first: number of summaries in each passage, 0 or 1.
    """
    summary_rows = strongest - np.repeat(offsets[:-1], np.diff(offsets))[strongest] + first
    stored: list[StoredVectors] = []
    for index, text in enumerate(texts):
        rows = slice(int(reduced.offsets[index]), int(reduced.offsets[index + 1]))
        summary = text.vectors[:first]
        stored.append(
            StoredVectors(
                np.concatenate([summary, reduced.vectors[rows]]),
                np.concatenate([np.arange(len(summary)), summary_rows[rows]]),
            )
        )
    return stored


def encode_reduced(
    encoder: Encoder,
    texts: Sequence[tuple[str, str]],
    keeping: TokenReduction,
    on_batch: Callable[[int], None],
) -> list[ReducedPassage]:
    """Encode passages, each a context and a text, and return their reduced vectors.

    Args:
        encoder: encodes them.
        texts: of the passages.
        keeping: how token vectors are pooled and pruned.
        on_batch: called after each batch with the number of passages done; may raise to stop.
    """
    encoded = encoder.encode_passages(encoder.passage_tokens(texts), on_batch)
    has_summary = encoder.checkpoint.passages.includes_summary
    return reduce_passages(encoded, keeping, has_summary=has_summary)


def pruned_tokens(
    text: TokenVectors, keeping: TokenReduction, *, has_summary: bool
) -> tuple[int, ...]:
    """Return the positions of a passage's tokens that have no part in any stored vector.

    Args:
        text: of the passage, with saliences if `keeping` needs them.
        keeping: how token vectors are pooled and pruned.
        has_summary: whether the first vector is the passage's summary.

    Raises:
        ValueError: saliences are needed and missing.

    Source: ALIGNER, section 3.2.

    >>> text = TokenVectors(np.eye(4, dtype=np.float32), np.array([0.0, 0.3, 0.1, 0.2]))
    >>> keeping = TokenReduction.parse("pruned-pooling:0.6:0.3")
    >>> pruned_tokens(text, keeping, has_summary=True)
    (2,)
    """
    first = int(has_summary)
    if keeping.pruned_to == 1 or len(text) <= first:
        return ()
    own = _saliences(text)[first:]
    ends = np.array([0, len(own)])
    is_kept = reduction.highest(own, ends, reduction.budget(ends[1:], keeping.pruned_to))
    return tuple((np.flatnonzero(~is_kept) + first).tolist())


def _saliences(text: TokenVectors) -> Floats:
    if text.saliences is None:
        raise ValueError("the model has no saliences")
    return text.saliences


def _strongest(vectors: Floats, reduced: reduction.Reduced, saliences: Floats | None) -> Numbers:
    """Return (k,) the token that contributed most to each reduced vector."""
    tokens = np.flatnonzero(reduced.labels != DROPPED)
    labels = reduced.labels[tokens]
    strengths = np.einsum("td,td->t", vectors[tokens], reduced.vectors[labels])
    if saliences is not None:
        strengths *= parts(labels, saliences[tokens], len(reduced.vectors))
    order = np.lexsort((-strengths, labels))
    strongest: Numbers = tokens[order[np.unique(labels[order], return_index=True)[1]]]
    return strongest
