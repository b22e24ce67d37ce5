"""Distribution of tokens over clusters of their vectors, compared with random vectors.

Source: Santhanam et al., ColBERTv2, 2022, appendix A: figure 2 and table 6.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder, unit
from core.errors import UsageError
from core.progress import Job
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import encode_set
from lab.evaluation.run import as_document

_SAMPLE: Final = 1 << 17  # vectors from which centroids are learned
_ROUNDS: Final = 10
_STOP_WORDS: Final = 0.01  # share of tokens, those in the most clusters, left out as stop words
_EXAMPLES: Final = 8
_SHOWN: Final = 7


@dataclass(frozen=True, slots=True)
class Spread:
    """Distribution of tokens over clusters.

    Attributes:
        tokens: (c,) number of distinct tokens in each non-empty cluster, ascending; without stop
            words, the hundredth of all tokens that is in the most clusters.
        clusters: (v,) number of clusters of each distinct token, ascending.
    """

    tokens: Numbers
    clusters: Numbers


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters of a data set's token vectors.

    Attributes:
        own: distribution for the model's vectors.
        random: distribution for as many random vectors, assigned to the same tokens.
        examples: the most frequent tokens of some random clusters.
    """

    own: Spread
    random: Spread
    examples: tuple[tuple[str, ...], ...]


def measure_clusters(
    encoder: Encoder,
    data: DataSet,
    count: int,
    *,
    split: str,
    seed: int = 0,
    job: Job | None = None,
) -> Clusters:
    """Cluster the vectors of all passages' tokens by k-means with `count` centroids.

    Raises:
        UsageError: the data set is malformed, or has too few tokens.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    encoded = encode_set(encoder, data, split=split, queries=1, seed=seed, job=job)
    passages = encoded.passages.without_summaries()
    if len(passages.ids) < 2 * count:
        raise UsageError(
            "{0} has {1} tokens, too few for {2} clusters.", data.name, len(passages.ids), count
        )
    random = np.random.default_rng(seed)
    vectors = passages.vectors.astype(np.float32)
    own = clustered(vectors, count, seed)
    job.checkpoint()
    drawn = unit(random.standard_normal(vectors.shape, dtype=np.float32))
    random_clusters = clustered(drawn, count, seed)
    job.checkpoint()
    named = names(encoder, data)
    chosen = random.permutation(np.unique(own))[:_EXAMPLES]
    return Clusters(
        spread(passages.ids, own),
        spread(passages.ids, random_clusters),
        tuple(
            tuple(
                named.get(number, f"[{number}]")
                for number, _ in Counter(passages.ids[own == one].tolist()).most_common(_SHOWN)
            )
            for one in chosen
        ),
    )


def clustered(vectors: Floats, count: int, seed: int) -> Numbers:
    """Return (t,) the cluster of each of (t, d) vectors, by k-means with `count` centroids."""
    import faiss

    drawn = np.random.default_rng(seed).permutation(len(vectors))[:_SAMPLE]
    k_means = faiss.Kmeans(
        vectors.shape[1], count, niter=_ROUNDS, seed=seed, min_points_per_centroid=1
    )
    k_means.train(vectors[np.sort(drawn)])
    _, nearest = k_means.index.search(vectors, 1)
    return np.asarray(nearest[:, 0], dtype=np.int64)


def spread(ids: Numbers, clusters: Numbers) -> Spread:
    """Return how tokens with these vocabulary `ids` are distributed over `clusters`.

    >>> found = spread(np.array([5, 5, 6, 7]), np.array([0, 1, 1, 1]))
    >>> found.tokens.tolist(), found.clusters.tolist()
    ([1, 3], [1, 1, 2])
    """
    pairs = np.unique(np.stack([ids, clusters]), axis=1)
    tokens, counts = np.unique(pairs[0], return_counts=True)
    common = tokens[np.argsort(-counts, kind="stable")[: int(_STOP_WORDS * len(tokens))]]
    _, held = np.unique(pairs[1][~np.isin(pairs[0], common)], return_counts=True)
    return Spread(np.sort(held), np.sort(counts))


def names(encoder: Encoder, data: DataSet) -> dict[int, str]:
    """Return the first spelling of each token in a data set, by its id."""
    found: dict[int, str] = {}
    for entry in data.documents():
        document = as_document(entry)
        texts = [document.title, *(page.text for page in document.pages)]
        for text, tokens in zip(texts, encoder.tokenizer.tokenize(texts), strict=True):
            for number, (start, end) in zip(tokens.ids, tokens.spans, strict=True):
                found.setdefault(number, text[start:end].lower())
    return found
