"""Plain text and source code, and the common parts of the readers of marked-up text."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.documents.decoding import decode
from core.documents.document import Document, Page, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.hyphens import join_lines
from core.documents.text import PageText, by_line, normalise

# Escape codes of coloured terminal logs.
TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")

_HYPHEN_AT_END = re.compile(r"[^\W\d_][-‐\xad]\r?\n")
# Longest text in characters that is parsed. Larger files are data, and read as plain text.
LONGEST_PARSED = 5_000_000


def read(path: Path) -> Document:
    """Read a text file as one page without a title.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    if path.suffix.lower() == ".properties" and "\\" in text:
        text = _unescaped(text)
    if "\x1b" in text:
        # A code may span several lines, so the line numbers are unknown.
        return plain_document(TERMINAL_CODE.sub("", text))
    if _HYPHEN_AT_END.search(text) is None:
        return _with_lines(text)
    # Only the lines of the file count, not its form feeds and the like.
    return _with_lines("\n".join(join_lines(text.replace("\r\n", "\n").split("\n"))))


# A character of Java's properties by its code, two for one beyond U+FFFF, and the mark before the
# end of a line that continues.
_ESCAPE: Final = re.compile(
    r"(?<!\\)((?:\\\\)*)(?:\\u+([\da-fA-F]{4})(?:\\u+(d[c-f][\da-f]{2}))?|\\(?=\r?\n))",
    re.IGNORECASE,
)


def _unescaped(text: str) -> str:
    r"""Return the text of Java's properties with characters in place of their codes.

    >>> _unescaped(r"Gr\u00f6\u00dfe, \ud83e\udd89"), _unescaped(r"C:\\users")
    ('Größe, 🦉', 'C:\\\\users')
    """
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    before, *codes = escape.groups(default="")
    units = b"".join(int(code, 16).to_bytes(2, "big") for code in codes if code)
    return before + units.decode("utf-16-be", errors="replace")


def read_code(path: Path) -> Document:
    """Read a file of source code as one page with line numbers.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    page = _with_lines(source).pages[0]
    return Document("", (replace(page, styles=tuple(_line_numbers(source, page.text))),))


def _with_lines(source: str) -> Document:
    """Return text as one page, with the lines of the file."""
    page = plain_document(source).pages[0]
    return Document("", (replace(page, lines=by_line(source, page.text)),))


def _line_numbers(source: str, text: str) -> Iterator[StyledSpan]:
    r"""Yield the lines of `text` whose number does not follow that of the line above.

    >>> [(span.start, span.level) for span in _line_numbers("\n\na\nb\n\n\nc\n", "a\nb\n\nc")]
    [(0, 3), (5, 7)]
    """
    numbers = (
        line_number
        for line_number, line in enumerate(source.split("\n"), 1)
        for part in line.splitlines()
        if normalise(part)
    )
    start, expected = 0, 1
    for line in text.split("\n"):
        if line:
            line_number = next(numbers, expected)
            if line_number != expected:
                yield StyledSpan(start, start, Style.LINE, line_number)
            expected = line_number
        start += len(line) + 1
        expected += 1


def plain_document(text: str, title: str = "") -> Document:
    """Return text as one page, for files that do not follow their format."""
    return Document(title, (Page(1, normalise(text)),))


# Pattern of the first line of a block, and the function that adds the block. It is called after
# that line, and returns False if the block is of another kind.
Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], bool]]


class LineBlocks:
    """Parses lines of marked-up text by rules, in one pass, and fills a page.

    The first rule that matches a line adds the block there. Other lines belong to the current
    paragraph, which ends at a blank line.
    """

    def __init__(self, lines: list[str]) -> None:
        self.page = PageText()
        self._lines = lines
        self._at = 0
        self._run: list[str] = []  # the lines of the current paragraph
        self._is_item = False  # is it an item of a list,
        self._was_item = False  # and was the block before it?
        self._rules: tuple[Rule, ...] = ()

    def body(self) -> None:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line:
                self._flush()
            elif self._takes(self._rules):
                continue
            else:
                self._run.append(line.strip())
            self._at += 1
        self._flush()

    def _takes(self, rules: Sequence[Rule]) -> bool:
        """Add the block at the current line and move past it, if one of `rules` matches."""
        line = self._lines[self._at]
        self._at += 1
        if any((match := pattern.fullmatch(line)) and rule(match) for pattern, rule in rules):
            return True
        self._at -= 1
        return False

    def _begin_item(self, words: str) -> None:
        self._flush(is_over=False)
        self._is_item = True
        self._run.append(words)

    def _flush(self, *, is_over: bool = True) -> None:
        """End the current paragraph. `is_over` unless an item follows directly."""
        if self._run:
            self.page.add(self._paragraph(), gap=1 if self._is_item and self._was_item else 2)
            self._was_item = self._is_item
            self._run.clear()
        self._is_item = self._is_item and not is_over

    def _paragraph(self) -> str:
        """Return the text of the current paragraph, without markup."""
        raise NotImplementedError
