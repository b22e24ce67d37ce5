"""What one stage of a search hands to the next: asked, candidates, ranked, found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Numbers
from core.catalog.scope import Scope
from core.search.encoded import EncodedQuery
from core.search.query import Query
from core.search.results import Mode, ScoreParts


@dataclass(frozen=True, slots=True)
class Ranked:
    """Passages in the order of their scores, and which way found each.

    `parts` gives what the score of each is made of, by its number; None for words alone.
    """

    passages: Numbers
    scores: Floats
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    is_everything: bool
    parts: Callable[[int], ScoreParts] | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Passages that are compared in full: found by their words, with BM25 scores, or by meaning."""

    numbers: Numbers
    by_words: dict[int, float]
    by_meaning: frozenset[int]
    is_everything: bool

    def words_of(self, numbers: Numbers) -> Floats:
        """(p,) the BM25 scores of passages, 0 for those that have none of the words."""
        return np.array([self.by_words.get(one, 0) for one in numbers.tolist()], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready: its text, its telling words, and its vectors where meaning counts."""

    query: Query
    expression: str
    encoded: EncodedQuery | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Found:
    """Passages (number, score) grouped by document (its number), both best first."""

    groups: dict[int, list[tuple[int, float]]]
    ranked: Ranked

    def ways(self, passage_id: int) -> tuple[Mode, ...]:
        """Which ways found a passage."""
        ways = []
        if passage_id in self.ranked.by_words:
            ways.append(Mode.WORDS)
        if passage_id in self.ranked.by_meaning:
            ways.append(Mode.MEANING)
        return tuple(ways)

    def parts(self, passage_id: int) -> ScoreParts | None:
        """What a passage's score is made of; None for words alone."""
        return self.ranked.parts(passage_id) if self.ranked.parts is not None else None
