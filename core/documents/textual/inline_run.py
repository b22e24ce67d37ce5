"""The running text of a block of markup, and how words within it look."""

from __future__ import annotations

import re
from bisect import bisect_left

from core.documents.looks import Look, Stretch

# One space for many, and none beside a line end.
_SPACES = re.compile(r" *\n *| {2,}")


class InlineRun:
    """Gathers pieces of text between two borders of blocks.

    >>> run = InlineRun()
    >>> run.say("Crows are ")
    >>> run.begin(Look.STRONG)
    >>> run.say(" very ")
    >>> run.end()
    >>> run.say("clever.")
    >>> run.take()
    ('Crows are very clever.', [Stretch(start=10, end=15, look=<Look.STRONG: 'strong'>, level=0)])
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._opened: list[Look | None] = []
        # Where each look that holds has begun: few, however many were opened and never end.
        self._begun: dict[Look, int] = {}
        self._within: list[Stretch] = []

    def say(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def begin(self, look: Look | None) -> None:
        """Have what follows look so, until the `end` that belongs to this; None: as before."""
        if look in self._begun:  # what is strong is not so twice
            look = None
        elif look is not None:
            self._begun[look] = self._length
        self._opened.append(look)

    def end(self) -> None:
        look = self._opened.pop()
        if look is not None:
            self._note(look, self._begun.pop(look))

    def take(self, *, is_preserved: bool = False) -> tuple[str, list[Stretch]]:
        """Give the text and how parts of it look, and begin anew; what is open stays so.

        Runs of spaces become one, unless the text `is_preserved` as it is.
        """
        for look, start in self._begun.items():
            self._note(look, start)
        text, within = "".join(self._pieces), self._within
        self._pieces, self._within, self._length = [], [], 0
        self._begun = dict.fromkeys(self._begun, 0)
        return (text, within) if is_preserved else _collapsed(text, within)

    def _note(self, look: Look, start: int) -> None:
        if start < self._length:
            self._within.append(Stretch(start, self._length, look))


def _collapsed(text: str, within: list[Stretch]) -> tuple[str, list[Stretch]]:
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
        Stretch(bisect_left(sources, one.start), bisect_left(sources, one.end), one.look)
        for one in within
    ]
    return "".join(pieces), moved


def _replacement(match: re.Match[str]) -> str:
    return "\n" if "\n" in match.group() else " "
