"""Text as it is compared: case and accents folded, words set apart where a script writes no spaces.

Some of it is known to the catalog's SQL as well.
"""

from __future__ import annotations

import os
import re
import sqlite3
import unicodedata
from typing import Final

SEAM: Final = "\x1f"
"""Between the characters of a script without spaces; no reader lets control characters through."""

# Chinese, Japanese and Korean: kana, Bopomofo, Han with its iteration marks, Hangul.
_UNSPACED_RANGES: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003ffff"
)
UNSPACED: Final = re.compile(f"[{_UNSPACED_RANGES}]")
"""A character of a script that writes no spaces between words, or too few to tell them."""
_PIECES: Final = re.compile(f"[{_UNSPACED_RANGES}]+|[^{_UNSPACED_RANGES}]+")


def fold(text: str) -> str:
    r"""Text made equal where case, accents and white space do not count.

    >>> fold("  Résumé\n of ") == "resume of"
    True
    """
    # Folded again: only taken apart do some letters (𝐀, ℌ) show that they are capital ones.
    parts = unicodedata.normalize("NFKD", text.casefold()).casefold()
    bare = "".join(c for c in parts if not unicodedata.combining(c))
    # Put together again: half a Korean syllable is no part of it.
    return " ".join(unicodedata.normalize("NFC", bare).split())


def set_apart(text: str) -> str:
    r"""Text in which each Chinese, Japanese or Korean character is a word to the word index.

    So that it finds them at any length: it takes a whole run of such characters for one word.

    >>> set_apart("in 東京, 2024")
    'in \x1f東\x1f\x1f京\x1f, 2024'
    """
    return UNSPACED.sub(f"{SEAM}\\g<0>{SEAM}", text)


def pieces(word: str) -> list[str]:
    """A word as it is looked for: of a long run of unspaced characters, each two neighbours.

    Which are the words in it nobody has marked; most words of these scripts are of two characters.

    >>> pieces("Python入門書"), pieces("京")
    (['Python', '入門', '門書'], ['京'])
    """
    found = []
    for piece in _PIECES.findall(word):
        if UNSPACED.match(piece) and len(piece) > 2:
            found += [piece[place : place + 2] for place in range(len(piece) - 1)]
        else:
            found.append(piece)
    return found


def quoted(words: str) -> str:
    '''Words as FTS5 takes them, whatever is in them: they must stand side by side.

    >>> quoted('"Hi" he')
    '"""Hi"" he"'
    '''
    return '"' + set_apart(words).replace('"', '""') + '"'


def file_name(path: str) -> str:
    """The last part of a path.

    >>> file_name(f"docs{os.sep}Letter.docx")
    'Letter.docx'
    """
    return path.rpartition(os.sep)[2]


def add_functions(db: sqlite3.Connection) -> None:
    """Make what the catalog's SQL uses of this known to a connection."""
    db.create_function("file_name", 1, file_name, deterministic=True)
    db.create_function("fold", 1, fold, deterministic=True)
    db.create_function("set_apart", 1, set_apart, deterministic=True)
