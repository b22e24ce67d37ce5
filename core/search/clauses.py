"""What a query is made of: words, filters, and alternatives of either; each can be written down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from core.catalog.scope import EVERYWHERE, Scope
from core.errors import UsageError
from core.search.operators import BadValueError, filters

# Neither SQLite nor the tokenizer takes NUL, or half a surrogate pair (bytes that are no text).
NO_TEXT: Final = re.compile(r"[\x00-\x1f\ud800-\udfff]")
QUOTES: Final = '"“”„«»'
_BARE: Final = re.compile(rf"[^\s{QUOTES}()]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or a phrase: words that must stand side by side as they are."""

    text: str
    is_phrase: bool = False
    is_excluded: bool = False

    def __str__(self) -> str:
        return "-" * self.is_excluded + (f'"{self.text}"' if self.is_phrase else self.text)


@dataclass(frozen=True, slots=True)
class Clause:
    """A filter: the key of its operator, and a value that the operator can read."""

    key: str
    value: str
    is_excluded: bool = False

    @property
    def scope(self) -> Scope:
        """What it leaves to search in."""
        scope = filters()[self.key].read(self.value)
        return Scope(neither=(scope,)) if self.is_excluded else scope

    def __str__(self) -> str:
        value = self.value
        if not _BARE.fullmatch(value):
            value = '"' + value.replace('"', '""') + '"'
        return f"{'-' * self.is_excluded}{self.key}:{value}"


@dataclass(frozen=True, slots=True)
class Either:
    """Two and more ways to fulfil a query, all of terms or all of clauses; one suffices."""

    ways: tuple[tuple[Term, ...], ...] | tuple[tuple[Clause, ...], ...]

    @property
    def terms(self) -> tuple[tuple[Term, ...], ...]:
        """The ways, where they are of terms."""
        ways = (tuple(one for one in way if isinstance(one, Term)) for way in self.ways)
        return tuple(way for way in ways if way)

    @property
    def clauses(self) -> tuple[tuple[Clause, ...], ...]:
        """The ways, where they are of clauses."""
        ways = (tuple(one for one in way if isinstance(one, Clause)) for way in self.ways)
        return tuple(way for way in ways if way)

    def __str__(self) -> str:
        return " OR ".join(_bracketed(way) if len(way) > 1 else str(way[0]) for way in self.ways)


Part = Term | Clause | Either


def clause(key: str, value: str, *, is_excluded: bool = False) -> Clause:
    """A filter that can be read.

    Raises:
        BadValueError: it cannot.
    """
    made = Clause(key, NO_TEXT.sub(" ", value), is_excluded)
    if not made.value.strip():
        raise BadValueError("says nothing")
    filters()[key].read(made.value)
    return made


def given(key: str, value: str) -> Clause:
    """A filter that was given in another way than by typing it into a query.

    Raises:
        UsageError: its value cannot be read.
    """
    try:
        return clause(key, value)
    except BadValueError as error:
        example = filters()[key].example
        raise UsageError(f"{key}:{value} {error}; an example is {example}.") from error


def scope_of(clauses: Iterable[Clause]) -> Scope:
    """Where all clauses hold; of a kind of which a document has only one thing, one of them."""
    operators = filters()
    alike: dict[str, list[Scope]] = {}
    scopes = []
    for one in clauses:
        if operators[one.key].is_either and not one.is_excluded:
            alike.setdefault(one.key, []).append(one.scope)
        else:
            scopes.append(one.scope)
    scopes += [one[0] if len(one) == 1 else Scope(either=tuple(one)) for one in alike.values()]
    return joined(scopes)


def joined(scopes: Iterable[Scope]) -> Scope:
    """What lies in all of the scopes."""
    conditions = tuple(scope for scope in scopes if not scope.is_everything)
    if not conditions:
        return EVERYWHERE
    return conditions[0] if len(conditions) == 1 else Scope(every=conditions)


def _bracketed(parts: Iterable[Term | Clause]) -> str:
    inner = " ".join(map(str, parts))
    # An unclosed bracket of the last word would have ours for its own.
    return f"({inner} )" if "(" in inner.rsplit(" ", 1)[-1] else f"({inner})"
