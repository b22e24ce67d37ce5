"""Which encoding the bytes of a Rich Text file are in: each font has its own."""

from __future__ import annotations

import codecs
from typing import Final

# The names by which control words and Python know code pages.
_PAGES: Final = {708: "iso8859-6", 10000: "mac-roman", 65001: "utf-8", 1361: "johab"}
CHARSETS: Final = {
    77: "mac-roman", 78: "cp932", 79: "cp949", 80: "gb18030", 81: "cp950", 85: "mac-greek",
    86: "mac-turkish", 88: "mac-latin2", 89: "mac-cyrillic", 128: "cp932", 129: "cp949",
    130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850",
}  # fmt: skip
_SYMBOL: Final = 2
_WIDE: Final = frozenset({"cp932", "cp936", "gbk", "gb18030", "cp949", "cp950", "johab"})


def of_code_page(number: int | None) -> str:
    """Return the encoding of a code page by its number.

    >>> of_code_page(1251), of_code_page(99999)
    ('cp1251', 'cp1252')
    """
    name = _PAGES.get(number or 1252, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


class Fonts:
    """The fonts of a file by their numbers, as far as they have to do with encodings."""

    def __init__(self) -> None:
        self.default = "cp1252"
        self._encodings: dict[int, str] = {}
        self._symbols: set[int] = set()

    def set_charset(self, font: int, charset: int) -> None:
        """Note the character set of a font."""
        if charset == _SYMBOL:
            self._symbols.add(font)
        elif charset in CHARSETS:
            self._encodings[font] = CHARSETS[charset]
        elif charset == 0 and self.default in _WIDE:
            # A Latin font in an East Asian document.
            self._encodings[font] = "cp1252"

    def set_code_page(self, font: int, number: int) -> None:
        """Note the code page of a font."""
        self._encodings[font] = of_code_page(number)

    def decode(self, data: bytes, font: int | None) -> str:
        """Return what bytes in a font stand for."""
        if font in self._symbols:
            # As Word does: symbols have places of their own beyond all scripts.
            return "".join(chr(0xF000 + byte) if byte > 32 else chr(byte) for byte in data)
        encoding = self.default if font is None else self._encodings.get(font, self.default)
        return data.decode(encoding, errors="replace")
