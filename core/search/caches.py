"""What searches of one library leave for the next ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.search.encodings import RecentPassages, RecentQueries, RecentSpans
from core.search.facets.columns import KeptColumns
from core.search.facets.counts import Counting
from core.search.word_searcher import KnownWords


@dataclass(frozen=True, slots=True)
class Recently:
    """What one library has encoded lately, and what it knows of its words and documents."""

    queries: RecentQueries = field(default_factory=RecentQueries)
    spans: RecentSpans = field(default_factory=RecentSpans)
    passages: RecentPassages = field(default_factory=RecentPassages)
    words: KnownWords = field(default_factory=KnownWords)
    columns: KeptColumns = field(default_factory=KeptColumns)
    counting: Counting = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counting", Counting(self.columns))
