"""Splitting a document's pages into passages, the units of search."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from core.documents.document import Document, Heading, Page
from core.documents.metadata import shorten

CountTokens = Callable[[Sequence[str]], list[int]]

# No language has more characters per token on average. Text that does is not language (a tokenizer
# makes one unknown token of a megabyte of base64) and is cut by its length.
_CHARACTERS_PER_TOKEN = 16
_LONGEST_CONTEXT = 300
_LONGEST_TITLE = 200

# Strength of a border, by what begins there.
_WORD, _SENTENCE, _PARAGRAPH, _HEADING = range(4)

_PARAGRAPH_END = re.compile(r"\n\n\s*")
_SENTENCE_END = re.compile(
    # Closing quotes and brackets belong to the sentence. Chinese and Japanese have no space. The
    # first look-behinds keep a long row of marks from being tried mark by mark; the other one
    # excludes the ellipsis that leads to a number in a table.
    r"(?<![.!?…‽])[.!?…‽]++(?<! …)[\"'”’»)\]]*+\s+|(?<![。！？｡])[。！？｡]++[\"'”’」』）》]*+\s*"
)
_LINE_END = re.compile(r"\n\s*")
_WORD_END = re.compile(r"\s+")
# How sentences that do not fit are cut: the borders, their least distance in characters, and their
# strength. A text of short lines or of endless words would make millions of pieces if it were cut
# at each of them.
_FINER = ((_LINE_END, 40, _SENTENCE), (_WORD_END, 40, _WORD), (_WORD_END, 1, _WORD))


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """Position and context of a passage.

    The passage is `text[start:end]` of page `page`, without white space at its ends. The tiles of
    the passages, each from the previous `tile_end` (0 for the first one of a page) to its
    `tile_end`, join to the page's text. `context` is the document's title and the headings above
    the passage, outermost first, without those inside the passage.
    """

    page: int
    start: int
    end: int
    tile_end: int
    context: str


class _Piece(NamedTuple):
    """A span of text that starts without white space and ends with the white space after it.

    `strength` is that of a border before it; `cost` is in tokens, 0 if not known yet.
    """

    start: int
    end: int
    strength: int
    is_heading: bool = False
    cost: int = 0


def split(
    document: Document, count_tokens: CountTokens, *, limit: int = 180, target: int = 120
) -> list[PassageSpan]:
    r"""Split `document` into passages, in order. Pages without text have none.

    Borders are, from best to worst, before headings, paragraphs, sentences, lines and words.
    Passages of less than `target` tokens are joined with the next one, unless that is a separate
    section. No passage has more than `limit` tokens.

    Args:
        document: Pages whose text has no white space at either end.
        count_tokens: Returns the number of the encoder's tokens for each text of a batch. The
            limit holds if no text has more tokens than its parts, cut at white space, together.
        limit: Most tokens in a passage, without its context.
        target: Number of tokens from which a passage ends at the next paragraph.

    >>> page = Page(1, "Crows are clever. Rooks too.\n\nOwls hunt at night.")
    >>> count_words = lambda texts: [len(text.split()) for text in texts]
    >>> spans = split(Document("Birds", (page,)), count_words, limit=6, target=3)
    >>> [(page.text[span.start : span.end], span.context) for span in spans]
    [('Crows are clever. Rooks too.', 'Birds'), ('Owls hunt at night.', 'Birds')]
    """
    if not 1 <= target <= limit:
        raise ValueError("target must be at least 1 and at most limit")
    passages: list[PassageSpan] = []
    path: list[Heading] = []  # the headings above the start of the page
    for page in document.pages:
        if not page.text or page.text.isspace():
            continue
        headings = deque(page.headings)
        pieces = _pieces(page, count_tokens, limit)
        for first, last in _pack(pieces, limit, target):
            tile_end = pieces[last].end
            start, end = _shown(page.text, pieces[first].start, tile_end)
            while headings and headings[0].start < start:
                _enter(path, headings.popleft())
            own = []
            for heading in headings:
                if heading.start >= end:
                    break
                own.append(heading)
            above: Sequence[Heading] = path
            if own and own[0].start == start:
                above = [heading for heading in path if heading.level < own[0].level]
            context = _context(document.title, above, own)
            passages.append(PassageSpan(page.number, start, end, tile_end, context))
        for heading in headings:
            _enter(path, heading)
    return passages


def _shown(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span from `start` to `end` without the white space at its ends."""
    tile = text[start:end]
    return end - len(tile.lstrip()), start + len(tile.rstrip())


def _pieces(page: Page, count_tokens: CountTokens, limit: int) -> list[_Piece]:
    """Split a page into pieces of at most `limit` tokens: sentences, where they fit."""
    text = page.text
    pieces = _counted(text, _sentences(page), count_tokens, limit)
    for border, length, strength in _FINER:
        if all(piece.cost <= limit for piece in pieces):
            return pieces
        finer: list[_Piece] = []
        for piece in pieces:
            if piece.cost <= limit:
                finer.append(piece)
            else:
                ends = _spaced(border, text, piece, length)
                finer += _cut(piece, ends, strength)
        pieces = _counted(text, finer, count_tokens, limit)
    # Only words longer than a passage are left. A character seldom has more than one token.
    length = limit
    while length and any(piece.cost > limit for piece in pieces):
        slices: list[_Piece] = []
        for piece in pieces:
            last = piece.start + len(text[piece.start : piece.end].rstrip())
            borders = range(piece.start + length, last, length)
            slices += [piece] if piece.cost <= limit else _cut(piece, borders, _WORD)
        pieces = _counted(text, slices, count_tokens, limit)
        length //= 2
    return pieces


def _sentences(page: Page) -> Iterator[_Piece]:
    """Yield the headings and the sentences of a page."""
    text = page.text
    strengths = {match.end(): _PARAGRAPH for match in _PARAGRAPH_END.finditer(text)}
    heading_starts = {heading.start for heading in page.headings}
    for heading in page.headings:
        strengths[heading.start] = _HEADING
        if after := _WORD_END.match(text, heading.start + len(heading.text)):
            strengths.setdefault(after.end(), _PARAGRAPH)
    # A mail's own text and what it quotes are passages of their own.
    strengths |= dict.fromkeys(chain.from_iterable(page.quotes), _HEADING)
    first = len(text) - len(text.lstrip())
    borders = sorted(border for border in strengths if first < border < len(text))
    for start, end in pairwise([0, *borders, len(text)]):
        strength = strengths.get(start, _PARAGRAPH)
        if start in heading_starts:
            yield _Piece(start, end, strength, is_heading=True)
            continue
        ends = (
            match.end()
            for match in _SENTENCE_END.finditer(text, start, end)
            # No sentence ends before a lower-case letter: "e.g. this".
            if match.end() < end and not text[match.end()].islower()
        )
        yield from _cut(_Piece(start, end, strength), ends, _SENTENCE)


def _cut(piece: _Piece, ends: Iterable[int], strength: int) -> Iterator[_Piece]:
    """Yield the parts of `piece` up to each of `ends`; borders between them have `strength`."""
    start = piece.start
    for end in (*ends, piece.end):
        if end > start:
            own = piece.strength if start == piece.start else strength
            yield _Piece(start, end, own, piece.is_heading)
            start = end


def _spaced(border: re.Pattern[str], text: str, piece: _Piece, length: int) -> Iterator[int]:
    """Yield the ends of the borders in `piece` that are at least `length` characters apart."""
    last = piece.start
    for match in border.finditer(text, piece.start, piece.end):
        if match.end() - last >= length:
            last = match.end()
            yield last


def _counted(
    text: str, pieces: Iterable[_Piece], count_tokens: CountTokens, limit: int
) -> list[_Piece]:
    """Return `pieces` with their costs. Unknown ones are counted in one call."""
    known = list(pieces)
    unknown = []
    for index, piece in enumerate(known):
        if not piece.cost:
            # A piece that is too long by its characters is not tokenized.
            cost = -(-(piece.end - piece.start) // _CHARACTERS_PER_TOKEN)
            known[index] = piece._replace(cost=cost)
            if cost <= limit:
                unknown.append(index)
    counts = count_tokens([text[known[i].start : known[i].end].strip() for i in unknown])
    for index, count in zip(unknown, counts, strict=True):
        piece = known[index]
        if count > piece.cost:
            known[index] = piece._replace(cost=count)
    return known


def _pack(pieces: Sequence[_Piece], limit: int, target: int) -> list[tuple[int, int]]:
    """Return the passages as pairs of their first and last piece's number."""
    fair = max(1, target // 4)
    costs = [0, *accumulate(piece.cost for piece in pieces)]
    passages: list[tuple[int, int]] = []
    section_ends = _section_ends(pieces, costs)
    first = 0
    for index, piece in enumerate(pieces):
        while first < index and costs[index + 1] - costs[first] > _even(
            section_ends[first] - costs[first], limit
        ):
            border = _best_border(pieces, costs, first, index, target // 2)
            passages.append((first, border - 1))
            first = border
        cost = costs[index] - costs[first]
        # A piece directly below a heading stays with it.
        is_free = first < index and not pieces[index - 1].is_heading
        if is_free and (
            (piece.strength == _HEADING and cost >= fair)
            or (piece.strength == _PARAGRAPH and cost >= target)
        ):
            passages.append((first, index - 1))
            first = index
    last = (first, len(pieces) - 1)
    # A short rest joins the passage before it, if there is room.
    if passages and costs[-1] - costs[first] < fair and pieces[first].strength < _HEADING:
        before = passages[-1][0]
        if costs[-1] - costs[before] <= limit:
            passages.pop()
            last = (before, last[1])
    return [*passages, last]


def _section_ends(pieces: Sequence[_Piece], costs: Sequence[int]) -> list[int]:
    """Return the cost of all pieces up to the next heading (or the end), for each piece."""
    ends = [costs[-1]] * len(pieces)
    for index in range(len(pieces) - 2, -1, -1):
        is_last = pieces[index + 1].strength == _HEADING and not pieces[index].is_heading
        ends[index] = costs[index + 1] if is_last else ends[index + 1]
    return ends


def _even(rest: int, limit: int) -> int:
    """Return how long the next passage may be, to cut `rest` into parts of similar lengths.

    A rest of little more than one passage would otherwise leave a scrap that is hard to find and
    to understand.

    >>> _even(150, limit=180), _even(200, limit=180), _even(900, limit=180)
    (180, 115, 180)
    """
    parts = -(-rest // limit)
    return limit if parts < 2 else min(limit, rest * 23 // (20 * parts))


def _best_border(
    pieces: Sequence[_Piece], costs: Sequence[int], first: int, last: int, least: int
) -> int:
    """Return the piece after `first`, up to `last`, before which a passage that is too long ends.

    That is the last of the strongest borders that leave it at least `least` tokens.
    """

    def rank(border: int) -> tuple[bool, int, int]:
        is_below_heading = pieces[border - 1].is_heading
        strength = -1 if is_below_heading else pieces[border].strength
        return costs[border] - costs[first] >= least, strength, border

    return max(range(first + 1, last + 1), key=rank)


def _enter(path: list[Heading], heading: Heading) -> None:
    """Update `path`, the current headings from outermost to innermost, for a new heading.

    >>> path = [Heading(0, 1, "Birds"), Heading(9, 2, "Crows")]
    >>> _enter(path, Heading(20, 2, "Owls"))
    >>> [heading.text for heading in path]
    ['Birds', 'Owls']
    """
    while path and path[-1].level >= heading.level:
        path.pop()
    path.append(heading)


def _context(title: str, above: Sequence[Heading], own: Sequence[Heading]) -> str:
    """Return title and headings in one line, without repetitions, of bounded length."""
    seen = {_folded(heading.text) for heading in own}
    parts: list[str] = []
    for part in (shorten(title, _LONGEST_TITLE), *(heading.text for heading in above)):
        if part and _folded(part) not in seen:
            seen.add(_folded(part))
            parts.append(" ".join(part.split()))
    # The title and the innermost headings are the most informative.
    while len(parts) > 2 and len(" › ".join(parts)) > _LONGEST_CONTEXT:
        del parts[1]
    return shorten(" › ".join(parts), _LONGEST_CONTEXT)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
