"""The part of a passage that a result shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app.highlights import Lit, lit_now

if TYPE_CHECKING:
    from collections.abc import Sequence

_ELLIPSIS: Final = "… "
# How far before the first lit word a snippet begins, unless a sentence begins nearer to it.
_LEAD: Final = 60
# Chinese, Japanese and Korean characters, and the forms of others that are as wide.
_WIDE: Final = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003fffd]"
)
_UNEVEN: Final = re.compile(r"^\s|[^\S ]|\s\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage's text from `start` to `end` on one line, with the lit words that lie in it.

    `wide` counts the characters that take the room of two letters, as Chinese ones do.
    """

    text: str
    lits: tuple[Lit, ...]
    start: int
    end: int
    wide: int = 0


def snippet_of(text: str, lits: Sequence[Lit], length: int) -> Snippet:
    """Give about `length` characters of `text` round the words that are lit most strongly."""
    start = _beginning(text, lit_now(lits), length)
    end = min(len(text), start + length)
    if end < len(text):
        space = text.rfind(" ", start + length // 2, end)
        end = space if space > start else end
    return _on_one_line(text, start, end, lits)


def relit(snippet: Snippet, text: str, lits: Sequence[Lit]) -> Snippet:
    """Give the same piece of `text` with other words lit."""
    return _on_one_line(text, snippet.start, snippet.end, lits)


def _beginning(text: str, lits: Sequence[Lit], length: int) -> int:
    if not lits or len(text) <= length:
        return 0
    window = length - _LEAD

    def weight(first: Lit) -> float:
        """Sum over the query's words, so that two words beat one word twice."""
        best: dict[int, float] = {}
        for lit in lits:
            if first.start <= lit.start and lit.end <= first.start + window:
                best[lit.word] = max(best.get(lit.word, 0.0), lit.strength)
        return sum(best.values())

    first = max(lits, key=weight)
    earliest = max(0, first.start - _LEAD)
    if earliest == 0:
        return 0
    for mark in (". ", "? ", "! ", "\n"):
        sentence = text.find(mark, earliest, first.start)
        if sentence >= 0:
            return min(sentence + len(mark), first.start)
    space = text.find(" ", earliest, first.start)
    return space + 1 if space >= 0 else first.start


def _on_one_line(text: str, start: int, end: int, lits: Sequence[Lit]) -> Snippet:
    lead = _ELLIPSIS if start > 0 else ""
    places: Sequence[int]
    if _UNEVEN.search(text, start, end) is None:
        # Most texts are in order already, and thousands of passages are shown.
        line = lead + text[start:end].rstrip()
        places = range(len(lead), len(lead) + end - start + 1)
    else:
        line, places = _evened(text[start:end], lead)
    if end < len(text):
        line += " …"
    moved = (
        replace(lit, start=places[lit.start - start], end=places[lit.end - start])
        for lit in lits
        if start <= lit.start and lit.end <= end
    )
    shown = tuple(lit for lit in moved if lit.start < lit.end)
    return Snippet(line, shown, start, end, len(_WIDE.findall(line)))


def _evened(text: str, lead: str) -> tuple[str, list[int]]:
    """The text on one line behind `lead`, and where each of its characters stands there."""
    pieces = [lead]
    length = len(lead)
    was_space = True
    places = [0] * (len(text) + 1)
    for offset, character in enumerate(text):
        places[offset] = length
        is_space = character.isspace()
        if not (is_space and was_space):
            pieces.append(" " if is_space else character)
            length += 1
        was_space = is_space
    places[len(text)] = length
    return "".join(pieces).rstrip(), places


def letters_wide(snippet: Snippet) -> int:
    """Give how many letters take as much room as the snippet.

    >>> letters_wide(snippet_of("flow, 流れ", (), 80))
    10
    """
    return len(snippet.text) + snippet.wide
