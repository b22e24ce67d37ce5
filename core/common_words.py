"""Common words of several languages: no misspellings, and what text of a page should consist of.

`tools/common_words.py` writes the list.
"""

import lzma
from functools import cache
from typing import Final

from core.files.paths import RESOURCES

FILE: Final = RESOURCES / "words" / "common.xz"
# Letters of the shortest listed word.
FEWEST_LETTERS: Final = 4


def is_common_word(bare: str) -> bool:
    """Return whether a word is listed, in lower case and without accents.

    >>> [is_common_word(word) for word in ("money", "rechnung", "wifi", "recieve", "retreival")]
    [True, True, True, False, False]
    """
    wanted = bare.encode()
    words = _common_words()
    low, high = 0, len(words) - 1
    # Each line of words[low:high] ends with a line break, and the byte before `low` is one.
    while low < high:
        start = words.rfind(b"\n", 0, (low + high) // 2 + 1) + 1
        end = words.find(b"\n", start)
        found = words[start:end]
        if found == wanted:
            return True
        if found < wanted:
            low = end + 1
        else:
            high = start - 1
    return False


@cache
def _common_words() -> bytes:
    """Return the sorted lines of UTF-8; they take 7 MB, a set of them would take 60."""
    return lzma.decompress(FILE.read_bytes())
