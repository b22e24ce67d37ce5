"""Plain text, and all that is read as such: notes, logs, source code, configuration."""

from __future__ import annotations

import re
from pathlib import Path

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
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


def as_it_stands(text: str, title: str = "") -> Document:
    """Return text as one page: what is left where a file does not keep its format's rules."""
    return Document(title, (Page(1, normalise(text)),))
