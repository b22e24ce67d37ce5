"""Select libraries by `library:`, and remove that filter from the query for each of them.

A library never sees the filter: a server may know itself by another name than its users do.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from core.catalog.text.normalisation import fold
from core.errors import Message
from core.responses import SearchResults
from core.search.query.language import Clause, Either, Part, Query, parse
from core.search.query.operators import OWN_LIBRARY

KEY: Final = "library"
# A query that matches every document, and one that matches none.
EVERYTHING: Final = "size:>=0b"
NOTHING: Final = "size:<0b"


def called(name: str) -> str:
    """Return the name of a library in a query; `name` is "" for the person's own."""
    return name or OWN_LIBRARY


def names(clause: Clause, name: str) -> bool:
    """Return whether a `library:` filter names a library, ignoring case and accents.

    >>> names(Clause("library", "work"), "Work"), names(Clause("library", "mine"), "")
    (True, True)
    """
    return fold(clause.value.strip()) == fold(called(name).strip())


def addresses(query: Query) -> bool:
    """Return whether a query has `library:` filters."""
    return any(clause.key == KEY for clause in query.clauses)


def query_for(typed: str, name: str) -> str | None:
    """Return the query for a library; None if the query excludes it.

    >>> query_for("owls library:work type:pdf", "Work")
    'owls type:pdf'
    >>> query_for("owls library:work", "Home") is None
    True
    >>> query_for("owls -library:work", "Home"), query_for("library:home", "Home")
    ('owls', 'size:>=0b')
    >>> query_for("owls  library", "Home")
    'owls  library'
    """
    query = parse(typed)
    if not addresses(query):
        return typed
    own = _left([part for part in query.parts if isinstance(part, Clause)], name)
    if own is None:
        return None
    parts: list[Part] = []
    for part in query.parts:
        if isinstance(part, Either) and part.clauses:
            ways = [way for way in (_left(way, name) for way in part.clauses) if way is not None]
            if not ways:
                return None
            if all(ways):
                # A single way is repeated, since as a plain filter it would be an alternative to
                # the query's other filters of its kind.
                parts.append(Either(tuple(ways if len(ways) > 1 else ways * 2)))
        elif not isinstance(part, Clause) or part.key != KEY:
            parts.append(part)
    return _written(query, parts)


def unaddressed(typed: str) -> str:
    """Return a query without `library:` filters.

    >>> unaddressed("owls library:work type:pdf"), unaddressed("library:work")
    ('owls type:pdf', 'size:>=0b')
    """
    query = parse(typed)
    if not addresses(query):
        return typed
    return _written(query, [part for part in query.parts if not _is_about_libraries(part)])


def unknown(typed: str, known: Collection[str]) -> list[Message]:
    """Return a sentence for each unknown library name in a query.

    >>> print(*unknown("owls library:wrok", ["", "Work"]))
    There is no library wrok. Available libraries: mine, Work.
    """
    wanted = dict.fromkeys(clause for clause in parse(typed).clauses if clause.key == KEY)
    listed = ", ".join(map(called, known))
    return [
        Message("There is no library {0}. Available libraries: {1}.", clause.value, listed)
        for clause in wanted
        if not any(names(clause, name) for name in known)
    ]


def with_unknown_libraries(results: SearchResults, query: str) -> SearchResults:
    """Add a sentence to the notice of a single library's results for each other that is named."""
    if not (messages := unknown(query, [""])):
        return results
    return replace(results, notice=Message.joined(filter(None, [*messages, results.notice])))


def named(typed: str, known: Sequence[str]) -> list[str]:
    """Return the libraries that a query names."""
    wanted = [
        clause for clause in parse(typed).clauses if clause.key == KEY and not clause.is_excluded
    ]
    return [name for name in known if any(names(clause, name) for clause in wanted)]


def _left(clauses: Sequence[Clause], name: str) -> tuple[Clause, ...] | None:
    """Return the other filters for a library; None if the `library:` filters exclude it."""
    about = [clause for clause in clauses if clause.key == KEY]
    wanted = [names(clause, name) for clause in about if not clause.is_excluded]
    if wanted and not any(wanted):
        return None
    if any(names(clause, name) for clause in about if clause.is_excluded):
        return None
    return tuple(clause for clause in clauses if clause.key != KEY)


def _is_about_libraries(part: Part) -> bool:
    if isinstance(part, Either):
        return any(clause.key == KEY for way in part.clauses for clause in way)
    return isinstance(part, Clause) and part.key == KEY


def _written(query: Query, parts: Sequence[Part]) -> str:
    left = replace(query, parts=tuple(parts))
    has_conditions = left.has_words or left.unwanted_phrases or not left.scope.is_everything
    return str(left) if has_conditions else EVERYTHING
