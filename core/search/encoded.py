"""A query as its tokens and their vectors, ready to be aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy, scores, similarity
from core.arrays import Floats
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.index.edition import Edition
from core.search.recent import Recent

_REMEMBERED: Final = 32
"""Queries; some 20 kB each."""


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """The query `text` with the n tokens that it has, and the vector of each."""

    text: str
    tokens: TextTokens
    vectors: TokenVectors

    @classmethod
    def of(cls, text: str, encoder: Encoder) -> EncodedQuery:
        """Encode `text`."""
        tokens = encoder.query_tokens(text)
        return cls(text, tokens, encoder.encode_queries([tokens])[0])

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def weights(self) -> Floats:
        """(n,) how much each token counts, 1 on average."""
        weights = self.vectors.weights
        return np.ones(len(self), dtype=np.float32) if weights is None else weights

    def aligned(
        self, passage: Floats, strategy: AlignmentStrategy, length: int | None = None
    ) -> tuple[Floats, Floats]:
        """The similarity of each query token with each vector of a passage, and their alignment.

        Args:
            passage: (m, d).
            strategy: which of them are aligned.
            length: how many tokens the passage has; None where each has its own vector.

        Returns:
            Two (n, m) matrices, the rows of the latter weighted as the query's tokens are.
        """
        pairs = similarity(self.vectors.vectors, passage)
        return pairs, strategy.align(pairs, self.vectors.weights, length)

    def scores(
        self, passage: Floats, strategies: Sequence[AlignmentStrategy], length: int | None = None
    ) -> Floats:
        """(s,) a passage's scores under s strategies; the arguments are those of `aligned`."""
        pairs = similarity(self.vectors.vectors, passage)
        return scores(pairs, strategies, self.vectors.weights, length)


class RecentQueries:
    """The last queries of one library as they were encoded; for any number of threads at once.

    A query that is answered is asked again at once: its results are counted beside the filters,
    their words lit exactly, one of them explained.
    """

    def __init__(self, size: int = _REMEMBERED) -> None:
        """Remember `size` queries, the last ones that were asked for."""
        self._queries = Recent[tuple[str, str], EncodedQuery](size)

    def __len__(self) -> int:
        return len(self._queries)

    def of(self, text: str, edition: Edition) -> EncodedQuery:
        """`text` as the edition's model encodes it.

        Raises:
            ModelError: the model cannot be loaded.
        """
        key = (edition.row.fingerprint, text)
        found = self._queries.known([key]).get(key)
        if found is None:
            found = EncodedQuery.of(text, edition.query_encoder())
        self._queries.remember({key: found})
        return found
