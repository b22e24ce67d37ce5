"""Words of a question in a script without spaces between words: Chinese and Thai.

A dictionary takes 5 MB and more. Function words and a few words that contain them are enough to cut
a question into the words that a person would call its words.
"""

import json
import re
from collections.abc import Iterator
from functools import cache

from core.catalog.text.normalisation import WORD, has_unspaced
from core.files.paths import RESOURCES


def word_spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield start and end of each word of a text, and whether it is no function word.

    Words between spaces are not looked at: they count as such.

    >>> text = "去年的发票在哪里 PDF"
    >>> [text[start:end] for start, end, is_plain in word_spans(text) if is_plain]
    ['去年', '发票', 'PDF']
    """
    for match in WORD.finditer(text):
        if not has_unspaced(match[0]):
            yield *match.span(), True
            continue
        pattern, function_words = _listed()
        start = match.start()
        for part in pattern.finditer(text, match.start(), match.end()):
            if part[0] in function_words:
                if start < part.start():
                    yield start, part.start(), True
                yield *part.span(), False
                start = part.end()
        if start < match.end():
            yield start, match.end(), True


# Read on first use: most texts have spaces.
@cache
def _listed() -> tuple[re.Pattern[str], frozenset[str]]:
    """Return a pattern for function words and words that contain them, and the function words."""
    lists = json.loads((RESOURCES / "words" / "unspaced.json").read_text("utf-8"))
    function_words = frozenset(lists["function"].split())
    longest_first = sorted(function_words.union(lists["containing"].split()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))), function_words
