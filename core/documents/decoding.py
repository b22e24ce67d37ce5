"""Decoding text files: detect the encoding, or that a file is not text."""

import codecs
import re
from contextlib import suppress

from core.documents.charsets import codec_of, decode_with
from core.documents.east_asian import EAST_ASIAN, east_asian_encoding
from core.documents.wide_text import CONTROL_BYTES, has_controls, has_narrow_end, narrowed
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
# Candidates for the other lines of a text with lines in UTF-8, by the script of those.
_OF_SCRIPT: tuple[tuple[re.Pattern[str], list[str]], ...] = (
    (re.compile("[\u3040-\u30ff]"), ["cp932", "euc_jp"]),
    (re.compile("[\uac00-\ud7a3]"), ["cp949"]),
    (re.compile("[\u4e00-\u9fff]"), ["gb18030", "big5"]),
    (re.compile("[\u0400-\u04ff]"), ["cp1251", "koi8_r", "cp866"]),
)
_SAMPLE_BYTES = 32_768
# Codecs whose bytes are all ASCII.
_ESCAPED = frozenset({"iso2022_jp", "iso2022_kr", "hz"})
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_WORD_END = re.compile(rb"[\s,.;]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)")
# Characters printed over one another, as in manual pages: bold ones twice, others with a line.
_CHARACTER = rb"[^\n\b\x80-\xff]|[\xc2-\xf4][\x80-\xbf]{1,3}"
_UNDERLINED = re.compile(rb"(" + _CHARACTER + rb")\x08_")
_OVERSTRUCK = re.compile(rb"(?:(?:" + _CHARACTER + rb")\x08)+")


def decode(data: bytes) -> str:
    r"""Decode by byte order mark, as UTF-8, or in a detected encoding, in this order.

    Parts in UTF-16 within other text, blocks of NULs and lines in other encodings than their
    neighbours, as in logs, are decoded too. Invalid bytes become U+FFFD. Of characters printed over
    one another, the last is kept.

    Raises:
        DocumentError: The bytes are not text.

    >>> decode("naïve".encode("utf-16"))
    'naïve'
    >>> decode("naïve".encode("latin-1"))
    'naïve'
    >>> decode(b"N\bNA\bAM\bME\bE _\bf_\bi\b_le")
    'NAME file'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            content = data[len(mark) :]
            is_mixed = encoding == "utf-16-le" and has_narrow_end(content)
            if encoding != "utf-8" and not is_mixed:
                return content.decode(encoding, errors="replace")
            data = content
            break
    if b"\b" in data:
        data = _OVERSTRUCK.sub(b"", _UNDERLINED.sub(rb"\1", data))
    if has_controls(data):
        data = narrowed(data)
        if not data.strip(b"\0\n"):
            raise DocumentError("Not text")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_binary(data, most=0.05)
        return _decode_legacy(data, error.start)
    _refuse_binary(data, most=0.1)
    return text


def decode_as(data: bytes, label: str) -> str | None:
    """Decode in a declared character set. Return None if it is unknown."""
    codec = codec_of(label)
    return None if codec is None else decode_with(data, codec)


def decode_markup(data: bytes) -> str:
    """Decode HTML or XML by its byte order mark or its own declaration.

    Raises:
        DocumentError: The bytes are not text.
    """
    if not data.startswith(tuple(mark for mark, _ in _MARKS)):
        declared = _XML_ENCODING.search(data[:200]) or _CHARSET.search(data[:4096])
        if declared:
            name = declared[1].decode("ascii", errors="replace").lower()
            # A declaration that was found byte by byte is not in UTF-16, whatever it says. UTF-8 is
            # tried first: pages are often converted and keep their old label.
            if not name.startswith(("utf-16", "utf-32", "utf-8", "utf8")):
                if codec_of(name) not in _ESCAPED:
                    with suppress(UnicodeDecodeError):
                        return data.decode("utf-8")
                text = decode_as(data, name)
                if text is not None:
                    return text
    return decode(data)


def _refuse_binary(data: bytes, *, most: float) -> None:
    """Raise if more than the share `most` of the bytes are control characters."""
    for sample in (data[:_SAMPLE_BYTES], data[len(data) // 2 :][:_SAMPLE_BYTES]):
        controls = len(sample) - len(sample.translate(None, CONTROL_BYTES))
        if controls > most * len(sample):
            raise DocumentError("Not text")


def _decode_legacy(data: bytes, first_bad: int) -> str:
    """Decode text that is not UTF-8, or only partly, as a log to which several programs write."""
    lines: list[str | bytes] = []
    both: list[bytes] = []  # lines beyond ASCII that are valid UTF-8
    valid = other = 0
    for line in data.split(b"\n"):
        text = line.decode("utf-8", errors="replace")
        lines.append(text)
        if not line.isascii():
            bad = text.count("\ufffd")
            good = sum(map(len, _BEYOND_ASCII.findall(text))) - bad
            if not bad or good > 3 * bad:  # a few invalid bytes are damage
                valid += good
                both.append(line)
            else:
                other += bad
                lines[-1] = line
    # Text in an East Asian encoding may have a few short lines that are also valid UTF-8.
    legacy = b"\n".join(line for line in lines if isinstance(line, bytes))
    if valid <= 0.05 * other or (valid < other and _is_alike(b"\n".join(both), legacy)):
        return data.decode(_legacy_encoding(data, first_bad), errors="replace")
    if isinstance(end := lines[-1], bytes) and _is_cut(end):
        lines[-1] = end.decode("utf-8", errors="replace")
        legacy = b"\n".join(line for line in lines if isinstance(line, bytes))
    known = "\n".join(line for line in lines if isinstance(line, str))
    candidates = next((names for script, names in _OF_SCRIPT if script.search(known)), _LEGACY)
    if (
        candidates is not _LEGACY
        and "big5" in candidates
        and known.encode("big5", "replace").decode("big5") != known
    ):
        candidates = ["gb18030"]  # simplified characters
    encoding = _legacy_encoding(legacy, 0, candidates) if legacy else ""
    return "\n".join(
        line.decode(encoding, errors="replace") if isinstance(line, bytes) else line
        for line in lines
    )


def _is_alike(lines: bytes, legacy: bytes) -> bool:
    """Return whether lines that are valid UTF-8 are in the same East Asian encoding as others."""
    encoding = east_asian_encoding(legacy, EAST_ASIAN)
    return bool(encoding) and east_asian_encoding(lines, [encoding]) == encoding


def _is_cut(line: bytes) -> bool:
    """Return whether a line is UTF-8 except that its last character is cut off."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def _legacy_encoding(data: bytes, first_bad: int, candidates: list[str] = _LEGACY) -> str:
    """Return the most probable encoding of text; its first byte beyond ASCII is at `first_bad`."""
    import charset_normalizer

    sample = _sample(data, first_bad)
    matches = charset_normalizer.from_bytes(
        sample,
        cp_isolation=candidates,
        enable_fallback=False,
        preemptive_behaviour=False,
    )
    best = matches.best()
    if best is None:
        return "cp1252" if candidates is _LEGACY else candidates[0]
    # Short texts fit several Windows code pages about equally well; prefer the western one, which
    # is by far the most frequent. The order of the candidates has no meaning.
    western = any(
        "cp1252" in match.could_be_from_charset
        and match.chaos <= best.chaos + 0.13
        and match.coherence >= best.coherence - 0.05
        for match in matches
    )
    if western:
        return "cp1252"
    if best.encoding in EAST_ASIAN:
        # Its frequencies of characters distinguish these in long texts only.
        return east_asian_encoding(sample, candidates) or best.encoding
    return best.encoding


def _sample(data: bytes, first_bad: int) -> bytes:
    """Return a sample around the first byte beyond ASCII, cut between words."""
    start = max(0, first_bad - _SAMPLE_BYTES // 4)
    if start and (border := _WORD_END.search(data, start, first_bad)):
        start = border.end()
    sample = data[start : start + _SAMPLE_BYTES]
    if start + len(sample) < len(data):
        sample = sample[: max(sample.rfind(b" "), sample.rfind(b"\n"), _SAMPLE_BYTES // 2)]
    return sample
