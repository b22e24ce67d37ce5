"""Words of a library that match a pattern: `vehic*`, `*ehicle`, `organi?ation`.

The word index has stems. A word whose stem may belong to the pattern is looked up in texts.
"""

import re
import sqlite3
from functools import lru_cache
from typing import Final

from core.catalog import passages, word_index
from core.catalog.text.index_terms import folded, indexed
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import quoted
from core.search.query.language import FEWEST_LETTERS
from core.search.words import fts
from core.search.words.stems import OtherForms, bare, word_of_stem

# A pattern matches at most this many words, those in most passages,
_MOST_WORDS: Final = 50
# which are together in at most this many passages, or in as many as a single word may be in, so
# that a search for each typed letter takes no longer than one for a word.
_MOST_HELD: Final = 20_000
# The most letters that the English stemmer removes.
_LONGEST_ENDING: Final = 7
# Texts that are searched for a word of a pattern.
_TEXTS: Final = 20
_WORD: Final = re.compile(r"\w+")


def matching_words(db: sqlite3.Connection, pattern: str) -> OtherForms:
    """Return the words of the library that match a pattern, as its letters' other forms."""
    letters = pattern.replace("*", "").replace("?", "")
    own = indexed(letters)
    is_prefix = pattern == f"{letters}*"
    matching = _with_prefix(db, letters) if is_prefix else _like(db, pattern)
    matching.pop(own, None)  # the word index takes it for the letters themselves
    too_many = fts.too_many(passages.count(db))
    room = max(too_many, _MOST_HELD)
    words = {}
    for term, holders in matching.items():
        if holders < too_many and holders <= room and (word := word_of_stem(term)):
            words[word] = holders
            room -= holders
    return OtherForms(tuple(words), (), word_index.holders_of_term(db, own), words)


@lru_cache(maxsize=64)
def pattern_of(pattern: str) -> re.Pattern[str]:
    """Return a pattern as a regular expression for folded words.

    >>> bool(pattern_of("*Ehicle").fullmatch("vehicle")), bool(pattern_of("c?t").fullmatch("cart"))
    (True, False)
    """
    signs = {"*": r"\w*", "?": r"\w"}
    return re.compile("".join(signs.get(sign, re.escape(sign)) for sign in bare(pattern)))


def _like(db: sqlite3.Connection, pattern: str) -> dict[str, int]:
    """Return the terms of words that match a pattern with signs before or between letters."""
    wanted, words = folded(pattern), pattern_of(pattern)
    # A stem is a word without up to seven letters at its end.
    starts = [wanted]
    while len(starts) <= _LONGEST_ENDING:
        start = starts[-1][:-1]
        if sum(map(str.isalnum, start)) < FEWEST_LETTERS:
            break
        starts.append(start)
    candidates = word_index.terms_like(db, starts, _MOST_WORDS)
    return {
        term: holders
        for term, holders in candidates.items()
        if words.fullmatch(term) or _is_stem_of(db, term, words)
    }


def _is_stem_of(db: sqlite3.Connection, term: str, words: re.Pattern[str]) -> bool:
    """Return whether a text has one of the `words` with the stem `term`."""
    word = word_of_stem(term)
    texts = word_index.texts_with(db, quoted(word), _TEXTS) if word else ()
    return any(
        words.fullmatch(bare(written)) and indexed(written) == term
        for text in texts
        for written in _WORD.findall(text)
    )


def _with_prefix(db: sqlite3.Connection, prefix: str) -> dict[str, int]:
    """Return the terms of words with a prefix."""
    matching = word_index.terms_from(db, folded(prefix), _MOST_WORDS)
    if not matching and (umlauts := _UMLAUT.sub(r"\1", folded(prefix))) != folded(prefix):
        matching = _with_umlauts(db, word_index.terms_from(db, umlauts, _MOST_WORDS), prefix)
    return matching | _shorter_stems(db, prefix)


_UMLAUT: Final = re.compile("(?<![aeq])([aou])e")
_WRITTEN_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _with_umlauts(db: sqlite3.Connection, terms: dict[str, int], prefix: str) -> dict[str, int]:
    """Return the terms of words that begin with a prefix when their umlauts are written out."""
    wanted = plain(prefix).lower()
    return {
        term: holders
        for term, holders in terms.items()
        if (word := word_of_stem(term))
        and any(
            written.lower().translate(_WRITTEN_OUT).startswith(wanted)
            for text in word_index.texts_with(db, quoted(word), _TEXTS)
            for written in _WORD.findall(text)
        )
    }


def _shorter_stems(db: sqlite3.Connection, prefix: str) -> dict[str, int]:
    """Return stems shorter than a prefix if one of their words has it."""
    wanted = folded(prefix)
    stems = {}
    shortest = max(FEWEST_LETTERS, len(wanted) - _LONGEST_ENDING)
    for length in range(shortest, len(wanted)):
        term = wanted[:length]
        holders = word_index.holders_of_term(db, term)
        if not holders or not (word := word_of_stem(term)):
            continue
        texts = word_index.texts_with(db, quoted(word), _TEXTS)
        if any(
            folded(written).startswith(wanted) for text in texts for written in _WORD.findall(text)
        ):
            stems[term] = holders
    return stems
