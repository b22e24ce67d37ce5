"""Distribution of the scores of retrieved tokens, and properties of these tokens by rank.

A model trained by the sum of maxima only gives many tokens high scores for any query. A model
trained for token retrieval, like XTR, does not.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 3,
figure 2, and section 5.1, figure 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.encoders.encoder import Encoder
from core.errors import UsageError
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedTexts, encode_set
from lab.evaluation.results import Curve
from lab.evaluation.scoring import retrieve
from lab.evaluation.study import token_retrieval
from lab.evaluation.token_retrieval import NOTHING

Doubles = npt.NDArray[np.float64]

# Edges of the histogram's hundred bins, which cover the range of cosines.
EDGES: Final = np.linspace(-1, 1, 101)
_RANKS: Final = 100
_SAMPLED_TOKENS: Final = 1 << 10  # query tokens sampled


@dataclass(frozen=True, slots=True)
class TokenScores:
    """The similarities of query tokens with the tokens that they retrieve.

    Attributes:
        density: (100,) density of all scores between EDGES; its integral is 1.
        means: (k',) mean score by rank; shorter if the set has fewer than k' tokens.
        deviations: (k',) standard deviation by rank.
        curve: shares of tokens from gold documents and of identical tokens, by rank.
    """

    density: Doubles
    means: Doubles
    deviations: Doubles
    curve: Curve


def measure_token_scores(
    encoder: Encoder,
    data: DataSet,
    *,
    split: str = "test",
    queries: int | None = None,
    retrieved: int = 4000,
    seed: int = 0,
    job: Job | None = None,
) -> TokenScores:
    """Retrieve tokens for the query tokens, or for a sample of them if there are many.

    Summary vectors are left out.

    Args:
        encoder: the encoder of the vectors.
        data: the judged set.
        split: the split whose queries are used.
        queries: maximum number of queries, drawn at random; None for all.
        retrieved: k', the number of tokens that each query token retrieves.
        seed: for sampling.
        job: can be cancelled.

    Raises:
        UsageError: the data set is malformed, or has no tokens.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    encoded = encode_set(encoder, data, split=split, queries=queries, seed=seed, job=job)
    texts = encoded.encoded_queries.without_summaries()
    if not len(texts.ids) or not len(encoded.passages.ids):
        raise UsageError("{0} has no queries or no passages to look at.", data.name)
    scores = scores_by_rank(texts, encoded.passages.without_summaries(), retrieved, seed, job)
    job.report(Progress(Stage.MEASURING, 1, 1, encoded.name))
    density, _ = np.histogram(np.clip(scores, -1, 1), EDGES, density=True)
    return TokenScores(
        density,
        scores.mean(axis=0),
        scores.std(axis=0),
        token_retrieval(encoded, _RANKS, seed, job),
    )


def scores_by_rank(
    queries: EncodedTexts, passages: EncodedTexts, retrieved: int, seed: int, job: Job
) -> Doubles:
    """Return (q, k') similarities that q of the query tokens retrieve, best first."""
    count = min(len(queries.ids), _SAMPLED_TOKENS)
    drawn = np.random.default_rng(seed).choice(len(queries.ids), count, replace=False)
    sample = queries.vectors[np.sort(drawn)]
    found = retrieve(sample, passages.vectors, min(retrieved, len(passages.ids)), job)
    assert NOTHING not in found
    scores = np.empty(found.shape)
    for row, vector, tokens in zip(scores, sample.astype(np.float32), found, strict=True):
        job.checkpoint()
        row[:] = passages.vectors[tokens].astype(np.float32) @ vector
    # Retrieval multiplies in bfloat16, so nearly equal similarities may be in another order.
    return -np.sort(-scores, axis=1)
