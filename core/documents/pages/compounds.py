"""Whether the hyphen at a line's end is the word's own ("self-regulating") or stands for the break.

The page itself is the witness, for the text of a page must not depend on other pages: a page is
drawn, and its words are found on it, without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_WORD: Final = r"[^\W\d_]+"
_WORDS: Final = re.compile(rf"{_WORD}(?:[-‐]{_WORD})*")
_LAST: Final = re.compile(rf"({_WORD})\Z")
_FIRST: Final = re.compile(rf"\A({_WORD})")
_FEWEST_LETTERS: Final = 3
"""Shorter syllables are often words by chance: "in-deed", "to-day"."""
_SELF: Final = "self"
_OF_SELF: Final = ("hood", "ish", "less", "ness", "same")


class Compounds:
    """Tells which hyphens at the ends of a page's lines are to be kept.

    A word that stands undivided on the same page has no hyphen of its own. One that stands there
    with it does; so does one whose halves both stand there as words, and all but a few that begin
    with "self".

    Args:
        lines: of the page, without the parts of words at their ends and beginnings that belong to
            another line.

    >>> compounds = Compounds(["A type-stable trace, and the world it stops.", "They stop here."])
    >>> compounds.keeps_hyphen("the type", "stable one"), compounds.keeps_hyphen("docu", "ments")
    (True, False)
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()
        for line in lines:
            for compound in _WORDS.findall(line.lower()):
                words = re.split("[-‐]", compound)
                self._words.update(words)
                self._pairs.update(pairwise(words))

    def keeps_hyphen(self, above: str, below: str) -> bool:
        """Say whether the hyphen between two lines' texts, given without it, is the word's own."""
        last, first = _LAST.search(above.lower()), _FIRST.search(below.lower())
        if last is None or first is None:
            return False
        before, after = last[1], first[1]
        if before + after in self._words:
            return False
        if (before, after) in self._pairs:
            return True
        if before == _SELF:
            return not after.startswith(_OF_SELF)
        return (
            min(len(before), len(after)) >= _FEWEST_LETTERS
            and before in self._words
            and after in self._words
        )


def without_broken(lines: Iterable[tuple[str, bool]]) -> Iterable[str]:
    """Yield lines without what is only part of a word at their ends.

    Args:
        lines: each with whether a hyphen parts a word at its end.

    >>> list(without_broken([("All docu-", True), ("ments here", False)]))
    ['All ', ' here']
    """
    was_broken = False
    for line, is_broken in lines:
        start = 0
        if was_broken and (first := _FIRST.search(line)):
            start = first.end()
        end = len(line)
        if is_broken and (last := _LAST.search(line[:-1])):
            end = max(last.start(), start)
        yield line[start:end]
        was_broken = is_broken
