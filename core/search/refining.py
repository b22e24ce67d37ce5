"""The refinement stage: candidates compared in full under the alignment that was chosen."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Floats, Numbers
from core.catalog import passages
from core.index.token_index import TokenIndex
from core.progress import Job
from core.search.encoded import EncodedQuery


@dataclass(frozen=True, slots=True)
class Compared:
    """The p candidates of a query with their (s, p) scores under s alignments."""

    numbers: Numbers
    scores: Floats


def refine(
    db: sqlite3.Connection,
    index: TokenIndex,
    query: EncodedQuery,
    numbers: Numbers,
    strategies: Sequence[AlignmentStrategy],
    job: Job | None = None,
) -> Floats:
    """The similarities of p passages under each of s alignments.

    Returns:
        (s, p); NaN for passages without vectors.

    Raises:
        Cancelled: the job was cancelled.

    Source: ALIGNER, section 3.1: the alignment concerns the refinement stage only.
    """
    job = job or Job()
    if all(one.is_top_1 for one in strategies):
        # Where the vectors lie, by the compiled loop.
        values = index.score(query.vectors.weighted, numbers, job).of(numbers)
        return np.tile(values, (len(strategies), 1))
    refined = np.full((len(strategies), len(numbers)), np.nan, dtype=np.float32)
    vectors = index.vectors(numbers.tolist())
    lengths = passages.lengths(db, numbers.tolist())
    for place, number in enumerate(numbers.tolist()):
        job.checkpoint()
        if number in vectors:
            own = vectors[number].vectors
            refined[:, place] = query.scores(own, strategies, lengths.get(number))
    return refined
