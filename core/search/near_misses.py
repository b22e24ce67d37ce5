"""Near misses: results of a query without one of its phrases' quotes, exclusions or filters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.progress import Job
from core.requests import Answerer, CountFacets
from core.responses import Mode
from core.search.facets.filters import rewritten
from core.search.query.language import Clause, Either, Part, Query, Term, parse


class StepKind(StrEnum):
    """The removed part: the quotation marks of a phrase, an excluded word or phrase, a filter."""

    QUOTES = "quotes"
    EXCLUSION = "exclusion"
    FILTER = "filter"


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A query without results, with one part removed.

    Attributes:
        kind: the kind of the removed part.
        text: the removed part.
        alone: the number of documents that match a filter alone; 0 for others.
        without: the number of documents that have words of the query and match the rest of it.
        query: the query without it.
    """

    kind: StepKind
    text: str
    alone: int
    without: int
    query: str

    @property
    def sentence(self) -> str:
        """The removed part and the number of documents found without it, in one line."""
        if self.kind is StepKind.QUOTES:
            return f"Without the quotation marks of {self.text}: {self.without:,}"
        return f"Without {self.text}: {self.without:,}"


# Parts that are counted; a query without results has seldom more than two.
_MOST_COUNTED: Final = 8


def near_misses(library: Answerer, typed: str, job: Job | None = None) -> tuple[NearMiss, ...]:
    """Count the documents found without each of a query's quotes, exclusions and filters.

    Raises:
        Cancelled: the job was cancelled.
    """

    def count(query: str) -> int:
        if job is not None:
            job.checkpoint()
        return library.answer(CountFacets(query, Mode.WORDS), job).found

    query = parse(typed)
    steps = []
    for kind, part, rest in list(_steps(query))[:_MOST_COUNTED]:
        text = rewritten(typed, rest)
        alone = count(str(part)) if kind is StepKind.FILTER else 0
        steps.append(NearMiss(kind, str(part), alone, count(text), text))
    return tuple(steps)


def _steps(query: Query) -> Iterator[tuple[StepKind, Part, Query]]:
    """Yield each part that may be left out, and the query without it, unless that is empty."""
    for part in query.parts:
        rest: tuple[Part, ...] = tuple(other for other in query.parts if other != part)
        if is_filter(part):
            yield StepKind.FILTER, part, replace(query, parts=rest)
        elif isinstance(part, Term) and part.is_excluded and rest:
            yield StepKind.EXCLUSION, part, replace(query, parts=rest)
        elif isinstance(part, Term) and part.is_phrase and not part.is_excluded:
            words = tuple(Term(word) for word in part.text.split() if word[0].isalnum())
            parts = tuple(
                one for other in query.parts for one in (words if other == part else (other,))
            )
            if words:
                yield StepKind.QUOTES, part, replace(query, parts=parts)


def is_filter(part: Part) -> bool:
    """Return whether a part of a query is a filter, or alternatives of filters."""
    return isinstance(part, Clause) or (isinstance(part, Either) and bool(part.clauses))
