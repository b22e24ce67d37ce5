"""The response to `Explain`: a query and a passage compared token by token."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, contributions
from core.arrays import Floats
from core.responses import Passage, QueryToken

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PassageToken:
    """A token of a passage, or the foremost of those that one stored vector stands for.

    `text` is the passage's text (its context, where `in_context`) from `start` to `end`; "" for a
    token that stands for no characters.
    """

    text: str
    start: int
    end: int
    in_context: bool


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A comparison under one strategy.

    Attributes:
        strategy: which pairs are aligned.
        alignment: (n, m) A of eq. 2: 0 where two are not aligned, and else the weight of the
            query's token.
        contributions: (n, m) what each pair adds to the score; their sum is the score.

    Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), eq. 1 and 2.
    """

    strategy: AlignmentStrategy
    alignment: Floats
    contributions: Doubles

    @property
    def by_token(self) -> Doubles:
        """(n,) what each token of the query adds to the score."""
        added: Doubles = self.contributions.sum(axis=1)
        return added

    @property
    def score(self) -> float:
        """The mean similarity of the aligned pairs, eq. 1."""
        return float(self.contributions.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A query's n tokens compared with m vectors of a passage.

    Attributes:
        tokens: what each of the m vectors stands for, in the order of the passage.
        similarity: (n, m) S of ALIGNER, section 2.2.
        weights: (n,) how much each of the query's tokens counts, 1 on average: u^q of eq. 2.
        saliences: (m,) how worth keeping each of the passage's tokens is, at least 0: u^d of eq. 3
            without its gate; None of a model that has none. They are used when it is decided what
            the index stores, never in a score.
        length: how many tokens the passage has, of which an alignment may be a share.
        has_summary: whether the query's first token stands for it as a whole.
    """

    tokens: tuple[PassageToken, ...]
    similarity: Floats
    weights: Floats
    saliences: Floats | None
    length: int
    has_summary: bool = False

    def align(self, strategy: AlignmentStrategy) -> Aligned:
        """Return which of the pairs a strategy aligns, and what each adds to the score."""
        alignment = strategy.align(
            self.similarity, self.weights, self.length, has_summary=self.has_summary
        )
        return Aligned(strategy, alignment, contributions(self.similarity, alignment))


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """A query and one passage, compared token by token, in two ways.

    Attributes:
        passage: what was found.
        tokens: the query's n tokens. Where the model `has_summaries` the first token of query and
            passage stands for either as a whole, and for no characters.
        stored: with the vectors that the index stores of the passage: by their score it was found.
            None where the passage waits for its vectors.
        exact: with the vectors of all the passage's tokens, encoded anew: by their score the best
            of what was found is put in order.
        strategy: the library's own.
    """

    passage: Passage
    tokens: tuple[QueryToken, ...]
    stored: Comparison | None
    exact: Comparison
    strategy: AlignmentStrategy

    @property
    def has_summaries(self) -> bool:
        """Whether the first token of query and passage stands for either as a whole."""
        return self.exact.has_summary
