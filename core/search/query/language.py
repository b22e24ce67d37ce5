"""What a person typed, taken apart into words and filters; whatever it is, it is a query.

The language is decided in docs/decisions/0017.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from typing import Final

from core.catalog.normalisation import fold, has_unspaced
from core.catalog.scope import EVERYWHERE, Scope
from core.documents.formats import FORMATS, suffixes_of
from core.errors import BadValueError, Message, UsageError
from core.locations import Location
from core.search.query import dates
from core.search.query.dates import Period, period_named, turn_named

# Neither SQLite nor the tokenizer takes NUL, or half a surrogate pair (bytes that are no text).
NO_TEXT: Final = re.compile(r"[\x00-\x1f\ud800-\udfff]")
QUOTES: Final = '"“”„«»'
_BARE: Final = re.compile(rf"[^\s{QUOTES}()]+")


FEWEST_LETTERS: Final = 3
"""Of the beginning of a word that stands for all words that begin so."""
_BEGINNING: Final = re.compile(rf"([^\W_]{{{FEWEST_LETTERS},}})\*")


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a beginning of words, or a phrase: words that must stand side by side as they are."""

    text: str
    is_phrase: bool = False
    is_excluded: bool = False
    is_beginning: bool = False

    def __str__(self) -> str:
        text = f'"{self.text}"' if self.is_phrase else self.text
        return "-" * self.is_excluded + text + "*" * self.is_beginning


@dataclass(frozen=True, slots=True)
class Clause:
    """A filter: the key of its operator, and a value that the operator can read.

    `today` is the day on which it was said, which "yesterday" depends on.
    """

    key: str
    value: str
    is_excluded: bool = False
    today: date = field(default_factory=dates.local_day, compare=False)

    @property
    def scope(self) -> Scope:
        """What it leaves to search in."""
        scope = filters()[self.key].read(self.value, self.today)
        return Scope(neither=(scope,)) if self.is_excluded else scope

    @property
    def period(self) -> Period | None:
        """The days that it leaves, or leaves out; None where it is not about days."""
        days = filters()[self.key].days
        return None if days is None else days(self.value, self.today)

    @property
    def fixed(self) -> Clause:
        """The filter with its days as a calendar has them, so that it is the same on any day.

        >>> str(Clause("after", "yesterday", today=date(2026, 11, 24)).fixed)
        'after:2026-11-23'
        """
        period = self.period
        if period is None or dates.is_plain(self.value):
            return self
        if self.key == "after":
            return replace(self, value=str(period.first))
        if self.key == "before":
            assert period.last is not None
            return replace(self, value=str(period.last + timedelta(1)))
        return replace(self, value=str(period))

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


def clause(key: str, value: str, *, is_excluded: bool = False, today: date | None = None) -> Clause:
    """Return a filter that can be read, as it is meant on the day `today`.

    Raises:
        BadValueError: it cannot.
    """
    made = Clause(key, NO_TEXT.sub(" ", value), is_excluded, today or dates.local_day())
    if not made.value.strip():
        raise BadValueError("says nothing")
    filters()[key].read(made.value, made.today)
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


def readings(clauses: Iterable[Clause]) -> list[Message]:
    """Return, for dates that are not written in plain figures, sentences on which days they mean.

    >>> on = date(2026, 11, 24)
    >>> [str(one) for one in readings([Clause("after", "last month", today=on)])]
    ['after:"last month" means from 1 October 2026 on.']
    """
    found = []
    for one in clauses:
        period = one.period
        if period is not None and not dates.is_plain(one.value):
            wanted = replace(one, is_excluded=False)
            found.append(Message("{0} means {1}.", wanted, dates.told(period)))
    return found


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


_SIZE: Final = re.compile(r"(<=?|>=?)([0-9]{1,18}(?:\.[0-9]{1,9})?)(b|[kmgt]b?|)", re.IGNORECASE)
_KINDS: Final = ", ".join(dict.fromkeys(format_.key for format_ in FORMATS))
_UNITS: Final = {"b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True, slots=True)
class Operator:
    """One thing that can be said in a query besides words.

    Attributes:
        form: how it is written.
        meaning: what it asks for, in a few words.
        example: a query with it.
        key: of a filter, what stands before the colon; "" for what is no filter.
        read: what a filter's value asks for on a day. Raises `BadValueError`.
        days: of a filter by days, which ones its value means on a day. Raises `BadValueError`.
        is_either: one of several such filters suffices, because a document has only one such
            thing; of others all must hold.
    """

    form: str
    meaning: str
    example: str
    key: str = ""
    read: Callable[[str, date], Scope] = lambda _value, _today: Scope()
    is_either: bool = False
    days: Callable[[str, date], Period] | None = None


def _after(value: str, today: date) -> Period:
    return Period(turn_named(value, today))


def _before(value: str, today: date) -> Period:
    return Period(None, turn_named(value, today) - timedelta(1))


def _dated(period: Period) -> Scope:
    return Scope(since=period.first, until=period.last)


def _changed(period: Period) -> Scope:
    return Scope(changed_since=period.first, changed_until=period.last)


def _size(value: str, _today: date) -> Scope:
    match = _SIZE.fullmatch(re.sub(r"\s", "", value))
    if match is None:
        raise BadValueError("is no size")
    sign, number, unit = match.groups()
    limit = int(float(number) * _UNITS[unit[:1].lower() or "b"])
    if sign.startswith(">"):
        return Scope(least_bytes=limit + (sign == ">"))
    return Scope(most_bytes=limit - (sign == "<"))


def _type(value: str, _today: date) -> Scope:
    try:
        return Scope(suffixes=suffixes_of(value.strip()))
    except UsageError as error:
        raise BadValueError("is no kind of files (there are {0}, and suffixes)", _KINDS) from error


def _suffix(value: str, _today: date) -> Scope:
    suffix = value.strip().removeprefix("*").lstrip(".")
    if not suffix or os.sep in suffix:
        raise BadValueError("is no suffix")
    return Scope(suffixes=("." + suffix,))


def _same(value: str, _today: date) -> Scope:
    path = os.path.expanduser(value)  # noqa: PTH111 - as in `_folder`
    if (location := Location.of(path)).is_absolute:
        return Scope(same=(str(location.resolved()),))
    if not value.strip("/\\ "):
        raise BadValueError("is no file")
    return Scope(same=(path,))


def _folder(value: str, _today: date) -> Scope:
    # By `os.path` and not `Path`, which raises where there is no such home.
    location = Location.of(os.path.expanduser(value))  # noqa: PTH111
    if location.is_absolute:
        return Scope(places=(location.resolved(),))
    return Scope(folders=(value,))


OWN_LIBRARY: Final = "mine"
"""What one's own library is called in a query, in which it bears no name."""


def _library(value: str, _today: date) -> Scope:
    # What a library by itself makes of it; `core.search.query.addressing` reads it for several.
    is_own = fold(value.strip()) == OWN_LIBRARY
    return Scope(either=(EVERYWHERE,)) if is_own else Scope(neither=(EVERYWHERE,))


OPERATORS: Final = (
    Operator('"EXACT WORDS"', "these words side by side", '"boundary layer"'),
    Operator("BEGINNING*", "any word that begins so, of three letters or more", "invoic*"),
    Operator(
        "-WORD",
        "not what holds this word, or fits this filter; before brackets, none of what is in them",
        "jaguar -car -ext:pdf",
    ),
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
        lambda value, _today: Scope(names=(value,)),
    ),
    Operator(
        "author:NAME",
        "only documents by someone whose name has this in it",
        "author:curie",
        "author",
        lambda value, _today: Scope(authors=(value,)),
    ),
    Operator(
        "same:FILE",
        "only copies of a document and versions of its text, and it itself; given by its name or"
        " its whole path",
        'same:"contract v2.docx"',
        "same",
        _same,
    ),
    Operator(
        "date:DATE",
        "only documents of that day, week, month or year, by the date that they give, else by their"
        " files'; a DATE is written as 2024-06-30, 2024-06 or 2024, in words, as yesterday, March,"
        ' "last month", 3w (since three weeks ago), or as a range, 2024..2025-03',
        'date:"last week"',
        "date",
        lambda value, today: _dated(period_named(value, today)),
        days=period_named,
    ),
    Operator(
        "after:DATE",
        "only documents of that day or later; a week, a month or a year counts from its first day",
        "after:2024-06",
        "after",
        lambda value, today: _dated(_after(value, today)),
        days=_after,
    ),
    Operator(
        "before:DATE",
        "only documents from before that day, that week, that month or that year",
        "before:2024-06-30",
        "before",
        lambda value, today: _dated(_before(value, today)),
        days=_before,
    ),
    Operator(
        "modified:DATE",
        "only files last changed on that day, in that week, month or year, or since then as in 3w;"
        " whatever date their documents give",
        "modified:3d",
        "modified",
        lambda value, today: _changed(period_named(value, today)),
        days=period_named,
    ),
    Operator(
        "size:>SIZE",
        "only files larger than that, with < smaller; in kb, mb, gb",
        "size:>1mb size:<2.5gb",
        "size",
        _size,
    ),
    Operator(
        "library:NAME",
        "only what lies in the library of that name, of those that are searched together; your own"
        " is called mine",
        'library:"work files"',
        "library",
        _library,
        is_either=True,
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
    OPEN_EXCLUDED = "-("
    CLOSE = ")"
    OR = "OR"


Lexeme = Term | Clause | Mark


def lexemes(typed: str, notices: list[str], today: date) -> Iterator[Lexeme]:
    """Take text apart; adds to `notices` a sentence for what looks like a filter and is none."""
    place = 0
    while place < len(typed):
        if typed[place] == "-" and typed[place - 1 : place] in _CLOSING:
            place += 1  # of a compound, as in „Model C“-Schulen: it excludes nothing
        elif typed[place] in "()":
            yield Mark(typed[place])
            place += 1
        elif typed.startswith(Mark.OPEN_EXCLUDED.value, place):
            yield Mark.OPEN_EXCLUDED
            place += len(Mark.OPEN_EXCLUDED.value)
        elif match := _FILTER.match(typed, place):
            found, place = _filter(match, notices, today)
            yield from found
        elif match := _PHRASE.match(typed, place):
            yield from _phrase(match[2], is_excluded=bool(match[1]))
            place = match.end()
        elif match := _WORD.match(typed, place):
            word = _without_brackets(match[0])
            place += len(word)
            if (kept := _as_kept(word)) != word:
                # Without what nobody sees it may be more than a word.
                yield from lexemes(kept, notices, today)
            else:
                yield Mark.OR if word == Mark.OR.value else _word(word)
        else:  # white space, or a quotation mark without its fellow
            place += 1


def _filter(match: re.Match[str], notices: list[str], today: date) -> tuple[list[Lexeme], int]:
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
            made = clause(key.lower(), value, is_excluded=bool(minus), today=today)
            return [made], end
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
    return [Term(_as_kept(" ".join(text.split())), is_phrase=True, is_excluded=is_excluded)]


def _as_kept(text: str) -> str:
    if text.isascii():
        return text
    # Here and not above: a window that opens has words to answer without it.
    from core.documents.text import as_kept

    return as_kept(text)


def _word(text: str) -> Term:
    if _EXCLUDED.match(text):
        return Term(text[1:], is_excluded=True)
    # Scripts without spaces have no beginnings of words to be seen.
    if (match := _BEGINNING.fullmatch(text)) and not has_unspaced(text):
        return Term(match[1], is_beginning=True)
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
        """Those that must occur as they are, but for what `word_query.contains` passes over."""
        return tuple(
            term.text for term in self._own_terms if term.is_phrase and not term.is_excluded
        )

    @property
    def beginnings(self) -> tuple[str, ...]:
        """Those that stand for all words that begin so."""
        return tuple(dict.fromkeys(term.text for term in self._terms if term.is_beginning))

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
    def readings(self) -> list[Message]:
        """Sentences on which days are meant by dates that are not written in plain figures."""
        return readings(self.clauses)

    @property
    def fixed(self) -> Query:
        """The query with all its days as a calendar has them: for who has another day."""
        parts = tuple(
            Either(tuple(tuple(one.fixed for one in way) for way in part.clauses))
            if isinstance(part, Either) and part.clauses
            else part.fixed
            if isinstance(part, Clause)
            else part
            for part in self.parts
        )
        return replace(self, parts=parts)

    @property
    def clauses(self) -> Iterable[Clause]:
        """All its filters, also those in alternatives."""
        for part in self.parts:
            if isinstance(part, Clause):
                yield part
            elif isinstance(part, Either):
                yield from (clause for way in part.clauses for clause in way)

    @property
    def wanted(self) -> tuple[Term, ...]:
        """All that is to be looked for: its words, beginnings and phrases."""
        return tuple(term for term in self._terms if not term.is_excluded)

    def with_terms(self, changed: Callable[[Term], Term]) -> Query:
        """Return the query with each term that is wanted changed; its filters stay."""

        def of(part: Part) -> Part:
            if isinstance(part, Either) and part.terms:
                return Either(tuple(tuple(map(changed, way)) for way in part.terms))
            return changed(part) if isinstance(part, Term) and not part.is_excluded else part

        return replace(self, parts=tuple(map(of, self.parts)))

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


def parse(typed: str, today: date | None = None) -> Query:
    """Take apart what was typed, whatever it is; on the day `today`, or on the one that it is.

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
    for lexeme in lexemes(NO_TEXT.sub(" ", typed), notices, today or dates.local_day()):
        if lexeme is Mark.OPEN:
            levels.append([])
        elif lexeme is Mark.OPEN_EXCLUDED:
            levels.append([lexeme])
        elif lexeme is not Mark.CLOSE:
            levels[-1].append(lexeme)
        elif len(levels) > 1:
            _close(levels, notices)
    while len(levels) > 1:
        _close(levels, notices)
    return Query(_with_alternatives(levels[0], notices), tuple(dict.fromkeys(notices)))


def elsewhere(typed: str) -> str:
    """Return a query for others, to whom another day may be today; as it stands if that is one.

    >>> elsewhere("wing  after:2024")
    'wing  after:2024'
    """
    query = parse(typed)
    return str(query.fixed) if query.readings else typed


def plain(text: str) -> Query:
    """Return all of `text` as text: for judged queries, which nobody wrote in Winnow's language.

    >>> plain('what is "trunk" based development').text
    'what is "trunk" based development'
    """
    return Query((Term(" ".join(NO_TEXT.sub(" ", text).split())),))


def checked(typed: str, today: date | None = None) -> Query:
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
    query = parse(typed, today)
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
    if inner and inner[0] is Mark.OPEN_EXCLUDED:
        levels[-1].append(tuple(_excluded(inner)))
    else:
        levels[-1].append(_with_alternatives(inner, notices))


def _excluded(nodes: Iterable[_Node | Either]) -> Iterator[Term | Clause]:
    """Yield all that stands in brackets behind a minus, each left out by itself."""
    for node in nodes:
        if isinstance(node, Clause):
            yield replace(node, is_excluded=True)
        elif isinstance(node, Either):
            yield from _excluded(one for way in node.ways for one in way)
        elif isinstance(node, tuple):
            yield from _excluded(node)
        elif isinstance(node, Term):
            left_out = node if node.is_phrase or node.is_excluded else _word(f"-{node}")
            if node.is_phrase or left_out.is_excluded:  # of a sign alone there is nothing to find
                yield replace(left_out, is_excluded=True)


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
