"""Characters that PDFs tell wrong, where it shows how: fonts that have them swapped or shifted.

What is mended keeps its length, so that each character keeps its place on the page.
"""

from __future__ import annotations

import re
from typing import Final

_PRINTABLE: Final = range(0x20, 0x7F)
# Characters of ASCII whose two bytes are in the wrong order come out as Chinese, for the most part.
_SWAPPED: Final = re.compile("[" + "".join(chr(code << 8) for code in _PRINTABLE) + "]{4,}")
_FEWEST_LETTERS: Final = 3
# Numbers of glyphs in place of characters: in most TrueType fonts the space is number 3.
_SHIFT: Final = 0x20 - 3
_SHIFTED: Final = rf"[^\r\n\x00-\x02{chr(0x7F - _SHIFT)}-\U0010ffff]*"
_SHIFTED_LINE: Final = re.compile(rf"^{_SHIFTED}\x03{_SHIFTED}(?=[\r\n]|\Z)", re.MULTILINE)
_UNSHIFTED: Final = {code - _SHIFT: code for code in _PRINTABLE} | {ord(" "): " "}
_LETTER: Final = re.compile("[A-Za-z]")
# What capitals become when they are shifted that were none to be shifted.
_UNLIKELY: Final = re.compile(r"[\^_`]")


def mended(raw: str) -> str:
    r"""Return the text of a page with the characters that its fonts mean.

    >>> mended("䴀甀氀琀椀\r\n4:\x03;8")
    'Multi\r\nQW XU'
    """
    return _SHIFTED_LINE.sub(_unshifted, _SWAPPED.sub(_unswapped, raw))


def _unswapped(run: re.Match[str]) -> str:
    text = "".join(chr(ord(character) >> 8) for character in run.group())
    # A ruled line or a row of blanks stays one.
    return text if len(set(_LETTER.findall(text))) >= _FEWEST_LETTERS else run.group()


def _unshifted(line: re.Match[str]) -> str:
    raw = line.group()
    text = raw.translate(_UNSHIFTED)
    is_likely = len(_LETTER.findall(text)) >= len(_LETTER.findall(raw))
    return raw if _UNLIKELY.search(text) or not is_likely else text
