"""Trees of blocks with words that occur once, generated for the readers of all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count

from hypothesis import strategies as st


class Mark(StrEnum):
    """How words within a paragraph are marked."""

    PLAIN = "plain"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    LINK = "link"
    LITERAL = "literal"
    NOTE = "note"


@dataclass(frozen=True)
class Run:
    """Words with a mark; those of a note are its text."""

    mark: Mark
    text: str


@dataclass(frozen=True)
class Paragraph:
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return " ".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Code:
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Listing:
    """A list; each item begins with a paragraph."""

    is_numbered: bool
    items: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Quote:
    blocks: tuple[Block, ...]


Block = Paragraph | Heading | Code | Table | Listing | Quote


@dataclass(frozen=True)
class Tree:
    """The blocks of a document, and the words in them, each of which occurs once."""

    blocks: tuple[Block, ...]
    words: tuple[str, ...] = field(repr=False)

    def lines(self) -> list[str]:
        """Return the texts of all blocks in order, for formats without structure."""
        return list(lines_of(self.blocks))


def lines_of(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the text of each block, without its structure."""
    for block in blocks:
        match block:
            case Paragraph() | Heading():
                yield block.text
            case Code():
                yield from block.lines
            case Table():
                yield from (" ".join(row) for row in block.rows)
            case Listing():
                for item in block.items:
                    yield from lines_of(item)
            case Quote():
                yield from lines_of(block.blocks)


# Letters of which words are made: also those that take several bytes, or that markup replaces.
_ALPHABETS = ("bdfgklmnprtvz", "bdfgklmnprtväöüßé", "бвгджзклмнпрст")
# Levels of nested lists, quotations or tables of a deep block.
DEEPEST = 40
_LONG_LINE = 400


class _Words:
    """Makes words of six letters that differ, none of which contains another."""

    def __init__(self, letters: str) -> None:
        self.generated: list[str] = []
        self._letters = letters
        self._numbers = count(len(letters) ** 3)

    def take(self, number: int) -> str:
        """Return a text of `number` words."""
        words = [self._word(next(self._numbers)) for _ in range(number)]
        self.generated += words
        return " ".join(words)

    def _word(self, number: int) -> str:
        letters = ""
        while number:
            number, index = divmod(number, len(self._letters))
            letters = self._letters[index] + letters
        # A vowel after each letter: no syllable repeats another's end.
        vowels = "оаиеуы" if self._letters[0] == "б" else "oaieuy"
        return "".join(letter + vowels[place] for place, letter in enumerate(letters))


@st.composite
def trees(draw: st.DrawFn, *, deepest: int = DEEPEST) -> Tree:
    """Return documents of some blocks, one of which may be long or deep."""
    words = _Words(draw(st.sampled_from(_ALPHABETS)))
    blocks = draw(_blocks(words, 2))
    if draw(st.booleans()):
        blocks += (_deep(draw, words, draw(st.integers(3, deepest))),)
    if draw(st.integers(0, 3)) == 0:
        blocks += (Paragraph((Run(Mark.PLAIN, words.take(_LONG_LINE)),)),)
    blocks += (Heading(1, words.take(2)), Paragraph((Run(Mark.PLAIN, words.take(3)),)))
    return Tree(blocks, tuple(words.generated))


def _deep(draw: st.DrawFn, words: _Words, depth: int) -> Block:
    """Return a block in `depth` lists, quotations, or both in turns, with text at each level."""
    kinds = draw(st.sampled_from(["list", "quote", "both"]))
    block: Block = Paragraph((Run(Mark.PLAIN, words.take(2)),))
    for level in range(depth):
        text = Paragraph((Run(Mark.PLAIN, words.take(1)),))
        if kinds == "list" or (kinds == "both" and level % 2):
            block = Listing(is_numbered=False, items=((text, block),))
        else:
            block = Quote((text, block))
    return block


@st.composite
def _blocks(draw: st.DrawFn, words: _Words, depth: int) -> tuple[Block, ...]:
    kinds = ["paragraph", "code", "table"]
    if depth == 2:
        kinds.append("heading")
    if depth:
        kinds += ["list", "quote"]
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    return tuple(_block(draw, words, depth, kind) for kind in chosen)


def _block(draw: st.DrawFn, words: _Words, depth: int, kind: str) -> Block:
    small = st.integers(1, 3)
    if kind == "heading":
        return Heading(draw(small), words.take(draw(small)))
    if kind == "code":
        return Code(tuple(words.take(draw(small)) for _ in range(draw(small))))
    if kind == "table":
        columns = draw(small)
        return Table(
            tuple(tuple(words.take(1) for _ in range(columns)) for _ in range(draw(small) + 1))
        )
    if kind == "list":
        items = (
            (_paragraph(draw, words), *draw(_blocks(words, depth - 1)))
            if draw(st.booleans())
            else (_paragraph(draw, words),)
            for _ in range(draw(small))
        )
        return Listing(draw(st.booleans()), tuple(items))
    if kind == "quote":
        return Quote(draw(_blocks(words, depth - 1)))
    return _paragraph(draw, words)


def _paragraph(draw: st.DrawFn, words: _Words) -> Paragraph:
    """Return a paragraph that begins and ends with plain words."""
    marks = draw(st.lists(st.sampled_from(list(Mark)), max_size=3))
    marks = [Mark.PLAIN, *marks, Mark.PLAIN] if marks else [Mark.PLAIN]
    return Paragraph(tuple(Run(mark, words.take(draw(st.integers(1, 3)))) for mark in marks))
