"""Quality of token retrieval by rank: tokens of relevant documents, and identical tokens.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 5.1 and
figure 4.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Numbers

Shares = npt.NDArray[np.float64]

# Marks ranks beyond the number of tokens retrieved.
NOTHING = -1


def gold_token_retrieval(documents: Numbers, gold: Sequence[Collection[int]]) -> Shares:
    """Return, for each rank, the share of retrieved tokens that come from a gold document.

    Args:
        documents: (t, k) the document of the token that each of t query tokens, of all queries
            together, retrieved at each of k ranks, best first; NOTHING where there is none.
        gold: for each of the t query tokens the gold documents of its query.

    Returns:
        (k,) from 0 to 1; NaN at a rank where no query token retrieved anything.

    Raises:
        ValueError: the two differ in their number of query tokens.

    Source: XTR, section 5.1, "Gold token retrieval".

    >>> documents = np.array([[7, 3, 7], [5, 7, NOTHING]])
    >>> gold_token_retrieval(documents, [{7}, {7}]).tolist()
    [0.5, 0.5, 1.0]
    """
    if len(documents) != len(gold):
        raise ValueError(
            f"{len(documents)} query tokens retrieved, {len(gold)} have gold documents"
        )
    is_gold = np.zeros(documents.shape, dtype=np.bool_)
    for row, retrieved, wanted in zip(is_gold, documents, gold, strict=True):
        row[:] = np.isin(retrieved, list(wanted))
    return _shares(is_gold, documents != NOTHING)


def lexical_token_retrieval(token_ids: Numbers, query_ids: Numbers) -> Shares:
    """Return, for each rank, the share of retrieved tokens that equal the query token.

    Args:
        token_ids: (t, k) vocabulary ids of the tokens that each of t query tokens, of all queries
            together, retrieved at each of k ranks, best first; NOTHING where there is none.
        query_ids: (t,) vocabulary ids of the query tokens.

    Returns:
        (k,) from 0 to 1; NaN at a rank where no query token retrieved anything.

    Raises:
        ValueError: the two differ in their number of query tokens.

    Source: XTR, section 5.1, "Lexical token retrieval".

    >>> token_ids = np.array([[12, 12, 40], [9, 8, NOTHING]])
    >>> lexical_token_retrieval(token_ids, np.array([12, 9])).tolist()
    [1.0, 0.5, 0.0]
    """
    if token_ids.shape[:1] != query_ids.shape:
        raise ValueError(f"{len(token_ids)} query tokens retrieved, {len(query_ids)} have ids")
    return _shares(token_ids == query_ids[:, None], token_ids != NOTHING)


def _shares(is_hit: Flags, is_retrieved: Flags) -> Shares:
    hits = (is_hit & is_retrieved).sum(axis=0)
    counts = is_retrieved.sum(axis=0)
    shares = np.full(counts.shape, np.nan)
    np.divide(hits, counts, out=shares, where=counts > 0)
    return shares
