"""What a person typed, taken apart; whatever it is, it is a query (docs/decisions/0017)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.catalog.scope import Scope
from core.errors import UsageError
from core.search.clauses import NO_TEXT, Clause, Either, Part, Term, joined, scope_of
from core.search.lexing import Lexeme, Mark, lexemes

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
        return tuple(one.text for one in self._own_terms if one.is_phrase and not one.is_excluded)

    @property
    def unwanted_phrases(self) -> tuple[str, ...]:
        """Those that must not occur."""
        return tuple(one.text for one in self._own_terms if one.is_phrase and one.is_excluded)

    @property
    def alternatives(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """For each OR between words its ways, each of terms that must all occur."""
        return tuple(one.terms for one in self.parts if isinstance(one, Either) and one.terms)

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
            one.text for one in self._own_terms if one.is_excluded and not one.is_phrase
        )
        either = [
            Scope(either=tuple(scope_of(way) for way in one.clauses))
            for one in self.parts
            if isinstance(one, Either) and one.clauses
        ]
        clauses = scope_of(one for one in self.parts if isinstance(one, Clause))
        return joined([clauses, *either, Scope(without_words=unwanted)])

    @property
    def _own_terms(self) -> Iterable[Term]:
        return (one for one in self.parts if isinstance(one, Term))

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
    """All of `text` as text: for judged queries, which nobody wrote in Winnow's language.

    >>> plain('what is "trunk" based development').text
    'what is "trunk" based development'
    """
    return Query((Term(" ".join(NO_TEXT.sub(" ", text).split())),))


def checked(typed: str) -> Query:
    """The query that was typed, if there is anything to look for.

    Raises:
        UsageError: there is nothing, or far more than a query.
    """
    if len(typed) > LONGEST:
        raise UsageError(
            f"The query has {len(typed):,} characters; use at most {LONGEST:,}, a few words do."
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
    """The parts of a query, those with OR between them made alternatives.

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
            notices.append("OR stands between words, or between filters; elsewhere it is a word.")
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
