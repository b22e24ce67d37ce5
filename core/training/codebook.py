"""A projection and a codebook learned from the token vectors of broad text.

Both ship with a model, so that nobody waits for k-means before the first search.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.documents.document import Document
from core.documents.passages import split
from core.encoders.checkpoint import Checkpoint
from core.encoders.encoder import Encoder, unit
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.index.codebook import FILE
from core.index.codec import BITS, ResidualCodec, buckets

_log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CodebookRecipe:
    """How a projection and a codebook are learned.

    Attributes:
        dimensions: of the index.
        whitening: the power of its eigenvalue by which each principal direction is divided: 0
            keeps principal component analysis, 0.5 makes all directions equal.
        centroids: how many; at most 65,536.
        passages: at most so many are encoded, taken evenly from the corpora.
        sample: at most so many vectors go into k-means.
        rounds: of k-means.
        seed: of all that is drawn.
    """

    dimensions: int = 128
    whitening: float = 0.2
    centroids: int = 1024
    passages: int = 6000
    sample: int = 262_144
    rounds: int = 12
    seed: int = 7


def learn(
    checkpoint: Checkpoint, corpora: Sequence[Iterable[Document]], recipe: CodebookRecipe
) -> dict[str, float]:
    """Learn the projection, then the codebook, and write both beside the model's configuration.

    Returns:
        What to put into the model card: `passages`, `vectors`, and for each number of bits the
        mean cosine of a decoded vector with the original, on vectors that k-means did not see.

    Raises:
        UsageError: the corpora hold too little text.
    """
    from safetensors.numpy import save_file

    tokenizer = Tokenizer(checkpoint.tokenizer)
    texts = list(_sample(tokenizer, corpora, recipe))
    hidden = _hidden_vectors(checkpoint, tokenizer, texts)
    if len(hidden) < 40 * recipe.centroids:
        raise UsageError(
            f"The corpora give {len(hidden)} token vectors; "
            f"{40 * recipe.centroids} are needed for {recipe.centroids} centroids."
        )
    projection = whitened_projection(unit(hidden), recipe)
    save_file({"projection": projection}, checkpoint.resources / "projection.safetensors")
    vectors = unit(hidden @ projection)
    del hidden
    generator = np.random.default_rng(recipe.seed)
    generator.shuffle(vectors)
    held_out = max(len(vectors) // 10, 1)
    points = _k_means(vectors[: min(recipe.sample, len(vectors) - held_out)], recipe)
    test = vectors[-held_out:]
    arrays: dict[str, npt.NDArray[np.floating]] = {"points": points.astype(np.float16)}
    report: dict[str, float] = {"passages": len(texts), "vectors": len(vectors)}
    stored = points.astype(np.float16).astype(np.float32)
    # Any codec finds the nearest centroids; the buckets below are not used for that.
    finder = ResidualCodec(stored, np.zeros(1, np.float32), np.array([-1, 1], np.float32))
    residuals = test - stored[finder.nearest(test)]
    for bits in BITS:
        cutoffs, weights = buckets(residuals[::4], bits)
        arrays |= {f"cutoffs.{bits}": cutoffs, f"weights.{bits}": weights}
        codec = ResidualCodec(stored, cutoffs, weights)
        decoded = unit(codec.decode(codec.encode(test)))
        report[f"cosine.{bits}"] = float(np.einsum("md,md->m", decoded, test).mean())
    save_file(arrays, checkpoint.resources / FILE)
    return report


def whitened_projection(vectors: Floats, recipe: CodebookRecipe) -> Floats:
    """The (h, d) matrix to the first principal directions of (t, h) unit vectors.

    The directions are weakened by a power of their eigenvalues, because a few of them, shared by
    all tokens, otherwise outweigh those that tell tokens apart; then turned at random, so that
    residuals are alike in all dimensions and one set of buckets fits them all. Scaled to keep
    lengths on average.

    Raises:
        UsageError: there are fewer dimensions than asked for.
    """
    if vectors.shape[1] < recipe.dimensions:
        raise UsageError(
            f"The model has {vectors.shape[1]} dimensions, fewer than {recipe.dimensions}."
        )
    moment = (vectors.T @ vectors).astype(np.float64) / len(vectors)
    values, directions = np.linalg.eigh(moment)
    values, directions = values[::-1], directions[:, ::-1]
    kept = directions[:, : recipe.dimensions] * values[: recipe.dimensions] ** -recipe.whitening
    kept *= np.sqrt(recipe.dimensions) / np.linalg.norm(kept)
    generator = np.random.default_rng(recipe.seed)
    turn, triangle = np.linalg.qr(generator.normal(size=(recipe.dimensions, recipe.dimensions)))
    # The signs of the triangle's diagonal make the turn one and the same with every LAPACK.
    projection: Floats = (kept @ (turn * np.sign(np.diag(triangle)))).astype(np.float32)
    return np.ascontiguousarray(projection)


def _sample(
    tokenizer: Tokenizer, corpora: Sequence[Iterable[Document]], recipe: CodebookRecipe
) -> Iterator[tuple[str, str]]:
    """Context and text of passages, evenly many from each corpus, one from each document."""
    generator = np.random.default_rng(recipe.seed)
    for corpus in corpora:
        documents = list(corpus)
        generator.shuffle(documents)
        for document in documents[: recipe.passages // len(corpora)]:
            spans = split(document, tokenizer.count)
            if spans:
                span = spans[int(generator.integers(len(spans)))]
                text = document.pages[span.page - 1].text
                yield span.context, text[span.start : span.end]


def _hidden_vectors(
    checkpoint: Checkpoint, tokenizer: Tokenizer, texts: Sequence[tuple[str, str]]
) -> Floats:
    """The transformer's own vectors of all tokens: its checkpoint with no projection."""
    plain = replace(checkpoint, name=f"{checkpoint.name}-plain", has_projection=False)
    encoder = Encoder(plain, tokenizer, open_runtime(plain))
    ids = [tokens.ids for tokens in encoder.passage_tokens(texts)]
    return np.concatenate(encoder.encode(ids))


def _k_means(vectors: Floats, recipe: CodebookRecipe) -> Floats:
    import faiss

    _log.info("k-means: %d vectors, %d centroids", len(vectors), recipe.centroids)
    k_means = faiss.Kmeans(
        vectors.shape[1],
        recipe.centroids,
        niter=recipe.rounds,
        seed=recipe.seed,
        min_points_per_centroid=1,
        max_points_per_centroid=len(vectors),
    )
    k_means.train(vectors)
    return np.asarray(k_means.centroids, dtype=np.float32)
