"""The response to `Explain`: a query and a passage compared token by token."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, contributions
from core.arrays import Floats
from core.responses import Passage, QueryToken, ScoreTerm

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PassageToken:
    """A token of a passage, or the main one of the tokens pooled into a stored vector.

    `text` is the passage's text (its context, if `in_context`) from `start` to `end`; "" for a
    token without characters.
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
        alignment: (n, m) A of eq. 2: the weight of the query's token for aligned pairs, otherwise
            0.
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
        tokens: the m vectors' tokens, in the order of the passage.
        similarity: (n, m) S of ALIGNER, section 2.2.
        weights: (n,) the weights of the query's tokens, 1 on average: u^q of eq. 2.
        saliences: (m,) the saliences of the passage's tokens, at least 0: u^d of eq. 3 without its
            gate; None if the model has none. They decide which vectors the index stores, and are
            not part of a score.
        length: number of the passage's tokens, of which an alignment may be a share.
        has_summary: whether the query's first token represents the whole query.
    """

    tokens: tuple[PassageToken, ...]
    similarity: Floats
    weights: Floats
    saliences: Floats | None
    length: int
    has_summary: bool = False

    def align(self, strategy: AlignmentStrategy) -> Aligned:
        """Return the pairs that a strategy aligns, and the contribution of each to the score."""
        alignment = strategy.align(
            self.similarity, self.weights, self.length, has_summary=self.has_summary
        )
        return Aligned(strategy, alignment, contributions(self.similarity, alignment))


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """A query and a passage, compared token by token in two ways.

    Attributes:
        passage: the passage.
        tokens: the query's n tokens. If the model `has_summaries`, the first token of query and
            passage represents the whole text, and no characters.
        stored: with the index's vectors of the passage, which produced its score. None if the
            passage is not encoded yet.
        exact: with all the passage's tokens encoded, which produce the scores for reranking.
        strategy: the library's.
        terms: of the passage's score in the results.
        pruned: the indices of those of the passage's tokens that have no part in any stored vector,
            ascending; they are the least salient ones.
    """

    passage: Passage
    tokens: tuple[QueryToken, ...]
    stored: Comparison | None
    exact: Comparison
    strategy: AlignmentStrategy
    terms: tuple[ScoreTerm, ...] = ()
    pruned: tuple[int, ...] = ()

    @property
    def has_summaries(self) -> bool:
        """Whether the first tokens of query and passage represent the whole texts."""
        return self.exact.has_summary

    @property
    def pruned_words(self) -> tuple[str, ...]:
        """The different texts of the pruned tokens, the most frequent first."""
        texts = Counter(self.exact.tokens[index].text.lower() for index in self.pruned)
        return tuple(text for text, _ in texts.most_common() if text)
