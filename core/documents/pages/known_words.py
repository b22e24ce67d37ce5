"""Repair and check of a PDF page's words by a list of common words.

Some fonts name ligatures by no letter, others name all letters wrongly.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from core.common_words import FEWEST_LETTERS, is_common_word

# The characters of glyphs without a letter, and the ligatures that these may be, the most frequent
# first.
_NAMELESS: Final = "\ufffd\ue000-\uf8ff"
_LIGATURES: Final = ("ti", "fi", "tt", "ff", "fl", "ft", "ffi", "tti", "ffl", "th", "st", "ct")
_AT_END: Final = ("ff", "ft", "tt", "th", "st", "ct", "fi", "ti")
_WORD: Final = re.compile(rf"[^\W\d_]*[{_NAMELESS}](?:[^\W\d_]|[{_NAMELESS}])*")
_NAMELESS_GLYPH: Final = re.compile(f"[{_NAMELESS}]")
# Ligatures of a word that are tried, and words of a page.
_MOST_GLYPHS: Final = 2
_MOST_WORDS: Final = 2_000
# A page is checked by its Latin words of so many letters, if it has enough of them.
_LATIN: Final = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_FEWEST_WORDS: Final = 40
_MOST_CHECKED: Final = 200
# The letters that are frequent in all languages of Latin script, and their least share of a text:
# 55 % in Polish, 72 % in Finnish, mostly less than 45 % where letters are exchanged.
_FREQUENT: Final = re.compile("[eaionrst]", re.IGNORECASE)
_LEAST_FREQUENT: Final = 0.47
# The least share of common words in a text of a language that is listed.
_LEAST_COMMON: Final = 0.05


def ligatures(raw: str) -> Mapping[int, str]:
    r"""Return the letters of glyphs without a name, by their offsets, where they make a word.

    >>> dict(ligatures("informa\ufffdon con\ufffdrmed by \ufffd"))
    {7: 'ti', 14: 'fi'}
    """
    if not _NAMELESS_GLYPH.search(raw):
        return {}
    letters: dict[int, str] = {}
    for match in islice(_WORD.finditer(raw), _MOST_WORDS):
        glyphs = [match.start() + glyph.start() for glyph in _NAMELESS_GLYPH.finditer(match[0])]
        if len(glyphs) <= _MOST_GLYPHS:
            found = next(_written(match[0], len(glyphs)), ())
            letters.update(zip(glyphs, found, strict=False))
    return letters


def _written(word: str, count: int) -> Iterator[tuple[str, ...]]:
    """Yield the ligatures with which a word is a common one."""
    parts = _NAMELESS_GLYPH.split(word)
    last = _LIGATURES if parts[-1] else _AT_END
    for chosen in product(*[_LIGATURES] * (count - 1), last):
        written = "".join(
            part + ligature for part, ligature in zip(parts, (*chosen, ""), strict=True)
        )
        if is_common(written) or (written.endswith("s") and is_common(written[:-1])):
            yield chosen


def is_common(word: str) -> bool:
    """Return whether a word is in the list, written with or without its accents and capitals."""
    if len(word) < FEWEST_LETTERS:
        return False
    parts = unicodedata.normalize("NFKD", word.casefold())
    return is_common_word("".join(c for c in parts if not unicodedata.combining(c)))


def has_wrong_letters(text: str) -> bool:
    """Return whether the letters of a page are most likely not those that a reader sees.

    >>> has_wrong_letters("Nothing is wrong with these words. " * 20)
    False
    >>> has_wrong_letters("Opuijoh jt xspoh xjui uiftf xpset. " * 20)
    True
    """
    words = _LATIN.findall(text)
    if len(words) < _FEWEST_WORDS:
        return False
    letters = "".join(words)
    if len(_FREQUENT.findall(letters)) >= _LEAST_FREQUENT * len(letters):
        return False
    checked = words[:: -(-len(words) // _MOST_CHECKED)]
    return sum(map(is_common, checked)) < _LEAST_COMMON * len(checked)
