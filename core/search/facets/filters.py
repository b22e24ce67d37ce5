"""Filters as checkboxes: whether a query has a filter, and the query after a click.

The count of a choice ignores the query's filters of the same kind: the count of "Word" is the
number of documents if "Word" were chosen instead of "PDF".
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

from core.addresses import readable_path
from core.catalog.scope import EVERYWHERE, Scope, tag_forms
from core.catalog.text.normalisation import fold
from core.documents.formats import suffixes_of
from core.errors import UsageError
from core.search.query import addressing
from core.search.query.dates import Period
from core.search.query.language import FILTER, Clause, Either, Part, Query, Term, parse, scope_of
from core.search.query.operators import filters


class Ticked(Enum):
    """Whether a query makes a choice: not, partly, or wholly."""

    NO = 0
    PARTLY = 1
    YES = 2


class Choice(Protocol):
    """A filter that may be chosen."""

    def state(self, query: Query) -> Ticked:
        """Return whether `query` makes this choice."""

    def toggled(self, query: Query) -> Query:
        """Return the query with this choice added, or removed if it was made."""


@dataclass(frozen=True, slots=True)
class KindChoice:
    """The files of a kind, by its key."""

    key: str

    def state(self, query: Query) -> Ticked:
        query = plainer(query)
        kinds, endings = _wanted(query, "type"), _wanted(query, "ext")
        values = [kind.value.strip().lower() for kind in kinds]
        if self.key in values:
            return Ticked.YES
        own = _suffixes(self.key)
        suffixes = own & {ending for value in values for ending in suffixes_of(value)}
        suffixes |= own & {suffix.lower() for clause in endings for suffix in clause.scope.suffixes}
        if own and suffixes == own:
            return Ticked.YES
        return Ticked.PARTLY if suffixes else Ticked.NO

    def toggled(self, query: Query) -> Query:
        query = _without_filters(query, {"type", "ext"})
        own = _suffixes(self.key)

        def is_own(clause: Clause) -> bool:
            if clause.key == "ext":
                suffixes = replace(clause, is_excluded=False).scope.suffixes
                return not own.isdisjoint(map(str.lower, suffixes))
            return clause.key == "type" and not own.isdisjoint(suffixes_of(clause.value.strip()))

        rest = _without(query, is_own)
        return rest if self.state(query) is Ticked.YES else _with(rest, Clause("type", self.key))


@dataclass(frozen=True, slots=True)
class KindsChoice:
    """The files of several kinds, by their keys."""

    keys: tuple[str, ...]

    def state(self, query: Query) -> Ticked:
        states = {KindChoice(key).state(query) for key in self.keys}
        return states.pop() if len(states) == 1 else Ticked.PARTLY

    def toggled(self, query: Query) -> Query:
        is_chosen = self.state(query) is Ticked.YES
        for choice in map(KindChoice, self.keys):
            if (choice.state(query) is Ticked.YES) == is_chosen:
                query = choice.toggled(query)
        return query


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """The contents of a folder. A folder inside a chosen one can be excluded."""

    path: Path

    def state(self, query: Query) -> Ticked:
        query = plainer(query)
        covering = [clause for clause in _own(query, "in") if _covers(clause, self.path)]
        is_wanted = any(not clause.is_excluded for clause in covering)
        is_unwanted = any(clause.is_excluded for clause in covering)
        return Ticked.YES if is_wanted and not is_unwanted else Ticked.NO

    def toggled(self, query: Query) -> Query:
        query = _without_filters(query, {"in"})
        if self.state(query) is Ticked.NO:
            # Filters for folders in it, and its exclusion, are dropped.
            rest = _without(
                query, lambda clause: self._holds(clause) or self._is_excluded_by(clause)
            )
            is_done = self.state(rest) is Ticked.YES
            return rest if is_done else _with(rest, Clause("in", readable_path(self.path)))
        rest = _without(query, self._holds)
        is_done = self.state(rest) is Ticked.NO
        return (
            rest
            if is_done
            else _with(rest, Clause("in", readable_path(self.path), is_excluded=True))
        )

    def alone(self, query: Query) -> Query:
        """Return the query with this folder as the only one."""
        rest = _without(_without_filters(query, {"in"}), lambda clause: clause.key == "in")
        return _with(rest, Clause("in", readable_path(self.path)))

    def _holds(self, clause: Clause) -> bool:
        """Return whether a clause is about this folder or one in it."""
        if clause.key != "in":
            return False
        if paths := _inner(clause).paths:
            return paths[0].is_relative_to(self.path)
        # A bare name: of this folder, and not of its parent.
        return _covers(clause, self.path) and not _covers(clause, self.path.parent)

    def _is_excluded_by(self, clause: Clause) -> bool:
        return clause.key == "in" and clause.is_excluded and _covers(clause, self.path)


def _suffixes(kind: str) -> frozenset[str]:
    """Return the suffixes of a kind; none for a plug-in's of another computer."""
    try:
        return frozenset(suffixes_of(kind))
    except UsageError:
        return frozenset()


def filters_of(period: Period) -> tuple[Clause, ...]:
    """Return the filters for a period: one `date:` for a year, a month or a day.

    >>> print(*filters_of(Period.of_year(2024)), *filters_of(Period(date(2024, 6, 1))))
    date:2024 after:2024-06
    >>> print(*filters_of(Period(date(2024, 6, 1), date(2025, 5, 31))))
    after:2024-06 before:2025-06
    """
    first = period.first
    if first is not None and period.last is not None:
        whole = {
            Period.of_year(first.year): f"{first.year}",
            Period.of_month(first.year, first.month): f"{first:%Y-%m}",
            Period(first, first): first.isoformat(),
        }
        if period in whole:
            return (Clause("date", whole[period]),)
    clauses = []
    if period.first is not None:
        clauses.append(Clause("after", _shortest(period.first)))
    if period.last is not None:
        clauses.append(Clause("before", _shortest(period.last + timedelta(1))))
    return tuple(clauses)


# The filters by the documents' dates.
_BY_DATE: Final = frozenset({"after", "before", "date"})


@dataclass(frozen=True, slots=True)
class PeriodChoice:
    """The documents of a period; choosing another period replaces it.

    If `is_recent`, it goes back from today and is not part of a year or month.
    """

    period: Period
    is_recent: bool = False

    def state(self, query: Query) -> Ticked:
        chosen = period_of(query)
        if chosen == self.period:
            return Ticked.YES
        is_in_it = chosen is not None and chosen.holds(self.period)
        return Ticked.YES if is_in_it and not self.is_recent else Ticked.NO

    def toggled(self, query: Query) -> Query:
        rest = _without(query, lambda clause: clause.key in _BY_DATE and not clause.is_excluded)
        is_chosen = period_of(query) == self.period
        return rest if is_chosen else _with(rest, *filters_of(self.period))


@dataclass(frozen=True, slots=True)
class AuthorChoice:
    """The documents of an author, by the whole name."""

    name: str

    def state(self, query: Query) -> Ticked:
        return Ticked.YES if any(map(self._is_own, _wanted(query, "author"))) else Ticked.NO

    def toggled(self, query: Query) -> Query:
        rest = _without(query, lambda clause: clause.key == "author" and self._is_own(clause))
        return rest if self.state(query) is Ticked.YES else _with(rest, Clause("author", self.name))

    def _is_own(self, clause: Clause) -> bool:
        return fold(clause.value) in fold(self.name)


@dataclass(frozen=True, slots=True)
class TagChoice:
    """The documents with a tag, or with one inside it."""

    name: str

    def state(self, query: Query) -> Ticked:
        return Ticked.YES if any(map(self._is_own, _wanted(query, "tag"))) else Ticked.NO

    def toggled(self, query: Query) -> Query:
        rest = _without(query, lambda clause: clause.key == "tag" and self._is_own(clause))
        return rest if self.state(query) is Ticked.YES else _with(rest, Clause("tag", self.name))

    def _is_own(self, clause: Clause) -> bool:
        return tag_forms(clause.value) == tag_forms(self.name)


@dataclass(frozen=True, slots=True)
class LibraryChoice:
    """The documents of one of the libraries searched together; "" is the person's own."""

    name: str

    def state(self, query: Query) -> Ticked:
        query = plainer(query)
        return Ticked.YES if any(map(self._is_own, _wanted(query, "library"))) else Ticked.NO

    def toggled(self, query: Query) -> Query:
        query = _without_filters(query, {"library"})
        rest = _without(query, lambda clause: clause.key == "library" and self._is_own(clause))
        if self.state(query) is Ticked.YES:
            return rest
        return _with(rest, Clause("library", addressing.called(self.name)))

    def _is_own(self, clause: Clause) -> bool:
        return addressing.names(clause, self.name)


@dataclass(frozen=True, slots=True)
class AttachmentChoice:
    """The mails with an attachment."""

    def state(self, query: Query) -> Ticked:
        return Ticked.YES if any(_wanted(query, "has")) else Ticked.NO

    def toggled(self, query: Query) -> Query:
        rest = _without(query, lambda clause: clause.key == "has")
        return rest if self.state(query) is Ticked.YES else _with(rest, Clause("has", "attachment"))


@dataclass(frozen=True, slots=True)
class NamesChoice:
    """Searching the names of files only: each word is a `name:` filter.

    >>> str(NamesChoice().toggled(parse('tax "annual report" -draft type:pdf')))
    'name:tax name:"annual report" -name:draft type:pdf'
    >>> str(NamesChoice().toggled(parse("name:tax OR name:rent type:pdf")))
    'tax OR rent type:pdf'
    """

    def state(self, query: Query) -> Ticked:
        if not any(clause.key == "name" and not clause.is_excluded for clause in query.clauses):
            return Ticked.NO
        return Ticked.PARTLY if query.has_words else Ticked.YES

    def toggled(self, query: Query) -> Query:
        change = _as_word if self.state(query) is Ticked.YES else _as_name
        parts: list[Part] = []
        for part in query.parts:
            if isinstance(part, Either):
                ways = [tuple(map(change, way)) for way in part.ways]
                terms = tuple(way for way in ways if all(isinstance(term, Term) for term in way))
                # Alternatives may not mix words and filters.
                is_mixed = 0 < len(terms) < len(ways)
                parts.append(part if is_mixed else Either(tuple(ways)))  # type: ignore[arg-type]
            else:
                parts.append(change(part))
        return replace(query, parts=tuple(parts))


def _as_name(part: Term | Clause) -> Term | Clause:
    """Return a word or phrase as a filter by name."""
    if isinstance(part, Term) and any(map(str.isalnum, part.text)):
        return Clause("name", part.text, is_excluded=part.is_excluded)
    return part


def _as_word(part: Term | Clause) -> Term | Clause:
    """Return a filter by name as a word or phrase."""
    if not isinstance(part, Clause) or part.key != "name":
        return part
    text = " ".join(part.value.replace("*", " ").replace("?", " ").split())
    is_phrase = " " in text
    return Term(text, is_phrase, part.is_excluded) if text else part


def period_of(query: Query) -> Period | None:
    """Return the period of the query's filters; None if there are none."""
    periods = [clause.period for key in _BY_DATE for clause in _wanted(query, key)]
    since = [period.first for period in periods if period is not None and period.first is not None]
    until = [period.last for period in periods if period is not None and period.last is not None]
    if not since and not until:
        return None
    return Period(max(since, default=None), min(until, default=None))


def unfiltered(query: Query) -> Query:
    """Return the query without filters.

    If only names are searched, their words stay.

    >>> print(unfiltered(parse("wing -jet type:pdf OR type:word size:>1mb")))
    wing -jet
    >>> print(unfiltered(parse("name:wing type:pdf")))
    wing
    """
    names = NamesChoice()
    if names.state(query) is Ticked.YES:
        query = names.toggled(query)
    rest = (
        part
        for part in query.parts
        if not isinstance(part, Clause) and not (isinstance(part, Either) and part.clauses)
    )
    return replace(query, parts=tuple(rest))


# A filter with spaces or nothing around it.
_SPACED_FILTER: Final = re.compile(rf"(?<!\S){FILTER.pattern}(?!\S)")


def rewritten(typed: str, query: Query) -> str:
    """Return `typed` changed into the text of `query`, which resulted from it by choices.

    As much as possible of the text stays unchanged.

    >>> query = parse("wing  type:pdf flow")
    >>> rewritten("wing  type:pdf flow", KindChoice("pdf").toggled(query))
    'wing  flow'
    >>> rewritten("wing  flow", KindChoice("pdf").toggled(parse("wing  flow")))
    'wing  flow type:pdf'
    """
    before = parse(typed).parts
    if before == query.parts:
        return typed
    text = typed
    for former in before:
        is_filter = isinstance(former, Clause) or (isinstance(former, Either) and former.clauses)
        if is_filter and former not in query.parts:
            text = re.sub(rf"(?<!\S){re.escape(str(former))}(?!\S)\s*", "", text)
    added = " ".join(str(part) for part in query.parts if part not in before)
    text = f"{text.rstrip()} {added}".strip() if added else text.strip()
    return text if parse(text).parts == query.parts else str(query)


def spaced_filters(typed: str) -> tuple[str, ...]:
    """Return the filters that can be taken out of a query, as they are typed.

    Those in brackets or phrases, next to an OR or without a space around them cannot; filters of
    names take the place of words, and stay.

    >>> spaced_filters('wing type:pdf in:"tax 2024" flow')
    ('type:pdf', 'in:"tax 2024"')
    >>> spaced_filters('type:pdf OR type:word "a type:pdf b"')
    ()
    """
    query = parse(typed)
    spaced = [match[0] for match in _SPACED_FILTER.finditer(typed)]
    clauses = {text: parse(text).parts for text in spaced}
    texts = tuple(
        text
        for text, parts in clauses.items()
        if parts[1:] == ()
        and isinstance(parts[0], Clause)
        and parts[0] in query.parts
        and parts[0].key != "name"
    )
    removed = {clauses[text][0] for text in texts}
    others = tuple(part for part in query.parts if part not in removed)
    return texts if parse(without_filters(typed, texts)).parts == others else ()


def without_filters(typed: str, filters: Iterable[str]) -> str:
    """Return a query without these filters, given as they are typed.

    >>> without_filters('wing type:pdf flow', ["type:pdf"])
    'wing flow'
    """
    for text in filters:
        typed = re.sub(rf"(?<!\S){re.escape(text)}(?!\S)\s?", "", typed)
    return typed


def plainer(query: Query) -> Query:
    """Return the query with alternatives of one kind as separate filters, if that is equivalent.

    Of several folders, types or suffixes one suffices even without OR.

    >>> print(plainer(parse("wing type:pdf OR type:word")))
    wing type:pdf type:word
    """
    parts: list[Part] = []
    for part in query.parts:
        clauses = [way[0] for way in part.clauses] if isinstance(part, Either) else []
        keys = {clause.key for clause in clauses}
        is_plain = (
            isinstance(part, Either)
            and len(keys) == 1
            and all(len(way) == 1 and not way[0].is_excluded for way in part.clauses)
            and all(filters()[key].is_either for key in keys)
            # Combined with another filter of its kind, both would be required.
            and not any(True for key in keys for _ in _wanted(query, key))
            and sum(
                isinstance(alternative, Either) and bool(alternative.clauses)
                for alternative in query.parts
            )
            == 1
        )
        parts += clauses if is_plain else [part]
    return replace(query, parts=tuple(parts))


def _without_filters(query: Query, keys: set[str]) -> Query:
    """Return `plainer` without alternatives that checkboxes cannot show; a click removes these."""
    plain_query = plainer(query)
    parts = (
        part
        for part in plain_query.parts
        if not (
            isinstance(part, Either)
            and part.clauses
            and {clause.key for way in part.clauses for clause in way} <= keys
        )
    )
    return replace(query, parts=tuple(parts))


def _own(query: Query, key: str) -> Iterator[Clause]:
    """Return the query's filters of a key outside alternatives."""
    return (part for part in query.parts if isinstance(part, Clause) and part.key == key)


def _wanted(query: Query, key: str) -> Iterator[Clause]:
    return (clause for clause in _own(query, key) if not clause.is_excluded)


def _with(query: Query, *clauses: Clause) -> Query:
    return replace(query, parts=(*query.parts, *clauses))


def _without(query: Query, is_excluded: Callable[[Clause], bool]) -> Query:
    rest = (part for part in query.parts if not (isinstance(part, Clause) and is_excluded(part)))
    return replace(query, parts=tuple(rest))


def _covers(clause: Clause, folder: Path) -> bool:
    """Return whether a clause, excluded or not, includes a whole folder."""
    inner = _inner(clause)
    if inner.paths:
        return folder.is_relative_to(inner.paths[0])
    name = os.sep + fold(inner.folders[0].replace("/", os.sep).strip(os.sep)) + os.sep
    return name in fold(str(folder)) + os.sep


@lru_cache(maxsize=64)
def _inner(clause: Clause) -> Scope:
    """Return the scope of a clause, even of an excluded one.

    Cached, because paths are resolved on the disk, and this is called for each folder.
    """
    return replace(clause, is_excluded=False).scope


def _shortest(day: date) -> str:
    """Return a day in its shortest form, as a year or month if it is the first day.

    >>> _shortest(date(2024, 1, 1)), _shortest(date(2024, 6, 1)), _shortest(date(2024, 6, 2))
    ('2024', '2024-06', '2024-06-02')
    """
    if day.day > 1:
        return day.isoformat()
    return day.isoformat()[:4] if day.month == 1 else day.isoformat()[:7]


@dataclass(frozen=True, slots=True)
class FacetQuery:
    """The documents to count.

    Attributes:
        expression: FTS5 expression; a document counts if one of its passages matches. "" matches
            all.
        within: the scope of these passages.
        found: ids of further documents.
        scopes: the filters by folder, kind and day; each is ignored for its own counts.
        scope: the scope of everything counted.
    """

    expression: str
    within: Scope
    found: Collection[int]
    scopes: tuple[Scope, Scope, Scope]
    scope: Scope = EVERYWHERE


# Filters that exclude each other. A document may have two authors, so a second one narrows.
_KEYS: Final = (("in",), ("type", "ext"), tuple(_BY_DATE))


def split(query: Query) -> tuple[Query, tuple[Scope, Scope, Scope]]:
    """Separate a query from its filters by folder, kind and day.

    >>> from core.search.query.language import parse
    >>> rest, (folders, kinds, days) = split(parse("wing type:pdf after:2024 size:>1mb"))
    >>> str(rest), folders.is_everything, kinds.suffixes
    ('wing size:>1mb', True, ('.pdf',))
    """
    query = plainer(query)
    folders, kinds, days = (
        tuple(part for part in query.parts if isinstance(part, Clause) and part.key in keys)
        for keys in _KEYS
    )
    combined = {*folders, *kinds, *days}
    rest = tuple(part for part in query.parts if part not in combined)
    return replace(query, parts=rest), (scope_of(folders), scope_of(kinds), scope_of(days))
