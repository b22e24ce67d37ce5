"""Text in UTF-16 without a byte order mark, alone or inside other text, and blocks of NULs."""

import codecs
import re
from collections import Counter
from typing import Final

_SAMPLE_BYTES: Final = 8192
_TAIL_BYTES: Final = 4096
_SHORTEST_LINE, _SHORTEST_START = 8, 5
# Left by a file system after a crash, or reserved by a program.
_NUL_BLOCK: Final = re.compile(rb"\0{16,}")
# Tab, line ends and escape (which colours logs) are usual in text.
CONTROL_BYTES: Final = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b") + b"\x7f"
_ASCII: Final = bytes(range(32, 127)) + b"\t\n\r"
# First and last code points of the scripts and signs in nearly all texts.
_USUAL: Final = (
    *((0x09, 0x0D), (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x6FF), (0x900, 0xEFF), (0x10A0, 0x10FF)),
    *((0x1E00, 0x1FFF), (0x2010, 0x206F), (0x20A0, 0x22FF), (0x2500, 0x25FF), (0x3000, 0x30FF)),
    *((0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF)),
)
_STOP: Final = re.compile("[ \\n.,:\u3000-\u3002]")
_UNUSUAL: Final = re.compile(f"[^{''.join(f'{chr(a)}-{chr(b)}' for a, b in _USUAL)}]")
# High bytes of the alphabets, of kana, and of all East Asian characters.
_ALPHABETS: Final = bytes((*range(0x11), 0x1E, 0x1F))
_KANA: Final = 0x30
_EAST_ASIAN: Final = bytes((0, 0x20, *range(0x30, 0xA0), *range(0xAC, 0xD8), 0xFF))
_MARK: Final = codecs.BOM_UTF16_LE
_FIRST_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def has_controls(data: bytes) -> bool:
    """Return whether text has NULs or other controls, as UTF-16 read as bytes has."""
    sample = data[:_SAMPLE_BYTES]
    return b"\0" in data or sample.translate(None, CONTROL_BYTES) != sample


def wide_encoding(data: bytes) -> str | None:
    """Return the encoding of text that is UTF-16 without a byte order mark; None if it is not."""
    sample = data[:_SAMPLE_BYTES]
    if len(sample) < 4:
        return None
    control = _FIRST_CONTROL.search(sample)
    start = sample if control is None else sample[: control.start()]
    lines = start[: start[:-1].rfind(b"\n") + 1]  # before the part in UTF-16, if there is one
    if len(lines) >= _SHORTEST_START and _is_utf8(lines):
        return None
    half = len(sample) / 2
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    if not sample.isascii() and _is_utf8(sample):
        return None
    for encoding, high in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        text = sample[: len(sample) & ~1].decode(encoding, errors="replace")
        usual = 1 - len(_UNUSUAL.findall(text)) / max(len(text), 1)
        # A few NULs in other text do not make it UTF-16.
        frequent = sum(count for _, count in Counter(high).most_common(3)) / max(len(high), 1)
        ascii_share = 1 - len(sample.translate(None, _ASCII)) / len(sample)
        has_stops = _STOP.search(text) is not None
        if has_stops and usual > 0.95 and (frequent > 0.6 or ascii_share < 0.75):
            return encoding
    return None


def has_narrow_end(data: bytes) -> bool:
    """Return whether a program appended text to a file in UTF-16LE byte by byte."""
    lines = data[-_TAIL_BYTES:].split(b"\n")[1:]
    return any(
        len(line) >= _SHORTEST_LINE
        and not has_controls(line)
        and line[1::2].count(_KANA) < 0.4 * len(line[1::2])
        and _is_utf8(line)
        for line in (line.removeprefix(b"\0") for line in lines)
    )


def narrowed(data: bytes) -> bytes:
    r"""Return text with its parts in UTF-16 converted to UTF-8, and without blocks of NULs.

    >>> narrowed(b"start\n" + "more\r\n".encode("utf-16-le") + bytes(100) + b"end")
    b'start\nmore\r\n\nend'
    """
    pieces = _NUL_BLOCK.split(data)
    return b"\n".join(_narrowed(piece) if has_controls(piece) else piece for piece in pieces)


def _narrowed(piece: bytes) -> bytes:
    if (wide := wide_encoding(piece)) and not (wide == "utf-16-le" and has_narrow_end(piece)):
        return piece.decode(wide, errors="replace").encode()
    piece += b"\0" * (piece[-2:-1] == b"\0")  # its last NUL was taken for a part of the block
    if b"\0" not in piece:
        return piece
    parts: list[tuple[bool, list[bytes]]] = []
    for line in piece.split(b"\n"):
        # The NUL of a line end in UTF-16LE. Without it, "\n" is half of a character, such as 上.
        is_wide = _is_wide(line)
        if parts and (parts[-1][0] == is_wide or (parts[-1][0] and not line.startswith(b"\0"))):
            parts[-1][1].append(line)
        else:
            parts.append((is_wide, [line]))
    return b"\n".join(_utf8(b"\n".join(lines), is_wide=is_wide) for is_wide, lines in parts)


def _utf8(text: bytes, *, is_wide: bool) -> bytes:
    text = text.removeprefix(b"\0")
    if not is_wide:
        return text
    text += b"\0" * (len(text) % 2)
    return text.decode("utf-16-le", errors="replace").lstrip("\ufeff").encode()


def _is_wide(line: bytes) -> bool:
    """Return whether a line is UTF-16LE: the first NUL belongs to the line end before it."""
    content = line.removeprefix(b"\0")
    high = content[1::2]
    if not high or content.startswith(_MARK):
        return line.startswith((b"\0", _MARK))
    if len(high.translate(None, _ALPHABETS)) < 0.3 * len(high):
        return True
    has_kana = high.count(_KANA) > 0.4 * len(high) and (has_controls(line) or not _is_utf8(line))
    if has_kana or not (line.startswith(b"\0") or line.endswith(b"\r\0")):
        return has_kana
    return not _is_utf8(content) and len(high.translate(None, _EAST_ASIAN)) < 0.1 * len(high)


def _is_utf8(sample: bytes) -> bool:
    """Return whether a sample is UTF-8; its last character may be cut."""
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(sample) - 4 and error.reason == "unexpected end of data"
    return True
