"""The names of character sets in mails, web pages and other files, and their decoders.

Source: WHATWG Encoding Standard, section 4.2 (labels). Writers declare a character set and use its
superset: "gb2312" is GB 18030, "shift_jis" code page 932, "iso-8859-1" Windows-1252.
"""

import codecs
import json
import re
from typing import Any, Final

from core.files.paths import RESOURCES

# For each of Python's codecs: its labels in lower case without `_SEPARATORS`, the Windows code
# pages that are not named "cp" and their number, and the languages of its code page: the low ten
# bits of a language's number, or for Taiwan, Hong Kong and Macau the whole number.
_CODECS: Final[dict[str, Any]] = json.loads((RESOURCES / "charsets.json").read_text("utf-8"))
_BY_LABEL: Final = {
    label: codec for codec, entry in _CODECS.items() for label in entry.get("labels", "").split()
}
_PAGES: Final = {page: codec for codec, entry in _CODECS.items() for page in entry.get("pages", ())}
_BY_LANGUAGE: Final = {
    language: codec for codec, entry in _CODECS.items() for language in entry.get("languages", ())
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
    return _BY_LANGUAGE.get(language_id) or _BY_LANGUAGE.get(language_id & _LANGUAGE_BITS)


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
