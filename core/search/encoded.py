"""A query as its tokens and their vectors, ready to be aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, scores, similarity
from core.encoders.encoder import Encoder, TextTokens, TokenVectors

Floats = npt.NDArray[np.float32]


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
