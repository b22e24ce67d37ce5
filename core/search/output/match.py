"""Highlights and snippets: the words of a passage that made the match, and how strongly.

Used by the window, the terminal and agents. It loads neither numpy nor Qt. Thresholds were
measured: docs/decisions/0020-highlighting.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from core.catalog.text.index_terms import indexed
from core.catalog.text.normalisation import WORD, fold, has_unspaced
from core.responses import Alignment, PassageHit, QueryToken
from core.search.words.languages import is_stop_word, languages_of, languages_of_word
from core.search.words.unspaced_words import word_spans

# Minimum similarity of a highlighted pair of tokens: they are four times as likely in a passage
# that answers the query as in any other.
MIN_SIMILARITY: Final = 0.44
# Similarities of unit vectors: up to the first a highlight has strength 0, from the second on 1.
# Between them the strength rises smoothly.
_FAINTEST: Final = 0.38
_STRONGEST: Final = 0.78


@dataclass(frozen=True, slots=True)
class SnippetSize:
    """The size of a snippet: about `characters`, on at most `lines`."""

    characters: int
    lines: int


# Size of a document's best passage in the window.
BEST_SNIPPET: Final = SnippetSize(320, 3)
# Size of its further passages.
FURTHER_SNIPPET: Final = SnippetSize(200, 2)
# Characters of a snippet at the terminal.
TERMINAL_SNIPPET: Final = 300

_ELLIPSIS: Final = "… "
# Characters of a snippet before the first highlight, unless a sentence begins nearer to it.
_LEAD: Final = 60
# Scripts written without spaces, where word boundaries are unknown, so that none is widened.
_UNSPACED: Final = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
# Chinese, Japanese and Korean characters, and the forms of others that are as wide.
_WIDE: Final = (
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003fffd]"
)
# The header lines with which the text of a mail begins.
_MAIL_HEADERS: Final = re.compile(r"(?:(?:From|To|Cc|Bcc|Date|Attachments): .*\n){2,}\n*")
# Alignments less similar than this are weak if the passage has the word itself.
_WEAK: Final = 0.6
_UNEVEN: Final = re.compile(r"^\s|[^\S ]|\s\s")


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the query; its `index` chooses its colour.

    `share` is its share of the query's weight; None without a model. The query finds as much
    without a word that is not significant. `phrase` is the quoted phrase that it is in, or "".
    """

    index: int
    text: str
    share: float | None = None
    is_significant: bool = True
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A span of a text, from `start` to `end`, that one of the query's words may highlight.

    `strength` runs from 0 to 1. `similarity` is that of the aligned tokens, None for a literal
    match. Insignificant highlights are shown only while their word is hovered.
    """

    start: int
    end: int
    word: int
    strength: float
    similarity: float | None = None
    is_significant: bool = True


def strength_of(similarity: float) -> float:
    """Return the highlight strength of this `similarity`.

    >>> [round(strength_of(similarity), 2) for similarity in (0.2, 0.38, 0.58, 0.78, 1.0)]
    [0.0, 0.0, 0.5, 1.0, 1.0]
    """
    share = (similarity - _FAINTEST) / (_STRONGEST - _FAINTEST)
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def query_words(
    tokens: Sequence[QueryToken], query: str = "", phrases: Sequence[str] = ()
) -> tuple[QueryWord, ...]:
    """Return the words of the query in order, one for all the pieces of a word.

    Without tokens, because no model took part, the words are those of the query's text.
    """

    def phrase_of(word: str) -> str:
        return next((phrase for phrase in phrases if word in phrase), "")

    if not tokens:
        spans = word_spans(query)
        plain = {query[start:end]: is_plain for start, end, is_plain in spans}
        is_any_plain = any(plain.values())
        return tuple(
            QueryWord(index, text, None, is_plain or not is_any_plain, phrase_of(text))
            for index, (text, is_plain) in enumerate(plain.items())
        )
    # Not sliced from the query: offsets of tokens do not count quotes and filters.
    pieces: dict[int, list[QueryToken]] = {}
    for token in sorted(tokens, key=lambda token: token.start):
        pieces.setdefault(token.word, []).append(token)
    merged = (
        QueryWord(
            index,
            text := "".join(token.text for token in of_word),
            sum(token.share for token in of_word),
            any(token.is_significant for token in of_word),
            phrase_of(text),
        )
        for index, of_word in pieces.items()
    )
    return tuple(word for word in merged if _has_letters(word.text))


def highlights_in_text(
    hit: PassageHit, tokens: Sequence[QueryToken], words: Sequence[QueryWord]
) -> tuple[Highlight, ...]:
    """Return the possible highlights of the query's words in the passage's text, in order."""
    highlights = _aligned(hit, tokens, hit.passage.text, in_context=False)
    significant = {word.index: word.is_significant for word in words}
    text = hit.passage.text
    # A literal match is highlighted even if the word is aligned with the title or another place.
    literal: list[Highlight] = []
    phrases = {fold(word.phrase) for word in words if word.phrase}
    for span in hit.words:
        # Of a phrase, the longest highlight is visible; a hovered word has its own.
        whole = [span] if fold(text[slice(*span)]) in phrases else []
        for start, end in dict.fromkeys([*whole, *_word_spans(text, *span)]):
            word = _word_like(text[start:end], words)
            highlight = Highlight(start, end, word, 1.0, is_significant=significant.get(word, True))
            aligned = (
                other for other in highlights if other.word == word and _overlap(other, highlight)
            )
            same = max(aligned, key=lambda other: other.strength, default=highlight)
            literal.append(replace(highlight, similarity=same.similarity))
    has_itself = {highlight.word for highlight in literal}
    is_plain = any(not is_stop_word(word.text) for word in words)
    code_of = {word.index: _code(word.text) for word in words if _DIGIT.search(word.text)}

    def is_shown(highlight: Highlight) -> bool:
        spelling = text[highlight.start : highlight.end]
        if highlight.word in code_of and code_of[highlight.word] not in _code(spelling):
            return False
        if is_plain and is_stop_word(spelling) and _is_function_word(spelling, text):
            return False
        similarity = highlight.similarity
        is_weak = similarity is not None and similarity < _WEAK and highlight.strength < 1
        return not (is_weak and highlight.word in has_itself)

    shown = (
        replace(each, is_significant=each.is_significant and is_shown(each))
        for each in (*literal, *highlights)
    )
    return _strongest_of_each_word(shown)


def _word_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the words in a match: itself, unless its script has no spaces between words.

    A function word belongs to the word before it, so that a phrase is highlighted without gaps.

    >>> text = "去年的发票"
    >>> [text[slice(*span)] for span in _word_spans(text, 0, 5)]
    ['去年的', '发票']
    """
    if not has_unspaced(text[start:end]):
        yield from [(start, end)] if start < end else []
        return
    spans = [span for *span, is_plain in word_spans(text[start:end]) if is_plain]
    for (first, last), (following, _) in zip(spans, [*spans[1:], (0, 0)], strict=True):
        yield start + first, start + (following or last)


# Of numbers and codes, which mean something else with another digit.
_DIGIT: Final = re.compile(r"\d")


def _code(text: str) -> str:
    """Return a number or code without the signs between its parts.

    >>> _code("AB-12 34"), _code("1,234")
    ('ab1234', '1234')
    """
    return "".join(filter(str.isalnum, fold(text)))


def _is_function_word(word: str, text: str) -> bool:
    """Return whether a word is a function word of the language that a text is in."""
    return not languages_of_word(word).isdisjoint(_languages(text))


@lru_cache(maxsize=512)
def _languages(text: str) -> frozenset[str]:
    return languages_of(text)


def highlights_in_title(
    hit: PassageHit, tokens: Sequence[QueryToken], title: str, words: Sequence[QueryWord]
) -> tuple[Highlight, ...]:
    """Return the possible highlights of `title`: of the query's own words, and by meaning.

    By meaning only if the passage's context begins with it.
    """
    own_words = {indexed(word.text): word for word in words}
    literal = [
        Highlight(*match.span(), word.index, 1.0, is_significant=word.is_significant)
        for match in WORD.finditer(title)
        if (word := own_words.get(indexed(match.group())))
    ]
    aligned: tuple[Highlight, ...] = ()
    if title and hit.passage.context.startswith(title):
        aligned = _aligned(hit, tokens, title, in_context=True)
    is_plain = any(not is_stop_word(word.text) for word in words)
    shown = (
        each
        for each in (*literal, *aligned)
        if not (is_plain and is_stop_word(title[each.start : each.end]))
    )
    return _strongest_of_each_word(shown)


def visible_highlights(
    highlights: Iterable[Highlight], only: int | None = None
) -> tuple[Highlight, ...]:
    """Return the highlights that are shown, in order and without overlaps.

    These are the significant ones; or, while the query's word with the number `only` is hovered,
    all of that word and no others.
    """
    if only is None:
        return _strongest(highlight for highlight in highlights if highlight.is_significant)
    return _strongest(highlight for highlight in highlights if highlight.word == only)


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole words that `text[start:end]` touches.

    >>> widened("re-indexing folders", 5, 7)
    (3, 11)
    """
    while start > 0 and _is_word_character(text[start - 1]) and _is_word_character(text[start]):
        start -= 1
    while (
        0 < end < len(text) and _is_word_character(text[end]) and _is_word_character(text[end - 1])
    ):
        end += 1
    return start, end


def shifted(highlights: Iterable[Highlight], offset: int) -> tuple[Highlight, ...]:
    """Return `highlights` moved on by `offset` characters."""
    return tuple(
        replace(highlight, start=highlight.start + offset, end=highlight.end + offset)
        for highlight in highlights
    )


def _aligned(
    hit: PassageHit, tokens: Sequence[QueryToken], text: str, *, in_context: bool
) -> tuple[Highlight, ...]:
    token_of = {token.index: token for token in tokens if _has_letters(token.text)}
    highlights: list[Highlight] = []
    for pair in whole_word_pairs(tokens, hit.alignments):
        if (
            pair.in_context == in_context
            and pair.query_index in token_of
            and pair.similarity >= MIN_SIMILARITY
            and 0 <= pair.start < pair.end <= len(text)
            and _has_letters(text[pair.start : pair.end])
        ):
            start, end = widened(text, pair.start, pair.end)
            token = token_of[pair.query_index]
            strength = strength_of(pair.similarity)
            highlights.append(
                Highlight(start, end, token.word, strength, pair.similarity, token.is_significant)
            )
    return _strongest_of_each_word(highlights)


def _strongest_of_each_word(highlights: Iterable[Highlight]) -> tuple[Highlight, ...]:
    """Keep one of overlapping highlights of the same word."""
    by_word: dict[int, list[Highlight]] = {}
    for highlight in highlights:
        by_word.setdefault(highlight.word, []).append(highlight)
    strongest = (highlight for group in by_word.values() for highlight in _strongest(group))
    return tuple(sorted(strongest, key=lambda highlight: (highlight.start, highlight.word)))


def _strongest(highlights: Iterable[Highlight]) -> tuple[Highlight, ...]:
    """Keep of overlapping highlights the significant, strongest, longest, earliest word's."""
    strongest: list[Highlight] = []
    for highlight in sorted(
        highlights,
        key=lambda highlight: (
            not highlight.is_significant,
            -highlight.strength,
            highlight.start - highlight.end,
            highlight.word,
        ),
    ):
        if not any(_overlap(highlight, other) for other in strongest):
            strongest.append(highlight)
    return tuple(sorted(strongest, key=lambda highlight: highlight.start))


def _overlap(highlight: Highlight, other: Highlight) -> bool:
    return highlight.start < other.end and other.start < highlight.end


def _word_like(spelling: str, words: Sequence[QueryWord]) -> int:
    """Return the number of the query's word that `spelling` is a form of, by the longest start.

    A compound belongs to the word that it contains.
    """
    folded = fold(spelling)

    def similarity_to(word: QueryWord) -> int:
        other = fold(word.text)
        if other in folded:
            return len(other)
        same = 0
        while same < min(len(folded), len(other)) and folded[same] == other[same]:
            same += 1
        return same

    return max(words, key=similarity_to).index if words else 0


def _has_letters(text: str) -> bool:
    """Return False for punctuation, which the encoder sees as words."""
    return any(map(str.isalnum, text))


# Compiled on first use, which takes milliseconds: most texts are ASCII.
@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(_UNSPACED)


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(_WIDE)


def _is_unspaced(character: str) -> bool:
    return not character.isascii() and _unspaced().match(character) is not None


def _wide_characters(line: str) -> int:
    return 0 if line.isascii() else len(_wide().findall(line))


def _is_word_character(character: str) -> bool:
    return (character.isalnum() or character in "_'’") and not _is_unspaced(character)


def whole_word_pairs(
    tokens: Sequence[QueryToken], pairs: Iterable[Alignment]
) -> tuple[Alignment, ...]:
    """Return those of one passage's pairs that represent whole words of the query.

    The heaviest piece of a word leads. If it is aligned with nothing similar, the other pieces,
    often an ending, are ignored: the "ness" of "usefulness" finds a match anywhere.

    >>> use, ness = (QueryToken(n, t, 4 * n, 4 * n + 4, 0, s) for n, t, s in
    ...     ((0, "use", 0.7), (1, "ness", 0.3)))
    >>> far = Alignment(1, "ness", 0, 3, 0.5, "for")
    >>> near = Alignment(0, "use", 4, 7, 0.9, "use")
    >>> whole_word_pairs((use, ness), [far]), whole_word_pairs((use, ness), [far, near])[:1]
    ((), (Alignment(query_index=1, query_token='ness', start=0, end=3, similarity=0.5, text='for', \
in_context=False),))
    """
    word_of = {token.index: token.word for token in tokens}
    leading: dict[int, QueryToken] = {}
    for token in tokens:
        if token.word not in leading or token.share > leading[token.word].share:
            leading[token.word] = token
    leaders = {token.index for token in leading.values()}
    whole = tuple(pairs)
    there = {
        word_of[pair.query_index]
        for pair in whole
        if pair.query_index in leaders and pair.similarity >= MIN_SIMILARITY
    }
    return tuple(
        pair
        for pair in whole
        if pair.query_index in leaders or word_of.get(pair.query_index, -1) in there
    )


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage's text from `start` to `end` on one line, with its highlights.

    `wide` counts characters as wide as two letters, such as Chinese ones.
    """

    text: str
    highlights: tuple[Highlight, ...]
    start: int
    end: int
    wide: int = 0


def snippet_of(
    text: str, highlights: Sequence[Highlight], length: int, lead: int = _LEAD
) -> Snippet:
    """Return about `length` characters of `text` around the strongest highlights.

    At most `lead` of them precede the first highlight. The header lines of a mail are left out,
    unless they have a highlight.
    """
    visible = visible_highlights(highlights)
    start = _beginning(text, visible, length, lead)
    headers = mail_headers_end(text)
    if start < headers < len(text) and not any(mark.start < headers for mark in visible):
        start = headers
    end = min(len(text), start + length)
    if end < len(text):
        space = text.rfind(" ", start + length // 2, end)
        end = space if space > start else end
    return on_single_line(text, start, end, highlights)


def mail_headers_end(text: str) -> int:
    r"""Return the offset after the header lines of a mail; 0 if a text has none.

    >>> mail_headers_end("From: Ann\nDate: 2024-01-02\n\nHello"), mail_headers_end("From: here")
    (28, 0)
    """
    headers = _MAIL_HEADERS.match(text)
    return headers.end() if headers else 0


def with_highlights(snippet: Snippet, text: str, highlights: Sequence[Highlight]) -> Snippet:
    """Return the same piece of `text` with other highlights."""
    return on_single_line(text, snippet.start, snippet.end, highlights)


def _beginning(text: str, highlights: Sequence[Highlight], length: int, lead: int) -> int:
    if not highlights or len(text) <= length:
        return 0
    window = length - lead

    def weight(first: Highlight) -> float:
        """Sum over the query's words, so that two words beat one word twice."""
        best: dict[int, float] = {}
        for highlight in highlights:
            if first.start <= highlight.start and highlight.end <= first.start + window:
                best[highlight.word] = max(best.get(highlight.word, 0.0), highlight.strength)
        return sum(best.values())

    first = max(highlights, key=weight)
    earliest = max(0, first.start - lead)
    if earliest == 0:
        return 0
    for mark in (". ", "? ", "! ", "\n"):
        sentence = text.find(mark, earliest, first.start)
        if sentence >= 0:
            return min(sentence + len(mark), first.start)
    space = text.find(" ", earliest, first.start)
    return space + 1 if space >= 0 else first.start


def on_single_line(
    text: str, start: int, end: int, highlights: Sequence[Highlight], *, is_cut: bool = True
) -> Snippet:
    """Return a piece of `text` on one line with its highlights, with ellipses where it is cut."""
    lead = _ELLIPSIS if start > 0 and is_cut else ""
    offsets: Sequence[int]
    if _UNEVEN.search(text, start, end) is None:
        # Most texts are in order already, and thousands of passages are shown.
        line = lead + text[start:end].rstrip()
        offsets = range(len(lead), len(lead) + end - start + 1)
    else:
        line, offsets = _evened(text[start:end], lead)
    if end < len(text) and is_cut:
        line += " …"
    moved = (
        replace(
            highlight, start=offsets[highlight.start - start], end=offsets[highlight.end - start]
        )
        for highlight in highlights
        if start <= highlight.start and highlight.end <= end
    )
    shown = tuple(highlight for highlight in moved if highlight.start < highlight.end)
    return Snippet(line, shown, start, end, _wide_characters(line))


def _evened(text: str, lead: str) -> tuple[str, list[int]]:
    """Return the text on one line after `lead`, and the position of each character in it."""
    pieces = [lead]
    length = len(lead)
    was_space = True
    offsets = [0] * (len(text) + 1)
    for offset, character in enumerate(text):
        offsets[offset] = length
        is_space = character.isspace()
        if not (is_space and was_space):
            pieces.append(" " if is_space else character)
            length += 1
        was_space = is_space
    offsets[len(text)] = length
    return "".join(pieces).rstrip(), offsets


def width_in_letters(snippet: Snippet) -> int:
    """Return the width of the snippet in letters.

    >>> width_in_letters(snippet_of("flow, 流れ", (), 80))
    10
    """
    return len(snippet.text) + snippet.wide


def significant_pairs(
    tokens: Sequence[QueryToken], alignments: Iterable[Alignment]
) -> tuple[Alignment, ...]:
    """Return the pairs of a passage that made the match, best first, each pair of words once."""
    significant = {token.index for token in tokens if token.is_significant}
    pairs: dict[tuple[str, str], Alignment] = {}
    for pair in sorted(whole_word_pairs(tokens, alignments), key=lambda pair: -pair.similarity):
        is_shown = pair.query_index in significant and pair.similarity >= MIN_SIMILARITY
        if is_shown and pair.text:
            pairs.setdefault((pair.query_token, pair.text), pair)
    return tuple(pairs.values())
