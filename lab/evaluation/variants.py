"""The variants measured by a study, and the vectors searched for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment import reduction
from core.alignment.pooling import Vectors
from core.arrays import Floats
from core.encoders.folders.checkpoint import Checkpoint
from core.index.codebook import check_bits, learn_codebook, load_codec
from core.index.codec import Codec, ResidualCodec
from lab.evaluation import reductions
from lab.evaluation.encoded import EncodedSet, EncodedTexts
from lab.evaluation.reductions import Reduction
from lab.evaluation.results import ALL_TOKENS, QueryTokens, Variant
from lab.evaluation.scoring import Bags

SHARES: Final = (0.4, 0.3, 0.2, 0.1, 0.05)
_CODED: Final = 16_384  # vectors compressed at once
_SAMPLE: Final = 65_536  # training vectors of a codebook, if the model has none
_CENTROIDS: Final = 1024
_VECTORS_PER_CENTROID: Final = 40


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid of measured variants.

    Attributes:
        reductions: methods of token reduction; those that need saliences are skipped if the model
            has none.
        shares: beta_d, for each method.
        bits: per dimension of the codec, with all vectors.
        compressed: shares at which vectors reduced by pooling or salience are also compressed, to
            each of `bits`.
        retrieved: XTR's k', with all vectors; 0 for none.
        refined: number of documents reranked by all tokens; 0 for none.
        weighs_passages: whether to measure scores with passage tokens weighted by salience, if the
            model has saliences; with all vectors.
        seed: for the random reduction.
    """

    reductions: tuple[Reduction, ...] = tuple(Reduction)
    shares: tuple[float, ...] = SHARES
    bits: tuple[int, ...] = (1, 2, 4)
    compressed: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    retrieved: tuple[int, ...] = (4000,)
    refined: int = 20
    weighs_passages: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ReducedSet:
    """Vectors to search, and extra measurements on them.

    `saliences` (t,) are given if scores weighted by them are measured too.
    """

    variant: Variant
    passages: Bags
    retrieved: tuple[int, ...] = ()
    saliences: Floats | None = None


def reduced_sets(encoded: EncodedSet, checkpoint: Checkpoint, grid: Grid) -> Iterator[ReducedSet]:
    """Yield the kept vectors of a data set for each variant."""
    encoded_passages = encoded.passages
    passages = Bags(encoded_passages.vectors, encoded_passages.offsets)
    saliences = passage_saliences(encoded_passages) if grid.weighs_passages else None
    yield ReducedSet(Variant(), passages, grid.retrieved, saliences)
    codecs = codecs_of(checkpoint, encoded_passages.vectors, grid)
    for bits, codec in codecs.items():
        yield ReducedSet(Variant(bits=bits), compressed(passages, codec))
    tokens = encoded_passages.without_summaries()
    for way in grid.reductions:
        scores = scores_of(way, tokens, grid.seed)
        if scores is None and way.is_scored:
            continue
        found = reductions.reduce_all(tokens.vectors, tokens.offsets, grid.shares, way, scores)
        for share, reduced in zip(grid.shares, found, strict=True):
            stored = with_summaries(encoded_passages, Bags(reduced.vectors, reduced.offsets))
            yield ReducedSet(Variant(way, share), stored)
            if (way.is_pooling or way.needs_salience) and share in grid.compressed:
                for bits, codec in codecs.items():
                    yield ReducedSet(Variant(way, share, bits=bits), compressed(stored, codec))


def with_summaries(texts: EncodedTexts, reduced: Bags) -> Bags:
    """Return the kept vectors with each text's summary, if any, inserted first."""
    if not texts.has_summaries:
        return reduced
    first = reduced.offsets[:-1]
    vectors = np.insert(reduced.vectors, first, texts.vectors[texts.offsets[:-1]], axis=0)
    return Bags(vectors, reduced.offsets + np.arange(len(reduced.offsets)))


def scores_of(way: Reduction, texts: EncodedTexts, seed: int) -> Vectors | None:
    """Return (t,) scores of the tokens; None if the method takes none or the model has none."""
    if way.needs_salience:
        return texts.saliences
    if way is Reduction.RANDOM:
        return reductions.random_scores(len(texts.ids), seed)
    if way is Reduction.IDF:
        return reductions.idf_scores(texts.ids, texts.offsets)
    return texts.norms if way is Reduction.NORM else None


def weights_of(texts: EncodedTexts, variant: Variant) -> dict[QueryTokens, Floats]:
    """Return (t,) weights of the query tokens, for each measured choice of tokens.

    A query without salience uses all its tokens.
    """
    alike = np.ones(len(texts.ids), dtype=np.float32)
    if texts.saliences is None:
        return {QueryTokens.ALL: summarised(texts, alike, texts.summary_weight)}
    saliences = texts.saliences.copy()
    lengths = texts.lengths
    if texts.has_summaries:
        saliences[texts.offsets[:-1]] = -1
        lengths = lengths - 1
    half = reduction.highest(saliences, texts.offsets, reduction.budget(lengths, 0.5))
    saliences = np.maximum(saliences, 0)
    owners = np.repeat(np.arange(len(texts)), texts.lengths)
    is_silent = (np.bincount(owners, saliences, minlength=len(texts)) <= 0)[owners]
    weighted = np.where(is_silent, alike, saliences)
    own = weighted if texts.weighs else alike
    choices = {QueryTokens.ALL: own, QueryTokens.HALF: np.where(is_silent | half, own, 0)}
    if variant.reduction == ALL_TOKENS:
        if texts.weighs:
            choices[QueryTokens.EQUAL] = alike
        else:
            choices[QueryTokens.WEIGHTED] = weighted
    return {
        name: summarised(texts, weights, texts.summary_weight) for name, weights in choices.items()
    }


def summarised(texts: EncodedTexts, weights: Floats, summary_weight: float) -> Floats:
    """Return (t,) weights including summaries, at `summary_weight` of the text's total weight."""
    found = weights.astype(np.float32)
    if texts.has_summaries:
        first = texts.offsets[:-1]
        found[first] = 0
        owners = np.repeat(np.arange(len(texts)), texts.lengths)
        found[first] = summary_weight * np.bincount(owners, found, minlength=len(texts))
    return found


def passage_saliences(texts: EncodedTexts) -> Floats | None:
    """Return (t,) u^d, the weights of passage tokens; None if the model has no saliences.

    A summary has no salience; it gets the mean of its passage's tokens, which keeps its share of
    the score.
    """
    if texts.saliences is None or not texts.has_summaries:
        return texts.saliences
    saliences = texts.saliences.copy()
    first = texts.offsets[:-1]
    saliences[first] = 0
    sums = np.add.reduceat(saliences, first)
    saliences[first] = sums / np.maximum(texts.lengths - 1, 1)
    return saliences


def compressed(texts: Bags, codec: Codec) -> Bags:
    """Compress and decode vectors."""
    decoded = np.empty_like(texts.vectors)
    for start in range(0, len(decoded), _CODED):
        rows = slice(start, start + _CODED)
        decoded[rows] = codec.decode(codec.encode(texts.vectors[rows].astype(np.float32)))
    return Bags(decoded, texts.offsets)


def codecs_of(checkpoint: Checkpoint, vectors: Vectors, grid: Grid) -> dict[int, Codec]:
    """Return the model's codecs by bits; if it has none, learn them from the collection.

    Raises:
        UsageError: the model's vectors do not support that number of bits.
        ModelError: the model's codebook is damaged.
    """
    if not grid.bits or checkpoint.codebook.exists():
        return {bits: load_codec(checkpoint, bits) for bits in grid.bits}
    for bits in grid.bits:
        check_bits(checkpoint, bits)
    drawn = np.random.default_rng(grid.seed).choice(
        len(vectors), min(_SAMPLE, len(vectors)), replace=False
    )
    arrays, _ = learn_codebook(
        vectors[np.sort(drawn)].astype(np.float32),
        centroids=max(1, min(_CENTROIDS, len(drawn) // _VECTORS_PER_CENTROID)),
        per_centroid=1,
        sample=_SAMPLE,
        rounds=10,
        seed=grid.seed,
    )
    arrays32 = {name: array.astype(np.float32) for name, array in arrays.items()}
    return {
        bits: ResidualCodec.plain(
            arrays32["centroids"], arrays32[f"cutoffs.{bits}"], arrays32[f"weights.{bits}"]
        )
        for bits in grid.bits
    }
