"""The query language: text parsed into words, phrases and filters.

Any text is a query. The language is described in docs/decisions/0017.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from functools import cached_property, lru_cache
from typing import Final, Self

from core.catalog.scope import EVERYWHERE, Scope
from core.catalog.text.letters import with_hebrew_marks
from core.catalog.text.normalisation import has_unspaced
from core.errors import BadValueError, Message, UsageError
from core.search.query import dates
from core.search.query.dates import Period
from core.search.query.operators import filters

# Neither SQLite nor the tokenizer takes NUL, or half a surrogate pair (bytes that are no text).
NO_TEXT: Final = re.compile(r"[\x00-\x1f\ud800-\udfff]")
QUOTES: Final = '"“”„«»'
_BARE: Final = re.compile(rf"[^\s{QUOTES}()]+")


# Letters of the shortest pattern.
FEWEST_LETTERS: Final = 3
_SHORT_PATTERN: Final = re.compile(r"[^\W\d_]{1,2}\*|\*[^\W\d_]{1,2}\*?|[^\W\d_]\*[^\W\d_]\*?")
# A word with a star at its end, or with stars and question marks before or between letters.
_PATTERN: Final = re.compile(r"\*?[^\W_]+(?:[*?]+[^\W_]+)*\*?")


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a pattern, or a phrase, whose words must be adjacent and exact.

    In a `pattern`, a star stands for any letters and a question mark for one; `text` has neither.
    """

    text: str
    is_phrase: bool = False
    is_excluded: bool = False
    pattern: str = ""

    def __str__(self) -> str:
        text = f'"{self.text}"' if self.is_phrase else self.pattern or self.text
        return "-" * self.is_excluded + text


@dataclass(frozen=True, slots=True)
class Clause:
    """A filter: the key of its operator, and a valid value for it.

    `today` is the day on which it was typed, for relative values ("yesterday").
    """

    key: str
    value: str
    is_excluded: bool = False
    today: date = field(default_factory=dates.local_day, compare=False)

    @property
    def scope(self) -> Scope:
        """The scope of the filter."""
        scope = filters()[self.key].read(self.value, self.today)
        return Scope(neither=(scope,)) if self.is_excluded else scope

    @property
    def period(self) -> Period | None:
        """The days that it includes or excludes; None if it is not about days."""
        return filters()[self.key].days(self.value, self.today)

    @property
    def fixed(self) -> Self:
        """The filter with calendar dates, which mean the same on any day.

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
    """Two or more alternatives, all of terms or all of clauses."""

    ways: tuple[tuple[Term, ...], ...] | tuple[tuple[Clause, ...], ...]

    @property
    def terms(self) -> tuple[tuple[Term, ...], ...]:
        """The alternatives, if they are of terms."""
        ways = (tuple(part for part in way if isinstance(part, Term)) for way in self.ways)
        return tuple(way for way in ways if way)

    @property
    def clauses(self) -> tuple[tuple[Clause, ...], ...]:
        """The alternatives, if they are of clauses."""
        ways = (tuple(part for part in way if isinstance(part, Clause)) for way in self.ways)
        return tuple(way for way in ways if way)

    def __str__(self) -> str:
        return " OR ".join(_bracketed(way) if len(way) > 1 else str(way[0]) for way in self.ways)


Part = Term | Clause | Either


def clause(key: str, value: str, *, is_excluded: bool = False, today: date | None = None) -> Clause:
    """Return a filter, with relative dates resolved on the day `today`.

    Raises:
        BadValueError: the value is invalid.
    """
    parsed = Clause(key, NO_TEXT.sub(" ", value), is_excluded, today or dates.local_day())
    if not parsed.value.strip():
        raise BadValueError("has no value")
    filters()[key].read(parsed.value, parsed.today)
    return parsed


def filter_clause(key: str, value: str) -> Clause:
    """Return a filter given outside of a query.

    Raises:
        UsageError: the value is invalid.
    """
    try:
        return clause(key, value)
    except BadValueError as error:
        example = filters()[key].example
        raise UsageError(
            "Invalid filter {0}:{1} ({2}). Example: {3}.", key, value, error, example
        ) from error


def readings(clauses: Iterable[Clause]) -> list[Message]:
    """Return sentences on the days that dates in words mean.

    >>> on = date(2026, 11, 24)
    >>> [str(one) for one in readings([Clause("after", "last month", today=on)])]
    ['after:"last month" means from 1 October 2026 on.']
    """
    readings = []
    for clause in clauses:
        period = clause.period
        if period is not None and not dates.is_plain(clause.value):
            wanted = replace(clause, is_excluded=False)
            readings.append(Message("{0} means {1}.", wanted, dates.period_text(period)))
    return readings


def scope_of(clauses: Iterable[Clause]) -> Scope:
    """Return the scope of all clauses; of several `is_either` clauses of a kind, one must match."""
    operators = filters()
    alike: dict[str, list[Scope]] = {}
    scopes = []
    for clause in clauses:
        if operators[clause.key].is_either and not clause.is_excluded:
            alike.setdefault(clause.key, []).append(clause.scope)
        else:
            scopes.append(clause.scope)
    scopes += [
        alternatives[0] if len(alternatives) == 1 else Scope(either=tuple(alternatives))
        for alternatives in alike.values()
    ]
    return joined(scopes)


def joined(scopes: Iterable[Scope]) -> Scope:
    """Return the intersection of scopes."""
    conditions = tuple(scope for scope in scopes if not scope.is_everything)
    if not conditions:
        return EVERYWHERE
    return conditions[0] if len(conditions) == 1 else Scope(every=conditions)


def _bracketed(parts: Iterable[Term | Clause]) -> str:
    inner = " ".join(map(str, parts))
    # Otherwise an unclosed bracket in the last word would match ours.
    return f"({inner} )" if "(" in inner.rsplit(" ", 1)[-1] else f"({inner})"


_CLOSING: Final = frozenset(QUOTES)
_PHRASE: Final = re.compile(rf"(-?)[{QUOTES}]([^{QUOTES}]*)[{QUOTES}]")
# In straight quotation marks a doubled one is an escaped one.
FILTER: Final = re.compile(
    rf'(-?)([^\W\d_]+):(?:"((?:[^"]|"")*)"|[“„«»]([^{QUOTES}]*)[“”«»]|([^\s{QUOTES}]+))'
)
_WORD: Final = re.compile(rf"[^\s{QUOTES}]+")
_EXCLUDED: Final = re.compile(r"-[^\W_]")
# After a colon: not the rest of a web address, of a path, of a qualified name.
_LIKE_A_VALUE: Final = re.compile(r"[\w<>=.*~]")


class Mark(Enum):
    """Brackets, and the operators in capitals."""

    OPEN = "("
    OPEN_EXCLUDED = "-("
    CLOSE = ")"
    OR = "OR"
    AND = "AND"
    NOT = "NOT"


_OPERATORS: Final = frozenset({Mark.OR.value, Mark.AND.value, Mark.NOT.value})
Lexeme = Term | Clause | Mark


def lexemes(typed: str, notices: list[str], today: date) -> Iterator[Lexeme]:
    """Split text; adds to `notices` a sentence for each invalid filter."""
    index = 0
    while index < len(typed):
        if typed[index] == "-" and typed[index - 1 : index] in _CLOSING:
            index += 1  # a hyphen, as in „Model C“-Schulen
        elif typed[index] in "()":
            yield Mark(typed[index])
            index += 1
        elif typed.startswith(Mark.OPEN_EXCLUDED.value, index):
            yield Mark.OPEN_EXCLUDED
            index += len(Mark.OPEN_EXCLUDED.value)
        elif match := FILTER.match(typed, index):
            clause, index = _filter(match, notices, today)
            yield from clause
        elif match := _PHRASE.match(typed, index):
            yield from _phrase(match[2], is_excluded=bool(match[1]))
            index = match.end()
        elif match := _WORD.match(typed, index):
            word = _without_brackets(match[0])
            index += len(word)
            if (normalised := _normalised(word)) != word:
                # Without invisible characters it may be more than a word.
                yield from lexemes(normalised, notices, today)
            else:
                yield Mark(word) if word in _OPERATORS else _word(word)
                if _SHORT_PATTERN.fullmatch(word):
                    notices.append(Message("The star in {0} needs at least three letters.", word))
        else:  # white space, or an unmatched quotation mark
            index += 1


def _filter(match: re.Match[str], notices: list[str], today: date) -> tuple[list[Lexeme], int]:
    """Return the lexemes of a filter, or of its text if it is invalid, and its end."""
    minus, key, *values = match.groups()
    bare = values.pop()
    end = match.end()
    if bare is not None:
        value = _without_brackets(bare)
        end -= len(bare) - len(value)
    else:
        value = (values[0] or "").replace('""', '"') or values[1] or ""
    reason: str = "not a filter"
    if key.lower() in filters():
        try:
            parsed = clause(key.lower(), value, is_excluded=bool(minus), today=today)
            return [parsed], end
        except BadValueError as error:
            reason = error.message
        is_meant = True
    else:
        is_meant = len(key) > 1 and _LIKE_A_VALUE.match(value) is not None
    if is_meant:
        notices.append(Message("{0}:{1} was searched as text ({2}).", key, value, reason))
    if bare is not None:
        return [_word(f"{minus}{key}:{value}")], end
    words: list[Lexeme] = [] if minus else [_word(f"{key}:")]
    text = re.sub(f"[{QUOTES}]", " ", value)
    return [*words, *_phrase(text, is_excluded=bool(minus))], end


def _phrase(text: str, *, is_excluded: bool) -> list[Lexeme]:
    """Return the phrase of a text, unless it has no letters or digits."""
    if not any(map(str.isalnum, text)):
        return []
    return [Term(_normalised(" ".join(text.split())), is_phrase=True, is_excluded=is_excluded)]


def _normalised(text: str) -> str:
    if text.isascii():
        return text
    # Imported late: a window that starts can search for words without it.
    from core.documents.text import normalise_typed

    return normalise_typed(text)


def _word(text: str) -> Term:
    if _EXCLUDED.match(text):
        return Term(text[1:], is_excluded=True)
    # Scripts without spaces have no visible word boundaries.
    letters = text.replace("*", "").replace("?", "")
    is_long = len(letters) >= FEWEST_LETTERS and not letters.isdigit()
    if letters != text and is_long and _PATTERN.fullmatch(text) and not has_unspaced(text):
        return Term(letters, pattern=text)
    return Term(text)


def _without_brackets(word: str) -> str:
    """Return a word without unmatched closing brackets at its end.

    >>> _without_brackets("flow)"), _without_brackets("f(x)")
    ('flow', 'f(x)')
    """
    surplus = word.count(")") - word.count("(")
    closing = len(word) - len(word.rstrip(")"))
    return word[: len(word) - max(0, min(surplus, closing))]


# Characters of the longest query; the encoder reads only a few hundred tokens.
LONGEST: Final = 10_000


@dataclass(frozen=True)
class Query:
    """Words to search for and filters, in the order in which they were typed.

    Its text is parsed to an equal query. `notices` are sentences on what looked like a filter and
    was taken for text. Properties derived from the terms are computed once.
    """

    parts: tuple[Part, ...]
    notices: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))

    @cached_property
    def text(self) -> str:
        """All text to search for, without operators; the encoder's input."""
        return " ".join(term.text for term in self._terms if not term.is_excluded)

    @cached_property
    def has_words(self) -> bool:
        """Whether there is anything to search for besides filters."""
        return any(map(str.isalnum, self.text))

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The phrases that must occur, compared as by `fts.contains`."""
        return tuple(
            term.text for term in self._own_terms if term.is_phrase and not term.is_excluded
        )

    @cached_property
    def patterns(self) -> dict[str, str]:
        """The patterns, by their letters."""
        return {term.text: term.pattern for term in self._terms if term.pattern}

    @cached_property
    def unwanted_phrases(self) -> tuple[str, ...]:
        """The phrases that must not occur."""
        return tuple(term.text for term in self._own_terms if term.is_phrase and term.is_excluded)

    @property
    def excludes(self) -> bool:
        """Whether there are words or phrases that must not occur."""
        return any(term.is_excluded for term in self._own_terms)

    @cached_property
    def alternatives(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """The alternatives of each OR between words; all terms of an alternative must occur."""
        return tuple(part.terms for part in self.parts if isinstance(part, Either) and part.terms)

    @cached_property
    def phrase_alternatives(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """The alternatives of phrases; one of each must occur in every mode."""
        return tuple(
            ways
            for ways in self.alternatives
            if all(term.is_phrase for way in ways for term in way)
        )

    @property
    def scope(self) -> Scope:
        """The scope of the filters and excluded words.

        Excluded phrases are not in it, because the word index knows words only by their stems.
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
        """Sentences on the days that dates in words mean."""
        return readings(self.clauses)

    @property
    def fixed(self) -> Self:
        """The query with calendar dates in place of relative ones, for others' time zones."""
        parts = tuple(
            Either(tuple(tuple(term.fixed for term in way) for way in part.clauses))
            if isinstance(part, Either) and part.clauses
            else part.fixed
            if isinstance(part, Clause)
            else part
            for part in self.parts
        )
        return replace(self, parts=parts)

    @property
    def clauses(self) -> Iterable[Clause]:
        """All filters, also those in alternatives."""
        for part in self.parts:
            if isinstance(part, Clause):
                yield part
            elif isinstance(part, Either):
                yield from (clause for way in part.clauses for clause in way)

    @cached_property
    def wanted(self) -> tuple[Term, ...]:
        """All terms to search for: words, prefixes and phrases."""
        return tuple(term for term in self._terms if not term.is_excluded)

    def with_terms(self, changed: Callable[[Term], Term]) -> Self:
        """Return the query with each wanted term changed; its filters stay."""

        def of(part: Part) -> Part:
            if isinstance(part, Either) and part.terms:
                return Either(tuple(tuple(map(changed, way)) for way in part.terms))
            return changed(part) if isinstance(part, Term) and not part.is_excluded else part

        return replace(self, parts=tuple(map(of, self.parts)))

    @cached_property
    def _own_terms(self) -> tuple[Term, ...]:
        return tuple(part for part in self.parts if isinstance(part, Term))

    @cached_property
    def _terms(self) -> tuple[Term, ...]:
        terms: list[Term] = []
        for part in self.parts:
            if isinstance(part, Term):
                terms.append(part)
            elif isinstance(part, Either):
                terms += [term for way in part.terms for term in way]
        return tuple(terms)


def parse(typed: str, today: date | None = None) -> Query:
    """Parse a query, with relative dates resolved on the day `today`, by default the current one.

    A request contains the text of a query, so several layers parse the same text; recent results
    are cached.

    >>> query = parse('wing "boundary layer" flow ext:pdf')
    >>> query.text, query.phrases
    ('wing boundary layer flow', ('boundary layer',))
    >>> query.scope.suffixes, str(query)
    (('.pdf',), 'wing "boundary layer" flow ext:pdf')
    >>> parse('a "quote without end').text
    'a quote without end'
    """
    return _parse(typed, today or dates.local_day())


@lru_cache(maxsize=64)
def _parse(typed: str, today: date) -> Query:
    notices: list[str] = []
    # The contents of the brackets that are open, the outermost first.
    levels: list[list[_Node]] = [[]]
    for lexeme in lexemes(NO_TEXT.sub(" ", with_hebrew_marks(typed)), notices, today):
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
    """Return a query with calendar dates, for others' time zones; unchanged if it has no others.

    >>> elsewhere("wing  after:2024")
    'wing  after:2024'
    """
    query = parse(typed)
    return str(query.fixed) if query.readings else typed


def plain(text: str) -> Query:
    """Return all of `text` as words, for queries that are not in the query language.

    >>> plain('what is "trunk" based development').text
    'what is "trunk" based development'
    """
    return Query((Term(" ".join(NO_TEXT.sub(" ", text).split())),))


def checked(typed: str, today: date | None = None) -> Query:
    """Parse a query that must not be empty.

    Raises:
        UsageError: the query is empty or too long.
    """
    if len(typed) > LONGEST:
        raise UsageError(
            "The query has {0} characters; the limit is {1}.",
            f"{len(typed):,}",
            f"{LONGEST:,}",
        )
    query = parse(typed, today)
    if not (query.has_words or query.excludes or any(True for _ in query.clauses)):
        if typed.strip():
            raise UsageError("The query has no letters or digits. Type some words to search for.")
        raise UsageError("The query is empty. Type some words to search for.")
    return query


# The contents of brackets.
_Group = tuple[Part, ...]
_Node = Lexeme | _Group


def _close(levels: list[list[_Node]], notices: list[str]) -> None:
    """Append the contents of the innermost brackets to the ones around them."""
    inner = levels.pop()
    if inner and inner[0] is Mark.OPEN_EXCLUDED:
        levels[-1].append(tuple(_excluded(inner)))
    else:
        levels[-1].append(_with_alternatives(inner, notices))


def _excluded(nodes: Iterable[_Node | Either]) -> Iterator[Term | Clause]:
    """Yield the contents of brackets after a minus, each of them excluded."""
    for node in nodes:
        if isinstance(node, Clause):
            yield replace(node, is_excluded=True)
        elif isinstance(node, Either):
            yield from _excluded(term for way in node.ways for term in way)
        elif isinstance(node, tuple):
            yield from _excluded(node)
        elif isinstance(node, Term):
            excluded = node if node.is_phrase or node.is_excluded else _word(f"-{node}")
            if node.is_phrase or excluded.is_excluded:  # a single sign matches nothing
                yield replace(excluded, is_excluded=True)


def _with_alternatives(nodes: Sequence[_Node], notices: list[str]) -> tuple[Part, ...]:
    """Return the parts of a query, with those around an OR combined as alternatives.

    An OR that joins nothing is a word; brackets without an OR next to them have no meaning.
    """
    nodes = _without_and_not(nodes, notices)
    parts: list[Part] = []
    index = 0
    while index < len(nodes):
        end = index + 1
        while end + 1 < len(nodes) and nodes[end] is Mark.OR and nodes[end + 1] is not Mark.OR:
            end += 2
        joined_nodes = nodes[index:end:2]
        if nodes[index] is Mark.OR:
            parts.append(Term("or"))
            end = index + 1
        elif len(joined_nodes) == 1:
            parts += _parts(nodes[index])
        elif either := _either(joined_nodes):
            parts.append(either)
        else:
            notices.append(
                Message("OR joins words or filters; anywhere else it is searched as a word.")
            )
            for node in nodes[index:end]:
                parts += [Term("or")] if node is Mark.OR else _parts(node)
        index = end
    return tuple(parts)


def _without_and_not(nodes: Sequence[_Node], notices: list[str]) -> Sequence[_Node]:
    """Return nodes with AND as quotation marks around its words, and NOT as a minus.

    Both are words at the ends, next to an OR or a sign, and between words in capitals: IS NOT NULL.
    """
    found: list[_Node] = []
    index = 0
    while index < len(nodes):
        node = nodes[index]
        index += 1
        if node is not Mark.AND and node is not Mark.NOT:
            found.append(node)
            continue
        is_not = node is Mark.NOT or nodes[index : index + 1] == [Mark.NOT]
        end = index + (node is Mark.AND and is_not)
        before, behind = found[-1:], nodes[end : end + 1]
        is_next_to_or = Mark.OR in (*found[-2:], *nodes[end + 1 : end + 2])
        if (
            is_next_to_or
            or any(isinstance(node, Mark) for node in (*before, *behind))
            or not (before and behind)
            or any(map(_is_sign, (*before, *behind)))
            or all(map(_is_in_capitals, (*before, *behind)))
        ):
            found.append(Term(node.value.lower() if behind == [Mark.NOT] else node.value))
            continue
        last, after = before[0], behind[0]
        if not is_not:
            found[-1:] = [_required(last), _required(after)]
            notices.append(
                Message(
                    "AND requires the words beside it. In small letters it is searched as a word."
                )
            )
        elif isinstance(after, Term | Clause):
            left_out = replace(after, is_excluded=True)
            found.append(left_out)
            notices.append(
                Message(
                    "NOT leaves out what follows it, as {0} does. In small letters it is searched "
                    "as a word.",
                    str(left_out),
                )
            )
        else:
            found += [Term(node.value.lower()), after]
            notices.append(Message("NOT was searched as a word. Write -word to leave out a word."))
        index = end + 1
    return found


def _is_sign(node: _Node) -> bool:
    return isinstance(node, Term) and not any(map(str.isalnum, node.text))


def _is_in_capitals(node: _Node) -> bool:
    return isinstance(node, Term) and node.text.isupper()


def _required(node: _Node) -> _Node:
    """Return a word as a phrase, which must occur; other nodes unchanged."""
    if isinstance(node, Term) and not node.is_excluded and not node.pattern:
        return replace(node, is_phrase=True)
    return node


def _parts(node: _Node) -> _Group:
    assert not isinstance(node, Mark)
    return node if isinstance(node, tuple) else (node,)


def _either(nodes: Sequence[_Node]) -> Either | None:
    """Return nodes as alternatives; None if they mix words and filters."""
    terms: list[tuple[Term, ...]] = []
    clauses: list[tuple[Clause, ...]] = []
    for node in nodes:
        group = _parts(node)
        if len(group) == 1 and isinstance(group[0], Either):
            terms += group[0].terms
            clauses += group[0].clauses
        elif group and all(isinstance(part, Clause) for part in group):
            clauses.append(tuple(part for part in group if isinstance(part, Clause)))
        elif group and all(isinstance(part, Term) and _is_wanted(part) for part in group):
            terms.append(tuple(part for part in group if isinstance(part, Term)))
        else:
            return None
    return None if terms and clauses else Either(tuple(terms) or tuple(clauses))


def _is_wanted(term: Term) -> bool:
    return not term.is_excluded and any(map(str.isalnum, term.text))
