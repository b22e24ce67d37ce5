"""The part of a passage that a result shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app.highlights import Lit, lit_now

if TYPE_CHECKING:
    from collections.abc import Sequence

_ELLIPSIS: Final = "… "
# How far before the first lit word a snippet begins, unless a sentence begins nearer to it.
_LEAD: Final = 60


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage's text from `start` to `end` on one line, with the lit words that lie in it."""

    text: str
    lits: tuple[Lit, ...]
    start: int
    end: int


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
    pieces: list[str] = [_ELLIPSIS] if start > 0 else []
    length = len(_ELLIPSIS) if start > 0 else 0
    was_space = True
    places = [0] * (end - start + 1)
    for offset, character in enumerate(text[start:end]):
        places[offset] = length
        is_space = character.isspace()
        if not (is_space and was_space):
            pieces.append(" " if is_space else character)
            length += 1
        was_space = is_space
    places[end - start] = length
    line = "".join(pieces).rstrip()
    if end < len(text):
        line += " …"
    moved = (
        replace(lit, start=places[lit.start - start], end=places[lit.end - start])
        for lit in lits
        if start <= lit.start and lit.end <= end
    )
    return Snippet(line, tuple(lit for lit in moved if lit.start < lit.end), start, end)
