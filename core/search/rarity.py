"""The weights of a query's tokens by how rare its words are in the library.

A model's salience knows which words are rare in general; a library's word index knows which are
rare in it. In a library about diabetes, "diabetes" tells passages apart as little as "the" does.

Source: Spärck Jones, "A statistical interpretation of term specificity and its application in
retrieval", 1972.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from core.arrays import Floats
from core.catalog import passages
from core.index.generation import IndexGeneration
from core.search.encodings import EncodedQuery, RecentQueries, words_of
from core.search.words import fts

# The exponent of the relative rarity, and the least rarity (docs/measurements/ranking.md).
_EXPONENT: Final = 0.5
_LEAST: Final = 0.05
# In a library with this many passages the exponent is half as large: the counts of a few passages
# say little.
_PASSAGES_FOR_HALF: Final = 100

NOTHING: Final[Mapping[str, int]] = {}


def weighted_query(
    db: sqlite3.Connection,
    text: str,
    generation: IndexGeneration,
    queries: RecentQueries,
    holders: Mapping[str, int] = NOTHING,
) -> EncodedQuery:
    """Return a query encoded with the generation's model, weighted for the library.

    The saliences of the tokens are multiplied by the rarity of their words; the summary keeps its
    share. Without saliences all weights stay equal.

    Args:
        db: the library's catalog.
        text: the query without operators.
        generation: the index and its model.
        queries: encoded recently.
        holders: the numbers of passages with words of the query, as `fts.count_holders` counts
            them; missing ones are counted.

    Raises:
        ModelError: the model cannot be loaded.
    """
    encoded = queries.of(text, generation)
    if not generation.checkpoint.weighs_queries or not len(encoded):
        return encoded
    terms_of = _terms_of_words(encoded)
    wanted = {term for terms in terms_of.values() for term in terms}
    counts = {**holders, **fts.count_holders(db, sorted(wanted - holders.keys()))}
    count_of_word = {word: min(map(counts.__getitem__, terms)) for word, terms in terms_of.items()}
    factors = rarity(_words(encoded), count_of_word, passages.count(db))
    weights = encoded.weights * factors
    # Tokens without a word, as the summary is one, keep their share.
    is_word = np.array([word in count_of_word for word in _words(encoded)], dtype=np.bool_)
    if (total := weights[is_word].sum()) > 0:
        weights[is_word] *= encoded.weights[is_word].sum() / total
    return replace(encoded, vectors=replace(encoded.vectors, weights=weights))


def rarity(words: tuple[int, ...], holders: Mapping[int, int], total: int) -> Floats:
    """Return (n,) the factors of a query's n tokens by the rarity of their words.

    A factor is (idf / mean idf of the query)^.5, and 1 for a token without a word. The rarity of a
    word is divided by the square root of its number of tokens, since each of them gets it.

    Args:
        words: (n,) the word of each token; -1 for none.
        holders: the number of passages with each word; words that the word index does not know are
            left out.
        total: the number of passages.

    >>> [round(factor, 2) for factor in rarity((-1, 0, 1, 1), {0: 900, 1: 9}, 1000).tolist()]
    [1.0, 0.25, 1.19, 1.19]
    >>> [round(factor, 2) for factor in rarity((-1, 0, 1, 1), {0: 9, 1: 1}, 10).tolist()]
    [1.0, 0.92, 1.02, 1.02]
    """
    idf = np.array(
        [np.log((total + 1) / (holders[word] + 0.5)) if word in holders else 0.0 for word in words],
        dtype=np.float32,
    )
    is_word = np.array([word in holders for word in words], dtype=np.bool_)
    factors = np.ones(len(words), dtype=np.float32)
    if not is_word.any():
        return factors
    sizes = np.array([words.count(word) for word in words])
    shares = np.maximum(idf, _LEAST) / np.sqrt(sizes)
    exponent = _EXPONENT * total / (total + _PASSAGES_FOR_HALF)
    factors[is_word] = (shares[is_word] / shares[is_word].mean()) ** exponent
    return factors


def _words(query: EncodedQuery) -> tuple[int, ...]:
    return words_of(query.text, query.tokens.spans, query.tokens.words)


def _terms_of_words(query: EncodedQuery) -> dict[int, list[str]]:
    """Return the words of a query with their terms in the word index; those without terms not."""
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(_words(query), query.tokens.spans, strict=True):
        if word >= 0 and start < end:
            first, last = spans.get(word, (start, end))
            spans[word] = (min(first, start), max(last, end))
    terms_of = {word: fts.terms(query.text[start:end]) for word, (start, end) in spans.items()}
    return {word: terms for word, terms in terms_of.items() if terms}
