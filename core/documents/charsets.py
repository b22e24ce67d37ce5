"""The names of character sets in mails, web pages and other files, and their decoders.

Source: WHATWG Encoding Standard, section 4.2 (labels). Writers declare a character set and use its
superset: "gb2312" is GB 18030, "shift_jis" code page 932, "iso-8859-1" Windows-1252.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

# Python's codec, and the labels in lower case without `_SEPARATORS`.
_LABELS: Final = {
    "utf-8": "utf8 unicode11utf8 unicode20utf8 xunicode20utf8",
    "utf-7": "utf7 unicode11utf7 unicode20utf7 xunicode20utf7 csunicode11utf7",
    "utf-16-le": "utf16 utf16le unicode csunicode iso10646ucs2 ucs2 unicodefeff",
    "utf-16-be": "utf16be unicodefffe",
    "utf-32-le": "utf32 utf32le ucs4 iso10646ucs4",
    "utf-32-be": "utf32be",
    "cp1252": "ascii usascii us ansi ansix341968 isoir6 iso646us 646 latin1 l1 iso88591 isoir100"
    " iso885911987 csisolatin1 xansi iso88591windows31latin1",
    "cp1254": "iso88599 isoir148 iso885991989 latin5 l5 csisolatin5",
    "cp874": "tis620 iso885911 dos874 tis6200 tis62025330 thai",
    "iso8859_2": "latin2 l2 iso88592 isoir101 iso885921987 csisolatin2",
    "iso8859_3": "latin3 l3 iso88593 isoir109 iso885931988 csisolatin3",
    "iso8859_4": "latin4 l4 iso88594 isoir110 iso885941988 csisolatin4",
    "iso8859_5": "cyrillic iso88595 isoir144 iso885951988 csisolatincyrillic",
    "iso8859_6": "arabic asmo708 ecma114 iso88596 iso88596e iso88596i csiso88596e csiso88596i"
    " isoir127 iso885961987 csisolatinarabic",
    "iso8859_7": "greek greek8 elot928 ecma118 suneugreek iso88597 isoir126 iso885971987"
    " csisolatingreek",
    "iso8859_8": "hebrew iso88598 iso88598e iso88598i csiso88598e csiso88598i logical visual"
    " isoir138 iso885981988 csisolatinhebrew",
    "iso8859_10": "latin6 l6 iso885910 isoir157 csisolatin6",
    "iso8859_13": "iso885913 latin7",
    "iso8859_14": "iso885914 latin8",
    "iso8859_15": "iso885915 latin9 l9 csisolatin9",
    "iso8859_16": "iso885916 latin10",
    "koi8_r": "koi8r koi koi8 cskoi8r",
    "koi8_u": "koi8u koi8ru",
    "mac_roman": "macintosh mac macroman xmacroman csmacintosh",
    "mac_cyrillic": "xmaccyrillic xmacukrainian maccyrillic",
    "mac_greek": "xmacgreek macgreek",
    "mac_turkish": "xmacturkish macturkish",
    "mac_iceland": "xmacicelandic maciceland",
    "mac_croatian": "xmaccroatian",
    "mac_romanian": "xmacromanian",
    "mac_latin2": "xmacce xmaccentraleurroman xmaccentraleurope maccentraleurope",
    "cp932": "shiftjis sjis xsjis mskanji csshiftjis windows31j cswindows31j xmacjapanese",
    "euc_jp": "eucjp xeucjp xeuc ujis cseucpkdfmtjapanese eucjpms",
    "iso2022_jp": "iso2022jp csiso2022jp iso2022jp1 iso2022jp2 iso2022jp3 iso2022jpms jis"
    " iso2022jp$esc iso2022jp$sio",
    "gb18030": "gb18030 gb2312 gb231280 gbk xgbk chinese csgb2312 csiso58gb231280 isoir58 euccn"
    " xeuccn cngb gb xmacchinesesimp",
    "hz": "hz hzgb2312",
    "big5hkscs": "big5 big5hkscs cnbig5 csbig5 xxbig5 xbig5 xmacchinesetrad big5eten",
    "cp949": "euckr cseuckr xeuckr ksc56011987 ksc56011989 ksc5601 csksc56011987 isoir149 korean"
    " uhc ks5601 xmackorean",
    "iso2022_kr": "iso2022kr csiso2022kr",
}  # fmt: skip
_BY_LABEL: Final = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
# Windows code pages of codecs that are not named "cp" and the number.
_PAGES_OF_CODECS: Final = {
    "iso8859_6": (708, 28596),
    "cp1252": (819, 20127, 28591),
    "gb18030": (936, 10008, 20936, 51936, 54936),
    "cp932": (943, 10001),
    "big5hkscs": (950, 10002),
    "utf-16-le": (1200,),
    "utf-16-be": (1201,),
    "johab": (1361,),
    "mac_roman": (10000,),
    "cp949": (10003, 51949),
    "mac_greek": (10006,),
    "mac_cyrillic": (10007, 10017),
    "mac_romanian": (10010,),
    "mac_latin2": (10029,),
    "mac_iceland": (10079,),
    "mac_turkish": (10081,),
    "mac_croatian": (10082,),
    "utf-32-le": (12000,),
    "koi8_r": (20866,),
    "euc_jp": (20932, 51932),
    "koi8_u": (21866,),
    "iso8859_2": (28592,),
    "iso8859_3": (28593,),
    "iso8859_4": (28594,),
    "iso8859_5": (28595,),
    "iso8859_7": (28597,),
    "iso8859_8": (28598, 38598),
    "cp1254": (28599,),
    "iso8859_13": (28603,),
    "iso8859_15": (28605,),
    "iso2022_jp": (50220, 50221, 50222),
    "iso2022_kr": (50225,),
    "hz": (52936,),
    "utf-7": (65000,),
    "utf-8": (65001,),
}
_PAGES: Final = {page: codec for codec, pages in _PAGES_OF_CODECS.items() for page in pages}
# Windows code pages by language, other than the Western one: the low ten bits of its number, or for
# Taiwan, Hong Kong and Macau the whole number.
_PAGES_OF_LANGUAGES: Final = {
    0x04: 936,
    0x08: 1253,
    0x0D: 1255,
    0x11: 932,
    0x12: 949,
    0x1E: 874,
    0x1F: 1254,
    0x2A: 1258,
    **dict.fromkeys((0x0404, 0x0C04, 0x1404), 950),
    **dict.fromkeys((0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24), 1250),
    **dict.fromkeys((0x02, 0x19, 0x22, 0x23, 0x2F), 1251),
    **dict.fromkeys((0x01, 0x20, 0x29), 1256),
    **dict.fromkeys((0x25, 0x26, 0x27), 1257),
}
_LANGUAGE_BITS: Final = 0x3FF
# Python's codecs for other purposes than text in a character set.
_NOT_CHARSETS: Final = frozenset(
    {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"}
)
_LONGEST_LABEL: Final = 60
_SEPARATORS: Final = str.maketrans("", "", "-_: \t\"'().")
_NUMBERED: Final = re.compile(r"(?:cs|x)?(?:windows|cp|ibm|dos|ms|codepage)?(\d{3,5})")


def codec_of(label: str) -> str | None:
    """Return Python's codec for the declared name of a character set; None if unknown.

    >>> codec_of("GB2312"), codec_of("x-sjis"), codec_of("windows-1251"), codec_of("x-unknown")
    ('gb18030', 'cp932', 'cp1251', None)
    """
    if len(label) > _LONGEST_LABEL:
        return None
    plain = label.lower().translate(_SEPARATORS)
    if plain in _BY_LABEL:
        return _BY_LABEL[plain]
    if numbered := _NUMBERED.fullmatch(plain):
        return codec_of_page(int(numbered[1]))
    return _python_codec(label.strip().lower())


def codec_of_page(code_page: int) -> str | None:
    """Return Python's codec for a Windows code page; None if there is none.

    >>> codec_of_page(1250), codec_of_page(936), codec_of_page(99999)
    ('cp1250', 'gb18030', None)
    """
    return _PAGES.get(code_page) or _python_codec(f"cp{code_page}")


def codec_of_language(language_id: int) -> str | None:
    """Return Python's codec for a Windows language; None if it is Western or unknown.

    >>> codec_of_language(0x0415), codec_of_language(0x0404), codec_of_language(0x0407)
    ('cp1250', 'big5hkscs', None)
    """
    pages = _PAGES_OF_LANGUAGES
    page = pages.get(language_id) or pages.get(language_id & _LANGUAGE_BITS)
    return None if page is None else codec_of_page(page)


def decode_with(data: bytes, codec: str) -> str:
    """Decode with a codec that `codec_of` returned. Invalid bytes become U+FFFD.

    A byte order mark overrides the order of the bytes. Python's codecs for Japanese mail lack the
    characters that Windows adds, such as ① and 髙; see `_japanese`.
    """
    if codec.startswith("utf-16"):
        for mark, order in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
            if data.startswith(mark):
                return data[len(mark) :].decode(order, errors="replace")
    if codec == "euc_jp":
        return data.decode(codec, errors=_JAPANESE)
    if codec == "iso2022_jp":
        return "".join(map(_of_escape, _ESCAPE.split(b"\x1b(B" + data)[1:]))
    text = data.decode(codec, errors="replace")
    if codec == "big5hkscs" and "\ufffd" in text:  # of Taiwan's Windows, which has a few more
        return min(
            text,
            data.decode("cp950", errors="replace"),
            key=lambda decoded: decoded.count("\ufffd"),
        )
    return text


def _python_codec(name: str) -> str | None:
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: a name with a NUL in it
        return None
    # Other codecs convert bytes to bytes.
    is_text = getattr(codec, "_is_text_encoding", False)
    return codec.name if is_text and codec.name not in _NOT_CHARSETS else None


# ISO-2022-JP in pieces, each of which begins with the end of its escape sequence.
_ESCAPE: Final = re.compile(rb"\x1b(?=[($&.])")
_JAPANESE: Final = "winnow-japanese"


def _of_escape(piece: bytes) -> str:
    """Decode a piece of ISO-2022-JP: after "(J" Latin, "(I" half-width kana, "$" double bytes."""
    if piece.startswith((b"$@", b"$B")):
        return _double_bytes(piece[2:])
    if piece.startswith(b"(I"):
        return bytes(byte | 0x80 if 0x20 < byte < 0x60 else byte for byte in piece[2:]).decode(
            "cp932", errors="replace"
        )
    if piece.startswith((b"(B", b"(J", b"(H")):
        return piece[2:].decode("cp932", errors="replace")
    return (b"\x1b" + piece).decode("iso2022_jp_2", errors="replace")


def _double_bytes(data: bytes) -> str:
    """Decode characters of JIS X 0208 with the extensions of code page 932."""
    converted = bytearray()
    at = 0
    while at < len(data):
        pair = data[at : at + 2]
        is_pair = len(pair) == 2 and all(0x20 < byte < 0x7F for byte in pair)
        converted += _shifted(*pair) if is_pair else pair[:1]
        at += 2 if is_pair else 1
    return converted.decode("cp932", errors="replace")


def _shifted(row: int, cell: int) -> bytes:
    """Return the bytes in Shift JIS of a character with these bytes in JIS X 0208.

    >>> _shifted(0x30, 0x21).decode("cp932")
    '亜'
    """
    lead = (row - 0x21) // 2
    trail = cell + 0x7E if row % 2 == 0 else cell + 0x1F + (cell >= 0x60)
    return bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail))


def _add_japanese(error: UnicodeError) -> tuple[str, int]:
    """Decode a double byte of EUC-JP that Python's codec lacks with code page 932."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and min(pair) > 0xA0:
        text = _double_bytes(bytes(byte & 0x7F for byte in pair))
        return text, error.start + 2
    return "\ufffd", error.end


codecs.register_error(_JAPANESE, _add_japanese)
