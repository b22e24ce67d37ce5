"""Plain text, all that is read as such, and what readers of marked-up text have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from core.documents.decoding import decode
from core.documents.document import Document, Page, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.text import PageText, by_line, normalise

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
        # Such a code may go over several lines: which is which is not known then.
        return as_it_stands(TERMINAL_CODE.sub("", text))
    return _with_lines(text)


def read_code(path: Path) -> Document:
    """Read a file of source code likewise, with the numbers of its lines.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    page = _with_lines(source).pages[0]
    return Document("", (replace(page, styles=tuple(_line_numbers(source, page.text))),))


def _with_lines(source: str) -> Document:
    """Return text as one page that knows which lines of the file its own are."""
    page = as_it_stands(source).pages[0]
    return Document("", (replace(page, lines=by_line(source, page.text)),))


def _line_numbers(source: str, text: str) -> Iterator[StyledSpan]:
    r"""Yield where in `text` the count of the lines jumps: blank ones are left out of it.

    >>> [(span.start, span.level) for span in _line_numbers("\n\na\nb\n\n\nc\n", "a\nb\n\nc")]
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


Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], bool]]
"""What a line looks like with which a block begins, and what adds that block.

It is called behind that line, and gives False where the block is of another kind after all.
"""


class LineBlocks:
    """Goes through the lines of marked-up text once, rule by rule, and fills a page.

    The first rule that takes a line adds the block there. What no rule takes is a line of the
    running paragraph; a blank line ends that.
    """

    def __init__(self, lines: list[str]) -> None:
        self.page = PageText()
        self._lines = lines
        self._at = 0
        self._run: list[str] = []  # the lines of the running paragraph
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
        """Add the block at the current line and go behind it, if one of `rules` takes it."""
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
        """End the running paragraph; `is_over` where the next block is no item right below it."""
        if self._run:
            self.page.add(self._paragraph(), gap=1 if self._is_item and self._was_item else 2)
            self._was_item = self._is_item
            self._run.clear()
        self._is_item = self._is_item and not is_over

    def _paragraph(self) -> str:
        """Return the text of the running paragraph, without marks."""
        raise NotImplementedError
