"""Compression of passages during training, as in an index: pooled vectors, few bits a dimension.

The model learns vectors that lose little by pooling and coding: the scores of compressed vectors
are distilled from those of all vectors (see `losses`). Clusters and codes are computed by the
engine's functions, without gradients. A cluster's mean passes its gradient to the members, and a
code passes it straight through.

Sources: Clavié, Chaffin and Adams, "Token Pooling", 2024, for the pooling; Bengio, Léonard and
Courville, "Estimating or Propagating Gradients Through Stochastic Neurons", 2013, for the gradient
through codes; van den Oord, Vinyals and Kavukcuoglu, "Neural Discrete Representation Learning",
2017, appendix A.1, for moving centroids.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from core.alignment import pooling, reduction
from core.arrays import Floats
from core.errors import UsageError
from core.index.codebook import learn_codebook
from core.index.codec import UNCOMPRESSED, ResidualCodec
from core.index.quantisation import buckets
from lab.training.config import LossConfig
from lab.training.model import Encoded

_VECTORS_PER_CENTROID = 40
_ROUNDS = 8
# Decay of the codebook per step: it averages about the last hundred batches.
_DECAY = 0.99
# Vectors of a batch from which the buckets of residuals are updated.
_BUCKET_ROWS = 2048


class Compressed(NamedTuple):
    """The compressed vectors of b passages."""

    vectors: Tensor
    """(b, k, d) float32; of about unit length."""
    mask: Tensor
    """(b, k) bool, true where there is one."""


def pool(
    vectors: Tensor,
    mask: Tensor,
    saliences: Tensor | None,
    share: float,
    *,
    has_summaries: bool = False,
) -> Compressed:
    """Return the means of clusters of each passage's vectors, as in `core.alignment.reduction`.

    A mean passes its gradient to the members but not to the saliences, where it would be unbounded
    for a cluster with almost no salience.

    Args:
        vectors: (b, m, d) of unit length.
        mask: (b, m) bool, true where there is a token; padding comes last.
        saliences: (b, m), at least 0, weights of the tokens in clustering and means; None for plain
            pooling.
        share: share of a passage's tokens; ceil(share m) of m vectors are left.
        has_summaries: whether the first vector of each passage is its summary, which is kept and
            not counted in the share.

    Raises:
        ValueError: `share` is outside its range, or a salience is negative or no number.
    """
    first = int(has_summaries)
    own = mask[:, first:]
    members = vectors[:, first:][own]
    lengths = own.sum(dim=1).cpu().numpy()
    weights: Tensor | None = None
    masses: Floats | None = None
    if saliences is not None:
        weights = saliences[:, first:][own].detach().float()
        masses = weights.cpu().numpy()
    counts = np.minimum(reduction.budget(lengths, share), lengths)
    forest = pooling.grow(
        members.detach().float().cpu().numpy(), pooling.offsets_of(lengths), masses
    )
    labels = torch.from_numpy(forest.cut(counts)).to(vectors.device)
    shares = members.new_ones(len(members))
    if weights is not None:
        heaviest = weights.new_zeros(int(counts.sum())).scatter_reduce(0, labels, weights, "amax")
        shares = torch.where(heaviest[labels] > 0, weights, 1.0)
        members = members * shares[:, None]
    sums = members.new_zeros(int(counts.sum()), vectors.shape[2]).index_add(0, labels, members)
    totals = shares.new_zeros(len(sums)).index_add(0, labels, shares)
    of_means = (torch.linalg.vector_norm(sums, dim=1) / totals).clamp(min=pooling.SHORTEST)
    means = functional.normalize(sums, dim=1, eps=torch.finfo(sums.dtype).tiny)
    means = means * (of_means**-pooling.LENGTHENING)[:, None]
    pooled = pad_sequence(list(torch.split(means, counts.tolist())), batch_first=True)
    places = torch.arange(pooled.shape[1], device=vectors.device)
    pooled_mask = places < torch.from_numpy(counts).to(vectors.device)[:, None]
    if has_summaries:
        pooled = torch.cat([vectors[:, :1], pooled], dim=1)
        pooled_mask = torch.cat([mask[:, :1], pooled_mask], dim=1)
    return Compressed(pooled, pooled_mask)


class MovingCodebook:
    """A codebook that tracks changing vectors: learned at the start, updated by each batch.

    A centroid is a moving average of the vectors nearest to it. The buckets are a moving average of
    those with the least squared error on each batch.
    """

    def __init__(self, dimensions: int, bits: int, centroids: int) -> None:
        """Allocate the codebook; `learn` or a checkpoint fills it.

        Args:
            dimensions: of a vector; a multiple of 8.
            bits: per dimension; 1, 2 or 4.
            centroids: K, the maximum number.
        """
        self._bits = bits
        self._shares = torch.zeros(centroids)
        self._sums = torch.zeros(centroids, dimensions)
        self._cutoffs = torch.zeros((1 << bits) - 1)
        self._weights = torch.zeros(1 << bits)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """Tensors to store in and load from a checkpoint.

        (K,) the share of vectors nearest to each centroid, (K, d) the centroids times that share,
        and cutoffs and weights of the buckets.
        """
        return {
            "shares": self._shares,
            "sums": self._sums,
            "cutoffs": self._cutoffs,
            "weights": self._weights,
        }

    @property
    def codec(self) -> ResidualCodec:
        """The codec of the current codebook, without unused centroids."""
        is_used = self._shares > torch.finfo(torch.float32).tiny
        centroids = self._sums[is_used] / self._shares[is_used, None]
        return ResidualCodec.plain(
            centroids.numpy(), self._cutoffs.numpy().copy(), self._weights.numpy().copy()
        )

    def learn(self, vectors: Floats, seed: int) -> None:
        """Learn the codebook from (t, d) float32 unit vectors, which are shuffled in place."""
        most = len(self._shares)
        arrays, _ = learn_codebook(
            vectors,
            centroids=max(min(len(vectors) // _VECTORS_PER_CENTROID, most), 1),
            per_centroid=1,
            sample=len(vectors),
            rounds=_ROUNDS,
            seed=seed,
        )
        cutoffs, weights = arrays[f"cutoffs.{self._bits}"], arrays[f"weights.{self._bits}"]
        centroids = arrays["centroids"].astype(np.float32)
        codec = ResidualCodec.plain(centroids, cutoffs, weights)
        held = np.bincount(codec.nearest(vectors), minlength=len(centroids)) / len(vectors)
        self._shares.zero_()[: len(held)] = torch.from_numpy(held).float()
        self._sums.zero_()[: len(held)] = torch.from_numpy(centroids * held[:, None]).float()
        self._cutoffs.copy_(torch.from_numpy(cutoffs))
        self._weights.copy_(torch.from_numpy(weights))

    def update(self, vectors: Floats) -> None:
        """Update the codebook with (t, d) float32 vectors of a batch.

        Source: van den Oord et al., 2017, appendix A.1.
        """
        codec = self.codec
        owners = codec.nearest(vectors)
        places = np.flatnonzero(self._shares.numpy() > np.finfo(np.float32).tiny)
        rows = torch.from_numpy(places[owners])
        rows_of_vectors = torch.from_numpy(vectors)
        share = (1 - _DECAY) / max(len(vectors), 1)
        self._shares.mul_(_DECAY).index_add_(0, rows, torch.full((len(rows),), share))
        self._sums.mul_(_DECAY).index_add_(0, rows, rows_of_vectors * share)
        sample = slice(None, None, max(len(vectors) // _BUCKET_ROWS, 1))
        cutoffs, weights = buckets(vectors[sample] - codec.centroids[owners[sample]], self._bits)
        self._cutoffs.lerp_(torch.from_numpy(cutoffs), 1 - _DECAY)
        self._weights.lerp_(torch.from_numpy(weights), 1 - _DECAY)

    def code(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return the decoded vectors, with the gradient of the originals.

        Args:
            vectors: (b, k, d) of about unit length.
            mask: (b, k) bool, true where there is a vector.

        Source: Bengio et al., 2013, section 4, the straight-through estimator.
        """
        selected = vectors.detach()[mask]
        codec = self.codec
        decoded = codec.decode(codec.encode(selected.float().cpu().numpy()))
        errors = torch.zeros_like(vectors)
        errors[mask] = torch.from_numpy(decoded).to(vectors) - selected
        return vectors + errors.detach()


class Compression:
    """Compression of a run's batches, with a random share for each step."""

    def __init__(self, config: LossConfig, dimensions: int, seed: int) -> None:
        """Allocate a codebook, if the run uses one.

        Raises:
            UsageError: vectors of this dimension cannot be coded.
        """
        self._config = config
        self._seed = seed
        self.codebook: MovingCodebook | None = None
        if config.compressed_bits != UNCOMPRESSED:
            if dimensions % 8:
                raise UsageError(
                    f"Vectors of {dimensions} dimensions, no multiple of 8, cannot be coded; set "
                    f"compressed_bits to {UNCOMPRESSED}, or take other dimensions."
                )
            self.codebook = MovingCodebook(
                dimensions, config.compressed_bits, config.compressed_centroids
            )

    @property
    def tensors(self) -> dict[str, Tensor]:
        """Tensors to store in and load from a checkpoint."""
        return self.codebook.tensors if self.codebook is not None else {}

    def share(self, step: int) -> float | None:
        """Return the share of vectors left by pooling at a step, counted from 0.

        None if the step does not compress.
        """
        config = self._config
        generator = np.random.default_rng([self._seed, 9, step])
        if generator.random() >= config.compressed_steps:
            return None
        # Log-uniform: halving a share is the same step everywhere.
        least, most = config.pooled_least, config.pooled_most
        return float(most * (least / most) ** generator.random())

    def compress(self, passages: Encoded, step: int, *, has_summaries: bool) -> Compressed | None:
        """Return a batch's compressed passages; None if the step does not compress.

        Also returns None if a vector or a salience is NaN, which the loss then reports.
        """
        share = self.share(step)
        values = (passages.vectors, passages.ungated)
        if share is None or not all(one is None or bool(one.isfinite().all()) for one in values):
            return None
        result = Compressed(passages.vectors, passages.mask)
        if share < 1:
            result = pool(*result, passages.ungated, share, has_summaries=has_summaries)
        if self.codebook is not None:
            coded = self.codebook.code(*result)
            whole = passages.vectors.detach()[passages.mask]
            self.codebook.update(whole.float().cpu().numpy())
            result = result._replace(vectors=coded)
        return result
