"""What a person typed, taken apart into words and filters; whatever it is, it is a query.

The language is decided in docs/decisions/0017.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum
from pathlib import Path
from typing import Final

from core.addresses import is_in_bucket
from core.catalog.scope import EVERYWHERE, Scope
from core.documents.formats import FORMATS, suffixes_of
from core.errors import Message, UsageError, WinnowError

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
    """Return a filter that can be read.

    Raises:
        BadValueError: it cannot.
    """
    made = Clause(key, NO_TEXT.sub(" ", value), is_excluded)
    if not made.value.strip():
        raise BadValueError("says nothing")
    filters()[key].read(made.value)
    return made


def given(key: str, value: str) -> Clause:
    """Return a filter that was given in another way than by typing it into a query.

    Raises:
        UsageError: its value cannot be read.
    """
    try:
        return clause(key, value)
    except BadValueError as error:
        example = filters()[key].example
        raise UsageError("{0}:{1} {2}; an example is {3}.", key, value, error, example) from error


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
    """Return what lies in all of the scopes."""
    conditions = tuple(scope for scope in scopes if not scope.is_everything)
    if not conditions:
        return EVERYWHERE
    return conditions[0] if len(conditions) == 1 else Scope(every=conditions)


def _bracketed(parts: Iterable[Term | Clause]) -> str:
    inner = " ".join(map(str, parts))
    # An unclosed bracket of the last word would have ours for its own.
    return f"({inner} )" if "(" in inner.rsplit(" ", 1)[-1] else f"({inner})"


_DATE: Final = re.compile(r"([12][0-9]{3})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?)?")
_SIZE: Final = re.compile(r"(<=?|>=?)([0-9]{1,18}(?:\.[0-9]{1,9})?)(b|[kmgt]b?|)", re.IGNORECASE)
_KINDS: Final = ", ".join(dict.fromkeys(format_.key for format_ in FORMATS))
_UNITS: Final = {"b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


class BadValueError(WinnowError):
    """A filter's value says nothing; the message goes on from the filter: "is no date"."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One thing that can be said in a query besides words.

    Attributes:
        form: how it is written.
        meaning: what it asks for, in a few words.
        example: a query with it.
        key: of a filter, what stands before the colon; "" for what is no filter.
        read: what a filter's value asks for. Raises `BadValueError`.
        is_either: one of several such filters suffices, because a document has only one such
            thing; of others all must hold.
    """

    form: str
    meaning: str
    example: str
    key: str = ""
    read: Callable[[str], Scope] = lambda _value: Scope()
    is_either: bool = False


def first_day(value: str) -> date:
    """Return the first day of a day, a month or a year: 2024-06-30, 2024-06 or 2024.

    >>> first_day("2024-06")
    datetime.date(2024, 6, 1)
    """
    match = _DATE.fullmatch(value.strip())
    if match is None:
        raise BadValueError("is no date")
    year, month, day = match.groups(default="1")
    try:
        return date(int(year), int(month), int(day))
    except ValueError as error:
        raise BadValueError("is no date") from error


def day_after(value: str) -> date:
    """Return the first day after a day, a month or a year.

    >>> day_after("2024-06-30"), day_after("2024-12"), day_after("2024")
    (datetime.date(2024, 7, 1), datetime.date(2025, 1, 1), datetime.date(2025, 1, 1))
    """
    first = first_day(value)
    match re.split(r"[-/.]", value.strip()):
        case [_, _, _]:
            return first + timedelta(1)
        case [_, _]:
            return (first + timedelta(31)).replace(day=1)
    return first.replace(year=first.year + 1)


def _size(value: str) -> Scope:
    match = _SIZE.fullmatch(re.sub(r"\s", "", value))
    if match is None:
        raise BadValueError("is no size")
    sign, number, unit = match.groups()
    limit = int(float(number) * _UNITS[unit[:1].lower() or "b"])
    if sign.startswith(">"):
        return Scope(least_bytes=limit + (sign == ">"))
    return Scope(most_bytes=limit - (sign == "<"))


def _type(value: str) -> Scope:
    try:
        return Scope(suffixes=suffixes_of(value.strip()))
    except UsageError as error:
        raise BadValueError("is no kind of files (there are {0}, and suffixes)", _KINDS) from error


def _suffix(value: str) -> Scope:
    suffix = value.strip().removeprefix("*").lstrip(".")
    if not suffix or os.sep in suffix:
        raise BadValueError("is no suffix")
    return Scope(suffixes=("." + suffix,))


def _folder(value: str) -> Scope:
    if is_in_bucket(value):
        return Scope(places=(Path(value),))
    # By `os.path` and not `Path`, which raises where there is no such home, or links go in circles.
    path = os.path.expanduser(value)  # noqa: PTH111
    if os.path.isabs(path):  # noqa: PTH117
        return Scope(places=(Path(os.path.realpath(path)),))
    return Scope(folders=(value,))


OPERATORS: Final = (
    Operator('"EXACT WORDS"', "these words side by side", '"boundary layer"'),
    Operator("-WORD", "not what holds this word, or fits this filter", "jaguar -car -ext:pdf"),
    Operator("OR", "one or the other, of words or filters", "(solar panel) OR photovoltaic"),
    Operator(
        "type:KIND",
        Message("only files of a kind: {0}", _KINDS),
        "budget type:pdf",
        "type",
        _type,
        is_either=True,
    ),
    Operator("ext:SUFFIX", "only files of a suffix", "ext:docx", "ext", _suffix, is_either=True),
    Operator(
        "in:FOLDER",
        "only what lies in a folder, given by its name or its whole path",
        'in:"tax 2024"',
        "in",
        _folder,
        is_either=True,
    ),
    Operator(
        "name:PART",
        "only files with this in their names; * and ? stand for any characters, any one",
        "name:report*.doc?",
        "name",
        lambda value: Scope(names=(value,)),
    ),
    Operator(
        "author:NAME",
        "only documents by someone whose name has this in it",
        "author:curie",
        "author",
        lambda value: Scope(authors=(value,)),
    ),
    Operator(
        "after:DATE",
        "only documents of that day or later, by the date that they give, else by their files';"
        " a month or a year counts from its first day",
        "after:2024-06",
        "after",
        lambda value: Scope(since=first_day(value)),
    ),
    Operator(
        "before:DATE",
        "only documents from before that day, that month or that year",
        "before:2024-06-30",
        "before",
        lambda value: Scope(until=first_day(value) - timedelta(1)),
    ),
    Operator(
        "size:>SIZE",
        "only files larger than that, with < smaller; in kb, mb, gb",
        "size:>1mb size:<2.5gb",
        "size",
        _size,
    ),
)


def filters() -> dict[str, Operator]:
    """Return the operators that are filters, by their keys."""
    return {operator.key: operator for operator in OPERATORS if operator.key}


_CLOSING: Final = frozenset(QUOTES)
_PHRASE: Final = re.compile(rf"(-?)[{QUOTES}]([^{QUOTES}]*)[{QUOTES}]")
# In straight quotation marks a doubled one stands for one.
_FILTER: Final = re.compile(
    rf'(-?)([^\W\d_]+):(?:"((?:[^"]|"")*)"|[“„«»]([^{QUOTES}]*)[“”«»]|([^\s{QUOTES}]+))'
)
_WORD: Final = re.compile(rf"[^\s{QUOTES}]+")
_EXCLUDED: Final = re.compile(r"-[^\W_]")
# After a colon: not the rest of a web address, of a path, of a qualified name.
_LIKE_A_VALUE: Final = re.compile(r"[\w<>=.*~]")


class Mark(Enum):
    """What stands between terms and filters."""

    OPEN = "("
    CLOSE = ")"
    OR = "OR"


Lexeme = Term | Clause | Mark


def lexemes(typed: str, notices: list[str]) -> Iterator[Lexeme]:
    """Take text apart; adds to `notices` a sentence for what looks like a filter and is none."""
    place = 0
    while place < len(typed):
        if typed[place] == "-" and typed[place - 1 : place] in _CLOSING:
            place += 1  # of a compound, as in „Model C“-Schulen: it excludes nothing
        elif typed[place] in "()":
            yield Mark(typed[place])
            place += 1
        elif match := _FILTER.match(typed, place):
            found, place = _filter(match, notices)
            yield from found
        elif match := _PHRASE.match(typed, place):
            yield from _phrase(match[2], is_excluded=bool(match[1]))
            place = match.end()
        elif match := _WORD.match(typed, place):
            word = _without_brackets(match[0])
            yield Mark.OR if word == Mark.OR.value else _word(word)
            place += len(word)
        else:  # white space, or a quotation mark without its fellow
            place += 1


def _filter(match: re.Match[str], notices: list[str]) -> tuple[list[Lexeme], int]:
    """Return what a filter says, or what it is instead; and where it ends."""
    minus, key, *values = match.groups()
    bare = values.pop()
    end = match.end()
    if bare is not None:
        value = _without_brackets(bare)
        end -= len(bare) - len(value)
    else:
        value = (values[0] or "").replace('""', '"') or values[1] or ""
    reason: str = "is no filter"
    if key.lower() in filters():
        try:
            return [clause(key.lower(), value, is_excluded=bool(minus))], end
        except BadValueError as error:
            reason = error.message
        is_meant = True
    else:
        is_meant = len(key) > 1 and _LIKE_A_VALUE.match(value) is not None
    if is_meant:
        notices.append(Message("{0}:{1} {2}; it was searched for as text.", key, value, reason))
    if bare is not None:
        return [_word(f"{minus}{key}:{value}")], end
    words: list[Lexeme] = [] if minus else [_word(f"{key}:")]
    text = re.sub(f"[{QUOTES}]", " ", value)
    return [*words, *_phrase(text, is_excluded=bool(minus))], end


def _phrase(text: str, *, is_excluded: bool) -> list[Lexeme]:
    """Return the phrase of a text, if there is anything to look for in it."""
    if not any(map(str.isalnum, text)):
        return []
    return [Term(" ".join(text.split()), is_phrase=True, is_excluded=is_excluded)]


def _word(text: str) -> Term:
    if _EXCLUDED.match(text):
        return Term(text[1:], is_excluded=True)
    return Term(text)


def _without_brackets(word: str) -> str:
    """Return a word without the closing brackets at its end that were not opened in it.

    >>> _without_brackets("flow)"), _without_brackets("f(x)")
    ('flow', 'f(x)')
    """
    surplus = word.count(")") - word.count("(")
    closing = len(word) - len(word.rstrip(")"))
    return word[: len(word) - max(0, min(surplus, closing))]


LONGEST: Final = 10_000
"""Characters of a query; the encoder reads its first few hundred tokens in any case."""


@dataclass(frozen=True, slots=True)
class Query:
    """Words to look for and filters that must hold, in the order in which they were typed.

    Written as a text it is a query that is taken apart to the same. `notices` are sentences on
    what looked like more than text and was taken for text.
    """

    parts: tuple[Part, ...]
    notices: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))

    @property
    def text(self) -> str:
        """All that is to be looked for, without operators: what the encoder is given."""
        return " ".join(term.text for term in self._terms if not term.is_excluded)

    @property
    def has_words(self) -> bool:
        """Whether there is anything to look for, besides filters."""
        return any(map(str.isalnum, self.text))

    @property
    def phrases(self) -> tuple[str, ...]:
        """Those that must occur as they are, but for case, accents and white space."""
        return tuple(
            term.text for term in self._own_terms if term.is_phrase and not term.is_excluded
        )

    @property
    def unwanted_phrases(self) -> tuple[str, ...]:
        """Those that must not occur."""
        return tuple(term.text for term in self._own_terms if term.is_phrase and term.is_excluded)

    @property
    def alternatives(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """For each OR between words its ways, each of terms that must all occur."""
        return tuple(part.terms for part in self.parts if isinstance(part, Either) and part.terms)

    @property
    def phrase_alternatives(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """Those of the alternatives that are of phrases only: they must occur as phrases do."""
        return tuple(
            ways for ways in self.alternatives if all(one.is_phrase for way in ways for one in way)
        )

    @property
    def scope(self) -> Scope:
        """Where the filters hold and no excluded word stands.

        Excluded phrases are not in it: the word index knows words by their stems only.
        """
        unwanted = tuple(
            term.text for term in self._own_terms if term.is_excluded and not term.is_phrase
        )
        either = [
            Scope(either=tuple(scope_of(way) for way in part.clauses))
            for part in self.parts
            if isinstance(part, Either) and part.clauses
        ]
        clauses = scope_of(part for part in self.parts if isinstance(part, Clause))
        return joined([clauses, *either, Scope(without_words=unwanted)])

    @property
    def _own_terms(self) -> Iterable[Term]:
        return (part for part in self.parts if isinstance(part, Term))

    @property
    def _terms(self) -> Iterable[Term]:
        for part in self.parts:
            if isinstance(part, Term):
                yield part
            elif isinstance(part, Either):
                yield from (term for way in part.terms for term in way)


def parse(typed: str) -> Query:
    """Take apart what was typed, whatever it is.

    >>> query = parse('wing "boundary layer" flow ext:pdf')
    >>> query.text, query.phrases
    ('wing boundary layer flow', ('boundary layer',))
    >>> query.scope.suffixes, str(query)
    (('.pdf',), 'wing "boundary layer" flow ext:pdf')
    >>> parse('a "quote without end').text
    'a quote without end'
    """
    notices: list[str] = []
    # What stands in the brackets that are open at each place, the outermost first.
    levels: list[list[_Node]] = [[]]
    for lexeme in lexemes(NO_TEXT.sub(" ", typed), notices):
        if lexeme is Mark.OPEN:
            levels.append([])
        elif lexeme is not Mark.CLOSE:
            levels[-1].append(lexeme)
        elif len(levels) > 1:
            _close(levels, notices)
    while len(levels) > 1:
        _close(levels, notices)
    return Query(_with_alternatives(levels[0], notices), tuple(dict.fromkeys(notices)))


def plain(text: str) -> Query:
    """Return all of `text` as text: for judged queries, which nobody wrote in Winnow's language.

    >>> plain('what is "trunk" based development').text
    'what is "trunk" based development'
    """
    return Query((Term(" ".join(NO_TEXT.sub(" ", text).split())),))


def checked(typed: str) -> Query:
    """Return the query that was typed, if there is anything to look for.

    Raises:
        UsageError: there is nothing, or far more than a query.
    """
    if len(typed) > LONGEST:
        raise UsageError(
            "The query has {0} characters; use at most {1}, a few words do.",
            f"{len(typed):,}",
            f"{LONGEST:,}",
        )
    query = parse(typed)
    is_filtered = query.unwanted_phrases or not query.scope.is_everything
    if not query.has_words and not is_filtered:
        raise UsageError("The query is empty; type some words to look for.")
    return query


_Group = tuple[Part, ...]
"""What stood in brackets."""
_Node = Lexeme | _Group


def _close(levels: list[list[_Node]], notices: list[str]) -> None:
    """Put what stands in the innermost brackets into those around them."""
    inner = levels.pop()
    levels[-1].append(_with_alternatives(inner, notices))


def _with_alternatives(nodes: Sequence[_Node], notices: list[str]) -> tuple[Part, ...]:
    """Return the parts of a query, those with OR between them made alternatives.

    An OR that joins nothing is a word; brackets that no OR stands beside have no meaning.
    """
    parts: list[Part] = []
    place = 0
    while place < len(nodes):
        end = place + 1
        while end + 1 < len(nodes) and nodes[end] is Mark.OR and nodes[end + 1] is not Mark.OR:
            end += 2
        joined_nodes = nodes[place:end:2]
        if nodes[place] is Mark.OR:
            parts.append(Term("or"))
            end = place + 1
        elif len(joined_nodes) == 1:
            parts += _parts(nodes[place])
        elif either := _either(joined_nodes):
            parts.append(either)
        else:
            notices.append(
                Message("OR stands between words, or between filters; elsewhere it is a word.")
            )
            for node in nodes[place:end]:
                parts += [Term("or")] if node is Mark.OR else _parts(node)
        place = end
    return tuple(parts)


def _parts(node: _Node) -> _Group:
    assert not isinstance(node, Mark)
    return node if isinstance(node, tuple) else (node,)


def _either(nodes: Sequence[_Node]) -> Either | None:
    """The alternatives that nodes are; None where they are not all of words or all of filters."""
    terms: list[tuple[Term, ...]] = []
    clauses: list[tuple[Clause, ...]] = []
    for node in nodes:
        group = _parts(node)
        if len(group) == 1 and isinstance(group[0], Either):
            terms += group[0].terms
            clauses += group[0].clauses
        elif group and all(isinstance(one, Clause) for one in group):
            clauses.append(tuple(one for one in group if isinstance(one, Clause)))
        elif group and all(isinstance(one, Term) and _is_wanted(one) for one in group):
            terms.append(tuple(one for one in group if isinstance(one, Term)))
        else:
            return None
    if terms and clauses:
        return None
    return Either(tuple(terms) or tuple(clauses))


def _is_wanted(term: Term) -> bool:
    return not term.is_excluded and any(map(str.isalnum, term.text))
