"""The query for the word index, where its words stand in a text, and whether its phrases do."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Final

from core.catalog import passages
from core.catalog.normalisation import (
    SEAM,
    TOKENIZER,
    WORD,
    WORD_CHARACTER,
    fold,
    has_unspaced,
    pieces,
    quoted,
    set_apart,
)
from core.search.query.language import Query, Term
from core.search.words.stems import OtherForms

_COMMON_SHARE: Final = 4  # a word in more than one passage out of so many says nothing
_FEWEST_COMMON: Final = 250  # in a small library no word is common
_FORM: Final = 0.8  # what another form of a word counts beside the word itself
_COMPOUND: Final = 0.5  # and a compound with it
_LEAST_RARITY: Final = 0.5  # of the mean of a query's words


def terms(text: str) -> list[str]:
    """Return the different words of `text`, in order, in lower case.

    >>> terms("The wing, the Flow")
    ['the', 'wing', 'flow']
    """
    words = (piece for word in WORD.findall(text) for piece in pieces(word))
    return list(dict.fromkeys(word.lower() for word in words))


def any_of(words: Sequence[str]) -> str:
    """Return the expression that any of the words fulfils; "" for none."""
    return " OR ".join(quoted(word) for word in words)


def all_of(phrases: Sequence[str]) -> str:
    """Return the expression that only all phrases together fulfil; "" for none."""
    return " AND ".join(quoted(phrase) for phrase in phrases)


Forms = Mapping[str, OtherForms]
"""Words with their other forms in the library; without those that have none."""


def unquoted(query: Query) -> list[str]:
    """Return the query's words that may occur in other forms: not those of its phrases."""
    exact = [*query.phrases]
    exact += [
        term.text for ways in query.alternatives for way in ways for term in way if term.is_phrase
    ]
    fixed = {word for phrase in exact for word in terms(phrase)}
    return [word for word in terms(query.text) if word not in fixed]


def _in_any_form(term: Term, forms: Forms) -> str:
    """The expression for a term of the query: a phrase as it is, a word in each of its forms."""
    of_word = forms.get(term.text.lower())
    if term.is_phrase or of_word is None:
        return quoted(term.text)
    return f"({any_of([term.text, *of_word.forms, *of_word.compounds])})"


def with_forms(words: Sequence[str], forms: Forms) -> list[str]:
    """Return words and all their other forms."""
    found = dict.fromkeys(words)
    for word in words:
        if word in forms:
            found |= dict.fromkeys((*forms[word].forms, *forms[word].compounds))
    return list(found)


def beside(
    db: sqlite3.Connection, words: Sequence[str], forms: Forms, query: Query
) -> tuple[tuple[str, float], ...]:
    """Return expressions for the words' other forms, each with what its BM25 score counts.

    BM25 would take a rare form for a rarer word, and rank it above the word itself. All forms of a
    word are as rare as they are together, and less than the word as it was typed.
    """
    total = passages.count(db)
    wanted = demanded(query, forms=forms)
    found = []
    for word in words:
        if word not in forms:
            continue
        of_word = forms[word]
        for others, share in ((of_word.forms, _FORM), (of_word.compounds, _COMPOUND)):
            if not others:
                continue
            counts = [of_word.holders[other] for other in others]
            together = _rarity(total, min(of_word.own + sum(counts), total))
            rarest = _rarity(total, min(counts))
            expression = any_of(others)
            if wanted:
                expression = f"({expression}) AND {wanted}"
            found.append((expression, share * together / rarest))
    return tuple(found)


def _rarity(total: int, holders: int) -> float:
    """The inverse document frequency as FTS5 has it."""
    return max(math.log((total - holders + 0.5) / (holders + 0.5)), 1e-6)


def demanded(query: Query, *, of_phrases: bool = False, forms: Forms | None = None) -> str:
    """The expression that a passage must fulfil: all phrases, and one way of each OR; "" for none.

    With `of_phrases` only the phrases and the ways that are of phrases, which must occur in
    whatever way one searches; between words OR is a matter of words, each in any of its `forms`.
    """
    known = forms or {}
    alternatives = query.phrase_alternatives if of_phrases else query.alternatives
    ways = (
        " OR ".join(
            "(" + " AND ".join(_in_any_form(term, known) for term in way) + ")" for way in either
        )
        for either in alternatives
    )
    phrases = [all_of(query.phrases)] if query.phrases else []
    return " AND ".join([*phrases, *(f"({way})" for way in ways)])


def found_by(expression: str, query: Query, forms: Forms | None = None) -> str:
    """Return the expression of words, narrowed to what the query demands; "" for none of either."""
    wanted = demanded(query, forms=forms)
    return f"({expression}) AND {wanted}" if expression and wanted else expression or wanted


def significant(db: sqlite3.Connection, query: Query, forms: Forms | None = None) -> list[str]:
    """Return the query's words but for those that stand in a quarter of all passages and more.

    Such words hardly move BM25 (their inverse document frequency is near zero), take most of its
    time, and would light the whole page. When no passage has any of the others they are what was
    asked for; and what stands beside an OR is asked for in any case. A word that is in none stays
    where it is there in other `forms`.
    """
    known = forms or {}
    words = terms(query.text)
    chosen = {
        word
        for ways in query.alternatives
        for way in ways
        for term in way
        for word in terms(term.text)
    }
    most = too_many(passages.count(db))
    held = {word: holders(db, word, most) for word in words if word not in chosen}
    rare = [
        word
        for word in words
        if word in chosen or 0 < held[word] < most or (held[word] == 0 and word in known)
    ]
    return rare or words


def worth_showing(
    db: sqlite3.Connection, words: Sequence[str], forms: Forms | None = None
) -> list[str]:
    """Return those of the words that are rare enough, beside the others, to have made the match.

    A word in n of N passages has the rarity log(1 + N / n), which grows as its weight in BM25 does;
    half of the words' mean is enough: a search without the others finds as much
    (docs/decisions/0020-highlighting.md). Words that are in no passage are left out, unless they
    are there in other `forms`.
    """
    known = forms or {}
    total = passages.count(db)
    held = {word: holders(db, word, too_many(total)) or int(word in known) for word in words}
    rarity = {word: math.log1p(total / n) for word, n in held.items() if n}
    least = _LEAST_RARITY * sum(rarity.values()) / max(1, len(rarity))
    return [word for word, value in rarity.items() if value >= least]


def shares_of_words(
    db: sqlite3.Connection, query: Query, forms: Forms, texts: Mapping[int, str]
) -> dict[int, float]:
    """Return how much of the query stands in each text, each word as rare as it is in the library.

    Words that are common in the library count only where the query has no others, and then alike;
    one that is nowhere in the library counts as the rarest. A word stands in any of its forms.
    """
    words = terms(query.text)
    total = passages.count(db)
    common_from = too_many(total)
    rare = significant(db, query, forms)
    rarity = {}
    for word in words:
        any_form = any_of(with_forms([word], forms))
        # Of those that are not rare it is enough to know whether they are there at all.
        held = _count(db, any_form, common_from if word in rare else 1)
        is_common = held >= common_from or (held > 0 and word not in rare)
        rarity[word] = 0.0 if is_common else _positive_rarity(total, held)
    if not any(rarity.values()):
        rarity = dict.fromkeys(words, 1.0)
    whole = sum(rarity.values())
    standing = texts_with({word: any_of(with_forms([word], forms)) for word in words}, texts)
    return {
        number: sum(rarity[word] for word in words if number in standing[word]) / whole
        for number in texts
    }


def _positive_rarity(total: int, holders: int) -> float:
    """The inverse document frequency as Lucene has it, above 0 however common the word is."""
    return math.log1p((total - holders + 0.5) / (holders + 0.5))


def too_many(total: int) -> int:
    """In so many of all passages, or more, a word is common."""
    return max(total // _COMMON_SHARE, _FEWEST_COMMON) + 1


def holders(db: sqlite3.Connection, word: str, most: int) -> int:
    """Return how many passages hold the word; no more than `most` are counted."""
    return _count(db, quoted(word), most)


def _count(db: sqlite3.Connection, expression: str, most: int) -> int:
    found = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)",
        [expression, most],
    )
    return int(found.fetchone()[0])


Spans = tuple[tuple[int, int], ...]


def match_spans(expression: str, texts: Mapping[int, str]) -> dict[int, Spans]:
    """Return the character spans in each text that an FTS5 expression matches; "" matches none.

    Only texts that match are given. They are indexed here once more, in memory, which takes the
    same 2 to 3 ms for what a search shows however large the library is. The library's own word
    index would look all words up anew for each passage (9 to 17 ms), or go through all passages
    with any of the words (1 ms in a small library, 7 ms in one of 190,000 passages).

    >>> match_spans('"crow"', {7: "Two crows.", 8: "An owl."})
    {7: ((4, 9),)}
    """
    if not expression or not texts:
        return {}
    with _indexed(texts) as db:
        rows = db.execute(
            "SELECT rowid, highlight(words, 0, char(2), char(3)) FROM words WHERE words MATCH ?",
            [expression],
        )
        return {number: _marked_spans(marked) for number, marked in rows}


def texts_with(expressions: Mapping[str, str], texts: Mapping[int, str]) -> dict[str, set[int]]:
    """Return for each name of an FTS5 expression which of the texts match that.

    >>> texts_with({"bird": '"crow" OR "owl"', "cat": '"cat"'}, {7: "Two crows.", 8: "An owl."})
    {'bird': {8, 7}, 'cat': set()}
    """
    with _indexed(texts) as db:
        asked = "SELECT rowid FROM words WHERE words MATCH ?"
        return {
            name: {number for (number,) in db.execute(asked, [expression])}
            for name, expression in expressions.items()
        }


@contextmanager
def _indexed(texts: Mapping[int, str]) -> Iterator[sqlite3.Connection]:
    """Index texts by their words as the library does, in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(
            "CREATE VIRTUAL TABLE words"
            f" USING fts5(text, columnsize=0, tokenize='porter {TOKENIZER}')"
        )
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO words(rowid, text) VALUES (?, ?)",
            [(number, set_apart(text)) for number, text in texts.items()],
        )
        yield db


def _marked_spans(marked: str) -> Spans:
    r"""The spans between \x02 and \x03, as offsets into the text without these marks and seams.

    No reader lets control characters through, so that the marks are ours.

    >>> _marked_spans("a \x02bc\x03 d \x02e\x03")
    ((2, 4), (7, 8))
    """
    spans = []
    position = 0
    start = 0
    for character in marked:
        if character == "\x02":
            start = position
        elif character == "\x03":
            spans.append((start, position))
        elif character != SEAM:
            position += 1
    return tuple(spans)


# Apostrophes and dashes as programs set them, by those that keyboards have.
_ON_KEYBOARDS: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u2032", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
)


def contains(text: str, phrase: str) -> bool:
    r"""Return whether `phrase` stands in `text` between the borders of words.

    In scripts without spaces, which show no borders, it may stand anywhere. Apostrophes and dashes
    are what they look like, however they were typed.

    >>> contains("The boundary\nlayer.", "Boundary Layer"), contains("layered", "layer")
    (True, False)
    >>> contains("Don\u2019t panic", "don't panic")
    True
    """
    wanted, there = (fold(one).translate(_ON_KEYBOARDS) for one in (phrase, text))
    before = f"(?<!{WORD_CHARACTER})" if wanted and _is_bordered(wanted[0]) else ""
    after = f"(?!{WORD_CHARACTER})" if wanted and _is_bordered(wanted[-1]) else ""
    return re.search(before + re.escape(wanted) + after, there) is not None


def _is_bordered(character: str) -> bool:
    return WORD.match(character) is not None and not has_unspaced(character)


def has_phrases(query: Query) -> bool:
    """Return whether the query has phrases, which the word index knows by their stems only."""
    return bool(query.phrases or query.unwanted_phrases or query.phrase_alternatives)


def accepts(query: Query, texts: Sequence[str]) -> bool:
    """Whether each of the query's phrases stands in one of the texts, and no unwanted one."""

    def stands(phrase: str) -> bool:
        return any(contains(text, phrase) for text in texts)

    return (
        all(map(stands, query.phrases))
        and not any(map(stands, query.unwanted_phrases))
        and all(
            any(all(stands(term.text) for term in way) for way in ways)
            for ways in query.phrase_alternatives
        )
    )
