"""Decoding text files: detect the encoding, or that a file is not text."""

from __future__ import annotations

import codecs
import re

from core.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Candidates for detection. Without this list, charset-normalizer also proposes code pages of
# mainframes and rare scripts for short texts in Latin letters.
_LEGACY = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "cp437", "cp850", "cp866",
    "mac_roman", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "tis_620",
]  # fmt: skip
_SAMPLE_BYTES = 32_768
# Tab, line ends and escape (which colours logs) are usual in text.
_CONTROL_BYTES = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b") + b"\x7f"
_WORD_END = re.compile(rb"[\s,.;]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)")


def decode(data: bytes) -> str:
    r"""Decode by byte order mark, as UTF-8, or in a detected encoding, in this order.

    Invalid bytes become U+FFFD.

    Raises:
        DocumentError: The bytes are not text.

    >>> decode("naïve".encode("utf-16"))
    'naïve'
    >>> decode("naïve".encode("latin-1"))
    'naïve'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    if wide := _wide_encoding(data[:_SAMPLE_BYTES]):
        return data.decode(wide, errors="replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_binary(data, most=0.05)
        return _decode_legacy(data, error.start)
    _refuse_binary(data, most=0.1)
    return text


def decode_as(data: bytes, encoding: str) -> str | None:
    """Decode in a declared encoding. Return None if Python does not know it."""
    try:
        # Web pages that declare Latin-1 or ASCII mean Windows-1252, a superset of both.
        name = codecs.lookup(encoding).name
        name = "cp1252" if name in {"iso8859-1", "ascii"} else name
        return data.decode(name, errors="replace")
    except (LookupError, ValueError):  # ValueError: a name with a NUL in it
        return None


def decode_markup(data: bytes) -> str:
    """Decode HTML or XML by its byte order mark or its own declaration.

    Raises:
        DocumentError: The bytes are not text.
    """
    if not _has_mark(data):
        declared = _XML_ENCODING.search(data[:200]) or _CHARSET.search(data[:4096])
        if declared:
            name = declared[1].decode("ascii", errors="replace").lower()
            # A declaration that was found byte by byte is not in UTF-16, whatever it says. UTF-8 is
            # tried first: pages are often converted and keep their old label.
            if not name.startswith(("utf-16", "utf-32", "utf-8", "utf8")):
                try:
                    return data.decode("utf-8")
                except UnicodeDecodeError:
                    text = decode_as(data, name)
                    if text is not None:
                        return text
    return decode(data)


def _has_mark(data: bytes) -> bool:
    return data.startswith(tuple(mark for mark, _ in _MARKS))


def _wide_encoding(sample: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark, by the positions of zero bytes."""
    if len(sample) < 4 or b"\0" not in sample:
        return None
    half = len(sample) / 2
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    return None


def _refuse_binary(data: bytes, *, most: float) -> None:
    """Raise if more than the share `most` of the bytes are control characters."""
    for sample in (data[:_SAMPLE_BYTES], data[len(data) // 2 :][:_SAMPLE_BYTES]):
        controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
        if controls > most * len(sample):
            raise DocumentError("Not text")


def _decode_legacy(data: bytes, first_bad: int) -> str:
    import charset_normalizer

    # A few invalid bytes in valid UTF-8 are damage, not another encoding.
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    beyond_ascii = sum(map(len, re.findall(r"[^\x00-\x7f]+", text))) - bad
    if beyond_ascii > 10 * bad:
        return text
    matches = charset_normalizer.from_bytes(
        _sample(data, first_bad),
        cp_isolation=_LEGACY,
        enable_fallback=False,
        preemptive_behaviour=False,
    )
    best = matches.best()
    if best is None:
        return data.decode("cp1252", errors="replace")
    # Short texts fit several Windows code pages about equally well; prefer the western one, which
    # is by far the most frequent. The order of the candidates has no meaning.
    western = any(
        "cp1252" in match.could_be_from_charset
        and match.chaos <= best.chaos + 0.13
        and match.coherence >= best.coherence - 0.05
        for match in matches
    )
    return data.decode("cp1252" if western else best.encoding, errors="replace")


def _sample(data: bytes, first_bad: int) -> bytes:
    """Return a sample around the first byte beyond ASCII, cut between words."""
    start = max(0, first_bad - _SAMPLE_BYTES // 4)
    if start and (border := _WORD_END.search(data, start, first_bad)):
        start = border.end()
    sample = data[start : start + _SAMPLE_BYTES]
    if start + len(sample) < len(data):
        sample = sample[: max(sample.rfind(b" "), sample.rfind(b"\n"), _SAMPLE_BYTES // 2)]
    return sample
