"""The running text of a block of markup, and the styles of words within it."""

from __future__ import annotations

import re
from bisect import bisect_left

from core.documents.styles import Style, StyledSpan

# One space for many, and none beside a line end.
_SPACES = re.compile(r" *\n *| {2,}")


class InlineRun:
    """Gathers pieces of text between two borders of blocks.

    >>> run = InlineRun()
    >>> run.say("Crows are ")
    >>> run.begin(Style.STRONG)
    >>> run.say(" very ")
    >>> run.end()
    >>> run.say("clever.")
    >>> text, spans = run.take()
    >>> text, spans == [StyledSpan(10, 15, Style.STRONG)]
    ('Crows are very clever.', True)
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._opened: list[Style | None] = []
        # Where each style that holds has begun: few, however many were opened and never end.
        self._begun: dict[Style, int] = {}
        self._within: list[StyledSpan] = []

    def say(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def begin(self, style: Style | None) -> None:
        """Give what follows a style, until the `end` that belongs to this; None: as before."""
        if style in self._begun:  # what is strong is not so twice
            style = None
        elif style is not None:
            self._begun[style] = self._length
        self._opened.append(style)

    def end(self) -> None:
        style = self._opened.pop()
        if style is not None:
            self._note(style, self._begun.pop(style))

    def take(self, *, is_preserved: bool = False) -> tuple[str, list[StyledSpan]]:
        """Give the text and the styles of parts of it, and begin anew; what is open stays so.

        Runs of spaces become one, unless the text `is_preserved` as it is.
        """
        for style, start in self._begun.items():
            self._note(style, start)
        text, within = "".join(self._pieces), self._within
        self._pieces, self._within, self._length = [], [], 0
        self._begun = dict.fromkeys(self._begun, 0)
        return (text, within) if is_preserved else _collapsed(text, within)

    def _note(self, style: Style, start: int) -> None:
        if start < self._length:
            self._within.append(StyledSpan(start, self._length, style))


def _collapsed(text: str, within: list[StyledSpan]) -> tuple[str, list[StyledSpan]]:
    if not within or _SPACES.search(text) is None:
        return _SPACES.sub(_replacement, text), within
    pieces: list[str] = []
    sources: list[int] = []
    done = 0
    for match in _SPACES.finditer(text):
        pieces += (text[done : match.start()], _replacement(match))
        sources += (*range(done, match.start()), match.start())
        done = match.end()
    pieces.append(text[done:])
    sources += range(done, len(text))
    moved = [
        StyledSpan(bisect_left(sources, one.start), bisect_left(sources, one.end), one.style)
        for one in within
    ]
    return "".join(pieces), moved


def _replacement(match: re.Match[str]) -> str:
    return "\n" if "\n" in match.group() else " "
