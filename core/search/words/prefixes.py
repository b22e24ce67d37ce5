"""Beginnings of words: the words of the library that a query's `invoic*` stands for.

The word index has stems: those that begin so are read from it, and shorter ones are taken where a
text shows a word that goes on as was asked.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core.catalog import passages
from core.catalog.normalisation import has_unspaced, quoted
from core.search.query.language import FEWEST_LETTERS, Query, Term
from core.search.words import fts as word_query
from core.search.words.stems import OtherForms, asked_as, bare, folded, indexed

_MOST_WORDS: Final = 50
"""A beginning stands for the words that most passages hold."""
_MOST_HELD: Final = 20_000
"""They are held by so many passages together at most, or by as many as a single word may be:
what is found for each letter that is typed takes no longer than what a word finds."""
_LONGEST_ENDING: Final = 7
"""Letters that the English stemmer takes away, at the most."""
_TEXTS: Final = 20
_PLAIN: Final = re.compile(rf"[^\W\d_]{{{FEWEST_LETTERS},}}")
_WORD: Final = re.compile(r"\w+")


def beginning_with(db: sqlite3.Connection, beginning: str) -> OtherForms:
    """Return the words of the library that begin so, as other forms of their beginning."""
    own = indexed(beginning)
    found = passages.terms_from(db, folded(beginning), _MOST_WORDS)
    found |= _cut_shorter(db, beginning)
    found.pop(own, None)  # the word index takes it for the beginning itself
    too_many = word_query.too_many(passages.count(db))
    room = max(too_many, _MOST_HELD)
    asked = {}
    for term, holders in found.items():
        if holders < too_many and holders <= room and (word := asked_as(term)):
            asked[word] = holders
            room -= holders
    return OtherForms(tuple(asked), (), passages.holders_of_term(db, own), asked)


def _cut_shorter(db: sqlite3.Connection, beginning: str) -> dict[str, int]:
    """Return stems that are shorter than a beginning, where one of their words begins so."""
    wanted = folded(beginning)
    found = {}
    shortest = max(FEWEST_LETTERS, len(wanted) - _LONGEST_ENDING)
    for length in range(shortest, len(wanted)):
        term = wanted[:length]
        holders = passages.holders_of_term(db, term)
        if not holders or not (word := asked_as(term)):
            continue
        texts = passages.texts_with(db, quoted(word), _TEXTS)
        if any(_begins(one, wanted) for text in texts for one in _WORD.findall(text)):
            found[term] = holders
    return found


def _begins(word: str, beginning: str) -> bool:
    return folded(word).startswith(beginning)


def all_beginning(db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
    """Return for each beginning in a query the words of the library that begin so."""
    return {text.lower(): beginning_with(db, text) for text in query.beginnings}


def as_begun(
    db: sqlite3.Connection, query: Query, known: Mapping[str, OtherForms] | None = None
) -> Query:
    """Return a query whose last word, not typed to its end, is taken for a beginning.

    A word that the library has is taken for itself, with all that follows from it: so nothing
    changes when a word is complete that was one all along. One that begins none stays, too.
    """
    last = query.parts[-1] if query.parts else None
    if not isinstance(last, Term) or last.is_phrase or last.is_excluded or last.is_beginning:
        return query
    if not _PLAIN.fullmatch(last.text) or has_unspaced(last.text):
        return query
    if last.text.lower() in (known or {}) or word_query.holders(db, last.text, 1):
        return query
    if not beginning_with(db, last.text).forms:
        return query
    return Query((*query.parts[:-1], Term(last.text, is_beginning=True)), query.notices)


def lit_spans(
    query: Query,
    words: Sequence[str],
    forms: Mapping[str, OtherForms],
    texts: Mapping[int, str],
) -> dict[int, word_query.Spans]:
    """Return the spans in each text of words in any of their forms; of beginnings what begins so.

    The word index finds `computing` by the stem that it shares with what `computer*` stands for.
    """
    begun = {text.lower() for text in query.beginnings}
    plain = [word for word in words if word not in begun]
    found = _spans(plain, forms, texts)
    for word in words:
        if word in begun:
            beginning = bare(word)
            for number, spans in _spans([word], forms, texts).items():
                text = texts[number]
                lit = [one for one in spans if bare(text[one[0] : one[1]]).startswith(beginning)]
                found[number] = _ordered((*found.get(number, ()), *lit))
    return {number: spans for number, spans in found.items() if spans}


def _spans(
    words: Sequence[str], forms: Mapping[str, OtherForms], texts: Mapping[int, str]
) -> dict[int, word_query.Spans]:
    expression = word_query.any_of(word_query.with_forms(words, forms))
    return word_query.match_spans(expression, texts)


def _ordered(spans: Iterable[tuple[int, int]]) -> word_query.Spans:
    return tuple(sorted(set(spans)))
