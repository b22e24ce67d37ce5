"""Passages as an index keeps them, few vectors in a bit a dimension, while the model is trained.

What is learned so is a model whose vectors can be pooled and coded with little loss: the scores of
the compressed vectors follow those of all vectors as they are (see `losses`). Which tokens are
pooled together, and what code a vector has, is found by the engine's own functions and without a
gradient; the mean of a cluster hands the gradient on to its members, and a code hands it on as
though the vector were not coded.

Sources: Clavié, Chaffin and Adams, "Token Pooling", 2024, for the pooling; Bengio, Léonard and
Courville, "Estimating or Propagating Gradients Through Stochastic Neurons", 2013, for the gradient
through codes; van den Oord, Vinyals and Kavukcuoglu, "Neural Discrete Representation Learning",
2017, appendix A.1, for centroids that follow the vectors.
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
from core.index.codec import UNCOMPRESSED, ResidualCodec, buckets
from lab.training.config import LossConfig
from lab.training.model import Encoded

_VECTORS_PER_CENTROID = 40
_ROUNDS = 8
_STAYS = 0.99
"""Of a codebook, at each step: it is one of the last hundred batches."""
_BUCKET_ROWS = 2048
"""Vectors of a batch that the buckets of its residuals are found with."""


class Compressed(NamedTuple):
    """The vectors that stand for the tokens of b passages."""

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
    """Return the means of clusters of each passage's vectors, as `core.alignment.reduction` has it.

    The gradient of a mean goes to its members, none to the saliences: that of a cluster of next to
    no salience would have no bounds.

    Args:
        vectors: (b, m, d) of unit length.
        mask: (b, m) bool, true where there is a token; a row's tokens stand first.
        saliences: (b, m), at least 0, the tokens' weights among the clusters and in their means;
            None for plain pooling.
        share: of a passage's tokens, ceil(share m) of m vectors are left.
        has_summaries: whether the first vector of each passage stands for it as a whole; it stays
            as it is, and counts in no share.

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
    kept = pad_sequence(list(torch.split(means, counts.tolist())), batch_first=True)
    places = torch.arange(kept.shape[1], device=vectors.device)
    kept_mask = places < torch.from_numpy(counts).to(vectors.device)[:, None]
    if has_summaries:
        kept = torch.cat([vectors[:, :1], kept], dim=1)
        kept_mask = torch.cat([mask[:, :1], kept_mask], dim=1)
    return Compressed(kept, kept_mask)


class MovingCodebook:
    """A codebook of vectors that change: learned at the start, then carried along by each batch.

    Its centroids are the moving mean of the vectors that are nearest to them, its buckets that of
    the buckets with the least squared error on each batch.
    """

    def __init__(self, dimensions: int, bits: int, centroids: int) -> None:
        """Make room for it; `learn` or a checkpoint fills it.

        Args:
            dimensions: of a vector, a multiple of 8.
            bits: a dimension, 1, 2 or 4.
            centroids: K, how many at most.
        """
        self._bits = bits
        self._shares = torch.zeros(centroids)
        self._sums = torch.zeros(centroids, dimensions)
        self._cutoffs = torch.zeros((1 << bits) - 1)
        self._weights = torch.zeros(1 << bits)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint keeps, and fills in.

        (K,) the share of all vectors that is nearest to each centroid, (K, d) the centroids times
        that, and cutoffs and weights of the buckets.
        """
        return {
            "shares": self._shares,
            "sums": self._sums,
            "cutoffs": self._cutoffs,
            "weights": self._weights,
        }

    @property
    def codec(self) -> ResidualCodec:
        """The codec of the codebook as it is now, with those centroids that have vectors."""
        is_used = self._shares > torch.finfo(torch.float32).tiny
        centroids = self._sums[is_used] / self._shares[is_used, None]
        return ResidualCodec.plain(
            centroids.numpy(), self._cutoffs.numpy().copy(), self._weights.numpy().copy()
        )

    def learn(self, vectors: Floats, seed: int) -> None:
        """Learn it from (t, d) float32 unit vectors, which are shuffled in place."""
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

    def follow(self, vectors: Floats) -> None:
        """Move a little towards (t, d) float32 vectors of a batch.

        Source: van den Oord et al., 2017, appendix A.1.
        """
        codec = self.codec
        owners = codec.nearest(vectors)
        places = np.flatnonzero(self._shares.numpy() > np.finfo(np.float32).tiny)
        rows = torch.from_numpy(places[owners])
        given = torch.from_numpy(vectors)
        share = (1 - _STAYS) / max(len(vectors), 1)
        self._shares.mul_(_STAYS).index_add_(0, rows, torch.full((len(rows),), share))
        self._sums.mul_(_STAYS).index_add_(0, rows, given * share)
        few = slice(None, None, max(len(vectors) // _BUCKET_ROWS, 1))
        cutoffs, weights = buckets(vectors[few] - codec.centroids[owners[few]], self._bits)
        self._cutoffs.lerp_(torch.from_numpy(cutoffs), 1 - _STAYS)
        self._weights.lerp_(torch.from_numpy(weights), 1 - _STAYS)

    def code(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return what the codes of vectors stand for, with the gradient of the vectors themselves.

        Args:
            vectors: (b, k, d) of about unit length.
            mask: (b, k) bool, which of them there are.

        Source: Bengio et al., 2013, section 4, the straight-through estimator.
        """
        given = vectors.detach()[mask]
        codec = self.codec
        found = codec.decode(codec.encode(given.float().cpu().numpy()))
        moved = torch.zeros_like(vectors)
        moved[mask] = torch.from_numpy(found).to(vectors) - given
        return vectors + moved.detach()


class Compression:
    """How the passages of a run's batches are compressed, drawn anew for each step."""

    def __init__(self, config: LossConfig, dimensions: int, seed: int) -> None:
        """Make room for a codebook, where one is wanted.

        Raises:
            UsageError: vectors of so many dimensions cannot be coded.
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
        """What a checkpoint keeps, and fills in."""
        return self.codebook.tensors if self.codebook is not None else {}

    def share(self, step: int) -> float | None:
        """Return the share of the vectors that pooling leaves at a step, counted from 0.

        None where the step compresses nothing.
        """
        config = self._config
        generator = np.random.default_rng([self._seed, 9, step])
        if generator.random() >= config.compressed_steps:
            return None
        # Even in the logarithm: halving a share is the same step everywhere.
        least, most = config.pooled_least, config.pooled_most
        return float(most * (least / most) ** generator.random())

    def compress(self, passages: Encoded, step: int, *, has_summaries: bool) -> Compressed | None:
        """Return a batch's passages compressed; None where the step compresses nothing.

        Where a vector or a salience is no number, nothing is compressed either: the loss shows it.
        """
        share = self.share(step)
        given = (passages.vectors, passages.ungated)
        if share is None or not all(one is None or bool(one.isfinite().all()) for one in given):
            return None
        kept = Compressed(passages.vectors, passages.mask)
        if share < 1:
            kept = pool(*kept, passages.ungated, share, has_summaries=has_summaries)
        if self.codebook is not None:
            coded = self.codebook.code(*kept)
            whole = passages.vectors.detach()[passages.mask]
            self.codebook.follow(whole.float().cpu().numpy())
            kept = kept._replace(vectors=coded)
        return kept
