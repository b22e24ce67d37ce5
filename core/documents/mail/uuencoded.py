"""Files in the text of a mail, as programs attached them before MIME.

Source: POSIX.1-2017, uuencode.
"""

import binascii
import re
from typing import Final

_BEGIN: Final = re.compile(
    rb"^begin(?P<base64>-base64)? [0-7]{3,4} (?P<name>[^\r\n]{1,255}?)[ \t]*\r?\n", re.MULTILINE
)
_LINE: Final = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_ENDS: Final = frozenset({b"end", b"===="})


def split(data: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    r"""Split the text of a mail from its uuencoded files.

    A line that only looks like the start of a file stays in the text.

    Returns:
        The text without the files, and the name and the content of each file.

    >>> split(b"See this.\nbegin 644 a.txt\n%0W)O=W,\n`\nend\nBye")
    (b'See this.\nBye', [(b'a.txt', b'Crows')])
    >>> split(b"begin 644 words\nas usual, of course")
    (b'begin 644 words\nas usual, of course', [])
    """
    text: list[bytes] = []
    files: list[tuple[bytes, bytes]] = []
    done = 0
    while begin := _BEGIN.search(data, done):
        content, end = _content(data, begin.end(), is_base64=begin["base64"] is not None)
        if content:
            text.append(data[done : begin.start()])
            files.append((begin["name"], content))
        else:
            text.append(data[done:end])
        done = end
    return b"".join([*text, data[done:]]), files


def _content(data: bytes, start: int, *, is_base64: bool) -> tuple[bytes, int]:
    """Return the content of a file that begins at an offset, and the offset of its end."""
    decode = binascii.a2b_base64 if is_base64 else binascii.a2b_uu
    pieces: list[bytes] = []
    while start < len(data) and (line := _LINE.match(data, start)):
        # Some programs and gateways remove the blanks at the end of a line.
        encoded = line[1].rstrip()
        if encoded in _ENDS:
            start = line.end()
            break
        try:
            pieces.append(decode(encoded))
        except binascii.Error:
            break
        start = line.end()
    return b"".join(pieces), start
