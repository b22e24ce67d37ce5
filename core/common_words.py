"""Common words of several languages: no misspellings, and what text of a page should consist of.

`tools/common_words.py` writes the list.
"""

from bisect import bisect_right
from functools import cache
from typing import Final
from zipfile import ZipFile

from core.files.paths import RESOURCES

# Parts of the sorted list, each with its first word as its name: a search needs one of them.
FILE: Final = RESOURCES / "words" / "common.zip"
# Letters of the shortest listed word.
FEWEST_LETTERS: Final = 4


def is_common_word(bare: str) -> bool:
    """Return whether a word is listed, in lower case and without accents.

    >>> [is_common_word(word) for word in ("money", "rechnung", "wifi", "recieve", "retreival")]
    [True, True, True, False, False]
    """
    index = bisect_right(_first_words(), bare)
    return index > 0 and b"\n%b\n" % bare.encode() in _part(index - 1)


@cache
def _first_words() -> list[str]:
    """Return the first word of each part, in their order."""
    with ZipFile(FILE) as archive:
        return archive.namelist()


@cache
def _part(index: int) -> bytes:
    """Return a part's lines of UTF-8, with a line break before each. All parts take 7 MB."""
    with ZipFile(FILE) as archive:
        return archive.read(archive.infolist()[index])
