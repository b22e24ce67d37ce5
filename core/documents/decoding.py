"""From bytes to text: which encoding a file of text is in, or that it is no text at all."""

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
# What people's files are really in. Left to itself, the detection also proposes code pages of
# mainframes and rare scripts for short texts in Latin letters.
_LEGACY = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "cp437", "cp850", "cp866",
    "mac_roman", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "tis_620",
]  # fmt: skip
_SAMPLE_BYTES = 32_768
# Tab, line ends and escape (which colours the logs of programs) are usual in texts.
_CONTROL_BYTES = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b") + b"\x7f"
_WORD_END = re.compile(rb"[\s,.;]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)")


def decode(data: bytes) -> str:
    r"""Return `data` as text: by its byte order mark, as UTF-8, or in the encoding it looks like.

    Bytes that are wrong in the encoding found become U+FFFD; no input makes this fail.

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
    """Return `data` in the encoding it declares, or None if Python knows none of that name."""
    try:
        # Pages on the web say Latin-1 or ASCII and mean Windows' superset of both.
        name = codecs.lookup(encoding).name
        name = "cp1252" if name in {"iso8859-1", "ascii"} else name
        return data.decode(name, errors="replace")
    except (LookupError, ValueError):  # ValueError: a name with a NUL in it
        return None


def decode_markup(data: bytes) -> str:
    """Return HTML or XML in the encoding that its byte order mark or it itself declares.

    Raises:
        DocumentError: The bytes are not text.
    """
    if not _has_mark(data):
        declared = _XML_ENCODING.search(data[:200]) or _CHARSET.search(data[:4096])
        if declared:
            name = declared[1].decode("ascii", errors="replace").lower()
            # A declaration that can be read byte by byte cannot be in UTF-16, so it is wrong.
            # UTF-8 is tried first in any case: pages were converted and kept their old label.
            if not name.startswith(("utf-16", "utf-32", "utf-8", "utf8")):
                try:
                    return data.decode("utf-8")
                except UnicodeDecodeError:
                    text = decode_as(data, name)
                    if text is not None:
                        return text
    return decode(data)


def _has_mark(data: bytes) -> bool:
    """Say whether `data` begins with a byte order mark."""
    return data.startswith(tuple(mark for mark, _ in _MARKS))


def _wide_encoding(sample: bytes) -> str | None:
    """Return the UTF-16 that bytes without a mark are in, told by where their zeros stand."""
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
    """Refuse bytes of which more than the share `most` are control characters."""
    for sample in (data[:_SAMPLE_BYTES], data[len(data) // 2 :][:_SAMPLE_BYTES]):
        controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
        if controls > most * len(sample):
            raise DocumentError("is not text")


def _decode_legacy(data: bytes, first_bad: int) -> str:
    import charset_normalizer

    # A few bad bytes in much good UTF-8 are damage, not another encoding.
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
    # Short texts fit several code pages of Windows about as well; the western one is by far the
    # most frequent, and the order of the candidates means nothing.
    western = any(
        "cp1252" in match.could_be_from_charset
        and match.chaos <= best.chaos + 0.13
        and match.coherence >= best.coherence - 0.05
        for match in matches
    )
    return data.decode("cp1252" if western else best.encoding, errors="replace")


def _sample(data: bytes, first_bad: int) -> bytes:
    """Return some of `data` from round its first byte beyond ASCII, cut between words."""
    start = max(0, first_bad - _SAMPLE_BYTES // 4)
    if start and (border := _WORD_END.search(data, start, first_bad)):
        start = border.end()
    sample = data[start : start + _SAMPLE_BYTES]
    if start + len(sample) < len(data):
        sample = sample[: max(sample.rfind(b" "), sample.rfind(b"\n"), _SAMPLE_BYTES // 2)]
    return sample
