"""What limits a query without results: its phrases and filters, each with its own count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.progress import Job
    from core.requests import Answerer
    from core.search.query.language import Part

# The functions run in the background: the window opens before the search modules are loaded, and
# paths in filters are checked on disk.


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query asks for, to give only the hints that apply to it.

    Attributes:
        words: the number of words that may be left out or replaced.
        has_phrases: whether words in quotation marks must occur as they are.
        has_filters: whether it has filters.
    """

    words: int
    has_phrases: bool
    has_filters: bool


def limits_of(typed: str) -> Limits:
    """Return the limits of a query.

    >>> limits_of('owls "at night" type:pdf -bats')
    Limits(words=1, has_phrases=True, has_filters=True)
    """
    from core.search.query.language import parse

    query = parse(typed)
    words = [word for term in query.wanted if not term.is_phrase for word in term.text.split()]
    is_phrase = any(term.is_phrase for term in query.wanted)
    return Limits(len(words), is_phrase, any(map(_is_filter, query.parts)))


@dataclass(frozen=True, slots=True)
class FilterCount:
    """A filter of a query without results.

    Attributes:
        text: the filter as typed.
        alone: the number of documents that match it.
        without: the number of documents that have words of the query and match its other filters.
        query: the query without it.
    """

    text: str
    alone: int
    without: int
    query: str


def filter_counts(library: Answerer, typed: str, job: Job) -> tuple[FilterCount, ...]:
    """Count the documents of each filter of a query alone, and of the query without it."""
    from core.requests import CountFacets
    from core.responses import Mode
    from core.search.facets.filters import rewritten
    from core.search.query.language import parse

    def count(query: str) -> int:
        job.checkpoint()
        return library.answer(CountFacets(query, Mode.WORDS), job).found

    query = parse(typed)
    counts = []
    for part in filter(_is_filter, query.parts):
        rest = replace(query, parts=tuple(other for other in query.parts if other != part))
        without = rewritten(typed, rest)
        counts.append(FilterCount(str(part), count(str(part)), count(without), without))
    return tuple(counts)


def _is_filter(part: Part) -> bool:
    from core.search.query.language import Clause, Either

    return isinstance(part, Clause) or (isinstance(part, Either) and bool(part.clauses))
