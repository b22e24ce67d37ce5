"""Caches shared by the searches of one library."""

from dataclasses import dataclass, field

from core.search.encodings import RecentPassages, RecentQueries, RecentSpans
from core.search.facets.columns import CachedColumns
from core.search.facets.counts import FacetCounter
from core.search.words.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class SearchCaches:
    """Recent encodings of one library, its vocabulary, and the columns of its documents."""

    queries: RecentQueries = field(default_factory=RecentQueries)
    spans: RecentSpans = field(default_factory=RecentSpans)
    passages: RecentPassages = field(default_factory=RecentPassages)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    columns: CachedColumns = field(default_factory=CachedColumns)
    counter: FacetCounter = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counter", FacetCounter(self.columns))
