"""Words as terms of the word index: folded, and their English stems."""

from __future__ import annotations

import threading
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from core.catalog.text.letters import plain

if TYPE_CHECKING:
    import Stemmer


def folded(word: str) -> str:
    """Return a word in lower case; one of Latin letters without accents, as the word index does.

    >>> folded("Häuser"), folded("أحمد") == "احمد"
    ('hauser', True)
    """
    word = plain(word).lower()
    if word.isascii():
        return word
    bases = ((unicodedata.normalize("NFKD", c)[0], c) for c in word)
    return "".join(base if base.isascii() else c for base, c in bases)


def indexed(word: str) -> str:
    """Return a word as the word index has it: folded, its English stem.

    >>> indexed("canciones"), indexed("Häuser"), indexed("أحمد") == "احمد"
    ('cancion', 'hauser', True)
    """
    return str(stemmer("porter").stemWord(folded(word)))


@cache
def _stemmers() -> threading.local:
    """Return thread-local storage for stemmers, which are not thread-safe."""
    return threading.local()


def stemmer(language: str) -> Stemmer.Stemmer:
    """Return this thread's Snowball stemmer of a language."""
    # Imported late: most programs' starts need none.
    import Stemmer

    stemmers: dict[str, Stemmer.Stemmer] = _stemmers().__dict__
    if language not in stemmers:
        stemmers[language] = Stemmer.Stemmer(language, 0)
    return stemmers[language]
