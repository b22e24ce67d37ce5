r"""Sanitised display of text from documents and disks.

A file's name may contain escape sequences that colour a terminal, change its title or type input;
line breaks that forge a line of a report; marks of writing direction, so that `gpj.exe` reads
`exe.jpg`; bytes that are not text. They are escaped as by `ls -b` and git.
"""

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import accumulate
from pathlib import PurePath
from typing import Any, Final, TypeVar, cast

from core.addresses import readable_path

_Value = TypeVar("_Value")
# Marks of writing direction, for use in a pattern's brackets.
BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# C0 and C1 control characters, surrogates, and Unicode's line separators.
_CONTROL: Final = r"\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029"
_UNSAFE: Final = re.compile(f"[{_CONTROL}{BIDIRECTIONAL}]")
_UNSAFE_IN_LINES: Final = re.compile(f"(?!\n)[{_CONTROL}{BIDIRECTIONAL}]")
_CONTROLS_IN_TEXT: Final = re.compile(rf"(?![\n\t])[{_CONTROL}]")
_MARKS: Final = re.compile(f"[{BIDIRECTIONAL}]")
_SHORT: Final = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


def quoted(text: object) -> str:
    r"""Return a name, a title or a sentence on one line, with unsafe characters escaped.

    Undecodable bytes of a path are shown as hexadecimal escapes. Backslashes are doubled only if
    anything is escaped. A path in a bucket is shown as its address.

    >>> print(quoted("Grüße 罪.txt"), quoted("C:\\notes"))
    Grüße 罪.txt C:\notes
    >>> print(quoted("a\x1b[31m\n\\b"), quoted("caf\udce9"), quoted("photo\u202egpj.exe"))
    a\x1b[31m\n\\b caf\xe9 photo\u202egpj.exe
    """
    whole = readable_path(text) if isinstance(text, PurePath) else str(text)
    if whole.isprintable() or not _UNSAFE.search(whole):
        return whole
    return _UNSAFE.sub(_escaped, whole.replace("\\", r"\\"))


def label(text: str, most: int = 200) -> str:
    r"""Return an untrusted name as one short line that is safe to show.

    >>> label("  Birds\n\x1b]52;c;ZXZpbA==\x07 "), label("n" * 5_000_000, 5)
    ('Birds\\n\\x1b]52;c;ZXZpbA==\\x07', 'nnnn…')
    """
    # Cut before escaping, which is slow for millions of characters.
    line = quoted(text[: most + 1].strip())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def labelled(value: _Value, most: int = 200) -> _Value:
    r"""Return an untrusted dataclass with its texts as labels; nested values are unchanged.

    >>> from core.catalog.documents import ReadDocument
    >>> labelled(ReadDocument(1, PurePath("a"), "Owls\x1b[2J", 3), 9).title
    'Owls\\x1b…'
    """
    texts = ((field.name, getattr(value, field.name)) for field in fields(cast("Any", value)))
    changes = {name: label(text, most) for name, text in texts if type(text) is str}
    return cast("_Value", replace(cast("Any", value), **changes))


def quoted_lines(text: str) -> str:
    r"""Escape unsafe characters in a text of several lines; line breaks and backslashes stay.

    >>> print(quoted_lines("one\ntwo\x9b2J"))
    one
    two\u009b2J
    """
    return _UNSAFE_IN_LINES.sub(_escaped, text)


def passage(text: str) -> str:
    r"""Return the text of a passage for display, without control characters.

    Line breaks and tabs stay. Marks of direction are removed, since in prose they are legitimate
    and an escape would disturb; other control characters become U+FFFD.

    >>> passage("A\tline\nand \x1b[2Jmore \u200fשלום")
    'A\tline\nand �[2Jmore שלום'
    """
    return _CONTROLS_IN_TEXT.sub("\ufffd", _MARKS.sub("", text))


def passage_line(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    r"""Return the text of a passage as one line, with spans moved accordingly.

    >>> passage_line("\u202bone\ntwo", [(5, 8)])
    ('one two', [(4, 7)])
    """
    offsets = list(accumulate((not _MARKS.match(letter) for letter in text), initial=0))
    line = re.sub(r"[\n\t]", " ", passage(text))
    return line, [(offsets[start], offsets[end]) for start, end in spans]


def is_text(text: str) -> bool:
    r"""Return whether a text has no lone surrogates, which represent undecodable bytes.

    >>> is_text("Grüße"), is_text("caf\udce9")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole_text(text: str) -> str:
    r"""Return the text with lone surrogates escaped, if it has any.

    >>> print(whole_text("one\nGrüße"), whole_text("caf\udce9"))
    one
    Grüße caf\xe9
    """
    return text if is_text(text) else quoted(text)


def json_text(text: str) -> str:
    r"""Return equivalent JSON with unsafe characters escaped.

    >>> print(json_text('{"path": "caf\udce9\u202e\x9b"}'))
    {"path": "caf\udce9\u202e\u009b"}
    """
    return _UNSAFE_IN_LINES.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _escaped(match: re.Match[str]) -> str:
    code_point = ord(match.group())
    if 0xDC80 <= code_point <= 0xDCFF:  # how Python represents an undecodable byte
        return f"\\x{code_point - 0xDC00:02x}"
    return _SHORT.get(match.group()) or (
        f"\\x{code_point:02x}"
        if code_point < 0x20 or code_point == 0x7F
        else f"\\u{code_point:04x}"
    )
