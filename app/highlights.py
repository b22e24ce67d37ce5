"""Which words of a passage are lit, in which of the query's colours, and how strongly."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.search.results import PassageHit, QueryToken, SearchResults

# Similarities of unit vectors: at and below the first a pair says nothing, at the second it is as
# good as the same word. Between them the strength rises smoothly.
_FAINTEST: Final = 0.38
_STRONGEST: Final = 0.78
# What would hardly be seen is not lit at all: below a similarity of .44, which is four times as
# likely in a passage that answers the query as in any other (docs/decisions/0020-what-is-lit.md).
_LEAST_STRENGTH: Final = 0.06

# Scripts written without spaces: there a word can't be told by its neighbours, so none is widened.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the query; its `number` chooses its colour.

    `share` is how much of the query it decides, of 1; None where no model took part. The query
    could do without a word that is not telling.
    """

    number: int
    text: str
    share: float | None = None
    is_telling: bool = True


@dataclass(frozen=True, slots=True)
class Lit:
    """A stretch of a text, from `start` to `end`, that one of the query's words may light.

    `strength` runs from 0 to 1. `similarity` is that of the aligned tokens, None where the query's
    own word stands here. What is not telling is lit only while its word is pointed at.
    """

    start: int
    end: int
    word: int
    strength: float
    similarity: float | None = None
    is_telling: bool = True


def strength_of(similarity: float) -> float:
    """Give how strongly a word of this `similarity` is lit.

    >>> [round(strength_of(similarity), 2) for similarity in (0.2, 0.38, 0.58, 0.78, 1.0)]
    [0.0, 0.0, 0.5, 1.0, 1.0]
    """
    share = (similarity - _FAINTEST) / (_STRONGEST - _FAINTEST)
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def query_words(results: SearchResults) -> tuple[QueryWord, ...]:
    """Give the words of the query in order, one for all the pieces of a word.

    Where no model took part the words are those of the query's text.
    """
    if not results.tokens:
        words = dict.fromkeys(_WORD.findall(results.query))
        return tuple(QueryWord(number, text) for number, text in enumerate(words))
    # Not cut from the query: quotes and filters that were typed do not count for the tokens.
    pieces: dict[int, list[QueryToken]] = {}
    for token in sorted(results.tokens, key=lambda token: token.start):
        pieces.setdefault(token.word, []).append(token)
    found = (
        QueryWord(
            number,
            "".join(token.text for token in tokens),
            sum(token.share for token in tokens),
            any(token.is_telling for token in tokens),
        )
        for number, tokens in pieces.items()
    )
    return tuple(word for word in found if _has_letters(word.text))


def lit_in_text(
    hit: PassageHit, tokens: Sequence[QueryToken], words: Sequence[QueryWord]
) -> tuple[Lit, ...]:
    """Give what each word of the query may light in the passage's text, in order."""
    lits = _aligned(hit, tokens, hit.passage.text, in_context=False)
    telling = {word.number: word.is_telling for word in words}
    # A word of the query's own may have found its partner in the title or elsewhere in the passage;
    # left dark where it plainly stands it would look like a mistake.
    literal: list[Lit] = []
    for start, end in hit.words:
        if start < end:
            word = _word_like(hit.passage.text[start:end], words)
            lit = Lit(start, end, word, 1.0, is_telling=telling.get(word, True))
            aligned = (one for one in lits if one.word == word and _overlap(one, lit))
            same = max(aligned, key=lambda one: one.strength, default=lit)
            literal.append(replace(lit, similarity=same.similarity))
    return _strongest_of_each_word((*literal, *lits))


def lit_in_title(hit: PassageHit, tokens: Sequence[QueryToken], title: str) -> tuple[Lit, ...]:
    """Give what may be lit of `title` where the passage's context begins with it."""
    if not title or not hit.passage.context.startswith(title):
        return ()
    return _aligned(hit, tokens, title, in_context=True)


def lit_now(lits: Iterable[Lit], only: int | None = None) -> tuple[Lit, ...]:
    """Give those of `lits` that are shown, in order and apart from each other.

    These are the ones that tell why the passage was found; or while the word of the query with the
    number `only` is pointed at, all of its own and no others.
    """
    if only is None:
        return _strongest(lit for lit in lits if lit.is_telling)
    return _strongest(lit for lit in lits if lit.word == only)


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Give the whole words that `text[start:end]` touches.

    >>> widened("re-indexing folders", 5, 7)
    (3, 11)
    """
    while start > 0 and _is_inner(text[start - 1]) and _is_inner(text[start]):
        start -= 1
    while 0 < end < len(text) and _is_inner(text[end]) and _is_inner(text[end - 1]):
        end += 1
    return start, end


def shifted(lits: Iterable[Lit], offset: int) -> tuple[Lit, ...]:
    """Give `lits` moved on by `offset` characters."""
    return tuple(replace(lit, start=lit.start + offset, end=lit.end + offset) for lit in lits)


def _aligned(
    hit: PassageHit, tokens: Sequence[QueryToken], text: str, *, in_context: bool
) -> tuple[Lit, ...]:
    # Here and not above: this loads numpy.
    from core.search.pieces import led

    token_of = {token.index: token for token in tokens if _has_letters(token.text)}
    lits: list[Lit] = []
    for pair in led(tokens, hit.alignments):
        strength = strength_of(pair.similarity)
        if (
            pair.in_context == in_context
            and pair.query_index in token_of
            and strength >= _LEAST_STRENGTH
            and 0 <= pair.start < pair.end <= len(text)
            and _has_letters(text[pair.start : pair.end])
        ):
            start, end = widened(text, pair.start, pair.end)
            token = token_of[pair.query_index]
            lits.append(Lit(start, end, token.word, strength, pair.similarity, token.is_telling))
    return _strongest_of_each_word(lits)


def _strongest_of_each_word(lits: Iterable[Lit]) -> tuple[Lit, ...]:
    """Of stretches of the same word that overlap keep one."""
    by_word: dict[int, list[Lit]] = {}
    for lit in lits:
        by_word.setdefault(lit.word, []).append(lit)
    kept = (lit for group in by_word.values() for lit in _strongest(group))
    return tuple(sorted(kept, key=lambda lit: (lit.start, lit.word)))


def _strongest(lits: Iterable[Lit]) -> tuple[Lit, ...]:
    """Of stretches that overlap keep what tells, then the strongest, then the earlier word's."""
    kept: list[Lit] = []
    for lit in sorted(lits, key=lambda lit: (not lit.is_telling, -lit.strength, lit.word)):
        if not any(_overlap(lit, other) for other in kept):
            kept.append(lit)
    return tuple(sorted(kept, key=lambda lit: lit.start))


def _overlap(one: Lit, other: Lit) -> bool:
    return one.start < other.end and other.start < one.end


def _word_like(found: str, words: Sequence[QueryWord]) -> int:
    """Give the number of the query's word that `found` is a form of: that of the longest start."""
    folded = found.casefold()

    def likeness(word: QueryWord) -> int:
        other = word.text.casefold()
        same = 0
        while same < min(len(folded), len(other)) and folded[same] == other[same]:
            same += 1
        return same

    return max(words, key=likeness).number if words else 0


def _has_letters(text: str) -> bool:
    """Anything but punctuation, which the encoder sees as words."""
    return any(map(str.isalnum, text))


def _is_inner(character: str) -> bool:
    return (character.isalnum() or character in "_'’") and not _UNSPACED.match(character)
