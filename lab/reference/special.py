"""Other retrieval models as alignments: the aligned pairs for which eq. 1 is the score.

Eq. 1 divides by the number of aligned pairs. For DPR and ME-BERT that is 1 and for ColBERT the
number of the query's tokens, so it changes no ranking; for COIL it is the number of query tokens
that occur in the passage, which differs from one passage to the next.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 2.2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import align_top_k
from core.arrays import Floats

Ids = npt.NDArray[np.int64]


def align_dpr(similarity: Floats) -> Floats:
    """Align the first query token, [CLS], with the first passage token only.

    Args:
        similarity: (n, m).

    Returns:
        (n, m) matrix of zeros and at most one one.

    Source: ALIGNER, section 2.2, "Dense passage retriever".

    >>> align_dpr(np.zeros((2, 3), dtype=np.float32)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    aligned = np.zeros(similarity.shape, dtype=np.float32)
    aligned[:1, :1] = 1
    return aligned


def align_me_bert(similarity: Floats, k: int) -> Floats:
    """Align the first query token with the nearest of the first `k` passage tokens.

    Args:
        similarity: (n, m).
        k: number of vectors that represent a passage, at least 1; all tokens of a shorter passage.

    Returns:
        (n, m) matrix of zeros and at most one one. Among equals the first token wins.

    Raises:
        ValueError: `k` is less than 1.

    Source: ALIGNER, section 2.2, "ME-BERT".

    >>> align_me_bert(np.array([[0.1, 0.3, 0.9], [1, 1, 1]], dtype=np.float32), k=2).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1")
    aligned = np.zeros(similarity.shape, dtype=np.float32)
    aligned[:1, :k] = align_top_k(similarity[:1, :k])
    return aligned


def align_colbert(similarity: Floats) -> Floats:
    """Align each query token with the nearest passage token.

    Args:
        similarity: (n, m).

    Returns:
        (n, m) matrix of zeros and ones, a one in each row. Among equals the first token wins.

    Source: ALIGNER, section 2.2, "ColBERT".

    >>> align_colbert(np.array([[0.1, 0.9], [0.4, 0.2]], dtype=np.float32)).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return align_top_k(similarity)


def align_coil(similarity: Floats, query_ids: Ids, passage_ids: Ids) -> Floats:
    """Align each query token with the nearest passage token that is the same word.

    Args:
        similarity: (n, m).
        query_ids: (n,) vocabulary ids of the query's tokens.
        passage_ids: (m,) vocabulary ids of the passage's tokens.

    Returns:
        (n, m) matrix of zeros and ones; a query token that the passage lacks has a row of zeros.
        Among equals the first token wins.

    Raises:
        ValueError: the numbers of ids and tokens differ.

    Source: ALIGNER, section 2.2, "COIL".

    >>> pairs = np.array([[0.9, 0.1, 0.3], [0.5, 0.5, 0.5]], dtype=np.float32)
    >>> align_coil(pairs, np.array([7, 8]), np.array([5, 7, 7])).tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    if similarity.shape != (len(query_ids), len(passage_ids)):
        sizes = f"{len(query_ids)} and {len(passage_ids)}"
        raise ValueError(f"similarity is {similarity.shape}; there are {sizes} ids")
    is_same = query_ids[:, None] == passage_ids
    best = align_top_k(np.where(is_same, similarity, -np.inf).astype(np.float32))
    aligned: Floats = np.where(is_same, best, 0).astype(np.float32)
    return aligned
