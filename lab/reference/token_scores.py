"""How the scores of retrieved tokens are spread, and what these tokens are, rank by rank.

A model that was trained by the sum of maxima alone gives many tokens high scores, whatever the
query; one that was trained to retrieve them, as XTR is, does not.

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

EDGES: Final = np.linspace(-1, 1, 101)
"""The borders of the histogram's hundred bins: cosines are between."""
_RANKS: Final = 100
_LOOKED_AT: Final = 1 << 10  # query tokens whose scores are taken


@dataclass(frozen=True, slots=True)
class TokenScores:
    """The similarities of query tokens with the tokens that they retrieve.

    Attributes:
        density: (100,) of all scores together, between EDGES; its integral is 1.
        means: (k',) by rank; fewer than k' where the set has fewer tokens.
        deviations: (k',) by rank.
        curve: whose tokens they are, and whether the same, by rank.
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
    """Retrieve tokens for the queries' tokens, for a sample of them where there are many.

    What a model gives for a text as a whole is no token and takes no part in the scores.

    Args:
        encoder: whose vectors.
        data: the judged set.
        split: whose queries are asked.
        queries: at most so many of them, drawn at random; None for all.
        retrieved: k', how many tokens each query token retrieves.
        seed: of what is drawn.
        job: may be cancelled.

    Raises:
        UsageError: the data set is not as it should be, or has nothing to look at.
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
    """(q, k') the similarities that q of the query tokens retrieve, best first."""
    count = min(len(queries.ids), _LOOKED_AT)
    drawn = np.random.default_rng(seed).choice(len(queries.ids), count, replace=False)
    asked = queries.vectors[np.sort(drawn)]
    found = retrieve(asked, passages.vectors, min(retrieved, len(passages.ids)), job)
    assert NOTHING not in found
    scores = np.empty(found.shape)
    for row, vector, tokens in zip(scores, asked.astype(np.float32), found, strict=True):
        job.checkpoint()
        row[:] = passages.vectors[tokens].astype(np.float32) @ vector
    # What retrieves multiplies in bfloat16: two that are nearly alike may stand the other way.
    return -np.sort(-scores, axis=1)
