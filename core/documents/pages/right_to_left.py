"""Hebrew and Arabic words whose letters a PDF stores in the wrong order.

PDFium reads the letters of a line as they are drawn, from right to left. Some programs for text
recognition, and some without support of these scripts, draw a run of letters from left to right
in the order of reading; such words come out backwards.
"""

import re
import unicodedata
from collections.abc import Callable
from itertools import groupby
from typing import Final

_LETTER: Final = r"\u0590-\u05ff\u0600-\u065f\u066e-\u06ef\u06fa-\u06ff\u0750-\u077f\ufb1d-\ufefc"
_WORD: Final = re.compile(rf"[{_LETTER}]+")
_RUN: Final = re.compile(rf"[{_LETTER}]+(?:[ \t\xa0]+[{_LETTER}]+)*")
# Letters that only end words: Hebrew's final forms, teh marbuta, alef maksura.
_FINAL: Final = frozenset("ךםןףץةى")
_ARTICLE: Final = "ال"
_FEWEST_SIGNS: Final = 2
_LEAST_RATIO: Final = 3


def has_reversed_words(text: str) -> bool:
    """Return whether most right-to-left words of a page are backwards.

    The signs are letters that end words, and the Arabic article, which begins them.

    >>> has_reversed_words("שלום לכם מן הים"), has_reversed_words("םולש םכל ןמ םיה")
    (False, True)
    """
    right = wrong = 0
    for match in _WORD.finditer(text):
        word = unicodedata.normalize("NFKC", match[0])
        word = "".join(letter for letter in word if not unicodedata.combining(letter))
        if len(word) > 1:
            right += (word[-1] in _FINAL) + word.startswith(_ARTICLE)
            wrong += (word[0] in _FINAL) + word.endswith(_ARTICLE[::-1])
    return wrong >= _FEWEST_SIGNS and wrong > _LEAST_RATIO * right


def reading_order(text: str, run_of: Callable[[int], object]) -> list[int]:
    """Return the offsets of a page's characters in the order in which they are read.

    Args:
        text: The page's text, whose right-to-left words are backwards.
        run_of: Returns the run of letters, drawn at once, to which the character at an offset
            belongs. A run of several words is backwards as a whole.

    >>> text = "םולש םכל."
    >>> "".join(text[offset] for offset in reading_order(text, lambda offset: offset < 4))
    'שלום לכם.'
    >>> "".join(text[offset] for offset in reading_order(text, lambda _: 0))
    'לכם שלום.'
    """
    order = list(range(len(text)))
    for line in _RUN.finditer(text):
        words = [match.span() for match in _WORD.finditer(text, *line.span())]
        for _, run in groupby(words, lambda word: run_of(word[0])):
            (start, end), *others = run
            end = others[-1][1] if others else end
            order[start:end] = reversed(order[start:end])
    return order
