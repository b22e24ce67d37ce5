"""The query for the word index: which words count, and in what form FTS5 takes them."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Sequence
from typing import Final

from core.catalog import passages
from core.catalog.folding import pieces, quoted
from core.search.query import Query

_WORD: Final = re.compile(r"\w+")
_COMMON_SHARE: Final = 4  # a word in more than one passage out of so many says nothing
_FEWEST_COMMON: Final = 250  # in a small library no word is common
_LEAST_RARITY: Final = 0.5  # of the mean of a query's words


def terms(text: str) -> list[str]:
    """The different words of `text`, in order, in lower case.

    >>> terms("The wing, the Flow")
    ['the', 'wing', 'flow']
    """
    words = (piece for word in _WORD.findall(text) for piece in pieces(word))
    return list(dict.fromkeys(word.lower() for word in words))


def any_of(words: Sequence[str]) -> str:
    """The expression that any of the words fulfils; "" for none."""
    return " OR ".join(quoted(word) for word in words)


def all_of(phrases: Sequence[str]) -> str:
    """The expression that only all phrases together fulfil; "" for none."""
    return " AND ".join(quoted(phrase) for phrase in phrases)


def demanded(query: Query, *, of_phrases: bool = False) -> str:
    """The expression that a passage must fulfil: all phrases, and one way of each OR; "" for none.

    With `of_phrases` only the phrases and the ways that are of phrases, which must occur in
    whatever way one searches; between words OR is a matter of words.
    """
    alternatives = query.phrase_alternatives if of_phrases else query.alternatives
    ways = (
        " OR ".join(f"({all_of([term.text for term in way])})" for way in either)
        for either in alternatives
    )
    phrases = [all_of(query.phrases)] if query.phrases else []
    return " AND ".join([*phrases, *(f"({way})" for way in ways)])


def found_by(expression: str, query: Query) -> str:
    """The expression of words, narrowed to what the query demands; "" for none of either."""
    wanted = demanded(query)
    return f"({expression}) AND {wanted}" if expression and wanted else expression or wanted


def telling(db: sqlite3.Connection, query: Query) -> list[str]:
    """The query's words but for those that stand in a quarter of all passages and more.

    Such words hardly move BM25 (their inverse document frequency is near zero), take most of its
    time, and would light the whole page. When no passage has any of the others they are what was
    asked for; and what stands beside an OR is asked for in any case.
    """
    words = terms(query.text)
    chosen = {
        word
        for ways in query.alternatives
        for way in ways
        for term in way
        for word in terms(term.text)
    }
    too_many = _too_many(passages.count(db))
    rare = [word for word in words if word in chosen or 0 < _holders(db, word, too_many) < too_many]
    return rare or words


def worth_showing(db: sqlite3.Connection, words: Sequence[str]) -> list[str]:
    """Those of the words that are rare enough, beside the others, to have made the match.

    A word in n of N passages has the rarity log(1 + N / n), which grows as its weight in BM25 does;
    half of the words' mean is enough: a search without the others finds as much
    (docs/decisions/0020-what-is-lit.md). Words that are in no passage are left out.
    """
    total = passages.count(db)
    holders = {word: _holders(db, word, _too_many(total)) for word in words}
    rarity = {word: math.log1p(total / n) for word, n in holders.items() if n}
    least = _LEAST_RARITY * sum(rarity.values()) / max(1, len(rarity))
    return [word for word, value in rarity.items() if value >= least]


def _too_many(total: int) -> int:
    """In so many of all passages, or more, a word is common."""
    return max(total // _COMMON_SHARE, _FEWEST_COMMON) + 1


def _holders(db: sqlite3.Connection, word: str, most: int) -> int:
    """How many passages hold the word; no more than `most` are counted."""
    found = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)",
        [quoted(word), most],
    )
    return int(found.fetchone()[0])
