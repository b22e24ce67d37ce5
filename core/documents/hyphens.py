"""Hyphens at the ends of lines: which belong to their word, and which only split it."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

_SOFT: Final = "\xad"
_HYPHENS: Final = ("-", "‐", _SOFT)
_LETTER: Final = r"[^\W\d_]"
# A whole word: searched from each letter, a long word would take the square of its length.
_WORD: Final = rf"(?<!{_LETTER})({_LETTER}++)"
_WORDS: Final = re.compile(_WORD)
_COMPOUND: Final = re.compile(rf"{_WORD}[-‐](?=({_LETTER}++))")
_LAST: Final = re.compile(rf"{_WORD}\Z")
_FIRST: Final = re.compile(rf"\A({_LETTER}++)")
# Shorter syllables are often words by chance: "in-deed", "to-day".
_FEWEST_LETTERS: Final = 3
_SELF: Final = "self"
_OF_SELF: Final = ("hood", "ish", "less", "ness", "same")


class Compounds:
    """Decides which hyphens at the ends of a page's lines belong to their words.

    A word that occurs undivided on the page has no hyphen. A word that occurs with a hyphen keeps
    it, as does one whose halves both occur as words, and nearly all that begin with "self". Only
    the page itself is searched: its text must not depend on other pages, because a page is drawn
    and searched without them.

    Args:
        lines: Lines of the page, without parts of words at their ends; see `without_broken`.

    >>> compounds = Compounds(["A type-stable trace, and the world it stops.", "They stop here."])
    >>> compounds.keeps_hyphen("the type", "stable one"), compounds.keeps_hyphen("docu", "ments")
    (True, False)
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()
        for line in map(str.lower, lines):
            self._words.update(_WORDS.findall(line))
            self._pairs.update(_COMPOUND.findall(line))

    def keeps_hyphen(self, above: str, below: str) -> bool:
        """Return whether the hyphen between two lines, given without it, belongs to the word."""
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
    """Yield lines without the parts of words at their ends.

    Args:
        lines: Lines, each with whether a hyphen splits a word at its end.

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


# The start of a word that a hyphen splits at a line end, and its rest on the next line.
_SPLIT: Final = re.compile(rf"(?<!{_LETTER})({_LETTER}{{2,}}+)[-‐{_SOFT}]\Z")
_REST: Final = re.compile(
    rf"(?P<indent>[ \t]*)(?P<word>{_LETTER}{{2,}}\S*)(?P<after>.*)", re.DOTALL
)
# Longest end of a line that is searched for a word.
_LONGEST_LINE: Final = 200
# Words after a hyphen in place of the rest of a word: "Vor- und Nachteile".
_CONJUNCTIONS: Final = frozenset(
    {"und", "oder", "bzw", "sowie", "noch", "statt", "bis", "als", "wie", "and", "or", "to", "nor"}
    | {"en", "of", "och", "eller", "og", "ja", "tai", "et", "ou", "y", "e", "o", "i", "a"}
)


def join_lines(lines: Sequence[str]) -> list[str]:
    """Join words that are split at the ends of lines, and keep the number of lines.

    A word moves to its second line, or to its first one if it is alone on it. Words that keep
    their hyphen are not moved.

    >>> join_lines(["All docu-", "ments are here.", "Vor-", "und Nachteile"])
    ['All', 'documents are here.', 'Vor-', 'und Nachteile']
    """
    broken = [(line.lstrip(), line.endswith(_HYPHENS)) for line in lines]
    compounds = Compounds(without_broken(broken))
    joined = list(lines)
    for line_index, below in enumerate(lines[1:], 1):
        above = joined[line_index - 1]
        if not above.endswith(_HYPHENS):
            continue
        start, rest = _SPLIT.search(above[-_LONGEST_LINE:]), _REST.match(below)
        if start is None or rest is None or not rest["word"][0].islower():
            continue
        first = _FIRST.search(rest["word"])
        if first is None or first[1] in _CONJUNCTIONS:
            continue
        if above[-1] != _SOFT and compounds.keeps_hyphen(above[:-1], rest["word"]):
            continue
        word = start[1] + rest["word"]
        before = above[: len(above) - len(start[1]) - 1]
        if before.strip():
            joined[line_index - 1] = before.rstrip()
            joined[line_index] = rest["indent"] + word + rest["after"]
        elif rest["after"].strip():
            joined[line_index - 1] = before + word
            joined[line_index] = rest["indent"] + rest["after"].lstrip()
    return joined
