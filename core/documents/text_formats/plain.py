"""Plain text, and all that is read as such: notes, logs, source code, configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.styles import Style, StyledSpan
from core.documents.text import normalise

# The codes by which programs colour their logs on a terminal.
TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")

# Marked-up text beyond any manual's size is data; it is read as the plain text that it also is.
LONGEST_PARSED = 5_000_000


def read(path: Path) -> Document:
    """Read a file of text as one page without a title.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    if "\x1b" in text:
        text = TERMINAL_CODE.sub("", text)
    return as_it_stands(text)


def read_code(path: Path) -> Document:
    """Read a file of source code likewise, with the numbers of its lines.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    page = as_it_stands(source).pages[0]
    return Document("", (replace(page, styles=tuple(_line_numbers(source, page.text))),))


def _line_numbers(source: str, text: str) -> Iterator[StyledSpan]:
    r"""Give where in `text` the count of the lines jumps: blank ones are left out of it.

    >>> [(one.start, one.level) for one in _line_numbers("\n\na\nb\n\n\nc\n", "a\nb\n\nc")]
    [(0, 3), (5, 7)]
    """
    numbers = (
        number
        for number, line in enumerate(source.split("\n"), 1)
        for part in line.splitlines()
        if normalise(part)
    )
    start, expected = 0, 1
    for line in text.split("\n"):
        if line:
            number = next(numbers, expected)
            if number != expected:
                yield StyledSpan(start, start, Style.LINE, number)
            expected = number
        start += len(line) + 1
        expected += 1


def as_it_stands(text: str, title: str = "") -> Document:
    """Return text as one page: what is left where a file does not keep its format's rules."""
    return Document(title, (Page(1, normalise(text)),))
